"""hakem_bot: a bot for the referee hakem in Python, standard library only (3.8 or later).

    import hakem_bot

    class Mine(hakem_bot.Bot):
        name = "mine"

        def choose(self, turn):
            return turn.table.random(len(turn.plays))

    if __name__ == "__main__":
        hakem_bot.run(Mine())

run() talks over stdin and stdout, or with `--connect HOST:PORT` over TCP, in the text spelling of
protocol/README.md. It ends the program with status 0 after the referee's bye or the end of its
lines, 1 when the referee refused or could not be reached, 2 for a wrong argument. A TCP connection
that breaks is dialled anew and the session resumed. The options and callbacks are those of the
clients in C and JavaScript beside this one; contrib/README.md has them in one table.

Points are always in one's own numbering: 24 is farthest, 6..1 are home, 25 is the bar, 0 is off.
A reproducible bot draws all its chance from table.random, which every game seeds anew with the
`seed=` of the referee.
"""
# MIT licence (LICENSE at the top of the sources).

import hashlib
import os
import re
import select
import sys
import time
from typing import Any, Callable, Dict, Iterable, List, Optional, Sequence, Tuple, Union
from urllib.parse import unquote

Answer = Union[int, str]  # an index into turn.plays; a play or another word of turn.may as text
Leg = Tuple[int, int]

STARTS: Dict[str, Dict[int, int]] = {  # variant -> each side's men at the start, by point
    "tavla": {24: 2, 13: 5, 8: 3, 6: 5},
    "uzun": {24: 15},
    "western": {24: 2, 13: 5, 8: 3, 6: 5},
    "nackgammon": {24: 2, 23: 2, 13: 4, 8: 3, 6: 4},
    "hypergammon": {24: 1, 23: 1, 22: 1},
    "fevga": {24: 15},
}
VARIANTS = ",".join(STARTS)
PARALLEL = ("uzun", "fevga")  # both sides run the same way, one man closes a point
# The options that decide which plays are legal: what a bot that asks for no list of plays
# declines unless it has its own supports().
PLAY_OPTIONS = frozenset(
    "must_max larger_die win_ends_turn bearoff hit_and_run wall wall_path wall_front head_exception"
    " head_exception_who runner start_wall unblock".split())
ACTS = frozenset("roll double take drop beaver resign accept reject".split())
TABLES_MAX = 4096
READ = 1 << 16  # bytes asked for at once
DRAIN_MAX = 256  # reads before answers are given all the same
INPUT_MAX = 8 << 20  # bytes of a line from the referee
TRIES = 9  # how often a lost referee is dialled without a request from it
WAIT_FIRST, WAIT_MAX = 0.1, 5.0  # seconds before the first of them, doubled up to
_MASK = (1 << 64) - 1


class Unreadable(ValueError):
    """A line, or a play, that says nothing."""


class Random:
    """Chance from a seed (splitmix64), the same in every language of contrib/: the upper half of
    its output times the limit, shifted down by 32."""

    __slots__ = ("state",)

    def __init__(self, seed: int) -> None:
        self.state = seed & _MASK

    def __call__(self, limit: int) -> int:
        """A number from 0 to limit - 1."""
        self.state = z = (self.state + 0x9E3779B97F4A7C15) & _MASK
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & _MASK
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & _MASK
        return ((z ^ (z >> 31)) >> 32) * limit >> 32


_POINTS = {"bar": 25, "off": 0, **{str(point): point for point in range(26)}}
_LEGS: Dict[str, Leg] = {}  # text of a leg -> (from, to), filled as they are met


def _leg(text: str) -> Leg:
    start, _, end = (text[:-1] if text.endswith("*") else text).partition("/")
    leg = (_POINTS.get(start, 0), _POINTS.get(end, 25))
    if leg[0] == 0 or leg[1] == 25:
        raise Unreadable(f"{text}: not a leg")
    if len(_LEGS) < 2000:
        _LEGS[text] = leg
    return leg


def legs(play: str) -> List[Leg]:
    """The legs of a play as (from, to) pairs: "bar/20 6/off" is [(25, 20), (6, 0)]."""
    words = play.replace(",", " ").split()
    return [_LEGS.get(word) or _leg(word) for word in words]


def mirror(variant: str, point: int) -> int:
    """The opponent's number of one's own point 1..24."""
    if variant not in PARALLEL:
        return 25 - point
    return point + 12 if point <= 12 else point - 12


class Board:
    """points[1..24]: own checkers positive, the opponent's negative; points[25]: own checkers on
    the bar; points[0]: minus the opponent's. off: borne off, own and the opponent's."""

    __slots__ = ("points", "off")

    def __init__(self, variant: str = "tavla") -> None:
        self.points = [0] * 26
        self.off = [0, 0]
        for point, men in STARTS[variant].items():
            self.points[point] = men
            self.points[mirror(variant, point)] = -men

    def __eq__(self, other: object) -> bool:
        return (isinstance(other, Board) and self.points == other.points
                and self.off == other.off)

    def copy(self) -> "Board":
        """A board of its own."""
        board = Board.__new__(Board)
        board.points = self.points[:]
        board.off = self.off[:]
        return board

    def play(self, play: str) -> None:
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

    def suffer(self, play: str) -> None:
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

    def pips(self) -> int:
        """Pips that the owner needs to bear off everything."""
        return sum(point * men for point, men in enumerate(self.points) if men > 0)

    def their_pips(self, variant: str) -> int:
        """Pips that the opponent needs."""
        return -25 * self.points[0] - sum(men * mirror(variant, point) for point, men in
                                          enumerate(self.points[1:25], 1) if men < 0)


# ---- lines: words, key=value fields


def _int(word: str) -> int:
    if not (word.isdecimal() and len(word) < 18):
        raise Unreadable(f"{word}: not a number")
    return int(word)


def _number(text: str) -> float:
    whole, dot, rest = (text[1:] if text.startswith("-") else text).partition(".")
    if len(text) > 18 or not (whole + rest).isdecimal():
        raise Unreadable(f"{text}: not a number")
    return float(text) if dot else int(text)


def _numbers(text: str, count: int) -> List[float]:
    numbers = [_number(word) for word in text.split(",")]
    if len(numbers) != count:
        raise Unreadable(f"{text}: not {count} numbers")
    return numbers


def encode(text: str) -> str:
    """A text as one word of a line."""
    return re.sub("[\0-\x20%\x7f]", lambda found: f"%{ord(found.group()):02X}", text)


def fields(words: Iterable[str]) -> Dict[str, str]:
    """The key=value words of a line, decoded."""
    pairs = [word.split("=", 1) for word in words if "=" in word]
    return {key: unquote(value) if "%" in value else value for key, value in pairs}


class Table:
    """One seat at one table, as the lines of the referee have told it: id, variant, seat ("X" or
    "Y"), opponent (name), match (points to win it, 0: a money session), score (own, the opponent's),
    crawford (this game is played without the cube), cube (its value), owner ("me", "opp" or "none"),
    offer (while a double is out: its value if it is taken, else 0), board (before the throw is
    played), random."""

    def __init__(self, table: int, facts: Dict[str, str]) -> None:
        self.id = table
        self.variant = facts.get("variant", "")
        self.match = _int(facts.get("match", "1"))
        self.seat = facts.get("seat", "X")
        self.opponent = facts.get("opponent", "")
        self.plays: List[str] = []
        self.plays_serial = ""
        self.answered = ("", "")  # serial of the request answered last; what is always allowed there
        self.sent = ""  # that answer
        self.game = ("", "")  # number and attempt
        self.start({})

    def start(self, facts: Dict[str, str]) -> None:
        """A new game: a fresh board and fresh chance."""
        self.score = _numbers(facts.get("score", "0,0"), 2)
        seed = facts.get("seed", "0")
        self.random = Random(int(seed) if seed.isdecimal() and len(seed) < 21 else 0)
        self.board = Board(self.variant)
        self.crawford = facts.get("crawford") == "yes"
        self.cube = _int(facts.get("cube", "1"))
        self.owner = "none"
        self.offer = 0
        self._taker = "none"

    def stand(self, facts: Dict[str, str]) -> None:
        """Where the match stands after the connection was lost: of a game that was known already
        the chance goes on as it was."""
        game, chance = (facts.get("game", ""), facts.get("attempt", "")), self.random
        self.start({**facts, "crawford": facts.get("crawford_game", "no")})
        if game == self.game:
            self.random = chance
        self.game = game
        if "position" in facts:
            self.board = _board(facts)
        self.owner = facts.get("owner", "none")
        self.offer = _int(facts.get("value", "0"))
        self.waits("opp", self.offer)

    def waits(self, who: str, value: int) -> None:
        """A double of that value waits for "me" or "opp": whose the cube is once it is taken. Each
        beaver turns it back to the other side."""
        beavers = (value // max(1, self.cube)).bit_length() - 2
        self._taker = who if beavers % 2 == 0 else {"me": "opp", "opp": "me"}[who]

    def did(self, seat: str, deed: str, play: str) -> None:
        """What was done, by us or by the opponent: a throw and its play, or a word of the cube."""
        if deed.isdecimal():
            if play:
                (self.board.play if seat == self.seat else self.board.suffer)(play)
        elif deed == "double":
            self.offer = 2 * self.cube
            self._taker = "opp" if seat == self.seat else "me"
        elif deed == "beaver":
            self.offer *= 2
        elif deed == "take":
            self.cube, self.owner, self.offer = self.offer, self._taker, 0


def _board(facts: Dict[str, str]) -> Board:
    """The board of position= and off=."""
    board = Board.__new__(Board)
    board.points = [int(men) for men in _numbers(facts["position"], 26)]
    board.off = [int(men) for men in _numbers(facts.get("off", "0,0"), 2)]
    return board


class Turn:
    """One request: what choose() is asked. Board, score, cube and owner are those of the request
    where it has them (want=position), else those of the table.

    table, serial, kind ("turn": a throw to play, "cube": roll or double?, "offer": a double, beaver or
    resignation of the opponent), may (words that are allowed), dice (two, in thrown order; () before
    the throw), first (own first turn of the game), last (the last throw, draw=last_roll), ms (time for
    this answer, None without a clock), reserve (milliseconds, own and the opponent's, or None), act (of an offer: "double", "beaver",
    "resign"), value (of an offer: the cube if it is taken), resignation (its kind: "single"...), plays
    (the legal plays as texts, one for each final position; a hit carries a star)."""

    __slots__ = ("table", "serial", "kind", "may", "dice", "first", "last", "ms", "reserve", "act",
                 "value", "resignation", "board", "score", "cube", "owner", "plays")

    def __init__(self, table: Table, words: List[str]) -> None:
        facts = fields(words[3:])
        self.table = table
        self.kind = words[0]
        self.serial = _int(words[2])
        self.may: Sequence[str] = facts["may"].split(",") if "may" in facts else ()
        self.first = facts.get("first") == "yes"
        self.last = facts.get("last") == "yes"
        self.ms = _int(facts["ms"]) if "ms" in facts else None
        self.reserve = _numbers(facts["reserve"], 2) if "reserve" in facts else None
        self.board, self.score, self.cube, self.owner = (table.board, table.score, table.cube,
                                                         table.owner)
        self.dice: Sequence[int] = ()
        self.plays: List[str] = []
        self.act = self.resignation = ""
        self.value = 0
        if self.kind == "turn":
            self.dice = [_int(die) for die in words[3]]
            self.may = self.may or ("play",)
            self.plays = table.plays if table.plays_serial == words[2] else []
        elif self.kind == "offer":
            self.act = words[3]
            self.value = _int(facts["value"]) if "value" in facts else table.offer
            if self.act != "resign":
                table.waits("me", self.value)
            self.resignation = facts.get("kind", "")
        if "position" in facts:
            self._read(facts)

    def _read(self, facts: Dict[str, str]) -> None:
        """What want=position adds."""
        self.board = _board(facts)
        self.score = _numbers(facts["score"], 2) if "score" in facts else self.score
        self.cube = _int(facts["cube"]) if "cube" in facts else self.cube
        self.owner = facts.get("owner", self.owner)

    def after(self, play: Answer) -> Board:
        """The board after one of the plays, by its index or as text."""
        board = self.board.copy()
        board.play(play if isinstance(play, str) else self.plays[play])
        return board


# ---- the conversation


class Bot:
    """Derive from it, give it a name and a choose()."""

    name = "bot"
    version = ""
    author = ""
    variants = VARIANTS  # others are declined
    want = "plays"  # what a turn brings: "plays", "position,plays", "position" or ""
    tables = 1  # tables that may run at once
    forced = False  # auto=forced: the referee plays what is no choice
    contribute = "none"  # what it adds to the dice where it is asked to: "commit", "open"
    trace = False  # every line of the conversation goes to stderr too
    connect: Optional[str] = None  # HOST:PORT to dial; None: stdin and stdout
    token: Optional[str] = None  # what the organiser gave out

    def choose(self, turn: Turn) -> Answer:
        """Returns the index of a play of turn.plays, or a play as text ("8/5 6/5")."""
        raise NotImplementedError

    def choose_many(self, turns: List[Turn]) -> Optional[Sequence[Optional[Answer]]]:
        """All requests that are due at once, of every kind: returns their answers in order. Those
        that are None go to the other callbacks one by one."""
        return None

    def doubles(self, turn: Turn) -> bool:
        """Whether to double before the throw."""
        return False

    def takes(self, turn: Turn) -> bool:
        """Whether to take a double or beaver of turn.value."""
        return True

    def beavers(self, turn: Turn) -> bool:
        """Whether to answer a double by a beaver, where that is allowed."""
        return False

    def accepts(self, turn: Turn) -> bool:
        """Whether a resignation of turn.resignation is enough: as given, where no more can be won."""
        least = turn.resignation in ("single", "oin")
        return (not least or turn.board.off[1] > 0
                or turn.board.pips() >= turn.board.their_pips(turn.table.variant))

    def resigns(self, turn: Turn) -> Optional[str]:
        """The kind of defeat to resign with ("single"...), or None; asked where that is allowed."""
        return None

    def supports(self, option: str, value: str) -> bool:
        """Asked for each `option=value` of a match; False declines it."""
        return "plays" in self.want or option not in PLAY_OPTIONS

    def heard(self, line: str) -> None:
        """Called after every line that was taken in."""

    # The rest is for run(), and for tests.

    def start(self) -> bytes:
        """Says hello; returns the bytes to send."""
        self._seats: Dict[str, Table] = {}
        self._secret = ""  # what a lost session is resumed with
        self._added: Dict[str, bytes] = {}  # unit -> what it adds to its dice
        self.returns = False  # whether a connection that breaks is dialled anew
        self.tries = 0  # how often it was since the last request
        self.done = False
        self.status = 0
        self._takers: Dict[str, Callable[[Table, List[str]], None]] = {
            "turn": self._on_request, "cube": self._on_request, "offer": self._on_request,
            "did": self._on_did, "plays": self._on_plays, "game": self._on_game,
            "end": self._on_end, "state": self._on_state,
        }
        self.tables = max(1, min(self.tables, TABLES_MAX))
        return self.again()

    def again(self) -> bytes:
        """Says hello on a connection, the first or a new one; returns the bytes to send."""
        self._due: Dict[str, Turn] = {}
        self._out: List[str] = []
        self._tail: List[bytes] = []
        self._tail_size = 0
        given = [("name", self.name), ("version", self.version), ("author", self.author),
                 ("tables", str(self.tables)), ("variants", self.variants), ("want", self.want),
                 ("auto", "forced" if self.forced else ""),
                 ("contribute", "" if self.contribute == "none" else self.contribute),
                 ("token", self.token or ""), ("resume", self._secret)]
        words = [f"{key}={encode(value)}" for key, value in given if value]
        self._say("hello hakem=1 " + " ".join(words))
        return self._taken()

    def feed(self, data: bytes) -> bytes:
        """Takes in bytes of the referee, in pieces of any size; returns the bytes to send."""
        head, end, tail = data.rpartition(b"\n")
        if end:
            lines = b"".join(self._tail) + head
            self._tail, self._tail_size = [], 0
            for line in lines.split(b"\n"):
                if self.done:
                    break
                self._line(line.decode("utf-8", "replace").rstrip("\r"))
        self._tail.append(tail)
        self._tail_size += len(tail)
        if self._tail_size > INPUT_MAX:
            self._complain("a line of the referee is too long")
            self.done, self.status = True, 1
        if self._due and not self.done:
            self._answer()
        return self._taken()

    def _taken(self) -> bytes:
        data = "".join(self._out).encode("utf-8", "replace")
        self._out.clear()
        return data

    def _complain(self, what: str) -> None:
        print(f"{self.name}: {what}", file=sys.stderr, flush=True)

    def _say(self, line: str) -> None:
        if self.trace:
            print(">", line, file=sys.stderr, flush=True)
        self._out.append(line + "\n")

    def _line(self, line: str) -> None:
        if self.trace:
            print("<", line, file=sys.stderr, flush=True)
        words = line.replace("\t", " ").split(" ")
        if "" in words:
            words = [word for word in words if word]
            if not words:
                return
        kind = words[0]
        taker = self._takers.get(kind)
        try:
            if taker is not None:
                table = self._seats.get(words[1]) if len(words) > 1 else None
                if table is None and kind == "state":
                    table = self._sit_down(words)
                if table is not None:
                    self._settle(words[1])
                    taker(table, words)
            elif kind == "match":
                self._on_match(words)
            elif kind in ("commit", "open", "reveal", "mix") and len(words) > 1:
                self._add(kind, words[1], fields(words))
            elif kind == "ping":
                self._say(" ".join(["pong", *words[1:]]))
            elif kind in ("error", "refused"):
                self._complain("the referee says: " + line)
                self._on_error(words)
            elif kind == "welcome":
                self._secret = fields(words).get("resume", "")
                self.returns = self._secret != ""
            if kind == "refused" and self._secret and words[1:2] == ["token"]:
                self._secret = ""  # nothing is left to resume: the next hello begins anew
                self._seats.clear()
            elif kind in ("bye", "refused"):
                self.done = True
                self.status = 1 if kind == "refused" else self.status
        except Unreadable as wrong:
            self._complain(f"cannot read '{line}': {wrong}")
        self.heard(line)

    def _add(self, step: str, unit: str, facts: Dict[str, str]) -> None:
        """Answers a step of the exchange in which players add to the dice of a unit."""
        if step == "mix":
            self._added.pop(unit, None)
        elif (step, self.contribute) in (("commit",) * 2, ("open",) * 2, ("reveal", "commit")):
            own = self._added.setdefault(unit, os.urandom(32))
            given = "bytes=" + own.hex()
            if step == "commit":
                hashed = ("hakem/v1/commit", "player-" + facts.get("player", ""),
                          facts.get("event", ""), unit)
                parts = [text.encode() for text in hashed] + [own]
                given = "commit=" + hashlib.sha256(b"".join(
                    len(part).to_bytes(4, "big") + part for part in parts)).hexdigest()
            self._say(f"{step} {unit} {given}")

    def _settle(self, table: str) -> None:
        """Answers what is asked at a table before it is told more: so no split of the referee's
        bytes into reads makes a difference."""
        if table in self._due:
            self._answer()

    def _on_match(self, words: List[str]) -> None:
        facts = fields(words[1:])
        if len(words) < 2:
            raise Unreadable("no table")
        name, number = words[1], _int(words[1])
        why = None
        if facts.get("variant") not in self.variants.split(",") or facts["variant"] not in STARTS:
            why = "variant"
        elif name not in self._seats and len(self._seats) >= self.tables:
            why = "full"
        else:
            refused = [option for option in facts if not self.supports(option, facts[option])]
            why = refused[0] + "=" + encode(facts[refused[0]]) if refused else None
        if why:
            self._say(f"decline {name} reason={why}")
        else:
            self._settle(name)
            self._seats[name] = Table(number, facts)
            self._say(f"ready {name}")

    def _sit_down(self, words: List[str]) -> Optional[Table]:
        """A seat that only the referee remembers."""
        facts = fields(words)
        if facts.get("variant") not in STARTS:
            return None
        return self._seats.setdefault(words[1], Table(_int(words[1]), facts))

    def _on_state(self, table: Table, words: List[str]) -> None:
        table.stand(fields(words))

    def _on_game(self, table: Table, words: List[str]) -> None:
        facts = fields(words)
        table.start(facts)
        table.game = (words[2] if len(words) > 2 else "", facts.get("attempt", ""))

    def _on_did(self, table: Table, words: List[str]) -> None:
        if len(words) > 4:
            play = " ".join([word for word in words[5:] if "=" not in word])
            table.did(words[3], words[4], play)

    def _on_plays(self, table: Table, words: List[str]) -> None:
        if len(words) > 3:
            if words[3] == "0":
                table.plays = []
            table.plays += [word for word in words[4:] if "=" not in word]
            table.plays_serial = words[2]

    def _on_request(self, table: Table, words: List[str]) -> None:
        if len(words) < (3 if words[0] == "cube" else 4):
            raise Unreadable("too few words")
        turn = Turn(table, words)
        self.tries = 0
        if words[2] == table.answered[0]:
            self._say(table.sent)  # it was lost with the connection
        elif turn.kind == "turn" and not turn.plays and "plays" in self.want:
            self._complain(f"turn {turn.serial} came without its plays")
            self._say(f"play {table.id} {turn.serial} #0")  # the referee has them all the same
        else:
            self._due[words[1]] = turn

    def _on_end(self, _table: Table, words: List[str]) -> None:
        del self._seats[words[1]]

    def _on_error(self, words: List[str]) -> None:
        """After these codes the request stands and wants another answer."""
        facts = fields(words)
        table = self._seats.get(facts.get("table", ""))
        if (table is not None and words[1] in ("not-allowed", "ambiguous")
                and table.answered[0] == facts.get("serial")):
            word, serial = table.answered[1], table.answered[0]
            table.sent = f"{word} {table.id} {serial}" + (" #0" if word == "play" else "")
            self._say(table.sent)

    def _answer(self) -> None:
        """Answers all requests that are due."""
        turns = list(self._due.values())
        self._due.clear()
        answers = self.choose_many(turns)
        if answers is None:
            answers = [None] * len(turns)
        if len(answers) != len(turns):
            raise ValueError(f"choose_many: {len(answers)} answers to {len(turns)} requests")
        for turn, answer in zip(turns, answers):
            self._send(turn, self._ask(turn) if answer is None else answer)
            fallback = {"turn": "play", "cube": "roll",
                        "offer": "accept" if turn.act == "resign" else "take"}[turn.kind]
            turn.table.answered = (str(turn.serial), fallback)

    def _ask(self, turn: Turn) -> Answer:
        """Answers one request by the callbacks for single ones."""
        resigned = self.resigns(turn) if "resign" in turn.may else None
        if resigned:
            return "resign " + resigned
        if turn.kind == "turn":
            return self.choose(turn)
        if turn.kind == "cube":
            return "double" if "double" in turn.may and self.doubles(turn) else "roll"
        if turn.act == "resign":
            return "accept" if self.accepts(turn) else "reject"
        if "beaver" in turn.may and self.beavers(turn):
            return "beaver"
        return "take" if self.takes(turn) else "drop"

    def _send(self, turn: Turn, answer: Answer) -> None:
        if not isinstance(answer, str):
            line = f"play {turn.table.id} {turn.serial} #{int(answer)}"
        else:
            word, _, rest = answer.partition(" ")
            if word in ACTS:
                line = f"{word} {turn.table.id} {turn.serial} {rest}".rstrip()
            else:
                line = f"play {turn.table.id} {turn.serial} {answer}"
        turn.table.sent = line
        self._say(line)


# ---- the whole life of a bot

_VALUED = ("connect", "name", "token", "tables")
_FLAGS = ("forced", "trace")


def _set(bot: Bot, option: str, value: str) -> bool:
    """Sets an option; False when the value is not one."""
    kept: Any = value
    if option in _FLAGS:
        kept = True
    elif option == "tables":
        kept = int(value) if value.isdecimal() and len(value) < 5 else 0
        if not 1 <= kept <= TABLES_MAX:
            return False
    setattr(bot, option, kept)
    return True


def options(bot: Bot, argv: Sequence[str]) -> None:
    """Options from the environment (HAKEM_CONNECT, ...), then from the arguments."""
    for option in _VALUED + _FLAGS:
        value = os.environ.get("HAKEM_" + option.upper())
        if value and not _set(bot, option, value):
            print(f"{bot.name}: HAKEM_{option.upper()} is not '{value}'", file=sys.stderr)
            sys.exit(2)
    words = list(argv)
    while words:
        word = words.pop(0)
        option = word[2:] if word.startswith("--") else ""
        good = option in _FLAGS or (option in _VALUED and bool(words))
        if not (good and _set(bot, option, "yes" if option in _FLAGS else words.pop(0))):
            print(f"usage: {sys.argv[0]} [--connect HOST:PORT] [--name NAME] [--token TOKEN]"
                  f" [--tables 1..{TABLES_MAX}] [--forced] [--trace]", file=sys.stderr)
            sys.exit(2)


def _dial(address: str) -> Any:
    import socket  # only here: it costs time at the start

    host, _, port = address.rpartition(":")
    connection = socket.create_connection((host.strip("[]"), int(port)))
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def _dial_again(bot: Bot) -> Any:
    """Another connection in place of one that broke; None after too many tries."""
    while bot.tries < TRIES:
        time.sleep(min(WAIT_FIRST * 2 ** bot.tries, WAIT_MAX))
        bot.tries += 1
        try:
            return _dial(bot.connect or "")
        except OSError:
            pass
    print(f"{bot.name}: the connection to {bot.connect} is lost", file=sys.stderr)
    bot.status = 1
    return None


def _drain(source: int) -> bytes:
    """Reads once, waiting if need be, and then all that is there already, so that every request
    due now is answered in one batch. Empty at the end of the referee's lines."""
    data = os.read(source, READ)
    if len(data) < READ:
        return data
    parts = [data]
    while len(data) == READ and len(parts) < DRAIN_MAX and select.select([source], [], [], 0)[0]:
        data = os.read(source, READ)
        parts.append(data)
    return b"".join(parts)


def _converse(bot: Bot, source: int, sink: int, answer: bytes) -> None:
    """Until the referee is done, or its lines end."""
    try:
        while True:
            while answer:
                answer = answer[os.write(sink, answer):]
            data = b"" if bot.done else _drain(source)
            if not data:
                break
            answer = bot.feed(data)
    except (ConnectionError, TimeoutError):
        pass  # the referee has gone


def run(bot: Bot, argv: Optional[Sequence[str]] = None) -> None:
    """The whole life of a bot; ends the program."""
    options(bot, sys.argv[1:] if argv is None else argv)
    if not bot.connect:
        _converse(bot, 0, 1, bot.start())
        sys.exit(bot.status)
    try:
        connection = _dial(bot.connect)
    except (OSError, ValueError) as wrong:
        print(f"{bot.name}: cannot connect to {bot.connect} (HOST:PORT): {wrong}", file=sys.stderr)
        sys.exit(1)
    answer = bot.start()
    while connection is not None:
        _converse(bot, connection.fileno(), connection.fileno(), answer)
        connection.close()
        connection = None if bot.done or not bot.returns else _dial_again(bot)
        answer = bot.again() if connection is not None else b""
    sys.exit(bot.status)
