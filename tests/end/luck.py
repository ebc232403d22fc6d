"""hakem luck: of a store, of records, in every format; a bot against itself; and what it
says of nets and games that it can not use."""
import csv
import io
import json
import os
import shutil

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

# ---- declared before, told after
told = os.path.join(where, "told")
command = ("duel", usta, cila, "--match", "1", "--pairs", "8", "--seed", "1", "--luck", "--files",
           "none", "--store", told)
done = kit.hakem(*command)
tap.check(done.returncode == 0 and done.stdout.startswith("luck is taken off by tavla-") and
          "usta against cila: 8 samples" in done.stdout, "a duel tells its results without luck",
          done.stdout, done.stderr)
with open(os.path.join(told, "evaluator"), "w", encoding="ascii") as file:
    file.write("another-1#0123456789abcdef\n")
done = kit.hakem(*command, "--format", "jsonl")
types = [json.loads(line)["type"] for line in done.stdout.splitlines()]
tap.check(types[1] == "evaluator" and types[-2:] == ["end", "estimate"] and
          "another-1#0123456789abcdef" in done.stderr, "an evaluator that has changed is told",
          types, done.stderr)
page = kit.hakem("show", told, "--luck").stdout
tap.check("another-1" in page and "8 samples" in page, "where the event is shown too", page)
tap.check(kit.hakem("show", told, "--luck", "--format", "csv").stdout.startswith("a,b,reading"),
          "the CSV is that of the estimates")
done = kit.hakem("duel", random, random, "--variant", "fevga", "--luck", "--store",
                 os.path.join(where, "never"))
tap.check(done.returncode == 2 and "no evaluator for fevga" in done.stderr and
          not os.path.exists(os.path.join(where, "never")), "a game without one is refused first",
          done.stderr)
page = luck(store)

# ---- what can not be used
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
]
for arguments, word, code in refusals:
    done = luck(*arguments)
    tap.check(done.returncode == code and word in done.stderr and done.stderr.count("\n") == 1,
              f"told in one line: {word}", done.returncode, done.stdout, done.stderr)
tap.check(luck(store, "--net", good).stdout == page.stdout, "a net of a file is as good")
tap.done()
