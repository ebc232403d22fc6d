"""Events in which bots add to the dice and play both legs of a pair in lockstep: every record is
proven, and says what each player has added; a bot with a single table loses its pairs, in time."""
import hashlib
import json
import os
import struct
import subprocess
import sys

import kit

BOT = """
import sys
import hakem_bot

class Adds(hakem_bot.Bot):
    name, contribute = sys.argv[1:3]

    def choose(self, turn):
        return 0

del sys.argv[1:]
hakem_bot.run(Adds())
"""

TWIN = os.path.join(os.environ["HAKEM_SOURCE"], "contrib", "verify", "hakem_verify.py")

CLIENT = os.path.join(os.environ["HAKEM_SOURCE"], "contrib", "python")

tap = kit.Tap()
where = kit.folder()
with open(os.path.join(where, "adds.py"), "w", encoding="utf-8") as file:
    file.write(f"import sys\nsys.path.insert(0, {CLIENT!r})\nsys.dont_write_bytecode = True\n{BOT}")


def run(name, **more):
    """An event of three bots that commit, are open, and add nothing; the run and its store."""
    bots = [{"name": f"{way}-bot", "command": f"python3 adds.py {way}-bot {way}"}
            for way in ("commit", "open", "none")]
    bots[2].update(more.pop("last", {}))
    event = {"name": name, "pairs": 2, "match": 1, "pairing": "lockstep", "concurrency": 4,
             "contributions": "asked", "bots": bots, **more}
    path = os.path.join(where, name + ".json")
    with open(path, "w", encoding="utf-8") as out:
        json.dump(event, out)
    store = os.path.join(where, name)
    return kit.hakem("run", path, "--store", store, cwd=where), store


done, store = run("night")
tap.check(done.returncode == 0, "the event is played", done.stdout, done.stderr)
proof = kit.hakem("verify", store)
tap.check(proof.returncode == 0 and "12 of 12 proven" in proof.stdout, "and proven", proof.stdout,
          proof.stderr)
tap.check(proof.stdout.count("assurance full") == 8 and
          proof.stdout.count("assurance partial") == 4 and
          proof.stdout.count("committed and kept it") == 8 and
          proof.stdout.count("added nothing") == 8,
          "each record says what its players have added", proof.stdout)


def altered(path, old, new):
    """A copy of a record with another text in it, chained anew; the signature goes with that."""
    with open(path, encoding="utf-8") as record:
        lines = [line[:-18].replace(old, new, 1) for line in record]
    head, out = None, []
    for line in lines:
        text = line.encode()
        link = struct.pack(">I", len(text)) + text
        label = struct.pack(">I", 12) + b"hakem/v1/log"
        head = hashlib.sha256((label if head is None else head) + link).digest()
        out.append(f"{line} {head.hex()[:16]}\n")
    copy = os.path.join(where, "altered.hkm")
    with open(copy, "w", encoding="utf-8") as record:
        record.write("".join(out))
    return copy


def both(path, words, name):
    """Both verifiers refuse it for that reason."""
    ours = kit.hakem("verify", path).stdout
    theirs = subprocess.run([sys.executable, TWIN, path], capture_output=True, text=True).stdout
    tap.check(words in ours and words in theirs, name, ours, theirs)


records = os.path.join(store, "records")
paths = [os.path.join(records, name) for name in sorted(os.listdir(records))
         if name.endswith(".hkm")]
twin = subprocess.run([sys.executable, TWIN] + paths, capture_output=True, text=True)
tap.check(twin.returncode == 0, "the second verifier agrees", twin.stdout, twin.stderr)
for path in paths:
    with open(path, encoding="utf-8") as record:
        words = dict(word.split("=") for word in record.readlines()[1].split()[2:-1])
    for name in "ab":
        if "commit_" + name in words:
            flipped = words[name][:-1] + ("0" if words[name][-1] != "0" else "1")
            both(altered(path, " %s=%s" % (name, words[name]), " %s=%s" % (name, flipped)),
                 "does not open commit_" + name, "bytes that were not committed to")
            both(altered(path, " %s=%s" % (name, words[name]), ""), "is missing",
                 "a commitment that is not opened")
        elif name in words:
            both(altered(path, " %s=%s" % (name, words[name]), ""), "is not the committed one",
                 "open bytes that were left out")
    if {"commit_a", "b"} <= set(words):
        both(altered(path, " commit_a=", " withheld=b commit_a="), "not spelled as a record",
             "another order")
        break
done, store = run("narrow", wait="1s", last={"processes": 1})
proof = kit.hakem("verify", store)
tap.check(done.returncode == 0 and proof.returncode == 0 and "12 of 12" in proof.stdout,
          "an event with a bot that has one table comes to its end", done.stderr, proof.stdout)
done, _ = run("winner", match=3, next_starter="winner")
tap.check(done.returncode == 2 and "next_starter" in done.stderr,
          "legs that part are refused", done.returncode, done.stderr)
done, _ = run("single", concurrency=1)
tap.check(done.returncode == 2 and "concurrency" in done.stderr,
          "one match at a time is no lockstep", done.returncode, done.stderr)
done, _ = run("open", dice="seeded", seed="s")
tap.check(done.returncode == 2 and "contributions" in done.stderr,
          "nobody adds to seeded dice", done.returncode, done.stderr)
tap.done()
