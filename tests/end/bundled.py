"""The bots that come with hakem, by their names: on the command line, in event files, in checks."""
import json
import os

import kit

tap = kit.Tap()
where = kit.folder()

store = os.path.join(where, "named")
done = kit.hakem("duel", "usta:2ply", "own=usta", "--match", "1", "--pairs", "2", "--seed", "1",
                 "--files", "none", "--store", store, "--strict", cwd=where)
tap.check(done.returncode == 0 and "usta-2ply and own chose differently" in done.stdout,
          "usta and usta:2ply play, and are not the same", done.stdout, done.stderr)

event = os.path.join(where, "all.json")
bots = ("random", "greedy", "solid", "cila", "usta", "usta:2ply")
with open(event, "w", encoding="ascii") as file:
    json.dump({"pairs": 1, "match": 1, "dice": "seeded", "seed": "2", "files": "none",
               "bots": [{"command": bot} for bot in bots]}, file)
done = kit.hakem("run", event, "--strict", cwd=where)
tap.check(done.returncode == 0 and all(bot.replace(":", "-") in done.stdout for bot in bots),
          "an event file names all of them", done.stdout, done.stderr)

done = kit.hakem("check", "greedy", "--variant", "tavla", "--time", "20", cwd=where)
tap.check(done.returncode == 0, "a check finds them too", done.stdout, done.stderr)

for bot, code, word in (("usta:3ply", 2, "usta, or usta:2ply"), ("./usta", 7, "./usta")):
    done = kit.hakem("duel", bot, "random", "--pairs", "1", "--store", os.path.join(where, bot[-4:]),
                     cwd=where)
    tap.check(done.returncode == code and word in done.stderr, f"there is no {bot}",
              done.returncode, done.stdout, done.stderr)
tap.done()
