#!/usr/bin/env python3
"""random: any legal play, each with the same chance."""
import hakem_bot


class Random(hakem_bot.Bot):
    name = "random-py"
    version = "1"
    tables = 256

    def choose(self, turn):
        return turn.table.random(len(turn.plays))


if __name__ == "__main__":
    hakem_bot.run(Random())
