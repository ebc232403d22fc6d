"""A bot of the zoo: good, but for the one fault that its argument names. It speaks text, keeps a
board for each table, knows the rules of tavla and uzun, and asks for the legal plays only to know
which of its own are against them. The faults are the functions named after them, below.

    bot.py good | json | FAULT [--name NAME] [--connect HOST:PORT]

"json" is no fault: it is good in the other spelling; nor is "asks", which says `sync` before
its first answer in a game.
"""
import json
import os
import random
import signal
import socket
import sys
import time

FAULT = sys.argv[1]
OPTIONS = dict(zip(sys.argv[2::2], sys.argv[3::2]))
NAME = OPTIONS.get("--name", FAULT)
MASK = (1 << 64) - 1
UNWRITTEN = []  # what a buffer would hold until the end
OPPOSED = {24: 2, 13: 5, 8: 3, 6: 5}
STARTS = {"tavla": OPPOSED, "uzun": {24: 15}, "western": OPPOSED}


def is_fault(*names):
    return FAULT in names


# ---- board and rules


class Board:
    def __init__(self, variant):
        self.parallel = variant == "uzun"
        self.p = [0] * 26
        for point, men in STARTS[variant].items():
            self.p[point] = men
            self.p[self.mirror(point)] = -men

    def mirror(self, point):
        if not self.parallel:
            return 25 - point
        return point + 12 if point <= 12 else point - 12

    def copy(self):
        other = Board.__new__(Board)
        other.parallel, other.p = self.parallel, self.p[:]
        return other

    def play(self, own, legs):
        p = self.p
        for start, end in legs:
            if own:
                p[start] -= 1
                if end and p[end] == -1:
                    p[end] = 1
                    p[0] -= 1
                elif end:
                    p[end] += 1
            else:
                p[0 if start == 25 else start] += 1
                if end and p[end] == 1:
                    p[end] = -1
                    p[25] += 1
                elif end:
                    p[end] -= 1

    def steps(self, die, loose_off):
        """What one die may do; with `loose_off` any man at home leaves with a larger die."""
        p = self.p
        if p[25] > 0:
            sources = [25]
        else:
            sources = [point for point in range(24, 0, -1) if p[point] > 0]
        home = not any(p[point] > 0 for point in range(7, 26))
        out = []
        for start in sources:
            end = start - die
            if end >= 1:
                if p[end] >= 0 or (p[end] == -1 and not self.parallel):
                    out.append((start, end))
            elif home and (end == 0 or loose_off or start == sources[0]):
                out.append((start, 0))
        return out

    def sequences(self, dice, loose_off=False):
        """All ways to play some of the dice in this order, longest first; no rule about how many."""
        if not dice:
            return [()]
        out = []
        for step in self.steps(dice[0], loose_off):
            after = self.copy()
            after.play(True, [step])
            out += [(step,) + rest for rest in after.sequences(dice[1:], loose_off)]
        return out or [()]


def write(legs):
    return " ".join("%s/%s" % ("bar" if start == 25 else start, end or "off") for start, end in legs)


def read(words):
    legs = []
    for word in words:
        start, end = word.rstrip("*").split("/")
        legs.append((25 if start == "bar" else int(start), 0 if end == "off" else int(end)))
    return legs


def orders(dice):
    return [[dice[0]] * 4] if dice[0] == dice[1] else [dice, dice[::-1]]


# ---- faults that are against one rule: a play, or None where the rule does not matter


def final(board, legs):
    after = board.copy()
    after.play(True, legs)
    return tuple(after.p)


def head_men(legs):
    return sum(start == 24 for start, _ in legs)


def against_the_rules(table, dice, plays):
    """A play that is not among the legal ones, by the rule that the fault does not know."""
    board = table.board
    legal = {final(board, legs) for legs in plays}
    used = len(plays[0])
    for order in orders(dice):
        for legs in board.sequences(order, FAULT == "bear-off"):
            odd = final(board, legs) not in legal
            if FAULT == "larger-die" and odd and used == 1 and len(legs) == 1:
                return legs
            if FAULT == "head" and odd and board.parallel and head_men(legs) > 1:
                return legs
            if FAULT == "wall" and odd and board.parallel and len(legs) == used > 1 and \
                    head_men(legs) < 2:
                return legs
            if FAULT == "bear-off" and odd and not board.parallel and len(legs) >= used:
                return legs
            if FAULT == "both-dice" and odd and 0 < len(legs) < used == 2 and dice[0] != dice[1]:
                return legs
    return None


# ---- the conversation; the spelling is a coat, worn by `json` alone


POSITIONAL = {"match": ("table", "unit", "leg"), "game": ("table", "game"),
              "did": ("table", "ply", "seat", "dice"), "plays": ("table", "serial", "from"),
              "turn": ("table", "serial", "dice"), "cube": ("table", "serial"),
              "offer": ("table", "serial", "act"), "result": ("table", "game"), "end": ("table",),
              "unit": ("unit",), "refused": ("code",), "error": ("code",),
              "play": ("table", "serial", "play"), "ready": ("table",), "decline": ("table",)}
NUMBERS = ("hakem", "tables", "table", "serial")


def value_text(key, value):
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ("" if key in ("dice", "throw") else ",").join(map(str, value))
    return str(value)


def from_json(line):
    """The words of the text spelling."""
    message = json.loads(line)
    kind = message.pop("type")
    words = [kind] + [value_text(key, message.pop(key)) for key in POSITIONAL.get(kind, ())]
    plays = message.pop("plays", []) + message.pop("play", "").split()
    return words + plays + ["%s=%s" % (key, value_text(key, value)) for key, value in
                            message.items()]


def to_json(line):
    words = line.split()
    names = POSITIONAL.get(words[0], ("table", "serial"))
    fields = {"type": words[0]}
    fields.update(zip(names, [word for word in words[1:] if "=" not in word]))
    fields.update(word.split("=", 1) for word in words[1:] if "=" in word)
    for key in NUMBERS:
        if key in fields:
            fields[key] = int(fields[key])
    for key in ("variants", "want"):
        if key in fields:
            fields[key] = fields[key].split(",")
    return json.dumps(fields)


def say(line):
    if is_fault("json"):
        line = to_json(line)
    data = line + "\n"
    if is_fault("cr-only"):
        data = line + "\r"
    if is_fault("no-flush"):
        UNWRITTEN.append(data)
    else:
        sys.stdout.write(data)
        sys.stdout.flush()


class Table:
    def __init__(self, fields):
        self.variant = fields["variant"]
        self.board = Board(self.variant)
        self.plays = []
        self.state = 0
        self.games = 0

    def random(self, limit):
        self.state = z = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
        return ((z ^ (z >> 31)) >> 32) * limit >> 32


class Bot:
    def __init__(self):
        self.tables = {}
        self.matches = self.turns = 0
        self.last = None  # the answer before
        self.asked = set()
        self.ballast = []
        self.seat = {}

    def on_match(self, at, words, fields):
        self.matches += 1
        if is_fault("closes-stdout"):
            os.close(1)
        if is_fault("daemon") and os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                time.sleep(300)
            os._exit(0)
        if is_fault("unknown-option") and "news" in fields:
            return
        self.tables[at] = Table(fields)
        self.seat[at] = fields["seat"]
        if is_fault("one-board"):
            self.tables[at].board = self.board = getattr(self, "board", self.tables[at].board)
        word = "decline" if is_fault("declines") else "ready"
        say("%s %s" % (word, at))
        if is_fault("second-hello"):
            say("hello hakem=1 name=%s" % NAME)

    def on_game(self, at, words, fields):
        table = self.tables[at]
        table.games += 1
        table.state = int(fields["seed"])
        if is_fault("crawford") and fields.get("crawford") == "yes":
            raise SystemExit("what is crawford?")
        if is_fault("eats-memory"):
            self.ballast.append(bytearray(os.urandom(1)) * (8 << 20))
        if is_fault("one-board"):
            self.board.__dict__.update(Board(table.variant).__dict__)
        elif not (is_fault("loses-state") and table.games > 1):
            table.board = Board(table.variant)
        table.plays = []

    def on_did(self, at, words, fields):
        table = self.tables[at]
        own = words[2] == self.seat[at]
        if is_fault("answers-did"):
            say("ready %s" % at)
        if is_fault("dance") and len(words) == 4:
            raise SystemExit("a turn without a play?")
        if words[3].isdigit():
            if not (own and is_fault("own-mind")):
                table.board.play(own, read(words[4:]))

    def on_state(self, at, words, fields):
        table = self.tables[at] = Table(fields)
        self.seat[at] = fields["seat"]
        table.games = int(fields.get("game", 0))
        table.state = int(fields.get("seed", 0))
        if "position" in fields:
            table.board.p = [int(number) for number in fields["position"].split(",")]
        if is_fault("forgets"):
            table.board = Board(table.variant)

    def on_plays(self, at, words, fields):
        table = self.tables[at]
        if words[2] == "0":
            table.plays = []
        elif is_fault("long-list"):
            raise SystemExit("more plays?")
        table.plays += [word.split(",") for word in words[3:]]

    def choose(self, table, dice):
        if is_fault("larger-die", "both-dice", "bear-off", "head", "wall"):
            wrong = against_the_rules(table, dice, [read(play) for play in table.plays])
            if wrong is not None:
                return write(wrong)
        if is_fault("own-numbers"):
            return " ".join("%d/%d" % (25 - a, 25 - b) for a, b in read(table.plays[0]))
        if is_fault("no-bar") and table.board.p[25] > 0:
            return write([(6, 6 - dice[0])])
        if is_fault("chance"):
            return "#%d" % random.randrange(len(table.plays))
        if is_fault("one-board", "loses-state", "own-mind", "forgets") and not table.board.parallel:
            best = max((legs for order in orders(dice) for legs in table.board.sequences(order)),
                       key=len)
            return write(best) if len(best) == len(table.plays[0]) else "#0"
        return "#%d" % table.random(len(table.plays))

    def on_turn(self, at, words, fields):
        self.turns += 1
        table = self.tables[at]
        serial = int(words[1])
        if is_fault("asks") and fields.get("first") and (at, serial) not in self.asked:
            self.asked.add((at, serial))  # answered when it is asked again, behind the state
            say("sync %s" % at)
            return
        if is_fault("slow"):
            time.sleep(2.4)
        if is_fault("hangs"):
            time.sleep(300)
        if is_fault("stops"):
            os.kill(os.getpid(), signal.SIGSTOP)
        if is_fault("half-line"):
            sys.stdout.write("play %s %d #" % (at, serial))
            sys.stdout.flush()
            os._exit(0)
        if is_fault("long-line"):
            for _ in range(160):
                sys.stdout.write("y" * 65536)
            sys.stdout.flush()
        if is_fault("floods"):
            sys.stderr.write("x" * 65536)
        if is_fault("wrong-table"):
            at = str(int(at) + 1)
        if is_fault("wrong-serial"):
            serial += 1
        if is_fault("old-serial") and self.last is not None:
            say(self.last)
        if is_fault("small-numbers"):
            at, serial = str(int(at) & 0xFFFFFFFF), serial & 0xFFFFFFFF
        play = self.choose(table, [int(die) for die in words[2]])
        if is_fault("own-mind"):
            legs = read(table.plays[int(play[1:])]) if play[0] == "#" else read(play.split())
            table.board.play(True, legs)
        line = "play %s %d %s" % (at, serial, play)
        if is_fault("mixes"):
            line = '{"type":"play","table":%s,"serial":%d,"play":"%s"}' % (at, serial, play)
        while is_fault("notes"):
            say("note text=thinking")
        if is_fault("chatter"):
            print("I think it is good", flush=True)
        say(line)
        if is_fault("twice"):
            say(line)
        self.last = line

    def on_cube(self, at, words, fields):
        say("%s %s %s" % ("play" if is_fault("plays-cube") else "roll", at, words[1]))

    def on_offer(self, at, words, fields):
        word = "take" if words[2] != "resign" or is_fault("takes-all") else "accept"
        say("%s %s %s" % ("beaver" if is_fault("beavers") and word == "take" else word, at,
                          words[1]))

    def on_result(self, at, words, fields):
        if is_fault("draw"):
            int(fields["points"])
        if is_fault("goes-on"):
            say("play %s 1 8/5" % at)

    def on_error(self, at, words, fields):
        if is_fault("gives-up"):
            raise SystemExit("an error: I go")

    def hear(self, line):
        if is_fault("json"):
            kind, *words = from_json(line)
        else:
            kind, *words = line.split(" ") if is_fault("blanks") else line.split()
        fields = dict(word.split("=", 1) for word in words if "=" in word)
        if is_fault("key-order") and kind == "turn" and len(words) > 3 and \
                not words[3].startswith("ms="):
            raise SystemExit("where is my ms?")
        if is_fault("strange-field") and set(fields) & {"news", "weather"}:
            raise SystemExit("what field is that?")
        words = [word for word in words if "=" not in word]
        known = {"match": self.on_match, "game": self.on_game, "did": self.on_did,
                 "plays": self.on_plays, "turn": self.on_turn, "cube": self.on_cube,
                 "offer": self.on_offer, "result": self.on_result, "error": self.on_error,
                 "state": self.on_state}
        if kind in known:
            known[kind](words[0], words, fields)
        elif kind == "ping":
            if not is_fault("no-pong"):
                say("pong id=%s" % fields["id"])
        elif kind == "note":
            if is_fault("note"):
                raise SystemExit("a note?")
        elif kind in ("bye", "refused"):
            if not is_fault("stays"):
                raise SystemExit(3 if is_fault("status") else 0)
        elif kind not in ("welcome", "end", "unit", "pong") and is_fault("strange-message"):
            raise SystemExit("what is %s?" % kind)


def hello():
    if is_fault("exits"):
        sys.exit(3)
    if is_fault("silent"):
        time.sleep(300)
    if is_fault("banner"):
        print("The Great Bot 1.0 is ready to play", flush=True)
    if is_fault("not-hello"):
        say("ready 1")
    name = "-dash" if is_fault("bad-name") else NAME
    version = 0 if is_fault("version") else 1
    variants = "plakoto" if is_fault("variants") else "tavla,uzun,western"
    tables = 1 if is_fault("one-table") else 64
    say("hello hakem=%d name=%s tables=%d variants=%s want=plays" % (version, name, tables,
                                                                     variants))


def lines():
    """Lines of the input, as the fault reads them."""
    if is_fault("never-reads"):
        time.sleep(300)
    if is_fault("pieces"):  # takes what one read brings for whole lines
        while True:
            data = os.read(0, 65536).decode()
            if not data:
                return
            yield from data.splitlines()
    while True:
        line = sys.stdin.buffer.readline()
        if not line:
            return
        if is_fault("crlf") and line.endswith(b"\r\n"):
            raise SystemExit("what is \\r?")
        yield line.decode().rstrip("\r\n")


def main():
    if is_fault("deaf"):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    hello()
    bot = Bot()
    for line in lines():
        bot.hear(line)
    sys.stdout.write("".join(UNWRITTEN))
    while is_fault("stays"):
        time.sleep(1)


def dial():
    """Over TCP, until a bye: a broken connection is taken up again, with the secret of the
    welcome. `asks` wants to know where it stands before each answer."""
    bot, secret = Bot(), ""
    host, port = OPTIONS["--connect"].split(":")
    while True:
        with socket.create_connection((host, int(port)), 10) as wire:
            wire.settimeout(30)
            sys.stdout = wire.makefile("w", encoding="utf-8", newline="\n")
            say("hello hakem=1 name=%s variants=tavla,uzun want=plays%s" % (
                NAME, " resume=" + secret if secret else ""))
            for line in wire.makefile("r", encoding="utf-8", newline="\n"):
                for word in line.split():
                    if word.startswith("resume=") and line.startswith("welcome"):
                        secret = word[7:]
                bot.hear(line.rstrip("\r\n"))


if "--connect" in OPTIONS:
    dial()
else:
    main()
