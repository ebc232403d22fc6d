"""Bots that misbehave in every way: the event goes on, the faults are listed, nobody is left
behind, and hakem stays small."""
import json
import os
import threading
import time

import kit

tap = kit.Tap()
where = kit.folder()
files = []  # descriptors that hakem held, of the last run
ZOO = {"exit": "disconnect", "never-reads": "timeout", "sleeps": "timeout", "stops": "timeout",
       "floods": None, "long-line": "disconnect", "daemon": None, "deaf": None,
       "half-line": "disconnect", "too-early": None}


def watch(process, peaks, files):
    """The most memory and the most descriptors that hakem has had."""
    while process.poll() is None:
        try:
            peaks.append(kit.peak_memory(process.pid))
            files.append(len(os.listdir("/proc/%d/fd" % process.pid)))
        except (OSError, AttributeError):
            return
        time.sleep(0.1)


def run(event):
    path = os.path.join(where, event["name"] + ".json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(event, file)
    began = time.monotonic()
    process = kit.start("run", path, "--format", "jsonl")
    peaks = []
    files.clear()
    watcher = threading.Thread(target=watch, args=(process, peaks, files))
    watcher.start()
    out, err = process.communicate(timeout=120)
    watcher.join()
    rows = [json.loads(line) for line in out.splitlines()]
    return process.returncode, rows, err, time.monotonic() - began, max(peaks, default=0)


bots = [{"name": name, "command": kit.bot(where, name)} for name in ZOO]
bots.append({"name": "good", "command": kit.bot(where)})
code, rows, err, took, peak = run({
    "name": "zoo", "pairs": 1, "pairing": "independent", "match": 1, "seed": "zoo",
    "move_time": "1500ms", "restarts": 0, "concurrency": 16, "bots": bots})
tap.check(code == 0, "an event of %d bots goes to its end (%.1f s)" % (len(bots), took), code, err)
tables = [row for row in rows if row["type"] == "progress"][-1:]
tap.check(tables and tables[0]["finished"] == tables[0]["matches"] == 55, "all matches have ended",
          tables)
standing = {row["name"]: row for row in rows if row["type"] == "standing"}
for name, reason in ZOO.items():
    faults = {key: count for key, count in standing[name]["faults"].items() if count}
    if reason is None:
        tap.check(not faults, name + ": no fault", faults)
    else:
        tap.check(reason in faults and set(faults) <= {reason, "disconnect"},
                  "%s: %s" % (name, reason), faults)
tap.check(not any(standing["good"]["faults"].values()), "the good bot has no fault",
          standing["good"])
tap.check(peak < 100, "at most %.0f MiB of memory" % peak)
tap.same(kit.left_over(where), [], "no process is left, not even daemons")
records = os.path.join(where, "zoo.store", "records")
verified = kit.hakem("verify", *[os.path.join(records, name) for name in sorted(os.listdir(records))
                                 if name.endswith(".hkm")])
tap.check(verified.returncode == 0, "all its records verify", verified.stdout, verified.stderr)

# The bots that `hakem check` is tried on (check.py), a dozen at a time beside two good ones. Those
# that do not say a good hello are no entrants of any event.
HELLO = {"exits", "silent", "no-flush", "cr-only", "not-hello", "bad-name", "version", "variants"}
SURE = {"hangs": "timeout", "stops": "timeout", "half-line": "disconnect", "long-line": "disconnect",
        "own-numbers": "illegal", "wrong-serial": "timeout", "note": None, "daemon": None}
faults = sorted(name for name in kit.zoo_faults() if name not in HELLO)
tap.check(len(faults) > 45, "%d bots of the other zoo" % len(faults), faults)
greedy = os.path.join(os.environ["HAKEM_BUILD"], "contrib", "c", "greedy")
for number in range(0, len(faults), 12):
    group = faults[number:number + 12]
    bots = [{"name": name, "command": kit.zoo_bot(where, name)} for name in group]
    bots += [{"name": name, "command": "%s --name %s" % (greedy, name)} for name in ("one", "two")]
    matches = len(bots) * (len(bots) - 1) // 2
    code, rows, err, took, peak = run({
        "name": "zoo%d" % number, "pairs": 1, "pairing": "independent", "match": 1, "seed": "zoo",
        "move_time": "1s", "restarts": 1, "concurrency": 48, "bots": bots})
    standing = {row["name"]: row for row in rows if row["type"] == "standing"}
    tables = [row for row in rows if row["type"] == "progress"][-1:]
    tap.check(code == 0 and tables and tables[0]["finished"] == matches,
              "%s: %d matches end (%.1f s)" % (", ".join(group), matches, took), code, err)
    for name in ("one", "two"):
        row = standing.get(name, {"faults": {"absent": 1}})
        tap.check(not any(row["faults"].values()) and
                  row["matches"] + row["aborted"] == len(bots) - 1,
                  "the good bot %s has all its matches and no fault" % name, row)
    for name in set(group) & set(SURE):
        faulty = {key for key, count in standing[name]["faults"].items() if count}
        tap.check(SURE[name] in faulty if SURE[name] else not faulty, "%s: %s" % (name, SURE[name]),
                  faulty)
    tap.check(peak < 100, "at most %.0f MiB of memory" % peak)
    tap.same(kit.left_over(where), [], "no process is left")

code, rows, err, took, peak = run({
    "name": "descriptors", "pairs": 20, "match": 1, "restarts": 100, "concurrency": 1,
    "bots": [{"name": "good", "command": kit.bot(where)},
             {"name": "exit", "command": kit.bot(where, "exit")}]})
tap.check(code == 0 and files and max(files) < 40,
          "40 restarts leave no descriptor open: %d at most" % max(files, default=0), code, err)

code, rows, err, took, peak = run({
    "name": "restarts", "pairs": 6, "match": 1, "restarts": 3, "concurrency": 1,
    "bots": [{"name": "good", "command": kit.bot(where)},
             {"name": "exit", "command": kit.bot(where, "exit")}]})
standing = {row["name"]: row for row in rows if row["type"] == "standing"}
matches = [row for row in rows if row["type"] == "match"]
tap.check(code == 0 and len(matches) == 12 and standing["exit"]["lost"] == 12,
          "a bot that crashes each time loses each match", code, err, matches)
tap.same(standing["exit"]["faults"]["disconnect"], 12, "by disconnect, to the end")
tap.same([row["games"] for row in matches], [0] * 12, "without a game being made up")
tap.same(kit.left_over(where), [], "no process is left")

code, rows, err, took, peak = run({
    "name": "once", "pairs": 1, "match": 7, "concurrency": 1,
    "bots": [{"name": "good", "command": kit.bot(where)},
             {"name": "once", "command": kit.bot(where, "once")}]})
standing = {row["name"]: row for row in rows if row["type"] == "standing"}
tap.check(code == 0 and standing["once"]["faults"]["disconnect"] == 1 and
          standing["once"]["games"] > 7 and standing["once"]["matches"] == 2,
          "a bot that crashes once loses that game, and the match goes on", code, err, standing)

gone = kit.start("duel", "a=" + kit.bot(where, "sleeps"), "b=" + kit.bot(where, "deaf"),
                 "--store", os.path.join(where, "gone"))
time.sleep(1)
tap.check(len(kit.left_over(where, 0)) >= 3, "a hakem with bots that do not listen")
gone.kill()
gone.communicate()
tap.same(kit.left_over(where), [], "is killed: its bots go with it")
tap.done()
