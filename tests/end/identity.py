"""Who played: programs by their SHA-256, a changed one is another bot; and how often two bots chose
differently where both met the same."""
import hashlib
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


def digest(path):
    """What sha256sum says of a file."""
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


for path in (SOLID, GREEDY):
    tap.check("    %s  %s\n" % (digest(path)[:12], os.path.basename(path)) in done.stdout,
              "each program has its hash", done.stdout)


def header(folder, number=1):
    """The fields of a record's first line."""
    with open(os.path.join(folder, "records", "U000001-%d.hkm" % number), encoding="utf-8") as file:
        return dict(word.partition("=")[::2] for word in file.readline().split() if "=" in word)

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
fields = header(os.path.join(where, "event.store"))
tap.same(fields["x_command"].replace("%20", " "),
         " ".join(os.path.basename(word) for word in bot.split()),
         "the record has the command, and no folders of this machine")
files = dict(word.split(":", 1)[::-1] for word in fields["x_files"].split(","))
tap.check(files.get("bot.py") == digest(script) and files.get("weights") == digest(weights) and
          len(files) == 3, "and the files that belong to it, as sha256sum tells them", fields)
tap.same(fields["y_files"], digest(SOLID) + ":solid", "of a program alone, itself")
long_one = kit.hakem("duel", "a=" + bot + " " + "x" * 300, "b=" + SOLID, "--pairs", "1", "--match",
                     "1", "--store", os.path.join(where, "long"))
fields = header(os.path.join(where, "long"))
tap.check(long_one.returncode == 0 and len(fields["x_command"].replace("%20", " ")) == 255 and
          fields["x_command"].endswith("xxx..."), "a long command is cut", fields)
again = kit.hakem("run", event)
tap.check(again.returncode == 0 and "  tee: " in again.stdout and
          "\n    %s  bot.py\n" % digest(script)[:12] in again.stdout,
          "the same programs go on, and are said again", again.stdout, again.stderr)
for name, path in (("weights", weights), ("the script that an interpreter is given", script)):
    with open(path, "a", encoding="ascii") as file:
        file.write("# other\n")
    done = kit.hakem("run", event)
    tap.check(done.returncode == 2 and 'the program of bot "tee" has changed' in done.stderr,
              "other %s make another bot" % name, done.returncode, done.stderr)
    done = kit.hakem("run", event, "--same")
    tap.check(done.returncode == 0, "--same goes on", done.stderr)
os.remove(weights)
done = kit.hakem("run", event)
tap.check(done.returncode == 2 and 'bot "tee": the file %s of its "weights"' % weights in done.stderr,
          "weights that are not there are not passed over", done.stderr)
tap.done()
