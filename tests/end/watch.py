"""Spectators over real TCP, in both spellings: what they piece together is the stored record;
crowds, the deaf and those who come late cost nobody anything."""
import json
import os
import re
import socket
import threading
import time
import urllib.parse

import kit

tap = kit.Tap()
where = kit.folder()

POSITIONAL = {"record": ["table"], "game": ["table", "game"],
              "did": ["table", "ply", "seat", "dice", "play"], "fault": ["table", "ply", "seat"],
              "void": ["table", "game"], "result": ["table", "game"], "end": ["table"],
              "reveal": ["unit"], "sign": ["lines"]}


class Spectator(threading.Thread):
    """Reads all that comes, in a thread of its own."""

    def __init__(self, port, *watches, spelled_json=False):
        super().__init__(daemon=True)
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self.json = spelled_json
        self.lines = []
        if spelled_json:
            self.say(json.dumps({"type": "hello", "hakem": 1, "name": "watcher", "tables": 0}))
        else:
            self.say("hello hakem=1 name=watcher tables=0")
        for watch in watches:
            self.say(json.dumps({"type": "watch", "what": watch}) if spelled_json
                     else "watch " + watch)
        self.start()

    def say(self, line):
        self.socket.sendall((line + "\n").encode())

    def run(self):
        try:
            with self.socket.makefile("r", encoding="utf-8", newline="\n") as file:
                for line in file:
                    self.lines.append(line)
        except OSError:
            pass

    def wait_for(self, pattern, patience=30):
        end = time.monotonic() + patience
        while time.monotonic() < end:
            if any(re.search(pattern, line) for line in self.lines):
                return True
            time.sleep(0.01)
        return False

    def records(self):
        """The records it has read, by the paths of their matches."""
        found = {}
        for line in self.lines:
            path, text = respelled(line) if self.json else stripped(line)
            if path is not None:
                found[path] = found.get(path, "") + text
        return found


def stripped(line):
    """The path and the record's line of a text line: exactly as the page says."""
    path, digits = re.search(r" at=(\S+)", line), re.search(r" digits=(\S+)", line)
    if path is None or digits is None:
        return None, ""
    bare = re.sub(r" (at|digits)=\S+", "", line.rstrip("\n"))
    return urllib.parse.unquote(path.group(1)), "%s %s\n" % (bare, digits.group(1))


def spell(key, value):
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ("" if key in ("dice", "throw") else ",").join(spell(key, item) for item in value)
    if isinstance(value, str):
        return "".join("%%%02X" % byte if byte <= 32 or byte in (37, 127) else chr(byte)
                       for byte in value.encode())
    return str(value)


def respelled(line):
    """The same from a JSON line."""
    message = json.loads(line)
    kind, path, digits = (message.pop(key, None) for key in ("type", "at", "digits"))
    if path is None:
        return None, ""
    words = [kind]
    for key in POSITIONAL[kind]:
        if key in message:
            value = message.pop(key)
            words.append(value if key == "play" else spell(key, value))
    if kind == "record":  # it has no flags, but options
        message = {key: str(value).lower() if isinstance(value, bool) else value
                   for key, value in message.items()}
    words += ["%s=%s" % (key, spell(key, value)) for key, value in message.items()]
    return path, "%s %s\n" % (" ".join(words), digits)


def stored(folder):
    """The records of a store by unit and leg."""
    found = {}
    for name in os.listdir(os.path.join(folder, "records")):
        if name.endswith(".hkm"):
            with open(os.path.join(folder, "records", name), encoding="utf-8") as file:
                found[name[:-4].replace("-", "/")] = file.read()
    return found


class Bot(threading.Thread):
    """Dials in and plays one match; `pause` seconds before each answer."""

    def __init__(self, port, name, pause=0.0):
        super().__init__(daemon=True)
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self.pause = pause
        self.socket.sendall(("hello hakem=1 name=%s\n" % name).encode())
        self.start()

    def run(self):
        with self.socket.makefile("rw", encoding="utf-8", newline="\n") as file:
            for line in file:
                words = line.split()
                if words[0] == "match":
                    file.write("ready %s\n" % words[1])
                elif words[0] == "turn":
                    time.sleep(self.pause)
                    file.write("play %s %s #0\n" % (words[1], words[2]))
                file.flush()


def serve(*options):
    process = kit.start("serve", "--listen", "127.0.0.1:0", *options)
    line = process.stdout.readline()
    return process, int(line.rsplit(":", 1)[1])


def served():
    """Two bots dial in, one who watches was there before, others come in the middle."""
    store = os.path.join(where, "served")
    process, port = serve("--match", "3", "--store", store, "--once", "--seed", "7")
    early = [Spectator(port, "*"), Spectator(port, "room", spelled_json=True)]
    bots = [Bot(port, name, 0.001) for name in ("anatolia", "bosphorus")]
    tap.check(early[0].wait_for("^did 1 20 "), "plies are seen while they are played")
    late = [Spectator(port, "room/U000001/1"), Spectator(port, "*", spelled_json=True)]
    for thread in bots + early + late:
        thread.join(60)
    out, err = process.communicate(timeout=20)
    tap.check(process.returncode == 0, "the match ends as ever", out, err)
    want = stored(os.path.join(store, "room"))["U000001/1"]
    for who, spectator in zip(("early, text", "early, JSON", "late, text", "late, JSON"),
                              early + late):
        got = spectator.records()
        tap.check(got == {"room/U000001/1": want}, "%s: the stored record" % who,
                  sorted(got), *spectator.lines[-3:])
        tap.check("bye" in spectator.lines[-1], "%s: then good-bye" % who, spectator.lines[-1])
    seed = re.search(r"reveal \S+ seed=(\S+)", want).group(1)
    shown = [line for line in early[0].lines if seed in line]
    tap.check(len(shown) == 1 and early[0].lines.index(shown[0]) > len(want.splitlines()) - 3,
              "the seed comes when all is over", *shown)


def duel():
    """A duel lets spectators in, and nobody else."""
    store = os.path.join(where, "duel")
    run = kit.start("duel", "a=" + kit.bot(where), "b=" + kit.bot(where), "--pairs", "2",
                    "--match", "1", "--store", store, "--listen", "127.0.0.1:0")
    port = int(re.search(r" listening on 127.0.0.1:(\d+);", run.stderr.readline()).group(1))
    one = Spectator(port, "*")
    other = socket.create_connection(("127.0.0.1", port), timeout=20)
    other.sendall(b"hello hakem=1 name=player\n")
    answer = other.makefile().readline()
    tap.check(answer.startswith(("refused ", "bye ")), "a duel lets nobody in who would play", answer)
    out, err = run.communicate(timeout=60)
    one.join(20)
    tap.same(run.returncode, 0, "the duel is over")
    want = stored(store)
    got = {path.split("/", 1)[1]: text for path, text in one.records().items()}
    tap.check(got == want and len(want) == 4, "who watches a duel has its four records",
              sorted(got), sorted(want))


def crowd():
    """A hundred who read, and some who never do: the match takes no longer."""
    took, peak = [], []
    for count in (0, 100):
        store = os.path.join(where, "crowd%d" % count)
        process, port = serve("--match", "5", "--store", store, "--once", "--seed", "9",
                              "--move_time", "1s")
        watchers = [Spectator(port, "*", spelled_json=i % 2 == 1) for i in range(count)]
        deaf = []
        for _ in range(20 if count else 0):
            peer = socket.create_connection(("127.0.0.1", port), timeout=20)
            peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            peer.sendall(b"hello hakem=1 name=deaf tables=0\nwatch *\n")
            deaf.append(peer)
        begun = time.monotonic()
        bots = [Bot(port, name) for name in ("anatolia", "bosphorus")]
        most = 0
        while bots[0].is_alive() and time.monotonic() < begun + 120:
            try:
                most = max(most, kit.peak_memory(process.pid))
            except (OSError, AttributeError):
                break  # it has ended already
            bots[0].join(0.02)
        bots[0].join(120)
        took.append(time.monotonic() - begun)
        peak.append(most)
        for watcher in watchers:
            watcher.join(60)
        for peer in deaf:
            peer.close()
        out, err = process.communicate(timeout=20)
        tap.check(process.returncode == 0 and "(normal)" in out, "%d spectators" % count, out, err)
    want = stored(os.path.join(store, "room"))["U000001/1"]
    good = [watcher.records() == {"room/U000001/1": want} for watcher in watchers]
    tap.check(all(good), "each of a hundred has the record", good.count(False))
    times = re.findall(r" ms=(\d+)", want)
    tap.check(max(map(int, times)) < 1000 and took[1] < took[0] * 4 + 5,
              "no time is lost: %.1f s, alone %.1f s" % (took[1], took[0]))
    tap.check(peak[1] < peak[0] + 60, "%.0f MiB, alone %.0f MiB" % (peak[1], peak[0]))


served()
duel()
crowd()
tap.done()
