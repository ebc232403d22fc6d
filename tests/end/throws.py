"""Recorded dice from end to end: a duel on a file of throws, proven with it, refused with another
one, and aborted where the file ends."""
import os
import random
import subprocess
import sys

import kit

TWIN = os.path.join(os.environ["HAKEM_SOURCE"], "contrib", "verify", "hakem_verify.py")

tap = kit.Tap()
where = kit.folder()
one, two = "tee=" + kit.bot(where), "jay=" + kit.bot(where, "--json")
chance = random.Random(5)


def throws(name, counts):
    """A file with so many throws for each unit."""
    path = os.path.join(where, name)
    with open(path, "w", encoding="ascii") as out:
        for count in counts:
            out.write("unit # of a table\n")
            for _ in range(count):
                out.write("%d%d\n" % (chance.randint(1, 6), chance.randint(1, 6)))
    return path


def duel(path, store, *more):
    return kit.hakem("duel", one, two, "--throws", path, "--store", os.path.join(where, store),
                     *more)


def twin(folder, path):
    """What the second verifier says of the records of a folder."""
    files = sorted(os.path.join(folder, name) for name in os.listdir(folder)
                   if name.endswith(".hkm"))
    return subprocess.run([sys.executable, TWIN, "--throws", path] + files, timeout=120,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


enough, few = throws("enough", [2000, 2000]), throws("few", [40])
done = duel(enough, "a", "--pairs", "2")
tap.check(done.returncode == 0 and "finished: 4 of 4" in done.stdout, "a duel on a file of throws",
          done.stdout, done.stderr)
records = os.path.join(where, "a", "records")
done = kit.hakem("verify", records, "--throws", enough)
tap.check(done.returncode == 0 and done.stdout.count("throws are those of the file") == 4,
          "is proven with it", done.stdout, done.stderr)
done = kit.hakem("verify", records, "--throws", few)
tap.check(done.returncode == 6 and "throws= is not the hash of the file" in done.stdout,
          "and not with another one", done.stdout, done.stderr)
done = kit.hakem("verify", records)
tap.check(done.returncode == 0 and done.stdout.count("no throw is checked without their file") == 4,
          "without the file the plays are proven, and no throw", done.stdout, done.stderr)
done = twin(records, enough)
tap.check(done.returncode == 0 and done.stdout.count("throws are those of the file") == 4,
          "the second verifier agrees", done.stdout)
done = twin(records, few)
tap.check(done.returncode == 6 and done.stdout.count("not the hash of the file of throws") == 4,
          "about the other file too", done.stdout)
done = duel(enough, "b", "--pairs", "3")
tap.check(done.returncode == 2 and "the file has throws for 2 units, and the event has 3"
          in done.stderr, "too few units are told before the start", done.stdout, done.stderr)
tap.check(not os.path.exists(os.path.join(where, "b")), "when nothing is there yet")
done = duel(few, "c", "--pairs", "1")
tap.check("the recorded throws ran out after 40 in game 1: the match is aborted" in done.stderr,
          "where the throws run out, a sentence says so", done.stdout, done.stderr)
done = kit.hakem("verify", os.path.join(where, "c"), "--throws", few)
tap.check(done.returncode == 0, "and what was played is proven", done.stdout, done.stderr)
done = twin(os.path.join(where, "c", "records"), few)
tap.check(done.returncode == 0, "by both verifiers", done.stdout)
tap.done()
