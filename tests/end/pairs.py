"""Events in which bots add to the dice and play both legs of a pair in lockstep: every record is
proven, and says what each player has added; a bot with a single table loses its pairs, in time."""
import json
import os

import kit

BOT = r'''
import hashlib, os, sys

def lp(*fields):
    return b"".join(len(field).to_bytes(4, "big") + field for field in fields)

def say(text):
    print(text, flush=True)

name, way, own = sys.argv[1], sys.argv[2], os.urandom(32)
say(f"hello hakem=1 name={name} contribute={way}")
for line in sys.stdin:
    word = line.split()
    key = dict(part.split("=", 1) for part in word if "=" in part)
    if word[0] == "match":
        say(f"ready {word[1]}")
    elif word[0] == "turn":
        say(f"play {word[1]} {word[2]} #0")
    elif word[0] == "commit" and way == "commit":
        digest = hashlib.sha256(lp(b"hakem/v1/commit", b"player-" + key["player"].encode(),
                                   key["event"].encode(), word[1].encode(), own))
        say(f"commit {word[1]} commit={digest.hexdigest()}")
    elif (word[0], way) in (("open", "open"), ("reveal", "commit")):
        say(f"{word[0]} {word[1]} bytes={own.hex()}")
'''

tap = kit.Tap()
where = kit.folder()
with open(os.path.join(where, "adds.py"), "w", encoding="utf-8") as file:
    file.write(BOT)


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
