"""Who played: programs by their SHA-256, a changed one is another bot; and how often two bots chose
differently where both met the same."""
import json
import os
import re

import kit

tap = kit.Tap()
where = kit.folder()
SOLID, GREEDY = (os.path.join(os.environ["HAKEM_BUILD"], "contrib", "c", name)
                 for name in ("solid", "greedy"))
CHOSE = re.compile(r"(\S+) and (\S+) chose differently in (\d+) of (\d+) situations")


def duel(store, *bots, options=()):
    return kit.hakem("duel", *bots, "--pairs", "6", "--match", "1", "--seed", "2", "--store",
                     os.path.join(where, store), *options)


done = duel("twins", "a=" + SOLID, "b=" + SOLID)
chose = CHOSE.search(done.stdout)
tap.check(chose and int(chose.group(3)) == 0 and int(chose.group(4)) > 100 and
          "Warning: the two are the same player" in done.stdout, "twins are found out",
          done.stdout, done.stderr)
done = duel("others", "a=" + SOLID, "b=" + GREEDY)
chose = CHOSE.search(done.stdout)
tap.check(chose and 0 < int(chose.group(3)) <= 6 < int(chose.group(4)) and
          "Warning" not in done.stdout, "two that differ do so once a pair", done.stdout)
digits = re.findall(r"sha256:([0-9a-f]{12})", done.stdout)
tap.check(len(set(digits)) == 2, "each program has its hash", done.stdout)

bot = kit.bot(where)
script = os.path.join(where, "bot.py")
weights = os.path.join(where, "weights")
with open(weights, "w", encoding="ascii") as file:
    file.write("1 2 3")
event = os.path.join(where, "event.json")
with open(event, "w", encoding="utf-8") as file:
    json.dump({"name": "w", "pairs": 2, "match": 1, "seed": 1, "bots": [
        {"name": "tee", "command": bot, "weights": [weights]}, {"name": "s", "command": SOLID}]}, file)
done = kit.hakem("run", event)
tap.check(done.returncode == 0, "an event", done.stderr)
first = re.findall(r"tee +sha256:(\w+)", done.stdout)
again = kit.hakem("run", event)
tap.check(again.returncode == 0 and re.findall(r"tee +sha256:(\w+)", again.stdout) == first,
          "the same programs go on", again.stdout, again.stderr)
for name, path in (("weights", weights), ("the script that an interpreter is given", script)):
    with open(path, "a", encoding="ascii") as file:
        file.write("# other\n")
    done = kit.hakem("run", event)
    tap.check(done.returncode == 2 and 'the program of bot "tee" has changed' in done.stderr,
              "other %s make another bot" % name, done.returncode, done.stderr)
    done = kit.hakem("run", event, "--same")
    tap.check(done.returncode == 0, "--same goes on", done.stderr)
tap.done()
