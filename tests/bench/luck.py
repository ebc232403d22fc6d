"""What luck-adjusted results are worth, measured with the bundled bots: prints
protocol/statistics.md. `make statistics` takes some twenty minutes on one core.

    luck.py BUILD [GAMES]    GAMES of each near-equal pair (5000), a tenth of it of the others
"""
import json
import math
import os
import subprocess
import sys
import tempfile

BUILD = os.path.abspath(sys.argv[1])
GAMES = int(sys.argv[2]) if len(sys.argv) > 2 else 5000
HAKEM = os.path.join(BUILD, "hakem")
VARIANTS = ("tavla", "western", "uzun")
OPENINGS = ("31", "61", "42", "65", "53", "54", "52", "32", "43", "64", "51", "62", "63", "41", "21")
# Cubeless roll-out of 46,656 games by GNU Backgammon, https://www.bkgm.com/rgb/rgb.cgi?view+1344
PUBLISHED = {"51": .0069}


def bot(name, *options):
    path = os.path.join(BUILD, "contrib/c", name)
    return " ".join((path,) + options)


def run(*arguments):
    return subprocess.run((HAKEM,) + arguments, check=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True).stdout


def meet(folder, variant, a, b, games, *options):
    """The estimate of two bots NAME=COMMAND that play single games in mirrored pairs."""
    store = os.path.join(folder, f"{variant}-{a.split('=')[0]}-{b.split('=')[0]}")
    run("duel", a, b, "--variant", variant, "--match", "1", "--pairs", str(games // 2), "--seed",
        "statistics", "--files", "none", "--concurrency", "32", "--store", store, *options)
    return json.loads(run("luck", store, "--format", "jsonl"))


def number(value, decimals):
    """A number, "-" where there is none: nothing varied."""
    return "-" if value is None else f"{value:.{decimals}f}"


def figure(estimate, reading):
    points = estimate[reading]["points_per_game"]
    return f"{points['value']:+.4f} ± {points['margin']:.4f}"


def ratio_interval(ratio, samples):
    """95 % of a ratio of two variances of as many samples, the two taken as independent."""
    width = 1.96 * math.sqrt(4 / samples)
    return f"{ratio * math.exp(-width):.1f} - {ratio * math.exp(width):.1f}"


def near(folder):
    print("## Two bots that are nearly equal\n")
    print(f"`usta` against `usta --two-ply`, {GAMES} single games each in mirrored pairs; points "
          "a game, with 95 % intervals from pairs. *Gain*: the variance of the raw mean over that "
          "of the fitted one, which is how many times fewer games say the same.\n")
    print("| game | raw | luck off, beta 1 | luck off, fitted | gain of beta 1 | gain | its 95 % "
          "| a game | luck t |")
    print("|---|---|---|---|---|---|---|---|---|")
    for variant in VARIANTS:
        found = meet(folder, variant, "usta=" + bot("usta"), "ahead=" + bot("usta", "--two-ply"),
                     GAMES)
        gain = found["fitted"]["variance_ratio"]
        print(f"| {variant} | {figure(found, 'raw')} | {figure(found, 'adjusted')} | "
              f"{figure(found, 'fitted')} | {found['adjusted']['variance_ratio']:.1f} | {gain:.1f} "
              f"| {ratio_interval(gain, found['samples'])} | {found['game_ratio']:.1f} "
              f"| {found['luck_t']:+.2f} |", flush=True)
    print()


def unequal(folder):
    names = ("random", "greedy", "solid", "usta")
    games = GAMES // 10
    print("## Bots that are not\n")
    print(f"{games} games each. The difference of raw and adjusted is the mean luck: by its t it "
          "should be within 2 nineteen times of twenty, whoever plays.\n")
    print("| game | bots | raw | luck off, beta 1 | luck off, fitted | gain | luck t |")
    print("|---|---|---|---|---|---|---|")
    squares = []
    for variant in VARIANTS:
        for b, second in enumerate(names):
            for first in names[:b]:
                found = meet(folder, variant, first + "=" + bot(first), second + "=" + bot(second),
                             games)
                squares.append(found["luck_t"] ** 2)
                print(f"| {variant} | {first}, {second} | {figure(found, 'raw')} | "
                      f"{figure(found, 'adjusted')} | {figure(found, 'fitted')} | "
                      f"{number(found['fitted']['variance_ratio'], 2)} | {found['luck_t']:+.2f} |",
                      flush=True)
    print(f"\nThe squares of these {len(squares)} t sum up to {sum(squares):.1f}; expected are "
          f"{len(squares)}, give or take {math.sqrt(2 * len(squares)):.1f}.\n")


def itself(folder):
    print("## A bot against itself\n")
    for variant in VARIANTS:
        found = meet(folder, variant, "usta=" + bot("usta"), "twin=" + bot("usta"), 200)
        print(f"- {variant}, 100 mirrored pairs: raw {found['raw']['points_per_game']['value']}, "
              f"adjusted {found['adjusted']['points_per_game']['value']}")
    print()


def openings():
    print("## The luck of the opening throw in western\n")
    print("What each of the 15 throws is worth to who begins, in points without a cube; beside it "
          "a value from a roll-out, where its source is at hand (named in tests/bench/luck.py).\n")
    print("| throw | play | worth | published |")
    print("|---|---|---|---|")
    total = 0
    for throw in OPENINGS:
        best = run("moves", "start", throw, "--variant", "western", "--eval").splitlines()[0]
        worth, play = float(best.split()[0]), best[18:46].strip()
        total += worth / len(OPENINGS)
        other = f"{PUBLISHED[throw]:+.3f}" if throw in PUBLISHED else "-"
        print(f"| {throw} | {play} | {worth:+.3f} | {other} |")
    print(f"| mean | | {total:+.3f} | - |\n")


def main():
    print("# What results without luck are worth\n")
    print("Written by `make statistics` (tests/bench/luck.py), not by hand; the samples come from "
          "open seeds. The method: `hakem luck --help`; how often the intervals hold the truth is "
          "measured by tests/unit/arena_estimate.c at each build (93 to 97 % of 2,000 events, for "
          "single games, pairs and matches).\n")
    with tempfile.TemporaryDirectory() as folder:
        near(folder)
        unequal(folder)
        itself(folder)
    openings()
    print("## Evaluators\n")
    for variant in VARIANTS:
        last = run("moves", "start", "31", "--variant", variant, "--eval").splitlines()[-1]
        print("- " + last.split()[-1])


main()
