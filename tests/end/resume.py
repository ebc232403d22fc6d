"""kill -9 in the middle of a run, and the same command again: with seeded dice the end is
that of an undisturbed run; with auditable dice what was shown is void, never thrown again."""
import contextlib
import json
import os
import signal
import sqlite3
import time

import kit

tap = kit.Tap()
where = kit.folder()


def event_file(name, **more):
    event = {"name": "resume", "pairs": 4, "match": 3, "concurrency": 3,
             "bots": [{"name": "tee", "command": kit.bot(where)},
                      {"name": "jay", "command": kit.bot(where, "--json")},
                      {"name": "pea", "command": kit.bot(where, "--", "p")}]}
    event.update(more)
    path = os.path.join(where, name + ".json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(event, file)
    return path, os.path.join(where, name + ".store")


def run_killed(path, store, moments):
    """Runs the event, killed after each of these seconds; how many runs it took."""
    runs = 0
    for moment in moments + [None]:
        runs += 1
        process = kit.start("run", path)
        if moment is None:
            out, err = process.communicate(timeout=120)
            return process.returncode, out, err, runs
        end = time.monotonic() + 10
        while not os.path.exists(os.path.join(store, "hakem.db")) and time.monotonic() < end:
            time.sleep(0.01)
        time.sleep(moment)
        process.kill()
        out, err = process.communicate()
        if process.returncode != -signal.SIGKILL:
            return process.returncode, out, err, runs
    raise AssertionError


def table(store):
    """Standings and encounters, times apart."""
    rows = []
    for line in kit.hakem("show", store, "--format", "jsonl").stdout.splitlines():
        row = json.loads(line)
        row.pop("ms_per_answer", None)
        rows.append(row)
    return rows


path, store = event_file("whole", dice="seeded", seed="s1")
done = kit.hakem("run", path)
tap.check(done.returncode == 0, "an undisturbed run", done.stdout, done.stderr)
whole = kit.records(store), table(store)
tap.check(len(whole[0]) == 48, "has its 24 records in two forms", len(whole[0]))
for number, moments in enumerate([[0.15, 0.3, 0.5], [0.05, 0.6], [0.02, 0.02, 0.9]]):
    path, killed = event_file("killed%d" % number, dice="seeded", seed="s1")
    code, out, err, runs = run_killed(path, killed, moments)
    tap.check(code == 0, "killed %d times: it ends" % (runs - 1), code, out, err)
    tap.check(kit.records(killed) == whole[0], "the records are those of the undisturbed run")
    tap.check(table(killed) == whole[1], "the tables are those of the undisturbed run",
              table(killed), whole[1])
tap.same(kit.left_over(where), [], "no process is left")

path, store = event_file("auditable", match=5)
code, out, err, runs = run_killed(path, store, [0.4, 0.4])
tap.check(code == 0 and "finished: 24 of 24" in out, "auditable dice: it ends", code, out, err)
files = [os.path.join(store, "records", name) for name in sorted(os.listdir(store + "/records"))
         if name.endswith(".hkm")]
voids = 0
for name in files:
    with open(name, encoding="utf-8") as file:
        voids += sum(line.startswith("void ") for line in file)
tap.check(runs > 1 and voids > 0, "interrupted games are void (%d in %d runs)" % (voids, runs))
verified = kit.hakem("verify", *files)
tap.check(verified.returncode == 0, "its records verify", verified.stdout, verified.stderr)
tap.same(kit.left_over(where), [], "no process is left")


def run_stopped(path, store, times):
    """Runs the event, stopped gracefully so many times in its course; exit codes and output."""
    codes = []
    for _ in range(times):
        process = kit.start("run", path)
        end = time.monotonic() + 10
        while not os.path.exists(os.path.join(store, "hakem.sock")) and time.monotonic() < end:
            time.sleep(0.01)
        time.sleep(0.25)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        codes.append((process.returncode, rests(store)))
    done = kit.hakem("run", path)
    return codes, done


def rests(store):
    """Whether the store bears the mark of a clean rest."""
    with contextlib.closing(sqlite3.connect(os.path.join(store, "hakem.db"))) as db:
        return db.execute("SELECT count(*) FROM rest").fetchone()[0]


path, store = event_file("rests", pairs=20)
codes, done = run_stopped(path, store, 3)
tap.same(codes, [(4, 1)] * 3, "three graceful stops: running matches end, exit code 4")
tap.check(done.returncode == 0 and "finished: 120 of 120" in done.stdout, "then it ends",
          done.stdout, done.stderr)
files = [os.path.join(store, "records", name) for name in sorted(os.listdir(store + "/records"))
         if name.endswith(".hkm")]
voids = []
for name in files:
    with open(name, encoding="utf-8") as file:
        voids += [line for line in file if line.startswith("void ")]
tap.same(voids, [], "after a clean stop nothing is void")
verified = kit.hakem("verify", *files)
tap.check(verified.returncode == 0 and "\n120 of 120 proven; signed by " in verified.stdout,
          "its records verify", verified.stdout[-300:], verified.stderr)

path, store = event_file("mixed", pairs=8, match=5)
process = kit.start("run", path)
while not os.path.exists(os.path.join(store, "hakem.sock")):
    time.sleep(0.01)
time.sleep(0.4)
process.kill()
process.communicate()
process = kit.start("run", path)
process.send_signal(signal.SIGINT)
process.communicate(timeout=60)
tap.same(rests(store), 0, "who stops before anything was seated leaves no mark after a kill")
done = kit.hakem("run", path)
voids = 0
for name in sorted(os.listdir(store + "/records")):
    if name.endswith(".hkm"):
        with open(os.path.join(store, "records", name), encoding="utf-8") as file:
            voids += sum(line.startswith("void ") for line in file)
tap.check(done.returncode == 0 and voids > 0,
          "so that what was interrupted is void (%d)" % voids,
          done.stdout, done.stderr)
tap.done()
