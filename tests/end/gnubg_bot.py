"""GNU Backgammon plays: started here by its short name, or listening where it is dialled. Matches
with the cube, money play and single games without a fault, and its own reader agrees with our
.mat and .sgf of them. What comes in between, a proxy that spoils its answers, becomes faults."""
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import time

import kit

GNUBG = shutil.which("gnubg") or "/usr/games/gnubg"
if not os.access(GNUBG, os.X_OK):
    print("1..0 # SKIP GNU Backgammon is not installed")
    sys.exit(0)
tap = kit.Tap()
where = kit.folder()
SOLID = "solid=" + os.path.join(os.environ["HAKEM_BUILD"], "contrib", "c", "solid")
stores = 0


def duel(*options, bots=("gnubg:0ply", SOLID)):
    global stores
    stores += 1
    store = os.path.join(where, "s%d" % stores)
    return kit.hakem("duel", *bots, "--seed", "4", "--store", store, *options), store


def one_order(legs):
    """The legs of a play in one order. Of two that hit the same checker the first has the star, so
    that it goes with the point."""
    legs = legs.split()
    hit = {leg.rstrip("*").split("/")[1] for leg in legs if leg.endswith("*")}
    legs = sorted(leg.rstrip("*") for leg in legs)
    return " ".join(leg + "*" if leg.split("/")[1] in hit else leg for leg in legs) + " "


def rows(text):
    """A .mat without its comments, the legs of each play in one order."""
    return [re.sub(r"((?:\d+/\d+\*? ?)+)", lambda legs: one_order(legs[1]),
                   re.sub(r" +", " ", line)).strip()
            for line in text.splitlines() if line.strip() and not line.startswith(";")]


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def agrees(store, name):
    """Whether GNU Backgammon reads our files of a match as the same match."""
    base = os.path.join(store, "records", name)
    script, wanted = "", rows(read(base + ".mat"))
    for kind, verb in (("mat", "import mat"), ("sgf", "load match")):
        script += "new session\n%s %s.%s\nsave match %s/%s.sgf\n" % (verb, base, kind, where, kind)
    done = subprocess.run([GNUBG, "-t", "-q", "-r"], input=script + "quit\ny\n", text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60,
                          errors="replace")
    for kind in ("mat", "sgf"):
        out = os.path.join(where, kind + "-back.mat")
        kit.hakem("convert", os.path.join(where, kind + ".sgf"), out)
        got = rows(read(out)) if os.path.exists(out) else ["nothing"]
        differ = [(a, b) for a, b in zip(got, wanted) if a != b] or \
            ([] if len(got) == len(wanted) else ["length"])
        tap.check(not differ, "gnubg reads our .%s of %s as we wrote it" % (kind, name), *differ[:3],
                  done.stdout[-300:])


done, store = duel("--variant", "western", "--vido", "on", "--match", "7", "--pairs", "1",
                   "--files", "hkm,mat,sgf")
tap.check(done.returncode == 0 and "No faults." in done.stdout, "a match to 7 with the cube",
          done.stdout, done.stderr)
for leg in (1, 2):
    agrees(store, "U000001-%d" % leg)
records = os.path.join(store, "records")
verified = kit.hakem("verify", *[os.path.join(records, name) for name in sorted(os.listdir(records))
                                 if name.endswith(".hkm")])
tap.check(verified.returncode == 0, "its records verify", verified.stdout, verified.stderr)

done, store = duel("--match", "1", "--pairs", "100", "--files", "none")
tap.check(done.returncode == 0 and "No faults." in done.stdout and
          "finished: 200 of 200" in done.stdout, "200 single games of tavla", done.stdout, done.stderr)
done, store = duel("--variant", "western", "--match", "0", "--games", "12", "--vido", "on",
                   "--jacoby", "true", "--beavers", "1", "--pairs", "1", "--files", "hkm",
                   bots=("gnubg:0ply", "gnubg:0ply"))
tap.check(done.returncode == 0 and "No faults." in done.stdout, "money play with beavers",
          done.stdout, done.stderr)
text = "".join(read(os.path.join(store, "records", name))
               for name in os.listdir(os.path.join(store, "records")))
tap.check(re.search(r"^did .* double", text, re.M), "somebody doubles", text[-600:])
tap.same(kit.left_over(where), [], "no process is left")
done = kit.hakem("check", "gnubg:0ply", "--variant", "western", "--time", "20")
tap.check(done.returncode == 0 and re.search(r"gnubg-0ply: \d\d good, 0 bad", done.stdout),
          "hakem check finds nothing", done.stdout[-3000:], done.stderr)
done = kit.hakem("duel", "gnubg:9ply", SOLID)
tap.check(done.returncode != 0 and "gnubg:0ply to gnubg:4ply" in done.stderr, "no such strength",
          done.stderr)


# ---- one that listens, behind a proxy that spoils some answers
def free_port():
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


class Proxy(threading.Thread):
    """Between us and GNU Backgammon: `spoil` makes of an answer what we hear, None nothing."""

    def __init__(self, target, spoil):
        super().__init__(daemon=True)
        self.target, self.spoil, self.count = target, spoil, 0
        self.server = socket.create_server(("127.0.0.1", 0))
        self.port = self.server.getsockname()[1]
        self.start()

    def serve(self, peer):
        for _ in range(200):
            try:
                engine = socket.create_connection(("127.0.0.1", self.target), timeout=30)
                break
            except OSError:
                time.sleep(0.05)
        asks, answers = peer.makefile("r", newline="\n"), engine.makefile("r", newline="\n")
        for line in asks:
            engine.sendall(line.encode())
            for _ in range(4 if line.startswith("version") else 1):
                answer = answers.readline()
                if re.match(r"board:.*", line) and "/" in answer:
                    self.count += 1
                    answer = self.spoil(self.count, answer)
                if answer is None:
                    continue
                peer.sendall(answer.encode("latin-1"))
        engine.close()

    def run(self):
        while True:
            peer = self.server.accept()[0]
            try:
                self.serve(peer)
            except OSError:
                pass
            peer.close()


port = free_port()
gnubg = subprocess.Popen([GNUBG, "-t", "-q", "-r"], stdin=subprocess.PIPE,
                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True)
gnubg.stdin.write("set evaluation chequerplay evaluation plies 0\n"
                  "set evaluation cubedecision evaluation plies 0\n"
                  "external 127.0.0.1:%d\n" % port)
gnubg.stdin.flush()

SPOILS = {
    "plain": (lambda count, answer: answer, None),
    "NUL before, CR after": (lambda count, answer: "\0" + answer.rstrip() + "\r\n", None),
    "an error": (lambda count, answer: "Error: badly formed board\n" if count == 5 else answer,
                 "malformed"),
    "an illegal play": (lambda count, answer: "24/1 24/1\n" if count == 5 else answer, "illegal"),
    "rubbish": (lambda count, answer: "\xff\x01%00 #0 play=1\n" if count == 5 else answer,
                "malformed"),
    "no answer": (lambda count, answer: None if count == 5 else answer, "timeout"),
    "half an answer": (lambda count, answer: answer.rstrip()[:3] if count == 5 else answer,
                       "timeout"),
}
for name, (spoil, code) in SPOILS.items():
    proxy = Proxy(port, spoil)
    stores += 1
    path = os.path.join(where, "event%d.json" % stores)
    with open(path, "w", encoding="utf-8") as file:
        file.write('{"name": "e%d", "pairs": 1, "match": 1, "seed": 5, "move_time": "1s", '
                   '"bots": [{"name": "gnu-bg.x", "protocol": "gnubg", "address": "127.0.0.1:%d"},'
                   '{"name": "solid", "command": "%s"}]}'
                   % (stores, proxy.port, SOLID.split("=")[1]))
    done = kit.hakem("run", path)
    records = os.path.join(where, "event%d.store" % stores, "records")
    faults = re.findall(r"^fault .*", "".join(
        read(os.path.join(records, record)) for record in sorted(os.listdir(records))
        if record.endswith(".hkm")), re.M)
    good = not faults if code is None else \
        len(faults) > 0 and all("code=" + code in fault for fault in faults)
    tap.check(done.returncode == 0 and "finished: 2 of 2" in done.stdout and good,
              "GNU Backgammon is dialled: " + name, done.stdout, done.stderr, *faults)
gnubg.kill()
gnubg.wait()
tap.done()
