"""hakem luck: of a store, of records, in every format; a bot against itself; and what it
says of nets and games that it can not use."""
import csv
import io
import json
import os
import re
import shutil
import time

import kit

tap = kit.Tap()
where = kit.folder()
BUILD = os.environ["HAKEM_BUILD"]
SOURCE = os.environ["HAKEM_SOURCE"]
usta = shutil.copy(os.path.join(BUILD, "contrib/c/usta"), where)
cila = shutil.copy(os.path.join(BUILD, "contrib/c/cila"), where)
random = shutil.copy(os.path.join(BUILD, "contrib/c/random"), where)


def play(name, a, b, *options):
    store = os.path.join(where, name)
    done = kit.hakem("duel", a, b, "--seed", "7", "--files", "none", "--store", store,
                     "--concurrency", "8", *options)
    tap.check(done.returncode == 0, f"{name} is played", done.stdout, done.stderr)
    return store


def luck(*arguments):
    return kit.hakem("luck", *arguments)


def estimates(store):
    lines = [json.loads(line) for line in luck(store, "--format", "jsonl").stdout.splitlines()]
    tap.check([line["type"] for line in lines] == ["estimate"], "one estimate of two bots", lines)
    return lines[0]


# ---- a store
store = play("near", usta, cila, "--match", "1", "--pairs", "25")
page = luck(store)
tap.check(page.returncode == 0 and "usta against cila: 25 samples, 50 games" in page.stdout,
          "two bots are told", page.stdout, page.stderr)
found = estimates(store)
tap.check(found["headline"] == "fitted" and found["evaluator"].startswith("tavla-"),
          "with headline and evaluator", found)
tap.check(found["fitted"]["variance_ratio"] > 2, "the luck is most of the error", found)
rows = list(csv.DictReader(io.StringIO(luck(store, "--format", "csv").stdout)))
tap.check([row["reading"] for row in rows] == ["raw", "adjusted", "fitted"] and
          float(rows[1]["points_per_game"]) == found["adjusted"]["points_per_game"]["value"],
          "the CSV says the same", rows)

# ---- its records, added up by hand
records = os.path.join(where, "records")
kit.hakem("convert", store, records, "--files", "hkm")
names = sorted(os.listdir(records))
total = points = 0
for name in names:
    path = os.path.join(records, name)
    games = [json.loads(line) for line in luck(path, "--format", "jsonl").stdout.splitlines()]
    for game in games:
        sign = 1 if game["x"] == "usta" else -1
        total += sign * game["luck_units"]
        points += sign * game["points"]
whole = found["adjusted"]["points_per_game"]["value"] * 50
tap.check(len(names) == 50 and abs(points - total / 36e6 - whole) < 1e-4,
          "the records say the same, one by one", points, total, whole)
single = luck(os.path.join(records, names[0]), "--games")
tap.check("game 1: X" in single.stdout and "1 games," in single.stdout, "and in words",
          single.stdout)

# ---- a bot against itself, with the same dice: nothing is left
twin = os.path.join(where, "twin")
shutil.copy(usta, twin)
for variant in ("tavla", "western", "uzun"):
    same = estimates(play(f"same-{variant}", usta, twin, "--variant", variant, "--match", "1",
                          "--pairs", "4"))
    tap.check(same["raw"]["points_per_game"]["value"] == 0 and
              same["adjusted"]["points_per_game"]["value"] == 0 and same["luck"] == 0,
              f"{variant}: a bot is exactly as good as itself", same)

# ---- matches with the cube
cube = estimates(play("cube", usta, random, "--variant", "western", "--match", "3", "--vido", "on",
                      "--pairs", "6"))
tap.check(cube["samples"] == 6 and cube["adjusted"]["score"]["value"] is None,
          "a match of many games has no luck of its own, the points have", cube)

# ---- declared before, worked out beside the play, told in the end
def rows_of(folder):
    with open(os.path.join(folder, "luck.csv"), encoding="ascii") as file:
        head, columns, *games = file.read().splitlines()
    return head, sorted(games)


def command_of(folder, *options):
    return ("duel", usta, cila, "--match", "3", "--pairs", "20", "--seed", "1", "--files", "none",
            "--store", os.path.join(where, folder), *options)


told = os.path.join(where, "told")
done = kit.hakem(*command_of("told", "--concurrency", "1"))
last = done.stdout.rstrip().splitlines()
tap.check(done.returncode == 0 and "usta against cila: 20 samples" in done.stdout and
          "It was declared before the first game." in " ".join(done.stdout.split()) and
          ("usta is ahead of" in done.stdout or "usta is better than" in done.stdout or
           "cila is ahead of" in done.stdout), "a duel ends with a verdict", done.stdout,
          done.stderr)
with open(os.path.join(told, "log.hkl"), encoding="ascii") as file:
    log = file.read().splitlines()
head, games = rows_of(told)
name = head.split("evaluator=")[1].split()[0]
tap.check(log[1].startswith(f"luck evaluator={name} headline=fitted "),
          "the log has it before the first match", *log[:2])
done = kit.hakem(*command_of("many", "--concurrency", "32", "--format", "jsonl"))
lines = [json.loads(line) for line in done.stdout.splitlines()]
tap.check(rows_of(os.path.join(where, "many"))[1] == games,
          "whatever is played at once, every game has the same luck")
tap.check(sorted("%d,%d,%d,%d,%d,%d" % (int(line["unit"][1:]), line["leg"], line["game"],
                                        line["throws"], 2 * line["points"], line["luck_units"])
                 for line in lines if line["type"] == "luck") ==
          [game.rsplit(",", 1)[0] for game in games], "the stream tells it too")
again = [json.loads(line) for line in luck(told, "--format", "jsonl").stdout.splitlines()]
tap.check([line for line in lines if line["type"] == "estimate"][-1]["fitted"] ==
          again[0]["fitted"], "and it is what the records say", again)
audit = kit.hakem("verify", told)
tap.check(audit.returncode == 0, "a store with luck in its log is verified", audit.stdout)

# ---- killed, and gone on
process = kit.start(*command_of("killed"))
while not os.path.exists(os.path.join(where, "killed", "luck.csv")) or \
        len(rows_of(os.path.join(where, "killed"))[1]) < 10:
    time.sleep(0.02)
process.kill()
process.wait()
path = os.path.join(where, "killed", "luck.csv")
with open(path, encoding="ascii") as file:
    kept = file.read()
with open(path, "w", encoding="ascii") as file:
    file.write(kept[:-30])
done = kit.hakem(*command_of("killed"))
tap.check(done.returncode == 0 and rows_of(os.path.join(where, "killed"))[1] == games,
          "after kill -9 what is missing is worked out", done.stdout, done.stderr)
os.remove(path)
done = kit.hakem(*command_of("killed"))
tap.check(done.returncode == 0 and rows_of(os.path.join(where, "killed"))[1] == games and
          "after 40 matches" in " ".join(done.stdout.split()), "and so is all of it, when the event is over",
          done.stdout, done.stderr)

# ---- another evaluator in the middle
with open(path, encoding="ascii") as file:
    kept = file.read()
with open(path, "w", encoding="ascii") as file:
    file.write(kept.replace(name, "another-1#0123456789abcdef").replace("since=40", "since=0"))
done = kit.hakem(*command_of("killed"))
tap.check(done.returncode == 0 and "another-1#0123456789abcdef" in done.stderr and
          rows_of(os.path.join(where, "killed"))[1] == games and
          "not the headline that was declared" in " ".join(done.stdout.split()),
          "an evaluator that has changed is told, and nothing is mixed", done.stdout, done.stderr)
page = kit.hakem("show", os.path.join(where, "killed")).stdout
tap.check("another-1" in page and "20 samples" in page, "where the event is shown too", page)

# ---- with and without
rows = list(csv.DictReader(io.StringIO(kit.hakem("show", told, "--format", "csv").stdout)))
tap.check({"elo_without_luck", "points_without_luck_margin"} <= set(rows[0]),
          "the CSV has columns for it", rows)
done = kit.hakem(*command_of("plain", "--luck", "off"))
tap.check(done.returncode == 0 and "--luck was off" in " ".join(done.stdout.split()) and
          not os.path.exists(os.path.join(where, "plain", "luck.csv")), "off is off", done.stdout)
done = kit.hakem("duel", random, "b=" + random, "--variant", "fevga", "--luck", "on", "--store",
                 os.path.join(where, "never"))
tap.check(done.returncode == 2 and "no evaluator for fevga" in done.stderr and
          not os.path.exists(os.path.join(where, "never")), "a game without one is refused first",
          done.stderr)
path = os.path.join(where, "pool.json")
with open(path, "w", encoding="ascii") as file:
    json.dump({"name": "pool", "pairs": 4, "match": 1, "seed": "p", "luck": "on", "files": "none",
               "bots": [{"name": bot, "command": os.path.join(BUILD, "contrib/c", bot)}
                        for bot in ("random", "greedy", "solid", "usta")]}, file)
done = kit.hakem("run", path, "--store", os.path.join(where, "pool"))
tap.check(done.returncode == 0 and "With the luck of the dice taken off" in done.stdout and
          "The luck of all 6 pairs of bots" in " ".join(done.stdout.split()), "a pool has a table without luck",
          done.stdout, done.stderr)
with open(path, "w", encoding="ascii") as file:
    json.dump({"luck": True, "bots": []}, file)
done = kit.hakem("run", path)
tap.check(done.returncode == 2 and '"luck" must be "on" or "off"' in done.stderr,
          "another word is refused", done.stderr)
page = luck(store)

# ---- until it is decided
def stop_at(folder, *options):
    done = kit.hakem("duel", usta, random, "--match", "1", "--pairs", "200", "--seed", "2",
                     "--stop", "decided", "--files", "none", "--store", os.path.join(where, folder),
                     *options)
    found = re.search("decided after (\\d+) samples", " ".join(done.stdout.split()))
    played = re.search("finished: (\\d+) of (\\d+) matches", done.stdout)
    return done, found and int(found[1]), played and (int(played[1]), int(played[2]))


done, samples, played = stop_at("one", "--concurrency", "1")
tap.check(samples is not None and 8 <= samples < 60 and played[0] == played[1] < 150,
          "an event stops when its bots are told apart", done.stdout, done.stderr)
done, again, _ = stop_at("eight", "--concurrency", "8")
tap.check(samples == again, "after as many samples, whatever is played at once", again,
          done.stdout)
done, again, stayed = stop_at("one", "--concurrency", "1")
tap.check(done.returncode == 0 and (again, stayed) == (samples, played) and
          "finished: %d of %d" % played in kit.hakem("show", os.path.join(where, "one")).stdout,
          "it is over, also when it is asked again", done.stdout)
done = kit.hakem("verify", os.path.join(where, "one"))
tap.check(done.returncode == 0 and "missing" not in done.stdout, "and nothing of it is missing",
          done.stdout[-300:])

# ---- folders
together = luck(records)
tap.check(together.stdout.count("games,") == 50 and "25 samples, 50 games" in together.stdout and
          luck(store).stdout.splitlines()[2:4] == [line for line in together.stdout.splitlines()
                                                   if line.startswith(("raw ", "luck off"))][:2],
          "a folder of records says what its store says", together.stdout[-900:], together.stderr)
lines = luck(records, "--format", "jsonl").stdout.splitlines()
tap.check(json.loads(lines[-1])["fitted"] == found["fitted"] and len(lines) == 51,
          "for programs too", *lines[-2:])
tap.check("told" not in luck(where).stderr and "usta against cila" in luck(where).stdout or
          luck(where).returncode == 2, "a folder of stores", luck(where).stderr)

# ---- what can not be used
os.mkdir(os.path.join(where, "empty"))
other = os.path.join(SOURCE, "src/eval/uzun.inc")
good = os.path.join(SOURCE, "src/eval/tavla.inc")
damaged = os.path.join(where, "damaged")
with open(good, encoding="ascii") as file:
    text = file.read()
with open(damaged, "w", encoding="ascii") as file:
    file.write(text.replace("0", "1", 50))
refusals = [
    ((store, "--net", os.path.join(where, "absent")), "absent", 5),
    ((store, "--net", damaged), "damaged", 2),
    ((store, "--net", other), "another game's", 2),
    ((play("fevga", random, random, "--variant", "fevga", "--match", "1", "--pairs", "1"),),
     "no evaluator for fevga", 2),
    ((play("free", random, random, "--must_max", "false", "--match", "1", "--pairs", "1"),),
     "must_max", 2),
    ((os.path.join(where, "nothing"),), "nothing", 5),
    ((), "which record", 2),
    ((os.path.join(where, "empty"),), "holds no store", 2),
]
for arguments, word, code in refusals:
    done = luck(*arguments)
    tap.check(done.returncode == code and word in done.stderr and done.stderr.count("\n") == 1,
              f"told in one line: {word}", done.returncode, done.stdout, done.stderr)
tap.check(luck(store, "--net", good).stdout == page.stdout, "a net of a file is as good")
tap.done()
