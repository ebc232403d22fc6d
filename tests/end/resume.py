"""kill -9 in the middle of a run, and the same command again: with seeded dice the end is
that of an undisturbed run; with auditable dice what was shown is void, never thrown again."""
import contextlib
import json
import os
import shutil
import signal
import sqlite3
import subprocess
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
hold = os.path.join(where, "bot.py.hold")
open(hold, "w", encoding="utf-8").close()
process = kit.start("run", path)
while not os.path.exists(os.path.join(where, "bot.py.held")):
    time.sleep(0.01)
process.send_signal(signal.SIGINT)
process.communicate(timeout=60)
os.remove(hold)
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


def cut(name, *statements, **more):
    """A finished event whose store is put back to what a kill may leave; the same command
    again must mend it, and its records must verify."""
    path, store = event_file(name, match=1, pairs=2, **more)
    done = kit.hakem("run", path)
    tap.check(done.returncode == 0, name + ": played", done.stdout, done.stderr)
    with contextlib.closing(sqlite3.connect(os.path.join(store, "hakem.db"))) as db:
        for statement in statements:
            tap.check(db.execute(statement).rowcount > 0, name + ": " + statement)
        db.commit()
    for file in os.listdir(store + "/records"):
        os.remove(os.path.join(store, "records", file))
    again = kit.hakem("run", path)
    files = [os.path.join(store, "records", file) for file in sorted(os.listdir(store + "/records"))
             if file.endswith(".hkm")]
    verified = kit.hakem("verify", *files)
    tap.check(again.returncode == 0 and len(files) == 12 and verified.returncode == 0,
              name + ": the same command mends it", again.stdout[-300:], again.stderr,
              verified.stdout[-300:], verified.stderr)
    once_more = kit.hakem("run", path)
    tap.check(once_more.returncode == 0, name + ": and it opens again", once_more.stderr)


for leg in (1, 2):
    cut("half-sealed-%d" % leg, "DELETE FROM piece WHERE unit = 1 AND leg = %d AND part = "
        "(SELECT max(part) FROM piece)" % leg)
cut("won", "DELETE FROM piece WHERE unit = 1 AND part = (SELECT max(part) FROM piece)",
    "DELETE FROM piece WHERE unit = 1 AND leg = 2 AND part = (SELECT max(part) FROM piece WHERE "
    "unit = 1)", "DELETE FROM match WHERE unit = 1 AND leg = 2")
tap.same(kit.left_over(where), [], "no process is left")

path, store = event_file("removed", pairs=40)
process = kit.start("run", path)
while not os.path.exists(os.path.join(store, "hakem.sock")):
    time.sleep(0.01)
shutil.rmtree(store, ignore_errors=True)
out, err = process.communicate(timeout=120)
tap.check(process.returncode == 5 and "was removed" in err and "records:" not in out,
          "a store that is removed meanwhile is told", process.returncode, out[-300:], err)

path, store = event_file("copies", pairs=1)
os.mkdir(store)
open(os.path.join(store, "records"), "w").close()
done = kit.hakem("run", path)
tap.check(done.returncode == 5 and "the copies of 6 records" in done.stderr and
          "finished: 6 of 6" in done.stdout, "copies that cannot be written are told",
          done.returncode, done.stdout[-300:], done.stderr)
os.remove(os.path.join(store, "records"))
done = kit.hakem("run", path)
tap.check(done.returncode == 0 and len(os.listdir(store + "/records")) == 12,
          "and the same command writes them", done.returncode, done.stderr)

done = subprocess.run(["sh", "-c", "ulimit -n 64; exec \"$@\"", "sh", kit.HAKEM, "duel",
                       "a=" + kit.bot(where), "b=" + kit.bot(where, "--json"), "--match", "1",
                       "--pairs", "30", "--concurrency", "40", "--store",
                       os.path.join(where, "few")], capture_output=True, text=True, timeout=120)
tap.check(done.returncode == 0 and "the limit is 64" in done.stderr and
          "finished: 60 of 60" in done.stdout and "aborted" not in done.stdout and
          "disconnect" not in done.stdout and done.stderr.count("\n") == 1,
          "with few descriptors fewer matches run at once, and no bot is blamed",
          done.returncode, done.stdout[-600:], done.stderr)
tap.done()
