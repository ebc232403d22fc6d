"""Bots that speak UBGI, over pipes and over TCP: a scripted engine in three versions of the drafts,
with the quirks that real ones have. What it says in its own way is no fault; what is wrong is a
fault of its own, told in its words, and never stops a match."""
import json
import os
import re
import subprocess
import time

import kit

tap = kit.Tap()
where = kit.folder()
ENGINE = os.path.join(os.environ["HAKEM_SOURCE"], "tests", "end", "bots", "ubgi.py")
SOLID = os.path.join(os.environ["HAKEM_BUILD"], "contrib", "c", "solid")
other = "solid=" + SOLID
stores = 0


def engine(*words):
    return " ".join((kit.PYTHON, ENGINE) + words)


def duel(*words, options=("--match", "1"), pairs=1):
    """A few matches of the engine, and its faults by code."""
    global stores
    stores += 1
    store = os.path.join(where, "s%d" % stores)
    done = kit.hakem("duel", "e=ubgi:" + engine(*words), other, "--pairs", str(pairs), "--seed", "3",
                     "--store", store, *options)
    faults = []
    records = os.path.join(store, "records")
    for name in sorted(os.listdir(records)) if os.path.isdir(records) else []:
        with open(os.path.join(records, name), encoding="utf-8") as file:
            faults += re.findall(r"^fault .*", file.read(), re.M)
    return done, faults


def good(name, *words, **more):
    done, faults = duel(*words, **more)
    tap.check(done.returncode == 0 and "No faults." in done.stdout and not faults, name,
              done.stdout, done.stderr, *faults)
    return done


VIDO = ("--match", "3", "--variant", "western", "--vido", "on")
for version in ("draft", "0.1", "0.2"):
    good("tavla, %s" % version, version)
    good("with a cube that it is not asked about, %s" % version, version, options=VIDO)
    good("collapsed legs, stars, 25 and 0, another case, %s" % version, version, "collapsed",
         "stars", "numbers", "upper")
    good("legs in any order, %s" % version, version, "any-order", "dashes")
good("blanks between the points", "0.1", "blanks")
good("bestmoveid", "0.2", "id")
good("many lines of info", "0.2", "flood", pairs=1)
good("nackgammon, which it lists", "0.2", options=("--match", "1", "--variant", "nackgammon"))
done = good("it is asked about the cube where it knows it", "0.1", "cube", options=VIDO, pairs=6)
acts = kit.hakem("convert", os.path.join(where, "s%d" % stores), os.path.join(where, "out"))
tap.check("Doubles" in "".join(open(os.path.join(where, "out", name), encoding="utf-8").read()
                               for name in os.listdir(os.path.join(where, "out"))
                               if name.endswith(".mat")),
          "and doubles", acts.stdout, acts.stderr)

# Wrong answers are its faults, and told in its words.
for quirk, code, got in (("garbage", "malformed", "hello"), ("error", "malformed", "rr"),
                         ("illegal", "illegal", "24/1"), ("index", "malformed", "")):
    for version in ("0.2", "draft"):
        done, faults = duel(version, quirk, options=("--match", "3"), pairs=1)
        tap.check(done.returncode == 0 and faults and
                  all("code=" + code in fault and got in fault for fault in faults),
                  "%s is a fault of its own, %s" % (quirk, version), done.stdout, done.stderr,
                  *faults)
for quirk in ("late", "no-newline"):
    done, faults = duel("0.2", quirk, options=("--match", "3", "--move_time", "1s"), pairs=1)
    tap.check(done.returncode == 0 and faults and all("timeout" in fault for fault in faults) and
              "finished: 2 of 2" in done.stdout, "%s: its time is over, and the match goes on" %
              quirk, done.stdout, done.stderr, *faults)
done, faults = duel("0.1", "crash", options=("--match", "3"), pairs=1)
tap.check(done.returncode == 0 and "exited with status 4" in done.stderr, "it crashes",
          done.stdout, done.stderr)


def run(bot, *words, match=1):
    """A small event with that bot."""
    global stores
    stores += 1
    path = os.path.join(where, "event%d.json" % stores)
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"name": "e%d" % stores, "pairs": 1, "match": match, "seed": 5, "files": "hkm",
                   "bots": [dict({"name": "e", "protocol": "ubgi"}, **bot),
                            {"name": "solid", "command": SOLID}]}, file)
    return kit.hakem("run", path, *words)


def settings():
    """What the records of the last event say that the engine was set to."""
    folder = os.path.join(where, "event%d.store" % stores)
    return {word for text in kit.records(folder).values()
            for word in re.findall(r" [xy]_(?:version|settings)=(\S+)", text.split("\n")[0])}


def refused(name, sentence, bot):
    done = run(bot)
    tap.check(done.returncode != 0 and sentence in done.stderr, name, done.stdout, done.stderr)


PLY = {"engine.ply": 2}
done = run({"command": engine("0.2"), "options": PLY})
tap.check(done.returncode == 0 and "No faults." in done.stdout, "an option is set and read back",
          done.stderr)
tap.check("engine.ply=2" in settings() and "  engine.ply=2 (gnubg 1-ply)" in done.stdout,
          "which the records say, and the table in both countings", settings(), done.stdout)
done = run({"command": engine("0.1"), "options": {"Plies": 3}})
tap.check(done.returncode == 0 and "No faults." in done.stdout, "an option of 0.1", done.stderr)
refused("an option that it does not list", "it has no option engine.speed; it lists game.variant, "
        "engine.ply", {"command": engine("0.2"), "options": {"engine.speed": 2}})
refused("a value out of range", "its option engine.ply cannot be 9: int 1..3",
        {"command": engine("0.2"), "options": {"engine.ply": 9}})
refused("a value that it refuses", "it refuses the option engine.ply=2: bad_value engine.ply",
        {"command": engine("0.2", "refuses"), "options": PLY})
refused("a value that it forgets", "the option engine.ply was set to 2, and read back it is 1",
        {"command": engine("0.2", "forgets"), "options": PLY})
refused("the other UBGI", "Universal Board Game Interface",
        {"command": engine("0.1", "board-game")})
refused("options in the first draft", "it speaks the first draft of UBGI",
        {"command": engine("draft"), "options": PLY})
done = run({"command": engine("0.2", "refuses"), "options": PLY, "lenient": True})
tap.check(done.returncode == 0, "lenient: it plays all the same", done.stderr)
tap.check(not any("engine.ply" in word for word in settings()),
          "and no record says that it was set", settings())
done = run({"command": engine("0.2", "forgets"), "options": PLY, "lenient": True})
tap.check("engine.ply=1" in settings(), "but what was read back", settings(), done.stderr)

done = kit.hakem("check", "ubgi:" + engine("0.2", "collapsed", "any-order"), "--variant", "tavla",
                 "--time", "20")
tap.check(done.returncode == 0 and re.search(r"ubgi: \d\d good, 0 bad", done.stdout),
          "hakem check finds nothing", done.stdout[-3000:], done.stderr)
done = kit.hakem("check", "ubgi:" + engine("0.1", "board-game"))
tap.check(done.returncode != 0 and "Universal Board Game Interface" in done.stdout + done.stderr,
          "nor lets it pass what is none", done.stdout[-2000:], done.stderr)

port_file = os.path.join(where, "port")
listener = subprocess.Popen([kit.PYTHON, ENGINE, "0.2", "stars", "listen", port_file])
for _ in range(400):
    if os.path.exists(port_file) and os.path.getsize(port_file):
        break
    time.sleep(0.05)
with open(port_file, encoding="ascii") as file:
    port = file.read()
done = run({"address": "127.0.0.1:" + port, "options": PLY}, match=3)
tap.check(done.returncode == 0 and "No faults." in done.stdout, "over TCP", done.stdout,
          done.stderr)
listener.wait(timeout=20)
tap.same(kit.left_over(where), [], "no process is left")
tap.done()
