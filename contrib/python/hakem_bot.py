"""hakem_bot: a bot for the referee hakem in Python, standard library only (3.9 or later).

    import hakem_bot

    class Mine(hakem_bot.Bot):
        name = "mine"

        def choose(self, turn):
            return turn.table.random(len(turn.plays))

    if __name__ == "__main__":
        hakem_bot.run(Mine())

run() talks over stdin and stdout, or with `--connect HOST:PORT` over TCP; `--name NAME` and
`--token TOKEN` go into the hello, `--text` takes the text spelling instead of JSON. It ends the
program with status 0 after the referee's bye or the end of its lines, 1 when the referee refused
or could not be reached, 2 for a wrong argument. protocol/README.md describes the protocol.

Points are always in one's own numbering: 24 is farthest, 6..1 are home, 25 is the bar, 0 is off.
A reproducible bot draws all its chance from table.random, which every game seeds anew with the
`seed=` of the referee.
"""
# MIT licence (LICENSE at the top of the sources).

import json
import os
import sys
from urllib.parse import quote, unquote

STARTS = {  # variant -> each side's men at the start, by point
    "tavla": {24: 2, 13: 5, 8: 3, 6: 5},
    "uzun": {24: 15},
    "western": {24: 2, 13: 5, 8: 3, 6: 5},
    "nackgammon": {24: 2, 23: 2, 13: 4, 8: 3, 6: 4},
    "hypergammon": {24: 1, 23: 1, 22: 1},
    "fevga": {24: 15},
}
VARIANTS = tuple(STARTS)
PARALLEL = ("uzun", "fevga")  # both sides run the same way, one man closes a point
MASK = (1 << 64) - 1


class Random:
    """Chance from a seed (splitmix64), the same in every language of contrib/."""

    def __init__(self, seed):
        self.state = seed & MASK

    def __call__(self, limit):
        """A number from 0 to limit - 1."""
        self.state = z = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
        return ((z ^ (z >> 31)) >> 32) * limit >> 32


_LEGS = {}  # text of a leg -> (from, to), filled as they are met


def _leg(text):
    def point(word):
        return 25 if word == "bar" else 0 if word == "off" else int(word)

    start, end = text.rstrip("*").split("/")
    _LEGS[text] = leg = (point(start), point(end))
    return leg


def legs(play):
    """The legs of a play as (from, to) pairs: "bar/20 6/off" is [(25, 20), (6, 0)]."""
    words = play.replace(",", " ").split()
    return [_LEGS.get(word) or _leg(word) for word in words]


class Board:
    """points[1..24]: own checkers positive, the opponent's negative; points[25]: own checkers on
    the bar; points[0]: minus the opponent's. off: borne off, own and the opponent's."""

    __slots__ = ("points", "off")

    def __init__(self, variant="tavla"):
        self.points = [0] * 26
        self.off = [0, 0]
        for point, men in STARTS[variant].items():
            self.points[point] = men
            self.points[mirror(variant, point)] = -men

    def copy(self):
        """A board of its own."""
        board = Board.__new__(Board)
        board.points = self.points[:]
        board.off = self.off[:]
        return board

    def play(self, play):
        """Plays one's own play."""
        points = self.points
        for start, end in legs(play):
            points[start] -= 1
            if end == 0:
                self.off[0] += 1
            elif points[end] == -1:  # a hit: it goes to its bar
                points[end] = 1
                points[0] -= 1
            else:
                points[end] += 1

    def suffer(self, play):
        """Plays the opponent's play, which is told in our numbering too."""
        points = self.points
        for start, end in legs(play):
            points[start if start < 25 else 0] += 1
            if end == 0:
                self.off[1] += 1
            elif points[end] == 1:
                points[end] = -1
                points[25] += 1
            else:
                points[end] -= 1

    def pips(self):
        """Pips that the owner needs to bear off everything."""
        return sum(point * men for point, men in enumerate(self.points) if men > 0)


def mirror(variant, point):
    """The opponent's number of one's own point 1..24."""
    if variant not in PARALLEL:
        return 25 - point
    return point + 12 if point <= 12 else point - 12


class Table:
    """One seat at one table: id, variant, length (points to win the match), seat ("X" or "Y"),
    opponent (name), score (own, the opponent's), board (before the throw is played), random.
    With the cube: cube (its value), owner ("me", "opp" or "none"), offer (while a double is out: its
    value if it is taken, else 0), crawford (this game is played without the cube)."""

    def __init__(self, message):
        self.id = message["table"]
        self.variant = message["variant"]
        self.length = message.get("match", 1)
        self.seat = message["seat"]
        self.opponent = message.get("opponent", "")
        self.plays = []
        self.plays_serial = None
        self.start({})

    def start(self, message):
        """A new game: a fresh board and fresh chance."""
        self.score = message.get("score", [0, 0])
        self.random = Random(int(message.get("seed", 0)))
        self.board = Board(self.variant)
        self.cube = message.get("cube", 1)
        self.owner = "none"
        self.offer = 0
        self.crawford = message.get("crawford", False)
        self._taker = "none"

    def act(self, seat, word):
        """A word in the place of the dice: the cube goes its way."""
        if word == "double":
            self.offer = 2 * self.cube
            self._taker = "opp" if seat == self.seat else "me"
        elif word == "beaver":
            self.offer *= 2
        elif word == "take":
            self.cube, self.owner, self.offer = self.offer, self._taker, 0


class Turn:
    """What choose() is asked: table, serial, dice (two, in thrown order), plays (texts of the legal
    plays, one for each final position; a hit carries a star), message (the turn as received)."""

    __slots__ = ("table", "serial", "dice", "plays", "message")

    def __init__(self, table, message):
        self.table = table
        self.message = message
        self.serial = message["serial"]
        self.dice = message["dice"]
        self.plays = table.plays if table.plays_serial == self.serial else []

    @property
    def first(self):
        """Whether this is the bot's first turn of the game."""
        return bool(self.message.get("first"))

    def after(self, play):
        """The board after one of the plays."""
        board = self.table.board.copy()
        board.play(play)
        return board


# ---- the two spellings

_POSITIONAL = {
    "refused": ("code",),
    "match": ("table", "unit", "leg"),
    "game": ("table", "game"),
    "did": ("table", "ply", "seat", "dice"),
    "plays": ("table", "serial", "from"),
    "turn": ("table", "serial", "dice"),
    "cube": ("table", "serial"),
    "offer": ("table", "serial", "act"),
    "result": ("table", "game"),
    "end": ("table",),
    "unit": ("unit",),
    "error": ("code",),
}
_INTS = {"table", "leg", "game", "ply", "serial", "from", "attempt", "match", "ms", "cube",
         "value"}
_LISTS = {"score", "position", "off", "reserve"}


def _value(name, text):
    if name in _INTS:
        return int(text)
    if name in _LISTS:
        return [float(word) if "." in word else int(word) for word in text.split(",")]
    if name in ("dice", "throw") and text.isdigit():
        return [int(die) for die in text]
    if name in ("first", "crawford") and text in ("yes", "no"):
        return text == "yes"
    if name == "may":
        return text.split(",")
    return unquote(text)


def read_text(line):
    """A line of the text spelling as the dict that its JSON line would give."""
    kind, *words = line.split()
    names = _POSITIONAL.get(kind, ())
    message = {name: _value(name, word) for name, word in zip(names, words)}
    message["type"] = kind
    rest = []
    for word in words[len(names):]:
        name, equals, text = word.partition("=")
        if equals:
            message[name] = _value(name, text)
        else:
            rest.append(word)
    if kind == "plays":
        message["plays"] = rest
    elif rest:
        message["play"] = " ".join(rest)
    return message


def write_text(kind, positional, fields):
    """A line of the text spelling."""
    words = [kind, *map(str, positional.values())]
    for name, value in fields.items():
        text = ",".join(value) if isinstance(value, (list, tuple)) else str(value)
        words.append(name + "=" + quote(text, safe=","))
    return " ".join(words)


def write_json(kind, positional, fields):
    """A line of the JSON spelling."""
    return json.dumps({"type": kind, **positional, **fields})


# ---- the conversation


class Bot:
    """Derive from it, give it a name and a choose()."""

    name = "bot"
    version = "1"
    tables = 32  # tables that may run at once
    want = ("plays",)  # what a turn shall bring: "plays", "position", both or ()

    def choose(self, turn):
        """Returns the index of a play of turn.plays, or a play as text ("8/5 6/5")."""
        raise NotImplementedError

    def double(self, table, message):
        """Whether to double before the throw; message is the `cube` request."""
        return False

    def take(self, table, message):
        """Whether to take the double or beaver of message, the `offer`; table.offer is its value."""
        return True

    def accept(self, table, message):
        """Whether the resignation of message, the `offer`, is enough; its kind stands there."""
        return True

    def heard(self, message):
        """Called after every message that was taken in; a dict in the JSON spelling."""

    def start(self, text=False, token=None):
        """Says hello; returns the bytes to send."""
        self._seats = {}
        self._out = []
        self._text = text
        self._tail = b""
        self.done = False
        self.status = 0
        self._takers = {
            "turn": self._on_turn, "cube": self._on_cube, "offer": self._on_offer, "plays": self._on_plays, "did": self._on_did,
            "game": self._on_game, "match": self._on_match, "end": self._on_end,
            "ping": self._on_ping, "bye": self._on_bye, "refused": self._on_refused,
            "error": self._on_error,
        }
        fields = {"hakem": 1, "name": self.name, "version": self.version, "tables": self.tables}
        fields["variants"] = list(VARIANTS)
        if self.want:
            fields["want"] = list(self.want)
        if token is not None:
            fields["token"] = token
        self._say("hello", {}, fields)
        return self._taken()

    def feed(self, data):
        """Takes in bytes of the referee, in pieces of any size; returns the bytes to send."""
        lines = (self._tail + data).split(b"\n")
        self._tail = lines.pop()
        for line in lines:
            line = line.decode("utf-8", "replace").strip()
            if line and not self.done:
                message = read_text(line) if self._text else json.loads(line)
                taker = self._takers.get(message["type"])
                if taker is not None:
                    taker(message)
                self.heard(message)
        return self._taken()

    def _taken(self):
        data = "".join(self._out).encode()
        self._out.clear()
        return data

    def _say(self, kind, positional, fields):
        write = write_text if self._text else write_json
        self._out.append(write(kind, positional, fields) + "\n")

    def _on_match(self, message):
        seat = {"table": message["table"]}
        if message["variant"] not in VARIANTS:
            self._say("decline", seat, {"reason": "variant"})
        elif message["table"] not in self._seats and len(self._seats) >= self.tables:
            self._say("decline", seat, {"reason": "full"})
        else:
            self._seats[message["table"]] = Table(message)
            self._say("ready", seat, {})

    def _on_game(self, message):
        table = self._seats.get(message["table"])
        if table is not None:
            table.start(message)

    def _on_did(self, message):
        table = self._seats.get(message["table"])
        play = message.get("play")
        if table is not None and isinstance(message["dice"], str):
            table.act(message["seat"], message["dice"])
        elif table is not None and play:
            if message["seat"] == table.seat:
                table.board.play(play)
            else:
                table.board.suffer(play)

    def _on_plays(self, message):
        table = self._seats.get(message["table"])
        if table is not None:
            if message["from"] == 0:
                table.plays = []
            table.plays += message["plays"]
            table.plays_serial = message["serial"]

    def _on_turn(self, message):
        table = self._seats.get(message["table"])
        if table is None:
            return
        play = self.choose(Turn(table, message))
        if isinstance(play, int):
            play = "#%d" % play
        line = "play %d %d %s\n" if self._text else (
            '{"type":"play","table":%d,"serial":%d,"play":"%s"}\n')
        self._out.append(line % (table.id, message["serial"], play))

    def _answer(self, message, word):
        self._say(word, {"table": message["table"], "serial": message["serial"]}, {})

    def _on_cube(self, message):
        table = self._seats.get(message["table"])
        if table is not None:
            self._answer(message, "double" if self.double(table, message) else "roll")

    def _on_offer(self, message):
        table = self._seats.get(message["table"])
        if table is None:
            return
        if message["act"] == "resign":
            self._answer(message, "accept" if self.accept(table, message) else "reject")
        else:
            self._answer(message, "take" if self.take(table, message) else "drop")

    def _on_end(self, message):
        self._seats.pop(message["table"], None)

    def _on_ping(self, message):
        self._say("pong", {}, {"id": message["id"]} if "id" in message else {})

    def _on_bye(self, _message):
        self.done = True

    def _on_refused(self, message):
        self._on_error(message)
        self.done = True
        self.status = 1

    def _on_error(self, message):
        print(f"{self.name}: the referee says: {message}", file=sys.stderr)


def _arguments(bot, argv):
    given = {"--connect": None, "--name": bot.name, "--token": None, "--text": False}
    words = list(argv)
    while words:
        word = words.pop(0)
        if word == "--text":
            given[word] = True
        elif word in given and words:
            given[word] = words.pop(0)
        else:
            print(f"usage: {sys.argv[0]} [--connect HOST:PORT] [--name NAME] [--token TOKEN]"
                  " [--text]", file=sys.stderr)
            sys.exit(2)
    return given


def _connect(address):
    import socket  # only here: it costs time at the start

    host, _, port = address.rpartition(":")
    try:
        connection = socket.create_connection((host.strip("[]"), int(port)))
    except (OSError, ValueError) as wrong:
        print(f"cannot connect to {address} (HOST:PORT): {wrong}", file=sys.stderr)
        sys.exit(1)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def run(bot, argv=None):
    """The whole life of a bot; ends the program."""
    given = _arguments(bot, sys.argv[1:] if argv is None else argv)
    bot.name = given["--name"]
    source, sink = 0, 1
    connection = None
    if given["--connect"]:
        connection = _connect(given["--connect"])
        source = sink = connection.fileno()
    answer = bot.start(text=given["--text"], token=given["--token"])
    try:
        while True:
            while answer:
                answer = answer[os.write(sink, answer):]
            data = b"" if bot.done else os.read(source, 65536)
            if not data:
                break
            answer = bot.feed(data)
    except (BrokenPipeError, ConnectionResetError):
        pass  # the referee has gone
    sys.exit(bot.status)
