"""As probe.c, by hakem_bot.py."""
import os
import sys

import hakem_bot

compared = differing = 0


def compare(turn):
    global compared, differing
    table = turn.table
    compared += 1
    differing += ((turn.board, turn.cube, turn.owner, turn.score)
                  != (table.board, table.cube, table.owner, table.score))


class Probe(hakem_bot.Bot):
    name = "probe"
    version = "1"
    author = "A. Yazıcı, %"
    tables = 8
    want = os.environ.get("PROBE_WANT", "plays")

    def choose(self, turn):
        compare(turn)
        return turn.table.random(len(turn.plays)) if turn.plays else "8/5 6/5"

    def choose_many(self, turns):
        if "PROBE_BATCH" not in os.environ:
            return None
        print("batch", *(f"{turn.kind}:{turn.table.id}:{turn.serial}" for turn in turns),
              file=sys.stderr, flush=True)
        return [len(turn.plays) - 1 if turn.kind == "turn" and turn.table.id % 2 == 1 else None
                for turn in turns]

    def doubles(self, turn):
        compare(turn)
        return turn.table.random(3) == 0

    def takes(self, turn):
        compare(turn)
        return turn.table.random(4) > 0

    def beavers(self, turn):
        return turn.table.random(2) == 0

    def resigns(self, turn):
        if turn.table.random(12) > 0:
            return None
        return "oin" if turn.table.variant == "uzun" else "single"

    def supports(self, option, value):
        if "PROBE_SUPPORTS" in os.environ:
            return option != "katmerli" or value != "3"
        return super().supports(option, value)


try:
    hakem_bot.run(Probe())
finally:
    if "PROBE_LOG" in os.environ:
        with open(os.environ["PROBE_LOG"], "a", encoding="ascii") as log:
            log.write(f"{compared} {differing}\n")
