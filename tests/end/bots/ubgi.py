"""A UBGI engine written from the public drafts, for tests: the first draft (bare position
lines), 0.1 (setoption, go role chequer) and 0.2 (set, get, go chequer), with the quirks that
engines have been seen with.

    ubgi.py VERSION [QUIRK]...     VERSION: draft, 0.1, 0.2

It takes the first legal play that its own generator finds, hits the blot it can, and doubles
when it is 20 pips ahead, where its version has a cube."""
import base64
import socket
import sys
import time

version = sys.argv[1]
quirks = set(sys.argv[2:])
BAR, OFF = 25, 0


def read_gnu(text):
    """A GNU position id: the mover's counts and the other's, each in its own numbering."""
    data = base64.b64decode(text + "==")
    bits = [byte >> shift & 1 for byte in data for shift in range(8)]
    sides, at = [], 0
    for _ in range(2):
        men = [0] * 26
        for point in range(1, 26):
            while bits[at]:
                men[point] += 1
                at += 1
            at += 1
        sides.append(men)
    for men in sides:
        men[OFF] = 15 - sum(men)
    return sides[1], sides[0]


def read_xgid(text):
    """An XGID: mover's counts, the other's, dice, and whether a double is on offer."""
    fields = text.split("=")[-1].split(":")
    men = {side: [0] * 26 for side in "XY"}
    for place, letter in enumerate(fields[0]):
        if letter.isupper():
            men["X"][place] = ord(letter) - 64
        elif letter.islower():
            men["Y"][25 - place] = ord(letter) - 96
    for side in men.values():
        side[OFF] = 15 - sum(side)
    mine, theirs = ("X", "Y") if fields[3] == "1" else ("Y", "X")
    dice = [] if fields[4] in ("00", "D") else [int(die) for die in fields[4]]
    return men[mine], men[theirs], dice, fields[4] == "D"


def steps(mine, theirs, die):
    if mine[BAR]:
        points = [BAR]
    else:
        points = [point for point in range(24, 0, -1) if mine[point]]
    highest = points[0] if points else 0
    for start in points:
        end = start - die
        if end > 0:
            if theirs[25 - end] < 2:
                yield start, end
        elif highest <= 6 and (end == 0 or start == highest):
            yield start, OFF


def moved(mine, theirs, start, end):
    mine, theirs = mine[:], theirs[:]
    mine[start] -= 1
    mine[end] += 1
    if end != OFF and theirs[25 - end] == 1:
        theirs[25 - end] = 0
        theirs[BAR] += 1
    return mine, theirs


def sequences(mine, theirs, dice):
    best = [[]]
    for start, end in steps(mine, theirs, dice[0]) if dice else ():
        after = moved(mine, theirs, start, end)
        for rest in sequences(*after, dice[1:]):
            play = [(start, end)] + rest
            if len(play) > len(best[0]):
                best = [play]
            elif len(play) == len(best[0]):
                best.append(play)
    return best


def plays(mine, theirs, dice):
    a, b = dice
    if a == b:
        return sequences(mine, theirs, [a] * 4)
    one, two = sequences(mine, theirs, [a, b]), sequences(mine, theirs, [b, a])
    longest = max(len(one[0]), len(two[0]))
    if longest < 2:                      # only one die: the larger, if it can be
        large = sequences(mine, theirs, [max(a, b)])
        return large if large[0] else sequences(mine, theirs, [min(a, b)])
    return [play for play in one + two if len(play) == longest]


def choose(mine, theirs, dice):
    found = plays(mine, theirs, dice)
    for play in found:
        if any(end != OFF and theirs[25 - end] == 1 for _, end in play):
            return play
    return found[0]


def write(play, theirs):
    legs = list(reversed(play)) if "any-order" in quirks else list(play)
    if "collapsed" in quirks and len(play) == 2 and play[0][1] == play[1][0] \
            and theirs[25 - play[0][1]] != 1:
        legs = [(play[0][0], play[1][1])]
    bar, off = ("25", "0") if "numbers" in quirks else ("bar", "off")
    slash = " " if "blanks" in quirks else "-" if "dashes" in quirks else "/"
    words = []
    for start, end in legs:
        star = "*" if "stars" in quirks and end != OFF and theirs[25 - end] == 1 else ""
        words.append("%s%s%s%s" % (bar if start == BAR else start, slash,
                                   off if end == OFF else end, star))
    text = " ".join(words)
    return text.upper() if "upper" in quirks else text


if "listen" in quirks:                   # listen PORT-FILE
    server = socket.create_server(("127.0.0.1", 0))
    with open(sys.argv[-1], "w") as file:
        file.write(str(server.getsockname()[1]))
    peer = server.accept()[0]
    peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    source, sink = peer.makefile("r"), peer.makefile("w")
else:
    source, sink = sys.stdin, sys.stdout


def say(text, end="\n"):
    sink.write(text + end)
    sink.flush()


def pips(men):
    return sum(point * count for point, count in enumerate(men))


mine = theirs = dice = None
offered = False
settings = {"engine.ply": "1", "game.variant": "backgammon"}
asked = 0


def answer_play():
    global asked
    asked += 1
    play = choose(mine, theirs, dice)
    if "garbage" in quirks and asked == 9:
        return "hello, errand"
    if "error" in quirks and asked == 9:
        return None
    if "illegal" in quirks and asked == 9:
        return "24/1 24/1"
    if "index" in quirks and asked == 9:
        return "#0"
    if "late" in quirks and asked == 9:
        time.sleep(2.5)
    if "crash" in quirks and asked == 9:
        sys.exit(4)
    return write(play, theirs)


def cube():
    return "double" if pips(theirs) - pips(mine) > 20 else "nodouble"


def take():
    """The double is the mover's, so the answer is the other's."""
    return "take" if pips(theirs) - pips(mine) < 30 else "drop"


def go(role):
    if role == "cube":
        if "cube" not in quirks:
            say("error unsupported role.cube")
        else:
            say("bestcube " + (take() if offered else cube()))
        return
    if mine is None or not dice:
        say("error bad_state missing.position")
        return
    say("info role chequer pwin %.3f" % (0.5 + max(-0.4, min(0.4, (pips(theirs) - pips(mine)) / 200))))
    if "flood" in quirks:
        for number in range(3000):
            say("info depth %d" % number)
    text = answer_play()
    if text is None:
        say("error internal no_move")
    elif "id" in quirks:
        play = choose(mine, theirs, dice)
        now = mine, theirs
        for start, end in play:
            now = moved(*now, start, end)
        bits = []
        for men in now:                  # whose turn it is now comes second
            for point in range(1, 26):
                bits += [1] * men[point] + [0]
        bits += [0] * (80 - len(bits))
        data = bytes(sum(bits[8 * i + j] << j for j in range(8)) for i in range(10))
        say("bestmoveid " + base64.b64encode(data).decode().rstrip("="))
    elif "no-newline" in quirks and asked == 9:
        say("bestmove " + text, end="")
    else:
        say(("BestMove " if "upper" in quirks else "bestmove ") + text)


def hear_draft(line):
    global mine, theirs, dice, offered
    if not line.startswith("XGID"):
        say("sorry")
        return
    mine, theirs, dice, offered = read_xgid(line)
    if offered:
        say(take())
    elif not dice:
        say("double" if cube() == "double" else "roll")
    else:
        say(answer_play() or "sorry")


def hear_setting(words):
    if words[0] == "setoption":
        if words[2] != "Plies":
            say("error bad_argument option")
    elif words[0] == "set":
        if words[1] not in settings:
            say("error unsupported key")
        elif "refuses" in quirks:
            say("error bad_value " + words[1])
        elif "forgets" not in quirks:
            settings[words[1]] = words[2]
    else:
        say("value %s %s" % (words[1], settings[words[1]]) if words[1] in settings
            else "error unsupported key")


def greet():
    say("id name pyubgi")
    say("id author the drafts")
    say("id version 7")
    if "board-game" in quirks:
        say("option name GameName type string default MiniChess")
        say("ubgiok")
    elif version == "draft":
        say("readyok")
    elif version == "0.1":
        say("option name Plies type spin default 1 min 1 max 3")
        say("ubgiok")
    else:
        say("proto 0.2")
        say("key game.variant enum backgammon|nackgammon backgammon")
        say("key engine.ply int 1..3 1")
        say("ubgiok")


for line in source:
    words = line.split()
    first = words[0] if words else ""
    if first == "ubgi":
        greet()
    elif first == "quit":
        break
    elif version == "draft":
        if first != "stop":
            hear_draft(line.strip())
    elif first == "isready":
        say("readyok")
    elif first in ("set", "get") and version == "0.2" or first == "setoption" and version == "0.1":
        hear_setting(words)
    elif first == "position" and words[1] == "gnubgid":
        mine, theirs = read_gnu(words[2])
        offered = False
    elif first == "position" and words[1] == "xgid" and "cube" in quirks:
        mine, theirs, dice, offered = read_xgid(words[2])
    elif first == "dice":
        dice = [int(die) for die in words[1:3]]
    elif first == "go":
        rest = words[1:]
        if version == "0.2" and "role" in rest:
            say("error bad_command role")
        elif version == "0.1" and rest and rest[0] != "role":
            say("error bad_argument go")
        else:
            go(rest[-1] if rest else "chequer")
    elif first in ("newgame", "stop"):
        pass
    elif version == "0.1" and first in ("newsession", "setscore", "setcube", "setturn"):
        pass
    else:
        say("error bad_command unknown")
