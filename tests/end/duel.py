"""hakem duel over pipes: a text bot against a JSON bot, what is shown, kept, and said."""
import json
import os
import pty
import re
import signal
import subprocess
import time

import kit

tap = kit.Tap()
where = kit.folder()
store = os.path.join(where, "store")
text, spelled = "tee=" + kit.bot(where), "jay=" + kit.bot(where, "--json")

done = kit.hakem("duel", text, spelled, "--pairs", "6", "--match", "3", "--seed", "7",
                 "--store", store)
tap.check(done.returncode == 0, "a text bot plays a JSON bot", done.stdout, done.stderr)
tap.check("finished: 12 of 12 matches" in done.stdout, "all matches are played", done.stdout)
tap.check("No faults." in done.stdout, "without faults", done.stdout)
files = sorted(os.listdir(os.path.join(store, "records")))
want = ["U%06d-%d.%s" % (unit, leg, kind) for unit in range(1, 7) for leg in (1, 2)
        for kind in ("hkm", "mat")]
tap.same(files, want, "a .hkm and a .mat of each match")
tap.check(not os.path.exists(os.path.join(store, "hakem.sock")), "the socket is gone")
tap.same(kit.left_over(where), [], "no process is left")

for name in files:
    if name.endswith(".hkm"):
        with open(os.path.join(store, "records", name), encoding="utf-8") as file:
            lines = file.read().splitlines()
        if lines[-2].split()[0] != "reveal" or lines[-1].split()[0] != "sign":
            tap.check(False, name + " is sealed", *lines[-2:])
            break
else:
    tap.check(True, "every record ends with its seed and signature")
verified = kit.hakem("verify", *[os.path.join(store, "records", name) for name in files
                                 if name.endswith(".hkm")])
tap.check(verified.returncode == 0, "hakem verify accepts them", verified.stdout, verified.stderr)

again = kit.hakem("duel", text, spelled, "--pairs", "6", "--match", "3", "--seed", "7",
                  "--store", store)
tap.check(again.returncode == 0 and "finished: 12 of 12" in again.stdout,
          "the same command shows the finished event", again.stdout, again.stderr)
torn = os.path.join(store, "records", "U000002-1.hkm")
whole = kit.records(store)
os.truncate(torn, 100)
os.unlink(os.path.join(store, "records", "U000003-2.mat"))
kit.hakem("duel", text, spelled, "--pairs", "6", "--match", "3", "--seed", "7", "--store", store)
tap.check(kit.records(store) == whole, "copies that are torn or missing are made again")

other = os.path.join(where, "other")
done = kit.hakem("duel", spelled, text, "--pairs", "4", "--match", "1", "--store", other,
                 "--format", "jsonl", "--files", "none", "--variant", "uzun")
events = [json.loads(line) for line in done.stdout.splitlines()]
kinds = [event["type"] for event in events]
tap.check(done.returncode == 0 and kinds[:4] == ["stream", "event", "evaluator", "progress"] and
          kinds.count("match") == 8 and
          "standing" in kinds and kinds[-1] == "end", "the JSON stream", done.stdout, done.stderr)
matches = [event for event in events if event["type"] == "match"]
tap.same([event["finished"] for event in matches], list(range(1, 9)), "counts as it goes")
tap.check(not os.path.exists(os.path.join(other, "records")), "--files none writes none")
records = kit.hakem("convert", other, os.path.join(where, "out"))
tap.check(records.returncode == 0 and len(os.listdir(os.path.join(where, "out"))) >= 8,
          "hakem convert writes them out afterwards", records.stdout, records.stderr)

strict = kit.hakem("duel", text, "bad=" + kit.bot(where, "exit"), "--pairs", "3", "--match", "1",
                   "--store", os.path.join(where, "strict"), "--strict")
tap.check(strict.returncode == 3 and "finished: 6 of 6" in strict.stdout,
          "--strict: faults of a bot are exit code 3", strict.stdout, strict.stderr)

crash = "crash=" + kit.bot(where, "crash")
END = 'bot "crash" ended: exited with status 1 (its last error line: boom at line 7); '
fell = kit.hakem("duel", text, crash, "--pairs", "30", "--match", "1", "--concurrency", "1",
                 "--store", os.path.join(where, "fell"), "--log", "info")
said = [line for line in fell.stderr.splitlines() if line.startswith("hakem duel: ")]
tap.same(said, ["hakem duel: " + END + rest for rest in
                ("restart 1 of 3", "restart 2 of 3", "restart 3 of 3",
                 "no restart is left: it loses its matches")],
         "a bot that crashes is told of: how, its last words, the restarts")
tap.check(len(re.findall(r"^info bot crash ended session=\d+ crashes=\d allowed=3 words=boom at ",
                         fell.stderr, re.M)) == 4 and " exit=1 signal=0" in fell.stderr,
          "and logged", fell.stderr)
tap.check("bot tee lost" not in fell.stderr, "who goes at the end is not lost", fell.stderr)

master, slave = pty.openpty()
seen = b""
process = subprocess.Popen((kit.HAKEM, "duel", text, crash, "--pairs", "300", "--match", "1",
                            "--concurrency", "1", "--store", os.path.join(where, "live")),
                           stdin=slave, stdout=slave, stderr=slave,
                           env=dict(kit.environment(), TERM="xterm"))
os.close(slave)
while True:
    try:
        piece = os.read(master, 65536)
    except OSError:
        break
    if not piece:
        break
    seen += piece
code = process.wait(timeout=60)
lines = re.split(r"\r\n|\x1b\[J", seen.decode())
tap.check(code == 0 and lines.count("hakem duel: " + END + "restart 1 of 3") == 1,
          "the line stands whole beside the live table", *lines[:40])
names = kit.hakem("duel", kit.bot(where), kit.bot(where, "--json"), "--pairs", "1", "--match", "1",
                  "--store", os.path.join(where, "names"))
tap.check(names.returncode == 0 and " bot " in names.stdout and " bot-2 " in names.stdout,
          "two bots without names are called as their programs", names.stdout, names.stderr)

held_up = kit.start("duel", text, spelled, "--pairs", "40", "--match", "1", "--move_time",
                    "2s", "--store", os.path.join(where, "held"), "--format", "jsonl")
time.sleep(0.4)
held_up.send_signal(signal.SIGSTOP)
time.sleep(3.0)  # longer than an answer may take
held_up.send_signal(signal.SIGCONT)
out, err = held_up.communicate(timeout=60)
faults = [row["faults"]["timeout"] for row in map(json.loads, out.splitlines())
          if row["type"] == "standing"]
tap.same(faults, [0, 0], "time that hakem itself is held up is charged to nobody")

running = os.path.join(where, "running")
process = kit.start("duel", text, spelled, "--pairs", "2000", "--match", "1", "--store", running)
shown, end = "", time.monotonic() + 20
while "finished, " not in shown and time.monotonic() < end:
    time.sleep(0.2)
    shown = kit.hakem("show", running).stdout
tap.check("running: " in shown, "hakem show asks the running program", shown)
if os.path.exists(os.path.join(running, "hakem.sock")):
    mode = os.stat(os.path.join(running, "hakem.sock")).st_mode & 0o777
    tap.same(mode, 0o600, "its socket is for its owner")
else:
    tap.check(False, "its socket is for its owner")
held = kit.hakem("duel", text, spelled, "--pairs", "2000", "--match", "1", "--store", running)
tap.check(held.returncode == 8, "a store that is held is refused", held.stdout, held.stderr)
process.send_signal(signal.SIGINT)
out, err = process.communicate(timeout=20)
tap.check(process.returncode == 4 and "interrupted: " in out, "SIGINT: exit code 4, with the table",
          process.returncode, out, err)
tap.same(kit.left_over(where), [], "no process is left")
shown = kit.hakem("show", running)
tap.check("interrupted" in shown.stdout or "running" in shown.stdout,
          "hakem show opens a store that nobody holds", shown.stdout, shown.stderr)
tap.done()
