"""GNU Backgammon reads our .mat: matches of random legal plays (tests/sim/make_record) are imported
and saved as SGF by the real program; plays, positions, winners and entering scores have to be ours.
It scores western backgammon: a mars of tavla whose loser still has a checker on the bar or in the
winner's home is worth 3 there. That difference is demanded, and no other one is let pass; where its
third point reaches the length too early, gnubg takes the match for over and reads no further."""

import os
import re
import shutil
import subprocess
import tempfile

MAKER = os.path.join(os.environ["HAKEM_BUILD"], "tests/sim/make_record")
SEEDS = 4
LENGTHS = (1, 3, 5)
CUBE_SEEDS = 8
CUBE_LENGTHS = (1, 3, 7, 15)
MONEY_SEEDS = 6
BACKGAMMON = {24: 2, 13: 5, 8: 3, 6: 5}
START = {"tavla": BACKGAMMON, "western": BACKGAMMON,
         "nackgammon": {24: 2, 23: 2, 13: 4, 8: 3, 6: 4}, "hypergammon": {24: 1, 23: 1, 22: 1}}
BAR, OFF = 25, 0
COMPLAINT = re.compile(r"unrecogni|illegal|invalid|error|warning|cannot|failed|unknown|not found",
                       re.I)

count = 0


def check(good, name, why=""):
    global count
    count += 1
    print("ok" if good else "not ok", count, "-", name, flush=True)
    if not good:
        print("#", str(why).replace("\n", "\n# "), flush=True)


class Board:
    """Checkers of both sides, each in its own numbering; X is 0, Y is 1."""

    def __init__(self, variant):
        self.men = [[START[variant].get(point, 0) for point in range(26)] for _ in range(2)]
        self.checkers = sum(self.men[0])

    def move(self, side, legs):
        mine, theirs = self.men[side], self.men[1 - side]
        for start, end in legs:
            assert mine[start] > 0, f"no checker on {start}"
            mine[start] -= 1
            mine[end] += 1
            if end != OFF and theirs[25 - end] == 1:
                theirs[25 - end] = 0
                theirs[BAR] += 1

    def worth(self, winner):
        """What a borne-off game is worth in western backgammon."""
        loser = self.men[1 - winner]
        if self.men[winner][OFF] != self.checkers:
            return None
        if loser[OFF] > 0:
            return 1
        return 3 if loser[BAR] + sum(loser[19:25]) > 0 else 2


def read_mat(text):
    """Games of one of our files: entering score, [(side, dice, legs)], (winner, points)."""
    games = []
    for line in text.split("\n"):
        assert line == line.rstrip(), f"trailing blank: {line!r}"
        if re.match(r" Game \d+$", line):
            games.append({"score": None, "plies": [], "wins": None})
        elif games and games[-1]["score"] is None:
            score = re.match(r" (\S+) : (\d+)\s+(\S+) : (\d+)$", line)
            games[-1]["score"] = (int(score[2]), int(score[4]))
            games[-1]["names"] = (score[1], score[3])
        elif re.match(r" *\d+\) ", line):
            for cell in re.finditer(r"(\d)(\d):(?! \?)((?: \d+/\d+\*?)*)|(Double|Take|Drop)s", line):
                side = int(cell.start() > 20)
                if cell[4]:
                    games[-1]["plies"].append((side, cell[4].lower(), []))
                    continue
                assert cell[1] >= cell[2], "the high die stands first"
                legs = [(int(a), int(b)) for a, b in re.findall(r"(\d+)/(\d+)", cell[3])]
                games[-1]["plies"].append((side, cell[1] + cell[2], legs))
        wins = re.match(r"(.* )Wins (\d+) points?( and the match)?$", line)
        if wins:
            games[-1]["wins"] = (int(len(wins[1]) > 6), int(wins[2]))
    return games


def point_of(letter, side):
    """SGF letters lie on one board: a is White's ace point; y the bar, z off."""
    if letter in "yz":
        return BAR if letter == "y" else OFF
    place = ord(letter) - ord("a") + 1
    return place if side == 0 else 25 - place


def read_sgf(text):
    games = []
    for tree in text.split("(;FF[4]")[1:]:
        info = dict(re.findall(r"\[(length|game|ws|bs):(\d+)\]", tree))
        result = re.search(r"RE\[([WB])\+(\d+)(R?)\]", tree)
        plies = []
        for colour, value in re.findall(r";([WB])\[([1-6][1-6][a-z]*|double|take|drop)\]", tree):
            side = int(colour == "B")
            if value[0] > "6":
                plies.append((side, value, []))
                continue
            letters = value[2:]
            legs = [(point_of(letters[i], side), point_of(letters[i + 1], side))
                    for i in range(0, len(letters), 2)]
            plies.append((side, value[:2], legs))
        games.append({"score": (int(info["ws"]), int(info["bs"])), "plies": plies,
                      "length": int(info["length"]), "crawford": ":CrawfordGame" in tree,
                      "names": (re.search(r"PW\[([^]]*)\]", tree)[1],
                                re.search(r"PB\[([^]]*)\]", tree)[1]),
                      "wins": (int(result[1] == "B"), int(result[2])) if result else None,
                      "resigned": bool(result and result[3])})
    return games


def cube_of(game):
    """The value of the cube at the end of a game, and whether it was dropped."""
    acts = [act for _, act, _ in game["plies"]]
    return 2 ** acts.count("take"), "drop" in acts


def compare_game(variant, ours, theirs):
    """Faults of one game, and whether the one allowed difference was met."""
    boards = Board(variant), Board(variant)
    if ours["score"] != theirs["score"] or ours["names"] != theirs["names"]:
        return "other names or entering score", False
    if len(ours["plies"]) != len(theirs["plies"]):
        return f"{len(ours['plies'])} plies here, {len(theirs['plies'])} there", False
    for number, (mine, other) in enumerate(zip(ours["plies"], theirs["plies"]), 1):
        boards[0].move(mine[0], mine[2])
        boards[1].move(other[0], other[2])
        if mine[:2] != other[:2] or boards[0].men != boards[1].men:
            return f"ply {number}: {mine} here, {other} there", False
    winner, points = ours["wins"]
    western = boards[0].worth(winner)
    cube, dropped = cube_of(ours)
    western = None if western is None else western * cube
    if points % cube:
        return f"{points} points with the cube at {cube}", False
    if theirs["resigned"] != (western is None and not dropped):
        return "played out here, resigned there (or the other way round)", False
    want = points if western is None else western
    differs = variant == "tavla" and western == 3 and points == 2
    if points != want and not differs:
        return f"{points} points here, but the position is worth {western}", False
    if theirs["wins"] != (winner, want):
        return f"ends as {theirs['wins']}, wanted {(winner, want)}", False
    return None, differs


def compare_match(variant, length, ours, theirs, from_sgf=False):
    """The first fault, the games that differ as they must, and whether gnubg stopped early. A .sgf
    says by itself whether a game is the Crawford game and at what score it begins."""
    differences = 0
    crawford = False
    for number, (mine, other) in enumerate(zip(ours, theirs), 1):
        fault, differs = compare_game(variant, mine, other)
        now = length > 1 and not crawford and length - 1 in mine["score"]
        crawford = crawford or now
        cubeless = from_sgf and not any(act[0] > "6" for _, act, _ in sum(
            (game["plies"] for game in ours), []))
        if fault is None and other["crawford"] != now and not cubeless:
            fault = "the Crawford game is another one there"
        if fault is None and other["length"] != length:
            fault = f"the match is to {other['length']} there"
        if fault is not None:
            return f"game {number}: {fault}", differences, False
        differences += differs
        winner, points = other["wins"]
        if not from_sgf and differs and other["score"][winner] + points >= length and number < len(ours):
            fault = None if number == len(theirs) else "gnubg read on after its end of the match"
            return fault, differences, True
    fault = None if len(ours) == len(theirs) else f"{len(theirs)} games there"
    return fault, differences, False


def make(folder, variant, length, seed, *more):
    kind = "-cube" if "vido=on" in more else ""
    stem = os.path.join(folder, f"{variant}-{length}-{seed}{kind}")
    with open(stem + ".hkm", "wb") as record:
        subprocess.run([MAKER, f"variant={variant}", f"match={length}", f"seed=gnubg {seed}",
                        f"mat={stem}.mat", f"sgf={stem}-ours.sgf", *more], stdout=record, check=True)
    return stem


def make_all(folder):
    stems = []
    for variant in START:
        for length in LENGTHS:
            for seed in range(SEEDS):
                more = ["faults=yes", "voids=yes"] if seed % 2 == 1 else []
                more += ["leg=2"] if seed == 2 else []
                stems.append((variant, length, make(folder, variant, length, seed, *more)))
    for length in CUBE_LENGTHS:
        for seed in range(CUBE_SEEDS):
            more = ["vido=on"] + (["resign=on"] if seed % 2 == 1 else [])
            more += ["faults=yes"] if seed % 3 == 1 else []
            stems.append(("western", length, make(folder, "western", length, seed, *more)))
    return stems


def run_gnubg(gnubg, folder, script):
    environment = dict(os.environ, HOME=folder, LC_ALL="C", LANG="C")
    return subprocess.run([gnubg, "-t", "-q"], input=script + "quit\ny\n", text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=180,
                          env=environment, errors="replace", check=False).stdout


def import_all(gnubg, folder, script):
    """What gnubg says to a script."""
    return [line for line in run_gnubg(gnubg, folder, script).split("\n")
            if COMPLAINT.search(line)]


def check_money(gnubg, folder):
    """Money sessions with beavers, automatic doubles and resignations: the totals agree."""
    beavers = 0
    for seed in range(MONEY_SEEDS):
        stem = make(folder, "western", 0, seed, "games=5", "vido=on", "beavers=1", "resign=on",
                    f"auto_doubles={seed % 3}", f"jacoby={'true' if seed % 2 else 'false'}")
        with open(stem + ".hkm", encoding="utf-8") as file:
            score = re.findall(r"^result .* score=(\d+),(\d+)", file.read(), re.M)[-1]
        with open(stem + ".mat", encoding="utf-8") as file:
            beavers += file.read().count("Beavers =>")
        said = run_gnubg(gnubg, folder, f"set confirm new off\nimport mat {stem}.mat\nshow score\n"
                         f"load match {stem}-ours.sgf\nshow score\n")
        complaints = [line for line in said.split("\n") if COMPLAINT.search(line)]
        totals = re.findall(r"after 5 games\) is: \S+ (\d+), \S+ (\d+) \(money", said)
        check(not complaints and totals == [score, score],
              f"money session {seed}: .mat and .sgf have its totals",
              f"{totals}, wanted {score}; {complaints[:3]}")
    check(beavers > 3, f"beavers were met: {beavers}")


def spoil(stem):
    """A copy whose first play is illegal, to see that gnubg would complain."""
    with open(stem + ".mat", encoding="utf-8") as file:
        text = file.read()
    with open(stem + "-bad.mat", "w", encoding="utf-8") as file:
        file.write(re.sub(r": \d+/\d+", ": 1/8", text, count=1))
    return stem + "-bad"


def main():
    gnubg = shutil.which("gnubg", path=os.environ.get("PATH", "") + ":/usr/games")
    if gnubg is None:
        if os.environ.get("CI") == "true":
            check(False, "gnubg is installed", "apt-get install gnubg")
        else:
            print("ok 1 - gnubg # SKIP gnubg is not installed: apt-get install gnubg")
        print("1..1")
        return
    with tempfile.TemporaryDirectory() as folder:
        stems = make_all(folder)
        script = "set confirm new off\n" + "".join(
            f"import mat {stem}.mat\nsave match {stem}.sgf\n"
            f"load match {stem}-ours.sgf\nsave match {stem}-back.sgf\n" for _, _, stem in stems)
        complaints = import_all(gnubg, folder, script)
        check(not complaints, "gnubg imports every file without a complaint",
              "\n".join(complaints[:5]))
        bad = import_all(gnubg, folder, f"import mat {spoil(stems[0][2])}.mat\nn\n")
        check(bad, "and complains of one that is wrong")
        check_money(gnubg, folder)
        differences, resigned, games, early = 0, 0, 0, 0
        drops, takes, crawfords = 0, 0, 0
        for variant, length, stem in stems:
            name = os.path.basename(stem)
            if not os.path.exists(stem + ".sgf"):
                check(False, f"{name} is imported", "gnubg saved nothing")
                continue
            with open(stem + ".mat", encoding="utf-8") as file:
                ours = read_mat(file.read())
            with open(stem + ".sgf", encoding="utf-8") as file:
                theirs = read_sgf(file.read())
            fault, differs, stopped = compare_match(variant, length, ours, theirs)
            check(fault is None, f"{name}: {len(ours)} games agree", fault)
            with open(stem + "-back.sgf", encoding="utf-8") as file:
                back = read_sgf(file.read())
            fault, _, _ = compare_match(variant, length, ours, back, True)
            check(fault is None, f"{name}: so do those of our .sgf", fault)
            differences += differs
            early += stopped
            resigned += sum(game["resigned"] for game in theirs)
            games += len(theirs)
            drops += sum(cube_of(game)[1] for game in ours)
            takes += sum(cube_of(game)[0] > 1 for game in ours)
            crawfords += sum(game["crawford"] for game in theirs)
        check(differences > early, f"a mars with a straggler was met: {differences} of {games} "
              f"games, {early} ended a match early")
        check(drops > 5 and takes > 5 and crawfords > 5, f"the cube was met: {takes} games with a "
              f"take, {drops} with a drop, {crawfords} Crawford games")
        check(resigned > 0, f"forfeited games were met: {resigned}")
    print(f"1..{count}")


main()
