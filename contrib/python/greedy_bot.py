#!/usr/bin/env python3
"""greedy: races, and hits whenever it can. With one seed it plays as contrib/c/greedy.c does.

It wants, in this order: many own checkers borne off, a lead in the race (a hit sends an opposing
man all the way back), and few lone men, or in uzun and fevga many, where each closes a point. Among
equals chance decides. It never looks at what the opponent may do next.
"""
import hakem_bot

GAIN = {}  # play -> what it gains, filled as plays are met


def gain(play):
    """Checkers borne off and pips won by a play: both are counted leg by leg."""
    won = 0
    for leg in play.split(","):
        (start, end), = hakem_bot.legs(leg)
        won += start - end
        won += (end == 0) * 1000
        won += leg.endswith("*") * end  # he stood on our `end`, and needs as many pips more
    GAIN[play] = won
    return won


class Greedy(hakem_bot.Bot):
    name = "greedy-py"
    version = "1"
    tables = 256

    def choose(self, turn):
        gains = [GAIN.get(play) or gain(play) for play in turn.plays]
        most = max(gains)
        equals = [index for index, won in enumerate(gains) if won == most]
        if len(equals) > 1:
            lone = [turn.after(turn.plays[index]).points[1:25].count(1) for index in equals]
            want = max(lone) if turn.table.variant in hakem_bot.PARALLEL else min(lone)
            equals = [index for index, men in zip(equals, lone) if men == want]
        return equals[turn.table.random(len(equals))]


if __name__ == "__main__":
    hakem_bot.run(Greedy())
