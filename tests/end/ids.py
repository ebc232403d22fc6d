"""Position and match ids against GNU Backgammon. Random western positions in random matches are
set up in the real program by its own commands; the ids it prints have to be read by hakem as that
position and written by it again. Then the other way: positions that hakem is given as FIBS board
strings go to gnubg as hakem's GNU ids and as hakem's XGIDs, and gnubg has to print the same."""

import os
import random
import re
import shutil
import subprocess
import tempfile

HAKEM = os.environ["HAKEM"]
ENGLISH = dict(os.environ, LC_ALL="C")
POSITIONS = 240
MARK = ("help set gnubgid", "Usage: set gnubgid")  # parts one answer from the next
PREPARE = ["set player 0 human", "set player 1 human", "set automatic game off",
           "set automatic roll off", "set automatic move off", "set automatic bearoff off",
           "set automatic crawford off", "set automatic doubles 0", "set display off",
           "set confirm new off", "set confirm save off"]
IDS = re.compile(r"Position ID: (\S{14})\s+Match ID\s*: (\S{12})")

count = 0


def check(good, name, why=""):
    global count
    count += 1
    print("ok" if good else "not ok", count, "-", name, flush=True)
    if not good:
        print("#", str(why)[:3000].replace("\n", "\n# "), flush=True)


# ---- positions

def random_men(dice):
    """Places 0 (off) to 25 (bar) of both sides, each in its own numbering; nobody has won."""
    spread = dice.randint(2, 24)
    men = [[0] * 26, [0] * 26]
    for man in range(30):
        side = man % 2
        place = dice.randint(0, 25) if dice.random() < 0.1 else dice.randint(1, spread)
        if 1 <= place <= 24 and men[1 - side][25 - place]:
            place = 25 if dice.random() < 0.3 else 0
        men[side][place] += 1
    return men if men[0][0] < 15 and men[1][0] < 15 else random_men(dice)


def random_state(dice):
    """A position in a match: side 1 is gnubg's player 1, White for hakem."""
    state = {"men": random_men(dice), "turn": dice.randint(0, 1), "crawford": False,
             "jacoby": False, "cube": 0, "owner": None, "double": False,
             "dice": (dice.randint(1, 6), dice.randint(1, 6)) if dice.random() < 0.5 else (0, 0)}
    state["length"] = dice.choice([0, 1, 2, 3, 5, 7, 11, 25, 64])
    state["score"] = [dice.randrange(state["length"] or 40) for _ in range(2)]
    if state["length"] == 0:
        state["jacoby"] = dice.random() < 0.5
    elif state["length"] > 1 and dice.random() < 0.4:
        state["score"][dice.randint(0, 1)] = state["length"] - 1
        state["crawford"] = len(set(state["score"])) == 2 and dice.random() < 0.5
    if state["length"] != 1 and not state["crawford"] and dice.random() < 0.6:
        state["cube"] = dice.randint(1, 6)
        state["owner"] = dice.choice([0, 1])
    needed = state["length"] - state["score"][state["turn"]] if state["length"] else 1 << 16
    if (state["dice"] == (0, 0) and state["owner"] in (None, state["turn"])
            and not state["crawford"] and 1 << state["cube"] < needed):  # else the cube is dead
        state["double"] = dice.random() < 0.3
    return state


def xgid_of(state):
    """What an XGID of this state has to be, written by the book."""
    bottom, top = state["men"][1], state["men"][0]
    letters = ["-"] * 26
    for point in range(1, 26):
        if bottom[point]:
            letters[point] = chr(64 + bottom[point])
        if top[point]:
            letters[25 - point] = chr(96 + top[point])
    sign = {0: "-1", 1: "1", None: "0"}
    dice = "D" if state["double"] else "%d%d" % state["dice"]
    rule = state["crawford"] if state["length"] else state["jacoby"]
    return "XGID=%s:%d:%s:%s:%s:%d:%d:%d:%d:10" % (
        "".join(letters), state["cube"], sign[state["owner"]], sign[state["turn"]], dice,
        state["score"][1], state["score"][0], rule, state["length"])


def fibs_of(state):
    """The state as a FIBS board string with White as the first name."""
    bottom, top = state["men"][1], state["men"][0]
    places = [bottom[p] - top[25 - p] if 1 <= p <= 24 else bottom[25] if p else -top[25]
              for p in range(26)]
    dice = list(state["dice"]) + [0, 0] if state["turn"] else [0, 0] + list(state["dice"])
    last = state["length"] - 1 in state["score"] and state["length"] > 0
    fields = (["board", "You", "other", state["length"] or 9999, state["score"][1],
               state["score"][0]] + places + [1 if state["turn"] else -1] + dice
              + [1 << state["cube"], int(state["owner"] != 0), int(state["owner"] != 1),
                 int(state["double"]), 1, -1, 0, 25, bottom[0], top[0], bottom[25], top[25], 0, 0,
                 int(last and not state["crawford"]), int(not state["crawford"])])
    return ":".join(map(str, fields))


def flipped(xgid):
    """The same XGID with the side on turn at the bottom: gnubg may exchange its players."""
    fields = xgid.removeprefix("XGID=").split(":")
    if fields[3] == "-1":
        fields[0] = fields[0][::-1].swapcase()
        fields[2] = str(-int(fields[2]))
        fields[3] = "1"
        fields[5:7] = fields[6], fields[5]
    # The order of the dice is not in a match id.
    fields[4] = "".join(sorted(fields[4]))
    return ":".join(fields)


# ---- the two programs

def moves(*arguments):
    return subprocess.run([HAKEM, "moves", *arguments], capture_output=True, text=True,
                          timeout=60, env=ENGLISH)


def ids_of(position):
    """What `hakem moves --ids` writes, by name."""
    done = moves("--ids", "--variant", "western", "--", position)
    if done.returncode != 0:
        return {"error": done.stderr}
    return dict(line.split(None, 1) for line in done.stdout.split("\n") if line)


def ask_gnubg(gnubg, blocks):
    """The last ids that gnubg prints for each block of commands; ("", "") where there are none."""
    with tempfile.TemporaryDirectory() as home:
        lines = PREPARE + [line for block in blocks for line in block + ["show board", MARK[0]]]
        done = subprocess.run([gnubg, "-t", "-q"], input="\n".join(lines) + "\n", text=True,
                              capture_output=True, timeout=300, cwd=home,
                              env=dict(ENGLISH, HOME=home), errors="replace")
    parts = done.stdout.split(MARK[1])
    if len(parts) != len(blocks) + 1:
        check(False, "gnubg answers", done.stdout[-2000:] + done.stderr[-500:])
    return [(IDS.findall(part) or [("", "")])[-1] for part in parts[:len(blocks)]]


def commands_of(state):
    """The state set up in gnubg by its commands; the board is the side's that is on roll."""
    own, other = state["men"][state["turn"]], state["men"][1 - state["turn"]]
    places = [own[25]] + [own[p] - other[25 - p] for p in range(1, 25)] + [-other[25]]
    lines = [f"set jacoby {'on' if state['jacoby'] else 'off'}",
             f"new match {state['length']}" if state["length"] else "new session",
             f"set turn {state['turn']}",
             "set board simple " + " ".join(map(str, places)),
             f"set score {state['score'][0]} {state['score'][1]}"]
    if state["length"] > 1:
        lines.append(f"set crawford {'on' if state['crawford'] else 'off'}")
    if state["cube"]:
        lines += [f"set cube value {1 << state['cube']}", f"set cube owner {state['owner']}"]
    if state["dice"] != (0, 0):
        lines.append("set dice %d%d" % state["dice"])
    return lines + (["double"] if state["double"] else [])


def test_from_gnubg(gnubg, states):
    answers = ask_gnubg(gnubg, [commands_of(state) for state in states])
    read, written = [], []
    for state, answer in zip(states, answers, strict=True):
        gnu = ":".join(answer)
        got = ids_of(gnu)
        if "error" in got or flipped(got["xgid"]) != flipped(xgid_of(state)):
            read.append((gnu, xgid_of(state), got, commands_of(state)))
        if got.get("gnu") != gnu:
            written.append((gnu, got))
    doubles = sum(state["double"] for state in states)
    check(doubles > 5, f"{doubles} of {len(states)} positions have a double on offer")
    check(not read, f"hakem reads what gnubg prints as the {len(states)} positions", read[:3])
    check(not written, "and writes the same ids again", written[:3])


def test_to_gnubg(gnubg, states):
    ours = [ids_of(fibs_of(state)) for state in states]
    # A FIBS board string says nothing of Jacoby.
    wrong = [(fibs_of(state), xgid_of(state), got) for state, got in zip(states, ours, strict=True)
             if got.get("xgid") != xgid_of({**state, "jacoby": False})]
    check(not wrong, f"hakem reads {len(states)} FIBS board strings", wrong[:3])

    # gnubg cannot load a double that waits for its answer.
    plain = [state for state in states if not state["double"]]
    ours = [ids_of(xgid_of(state)) for state in plain]
    answers = ask_gnubg(gnubg, [["set gnubgid " + got["gnu"]] for got in ours])
    wrong = [(got["gnu"], answer) for got, answer in zip(ours, answers, strict=True)
             if got["gnu"] != ":".join(answer)]
    check(not wrong, f"gnubg loads {len(plain)} GNU ids of hakem", wrong[:3])
    answers = ask_gnubg(gnubg, [["set xgid " + got["xgid"]] for got in ours])
    wrong = []
    for got, answer in zip(ours, answers, strict=True):
        back = ids_of(":".join(answer))
        if "error" in back or flipped(back["xgid"]) != flipped(got["xgid"]):
            wrong.append((got, answer, back))
    check(not wrong, f"gnubg loads {len(plain)} XGIDs of hakem", wrong[:3])
    check(len(plain) >= 200, f"{len(plain)} positions went to gnubg")


def test_without_gnubg(states):
    """Each notation that hakem writes is read by it as the same position."""
    wrong = []
    for state in states:
        first = ids_of(xgid_of(state))
        for name in ("gnu", "xgid", "ogid", "fibs"):
            again = ids_of(first.get(name, "none"))
            if again.get("text") != first.get("text") or again.get("gnu-position") != \
                    first.get("gnu-position") or again.get(name) != first.get(name):
                wrong.append((name, first, again))
    check(not wrong, f"hakem reads its own ids of {len(states)} positions", wrong[:2])


def test_plays():
    """Any notation may stand for POSITION; some bring turn and dice along."""
    start = "-b----E-C---eE---c-e----B-:0:0:"
    want = moves("start", "31").stdout
    for position in ("4HPwATDgc/ABMA:cInlADAAEAAE", f"XGID={start}1:31:2:3:0:7:10",
                     "11ccccchhhjjjjj:66666888dddddoo:N0N:31:B:R:2:3:7:0"):
        check(moves(position).stdout == want, f"the plays of {position}")
    check(moves("4HPwATDgc/ABMA", "31", "--to-move", "B").stdout.split("\n")[0].endswith(
        "W 24:2 13:5 8:3 6:5 | B 23:1 21:1 13:5 8:3 6:5"), "a position id is the mover's")
    check(moves(f"XGID={start}1:00:2:3:0:7:10", "31").stdout == want, "DICE where there are none")
    for arguments, sentence in (
            ((f"XGID={start}1:00:2:3:0:7:10",), "give a position and two dice"),
            ((f"XGID={start}1:31:2:3:0:7:10", "--to-move", "B"), "leave --to-move out"),
            ((f"XGID={start}1:31:2:3:0:7:10", "--variant", "uzun"), "such as uzun"),
            (("XGID=-b----F-C---eE---c-e----B-:0:0:1:31:2:3:0:7:10",), "W has 16 checkers")):
        done = moves(*arguments)
        check(done.returncode == 2 and done.stdout == "" and sentence in done.stderr,
              f"refused: {sentence}", done.stderr)


def main():
    dice = random.Random(20031)
    states = [random_state(dice) for _ in range(2 * POSITIONS)]
    test_without_gnubg(states[:40])
    test_plays()
    gnubg = shutil.which("gnubg", path=os.environ.get("PATH", "") + ":/usr/games")
    if gnubg is None and os.environ.get("CI") == "true":
        check(False, "gnubg is installed", "apt-get install gnubg")
    elif gnubg is None:
        check(True, "gnubg # SKIP gnubg is not installed: apt-get install gnubg")
    else:
        test_from_gnubg(gnubg, states[:POSITIONS])
        test_to_gnubg(gnubg, states[POSITIONS:])
    print(f"1..{count}")


main()
