"""kill -9 in the middle of a run, and the same command again: with seeded dice the end is
that of an undisturbed run; with auditable dice what was shown is void, never thrown again."""
import json
import os
import signal
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
tap.done()
