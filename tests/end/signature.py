"""The signature of the house: one hash over the records of a seeded tournament of the
bundled bots in each variant. tests/signature.txt holds it; a change that alters a play, a
throw, a rule, a record or a .mat alters it too, and has to say why. What depends on how this
machine compiled the bots is left out: the hashes of their files, and so chain and signature."""
import hashlib
import json
import os
import re

import kit

tap = kit.Tap()
where = kit.folder()
build = os.environ["HAKEM_BUILD"]
kept = os.path.join(os.environ["HAKEM_SOURCE"], "tests", "signature.txt")
MACHINE = re.compile(r" [xy]_files=\S+| [0-9a-f]{16}$|(?<=signature=)[0-9a-f]+", re.M)
total = hashlib.sha256()
count = 0
for variant in ("tavla", "uzun", "western"):
    # Commands are part of the event and so of its dice: relative, the same on every machine.
    event = {"name": "signature-" + variant, "variant": variant, "match": 3, "pairs": 2,
             "seed": "signature", "bots": [{"name": name, "command": "contrib/c/" + name}
                                           for name in ("random", "greedy", "solid")]}
    path = os.path.join(where, variant + ".json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(event, file)
    run = kit.hakem("run", path, cwd=build)
    tap.check(run.returncode == 0, "a seeded tournament in " + variant, run.stdout, run.stderr)
    for name, text in kit.records(os.path.join(where, variant + ".store")).items():
        total.update(name.encode() + b"\n" + MACHINE.sub("", text).encode())
        count += 1
with open(kept, encoding="ascii") as file:
    want = file.read().strip()
tap.check(count == 72, "has its 36 records in two forms", count)
tap.same(total.hexdigest(), want, "the tournaments have the signature of tests/signature.txt")
tap.done()
