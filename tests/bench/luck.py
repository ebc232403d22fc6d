"""What luck-adjusted results are worth, measured with the bundled bots: prints
protocol/statistics.md. `make statistics` takes some forty minutes on one core, the part with
GNU Backgammon included, which is left out where that is not installed.

    luck.py BUILD [GAMES [SECTION...]]    GAMES of each near-equal pair (5000), a tenth of it of
                                          the others; all sections, or those alone
"""
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile

BUILD = os.path.abspath(sys.argv[1])
GAMES = int(sys.argv[2]) if len(sys.argv) > 2 else 5000
HAKEM = os.path.join(BUILD, "hakem")
VARIANTS = ("tavla", "western", "uzun")
OPENINGS = ("31", "61", "42", "65", "53", "54", "52", "32", "43", "64", "51", "62", "63", "41", "21")
# Cubeless roll-outs by GNU Backgammon 0-ply (Tom Keith): the 15 values, as
# http://www.bgonline.org/forums/webbbs_config.pl?noframes;read=6413 lists them, and whose they
# are, as https://everygamemade.com/strategy/backgammon.html does. Facts only.
PUBLISHED = {"31": .1670, "42": .1234, "61": .1035, "53": .0638, "65": .0545, "54": .0155,
             "43": .0125, "64": .0102, "21": .0088, "63": .0072, "62": .0066, "51": .0056,
             "32": .0053, "52": .0032, "41": .0024}
WEAK = (2000, 100)  # games that a weak evaluator was trained with


def bot(name, *options):
    path = os.path.join(BUILD, "contrib/c", name)
    return " ".join((path,) + options)


def run(*arguments):
    return subprocess.run((HAKEM,) + arguments, check=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True).stdout


def meet(folder, variant, a, b, games, concurrency=32, rules=("--match", "1")):
    """The estimate of two bots NAME=COMMAND that play single games in mirrored pairs."""
    store = os.path.join(folder, f"{variant}-{a.split('=')[0]}-{b.split('=')[0]}")
    run("duel", a, b, "--variant", variant, "--pairs", str(games // 2), "--seed", "statistics",
        "--files", "none", "--luck", "off", "--store", store, "--concurrency", str(concurrency),
        *rules)
    return estimate(store)


def estimate(store, *options):
    return json.loads(run("luck", store, "--format", "jsonl", *options))


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


def weak_net(folder, variant, games):
    """The file of a net that was trained with so few games."""
    path = os.path.join(folder, f"{variant}-{games}.net")
    subprocess.run((os.path.join(BUILD, "contrib/train/train"), "--variant", variant, "--games",
                    str(games), "--seed", "1", "--held-out", "1", "--name",
                    f"{variant}-weak-{games}", "--out", path), check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return path


def evaluators(folder):
    print("## An evaluator that is much weaker than the players, or much stronger\n")
    print("The same games of `usta` and `usta --two-ply` as above, by nets that were trained with "
          "few games only; and two bots that play at random, by the net of `usta`. Whoever "
          "evaluates, luck has the mean 0; only the gain is another one.\n")
    print("| game | bots | evaluator | raw | luck off, beta 1 | luck off, fitted | gain | luck t |")
    print("|---|---|---|---|---|---|---|---|")
    for variant in VARIANTS:
        rows = [("usta, two-ply", f"{games} games of training",
                 estimate(os.path.join(folder, f"{variant}-usta-ahead"), "--net",
                          weak_net(folder, variant, games))) for games in WEAK]
        rows.append(("random, random", "that of usta",
                     meet(folder, variant, "one=" + bot("random"), "two=" + bot("random"),
                          GAMES // 10)))
        for bots, evaluator, found in rows:
            print(f"| {variant} | {bots} | {evaluator} | {figure(found, 'raw')} | "
                  f"{figure(found, 'adjusted')} | {figure(found, 'fitted')} | "
                  f"{number(found['fitted']['variance_ratio'], 2)} | {found['luck_t']:+.2f} |",
                  flush=True)
    print()


def intervals(_):
    """How often intervals hold the truth, as the test of the estimates finds it."""
    print("## How often the 95 % intervals hold the truth\n")
    print("Simulated events whose truth is known (tests/unit/arena_estimate.c, "
          "tests/unit/arena_fortune.c), run at each build, which fails below 93 or above 97 %.\n")
    print("| samples | reading | intervals that hold the truth |")
    print("|---|---|---|")
    for test in ("arena_estimate", "arena_fortune"):
        said = subprocess.run((os.path.join(BUILD, "tests/unit", test),), check=True,
                              stdout=subprocess.PIPE, text=True).stdout
        for name, reading, share in re.findall(
                r"^ok \d+ - (.*), (.*): ([\d.]+) % of the intervals hold the truth$", said, re.M):
            print(f"| {name} | {reading} | {share} % |")
    print()


def stopping(_):
    """How often the rule that ends an event early is wrong, and how soon it is right."""
    print("## Events that stop when they are decided\n")
    print("`\"stop\": \"decided\"`, `--stop decided`: two bots play until they have been told apart, "
          "at most `pairs`. With x the points of a sample less beta times its luck, beta from the "
          "samples before it, M the sum of x, V the sum of x x, and r = 10: it is decided, "
          "from 8 samples on, when M M > (V + r) ln((V + r) / (r .05 .05)), which equal bots come "
          "to in one event of twenty at most, however long they play. Samples are taken in the "
          "schedule's order; what has begun is played to its end. Simulated "
          "(tests/unit/arena_stopping.c):\n")
    said = subprocess.run((os.path.join(BUILD, "tests/unit/arena_stopping"),), check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    for line in re.findall(r"^ok \d+ - (.*(?:unequal|apart|average.*))$", said, re.M):
        print("- " + line)
    print()


def gnubg(folder):
    if shutil.which("gnubg", path=os.environ["PATH"] + ":/usr/games") is None:
        return
    games = GAMES * 2 // 5
    print("## `usta` against GNU Backgammon\n")
    print(f"Western without the cube, {games} games each in mirrored pairs: `hakem duel usta "
          "gnubg:0ply --variant western` with `--match 1`, where GNU Backgammon plays to win the "
          "game and gammons are nothing to it, while `usta` plays for points; and with `--match 0 "
          "--games 1`, where both play for points. Neither looks ahead (GNU Backgammon as Debian "
          "has it).\n")
    print("| games | reading | points a game | games won | gain | luck t |")
    print("|---|---|---|---|---|---|")
    for name, rule in (("matches to 1", ("--match", "1")),
                       ("money", ("--match", "0", "--games", "1"))):
        found = meet(folder, "western", "usta=" + bot("usta"), name.split()[0] + "=gnubg:0ply",
                     games, 4, rule)
        for reading in ("raw", "adjusted", "fitted"):
            score = found[reading]["score"]
            won = ("-" if score["value"] is None else
                   f"{100 * score['value']:.1f} ± {100 * score['margin']:.1f} %")
            print(f"| {name} | {reading} | {figure(found, reading)} | {won} | "
                  f"{number(found[reading]['variance_ratio'], 1)} | {found['luck_t']:+.2f} |",
                  flush=True)
    print()


def itself(folder):
    print("## A bot against itself\n")
    for variant in VARIANTS:
        found = meet(folder, variant, "usta=" + bot("usta"), "twin=" + bot("usta"), 200)
        print(f"- {variant}, 100 mirrored pairs: raw {found['raw']['points_per_game']['value']}, "
              f"adjusted {found['adjusted']['points_per_game']['value']}")
    print()


def openings(_):
    print("## The luck of the opening throw in western\n")
    print("What each of the 15 throws is worth to who begins, in points without a cube; beside it "
          "what GNU Backgammon 0-ply found by roll-outs, cubeless too (the sources are named in "
          "tests/bench/luck.py).\n")
    print("| throw | play | worth | published |")
    print("|---|---|---|---|")
    total = 0
    for throw in OPENINGS:
        best = run("moves", "start", throw, "--variant", "western", "--eval").splitlines()[0]
        worth, play = float(best.split()[0]), best[18:46].strip()
        total += worth / len(OPENINGS)
        print(f"| {throw} | {play} | {worth:+.3f} | {PUBLISHED[throw]:+.3f} |")
    print(f"| mean | | {total:+.3f} | {sum(PUBLISHED.values()) / len(PUBLISHED):+.3f} |\n")


SECTIONS = (near, unequal, evaluators, intervals, stopping, itself, gnubg, openings)


def main():
    chosen = sys.argv[3:] or [section.__name__ for section in SECTIONS]
    if not sys.argv[3:]:
        print("# What results without luck are worth\n")
        print("Written by `make statistics` (tests/bench/luck.py), not by hand; the samples come "
              "from open seeds. The method: `hakem luck --help`.\n")
    with tempfile.TemporaryDirectory() as folder:
        for section in SECTIONS:
            if section.__name__ in chosen:
                section(folder)
    print("## Evaluators\n")
    for variant in VARIANTS:
        last = run("moves", "start", "31", "--variant", variant, "--eval").splitlines()[-1]
        print("- " + last.split()[-1])


main()
