#!/usr/bin/env python3
"""A bot that will not finish the second leg of a pair whenever it has won the first one, against
its identical twin: declining, hanging up, crashing, refusing to come back. None of it pays. As
the twins share their dice, one leg each is what honest play brings: 0 Elo, 0 points."""
import json
import os
import sys

import kit

TWIN = r'''
import os, sys
cheat = sys.argv[1] if len(sys.argv) > 1 else ""
print("hello hakem=1 name=twin want=plays", flush=True)
leg, seat, won = {}, {}, False
for line in sys.stdin:
    word = line.split()
    if word[0] == "match":
        leg[word[1]] = int(word[3])
        seat[word[1]] = "X" if "seat=X" in word else "Y"
        if won and leg[word[1]] == 2:
            if cheat == "bye":
                print("bye", flush=True)
                break
            if cheat == "exit":
                os._exit(1)
            if cheat == "decline":
                print("decline", word[1], flush=True)
                continue
        print("ready", word[1], flush=True)
    elif word[0] == "turn":
        if cheat == "crash" and won and leg[word[1]] == 2:
            os._exit(1)
        if cheat == "illegal" and won and leg[word[1]] == 2:
            print("play", word[1], word[2], "1/24", flush=True)
        else:
            print("play", word[1], word[2], "#0", flush=True)
    elif word[0] == "end":
        won = leg[word[1]] == 1 and "winner=" + seat[word[1]] in word
        if cheat == "between" and won:
            os._exit(1)
'''

tap = kit.Tap()
where = kit.folder()
with open(os.path.join(where, "twin.py"), "w", encoding="ascii") as out:
    out.write(TWIN)
PAIRS = 20


def duel(cheat):
    """The row of a cheater's standing after a duel with its twin."""
    store = os.path.join(where, cheat or "honest")
    done = kit.hakem("duel", f"cheat={kit.PYTHON} twin.py {cheat}",
                     f"twin={kit.PYTHON} twin.py", "--pairs", str(PAIRS), "--match", "1",
                     "--concurrency", "1", "--seed", "3", "--store", store, "--format", "jsonl",
                     cwd=where)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    found = [row for row in rows if row["type"] == "standing" and row["name"] == "cheat"]
    return (found[-1] if found else {"matches": 0, "score": 9}), store, done


honest, _, done = duel("")
tap.check(honest["matches"] == 2 * PAIRS and honest["score"] == 0.5 and
          honest["points_per_game"] == 0, "twins are equal", honest, done.stderr)
for cheat in ("decline", "bye", "exit", "crash", "illegal", "between"):
    row, store, done = duel(cheat)
    tap.check(row["matches"] == 2 * PAIRS and row["aborted"] == 0 and row["score"] <= 0.5 and
              row["elo"] <= 0 and row["points_per_game"] <= 0 and
              row["points_without_luck"] <= row["points_without_luck_margin"],
              "%s: every match counts, and there is no gain in it" % cheat, row, done.stderr)
    faults = sum(row["faults"].values())
    tap.check(faults > 0, "%s: it was done, %d times" % (cheat, faults), row)
    if cheat == "decline":
        done = kit.hakem("verify", store)
        tap.check(done.returncode == 0, "the event verifies", done.stdout, done.stderr)
        for what in (store, os.path.join(store, "records")):
            done = kit.hakem("luck", what, "--format", "jsonl")
            rows = [json.loads(line) for line in done.stdout.splitlines()]
            found = [entry for entry in rows if entry["type"] == "estimate"]
            tap.check(len(found) == 1 and found[0]["samples"] == PAIRS and
                      abs(found[0]["raw"]["points_per_game"]["value"] -
                          row["points_per_game"]) < 1e-5,
                      "the estimate counts the same units", what, done.stdout, done.stderr)
tap.done()
