"""Matches with the cube, from bots to verified records: in each variant and for money, what the
story and the .mat show, and rules that do not go together."""
import glob
import json
import os
import sys

import kit

tap = kit.Tap()
where = kit.folder()
build = os.environ["HAKEM_BUILD"]
contrib = os.path.join(os.environ["HAKEM_SOURCE"], "contrib")
solid = os.path.join(build, "contrib", "c", "solid")

# Doubles, beavers, drops and resigns by the chance of its game.
WILD = os.path.join(where, "wild.py")
with open(WILD, "w", encoding="utf-8") as file:
    file.write('''
import sys
sys.path.insert(0, %r)
import hakem_bot

class Wild(hakem_bot.Bot):
    name = "wild"

    def choose(self, turn):
        return turn.table.random(len(turn.plays))

    def doubles(self, turn):
        return turn.table.random(3) == 0

    def takes(self, turn):
        return turn.table.random(4) > 0

    def beavers(self, turn):
        return turn.table.random(3) == 0

    def accepts(self, turn):
        return turn.table.random(2) == 0

    def resigns(self, turn):
        kinds = ("oin", "mars") if turn.table.variant == "uzun" else ("single", "mars")
        return kinds[turn.table.random(2)] if turn.table.random(8) == 0 else None

hakem_bot.run(Wild())
''' % os.path.join(contrib, "python"))
wild = f"{sys.executable} {WILD}"


def records(store):
    return sorted(glob.glob(os.path.join(store, "records", "*.hkm")))


def lines_of(store, word):
    found = []
    for path in records(store):
        with open(path, encoding="utf-8") as file:
            found += [line for line in file if word in line]
    return found


for name, options in (("tavla", ["--match", "5"]), ("uzun", ["--match", "5"]),
                      ("western", ["--match", "7"]),
                      ("western-money", ["--match", "0", "--games", "5", "--beavers", "2",
                                         "--auto-doubles", "2"])):
    store = os.path.join(where, name)
    run = kit.hakem("duel", "solid=" + solid, "wild=" + wild, "--variant", name.split("-")[0],
                    "--vido", "on", "--pairs", "12", "--seed", "3", "--store", store, *options)
    tap.check(run.returncode == 0 and "finished: 24 of 24" in run.stdout, name + ": a duel with vido=on",
              run.stdout, run.stderr)
    tap.check("No faults." in run.stdout, name + ": without faults", run.stdout)
    verified = kit.hakem("verify", *records(store))
    tap.check(verified.returncode == 0, name + ": its records verify", verified.stdout)
    tap.check(lines_of(store, " take ") and lines_of(store, "reason=drop"), name + ": takes and drops")

store = os.path.join(where, "western")
mats = "".join(open(path, encoding="utf-8").read()
               for path in glob.glob(os.path.join(store, "records", "*.mat")))
tap.check("  Doubles => 2" in mats and " Takes\n" in mats and " Drops" in mats
          and '[CubeLimit "64"]' in mats, "the .mat has the cells of the cube", mats[:800])
shown = kit.hakem("replay", records(store)[0], "--print")
tap.check("doubles to 2" in shown.stdout and "cube 2 with" in shown.stdout, "the story shows the cube",
          shown.stdout[:2000])

resigned = os.path.join(where, "resigned")
run = kit.hakem("duel", "solid=" + solid, "wild=" + wild, "--resign", "on", "--vido", "on", "--pairs",
                "4", "--seed", "3", "--store", resigned)
tap.check(run.returncode == 0 and lines_of(resigned, "reason=resign")
          and kit.hakem("verify", *records(resigned)).returncode == 0,
          "games are resigned, and the records verify", run.stdout, run.stderr)

for options, sentence in ((["--beavers", "1", "--variant", "western"], "says nothing without vido=on"),
                          (["--match", "0"], "is a money session, played in western only"),
                          (["--variant", "western", "--games", "5"], "is for a money session"),
                          (["--vido", "on", "--vido-max", "48"], "powers of two")):
    run = kit.hakem("duel", "solid=" + solid, "wild=" + wild, *options, "--store",
                    os.path.join(where, "refused"))
    tap.check(run.returncode == 2 and sentence in run.stderr and run.stderr.count("\n") == 1,
              " ".join(options) + ": one clear line", run.returncode, run.stderr)

event = {"name": "cube", "variant": "western", "match": 7, "vido": "on", "vido_max": 16, "beavers": 1,
         "seed": "x", "bots": [{"name": "solid", "command": solid}, {"name": "wild", "command": wild}]}
path = os.path.join(where, "event.json")
with open(path, "w", encoding="utf-8") as file:
    json.dump(event, file)
run = kit.hakem("run", path)
tap.check(run.returncode == 2 and "beavers=1 is for a money session" in run.stderr,
          "an event file is told so too", run.returncode, run.stderr)
tap.done()
