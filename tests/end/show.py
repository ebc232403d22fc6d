"""hakem show: from a store that nobody holds, from the program that runs it, after a kill,
in every format and both languages, and what it says when there is nothing to show."""
import csv
import fcntl
import io
import json
import os
import shutil
import signal
import socket
import subprocess
import threading
import time

import kit

tap = kit.Tap()
where = kit.folder()
store = os.path.join(where, "store")
BUILD = os.environ["HAKEM_BUILD"]
# Copies, so that a process that is left is known by its command.
greedy = shutil.copy(os.path.join(BUILD, "contrib/c/greedy"), where)
random = shutil.copy(os.path.join(BUILD, "contrib/c/random"), where)


def show(*arguments, language="C.UTF-8"):
    return subprocess.run([kit.HAKEM, "show", *arguments], timeout=60, capture_output=True,
                          text=True, check=False, env=dict(kit.environment(), LC_ALL=language))


def objects(*arguments):
    return [json.loads(line) for line in show(*arguments, "--format", "jsonl").stdout.splitlines()]


done = kit.hakem("duel", greedy, random, "--pairs", "20", "--match", "1", "--seed", "3",
                 "--store", store, "--files", "none")
tap.check(done.returncode == 0, "a duel is played", done.stdout, done.stderr)
page = show(store)
tap.check(page.returncode == 0 and page.stderr == "", "it is shown from its store", page.stderr)
tap.check("finished: 40 of 40 matches" in page.stdout, "as finished", page.stdout)
tap.check(page.stdout.split("\nrecords:")[0].rstrip() in done.stdout,
          "the same page as the duel ended with", page.stdout, done.stdout)
turkish = show(store, language="tr_TR.UTF-8").stdout
tap.check("bitti: 40 / 40 maç" in turkish, "in Turkish too", turkish)
lines = objects(store)
standings = [line for line in lines if line["type"] == "standing"]
tap.same([line["type"] for line in lines],
         ["stream", "event", "evaluator", "progress", "standing", "standing", "encounter",
          "estimate", "end"],
         "jsonl has its lines")
tap.check(standings[0]["won"] + standings[0]["lost"] == 40 and
          abs(standings[0]["elo"] + standings[1]["elo"]) < 0.01, "with the numbers", standings)
rows = list(csv.DictReader(io.StringIO(show(store, "--format", "csv").stdout)))
tap.same([row["name"] for row in rows], [line["name"] for line in standings], "csv agrees")
tap.same(rows[0]["won"], str(standings[0]["won"]), "also in its numbers")
show(store)
tap.same(os.listdir(store).count("hakem.db-wal"), 0, "showing leaves no log")

def progress_of(folder):
    """The line that says how far it is."""
    return next((line for line in objects(folder) if line["type"] == "progress"),
                {"finished": 0, "state": "none"})


# A running program is asked.
running = os.path.join(where, "running")
process = kit.start("duel", greedy, random, "--pairs", "100000", "--match", "5", "--store",
                    running, "--files", "none")
end = time.monotonic() + 30
while time.monotonic() < end:
    seen = progress_of(running)
    if seen["finished"] > 20:
        break
    time.sleep(0.1)
tap.check(seen["state"] == "running" and seen["finished"] > 20, "a running event is shown", seen)
tap.check("running: " in show(running).stdout and
          "sürüyor: " in show(running, language="tr_TR.UTF-8").stdout,
          "each asks in its own language")
process.send_signal(signal.SIGKILL)
process.wait()
later = progress_of(running)
tap.check(later["state"] == "interrupted" and later["finished"] >= seen["finished"],
          "after a kill the store says no less than what was shown", seen, later)

# Who holds it and does not answer; who answers nonsense slowly is passed on as it is.
lock = os.open(store, os.O_RDONLY)
fcntl.flock(lock, fcntl.LOCK_EX)
busy = show(store)
tap.check(busy.returncode == 8 and "is held by another hakem" in busy.stderr and
          busy.stderr.count("\n") == 1 and busy.stdout == "", "a silent holder: busy, one line",
          busy.stderr)
asked = []
server = socket.socket(socket.AF_UNIX)
server.bind(os.path.join(store, "hakem.sock"))
server.listen()


def answer():
    peer = server.accept()[0]
    asked.append(peer.recv(100))
    for part in (b"half ", b"a page\n"):
        peer.sendall(part)
        time.sleep(0.2)
    peer.close()


thread = threading.Thread(target=answer)
thread.start()
got = show(store, "--format", "csv", language="tr_TR.UTF-8")
thread.join()
tap.same((got.stdout, asked), ("half a page\n", [b"show csv tr\n"]),
         "the request is one line, the answer is read to its end")
server.close()
os.close(lock)
tap.check(show(store).returncode == 0, "a dead socket is no hindrance")

deep = os.path.join(where, *["d" * 60] * 3)
os.makedirs(os.path.dirname(deep))
os.rename(running, deep)
tap.check(show(deep).returncode == 0, "nor is a path too long for a socket")
for arguments, what in (
        ([os.path.join(where, "none")], "there is no store"),
        ([where], "is not a store"),
        ([], "give one store"),
        ([store, store], "give one store"),
        ([store, "--format", "html"], "--format takes text, jsonl or csv"),
        ([store, "--fromat", "csv"], "did you mean --format?")):
    refused = show(*arguments)
    tap.check(refused.returncode == 2 and what in refused.stderr and
              refused.stderr.count("\n") == 1 and refused.stdout == "", "refused: " + what,
              refused.stderr)
tap.same(kit.left_over(where), [], "no process is left")
tap.done()
