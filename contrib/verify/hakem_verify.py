#!/usr/bin/env python3
"""A second verifier of match records (.hkm). It shares nothing with hakem: it was written from
protocol/record.md and protocol/rules.md, with Python's standard library, and calls `openssl` for
the signature. Of each record it judges every line anew: spelling, chain, who may do what, every
play under the recorded options, every throw from the seed, faults, results, scores, the end and
the signature.

    hakem_verify.py [--seed TEXT] [--throws FILE] [--key HEX] [--prefix] FILE.hkm...

One line per finding, `FILE: line N: what is wrong`. Exit code 0: all proven; 6: something does not
hold; 9: nothing is wrong, but a record is unfinished (not with --prefix); 2: usage; 5: a file.
"""

import hashlib
import hmac
import os
import re
import struct
import subprocess
import sys
import tempfile

OFF, BAR, TIME_MAX, PLIES_MAX = 0, 25, 10 ** 12, 4096


class Refused(Exception):
    """A line does not hold; the record ends here."""


def require(good, why):
    """Refuses the line unless `good`."""
    if not good:
        raise Refused(why)


# ---- hashes (record.md, "Chain and signature", "Throws") ----

def lp(*fields):
    """Each field behind its length, four bytes big-endian."""
    data = [field.encode() if isinstance(field, str) else field for field in fields]
    return b"".join(struct.pack(">I", len(field)) + field for field in data)


def sha(*fields):
    """SHA-256 over length-prefixed fields."""
    return hashlib.sha256(lp(*fields)).digest()


def mac(key, *fields, tail=b""):
    """HMAC-SHA-256 over length-prefixed fields and what follows them."""
    return hmac.new(key, lp(*fields) + tail, hashlib.sha256).digest()


def throw_of(game_key, stream, number):
    """Throw `number` of a stream: the first two bytes below 252 make the dice."""
    dice, block = [], 0
    while len(dice) < 2:
        data = mac(game_key, "hakem/v1/roll", stream, tail=struct.pack(">II", number, block))
        dice += [byte % 6 + 1 for byte in data if byte < 252]
        block += 1
    return (dice[0], dice[1])


def signature_holds(key, message, signature):
    """Ed25519 by openssl; the prefix makes a public key file of the 32 bytes."""
    with tempfile.TemporaryDirectory() as folder:
        paths = {}
        for name, data in (("key", bytes.fromhex("302a300506032b6570032100") + key),
                           ("message", message), ("signature", signature)):
            paths[name] = os.path.join(folder, name)
            with open(paths[name], "wb") as file:
                file.write(data)
        run = subprocess.run(["openssl", "pkeyutl", "-verify", "-pubin", "-keyform", "DER",
                              "-inkey", paths["key"], "-rawin", "-in", paths["message"],
                              "-sigfile", paths["signature"]], capture_output=True, check=False)
        return run.returncode == 0


# ---- options and variants (rules.md, "Options") ----

VARIANTS = ("tavla", "uzun", "western", "nackgammon", "hypergammon", "fevga")
OLD_BOARD = {24: 2, 13: 5, 8: 3, 6: 5}
STARTS = {"tavla": OLD_BOARD, "western": OLD_BOARD, "uzun": {24: 15}, "fevga": {24: 15},
          "nackgammon": {24: 2, 23: 2, 13: 4, 8: 3, 6: 4}, "hypergammon": {24: 1, 23: 1, 22: 1}}
KINDS = {"tavla": ("single", "mars", "katmerli"), "uzun": ("oin", "mars", "koks"),
         "fevga": ("single", "gammon")}
WESTERN_KINDS = ("single", "gammon", "backgammon")
FLAG = ("false", "true")
# name, values (words, or the least and the greatest number), the games that have it by their
# first letters (w: western and its like), and the default of those that came later
OPTIONS = (
    ("match", (0, 99), "tuwf", None), ("opening", ("reroll", "deciding"), "tuwf", None),
    ("next_starter", ("roll", "winner", "loser", "alternate"), "tuwf", None),
    ("must_max", FLAG, "tuwf", None), ("larger_die", FLAG, "tuwf", None),
    ("win_ends_turn", FLAG, "tuwf", None), ("play_check", ("sequence", "final"), "tuwf", None),
    ("illegal", ("forfeit_game", "retry", "replace_random"), "tuwf", None),
    ("forfeit_points", (1, 3), "tuwf", None), ("bearoff", ("exact", "literal000"), "t", None),
    ("hit_and_run", ("allowed", "home_forbidden"), "t", None), ("katmerli", (2, 3), "t", None),
    ("wall", ("step", "turn_end", "off"), "u", None),
    ("wall_path", ("opponent", "ring", "own"), "u", None),
    ("wall_front", ("front", "home", "behind"), "u", None),
    ("head_exception", ("listed", "blocked", "any_double", "any", "off"), "u", None),
    ("head_exception_who", ("each", "game"), "u", None), ("koks", (2, 3), "u", None),
    ("koks_test", ("all", "any"), "u", None), ("home_mars", (2, 10), "u", None),
    ("draw", ("none", "last_roll"), "u", "none"), ("draw_points", ("0.5", "1"), "u", "0.5"),
    ("runner", FLAG, "f", None), ("start_wall", ("step", "turn_end", "off"), "f", None),
    ("unblock", FLAG, "f", None), ("games", (1, 999), "w", "1"),
    ("vido", ("off", "on"), "tuwf", "off"), ("vido_max", (2, 1024), "tuwf", "64"),
    ("crawford", FLAG, "tuwf", "true"), ("jacoby", FLAG, "w", "true"),
    ("beavers", (0, 3), "w", "0"), ("auto_doubles", (0, 3), "w", "0"),
    ("resign", ("off", "on"), "tuwf", "off"))


def school(variant):
    """t, u, w or f: whose options a game has."""
    return {"tavla": "t", "uzun": "u", "fevga": "f"}.get(variant, "w")


class Rules:
    """The rules in force, from the header of a record."""

    def __init__(self, variant, fields):
        require(variant in VARIANTS, f'there is no variant "{variant}"')
        self.variant = variant
        for name, values, games, later in OPTIONS:
            text = fields.get(name)
            if school(variant) not in games:
                require(text is None, f"{name}= is no option of {variant}")
                continue
            if text is None:
                require(later is not None, f"the option {name}= is missing")
                text = later
            else:
                require(text != later, f"{name}= has its default and is not written")
            setattr(self, name, self.value(name, values, text))
        self.check()
        self.parallel = variant in ("uzun", "fevga")
        self.hits = not self.parallel
        self.men = sum(STARTS[variant].values())
        self.kinds = KINDS.get(variant, WESTERN_KINDS)

    def __getattr__(self, name):
        """What an option is worth in a game that has none of that name."""
        return {"bearoff": "exact", "hit_and_run": "allowed", "wall": "off", "koks": 2,
                "home_mars": 2, "draw": "none", "runner": False, "unblock": False,
                "start_wall": "off", "games": 1, "jacoby": False, "beavers": 0, "auto_doubles": 0,
                "katmerli": 3 if school(self.variant) == "w" else 2}[name]

    @staticmethod
    def value(name, values, text):
        """An option's value as Python has it."""
        if isinstance(values[0], str):
            require(text in values, f"{name}= cannot be {text}")
            return text == "true" if values == FLAG else text
        require(re.fullmatch(r"0|[1-9][0-9]{0,5}", text) and
                values[0] <= int(text) <= values[1], f"{name}= cannot be {text}")
        return int(text)

    def check(self):
        """What options say of one another."""
        require(self.match > 0 or school(self.variant) == "w", "match=0 is for western")
        require(self.games == 1 or self.match == 0, "games= goes with match=0")
        require(self.vido_max & (self.vido_max - 1) == 0, "vido_max= is no power of two")

    def mirror(self, point):
        """The other side's number of a point."""
        if self.parallel:
            return point + 12 if point <= 12 else point - 12
        return 25 - point

    def start(self):
        """A side at the beginning: 26 counts, off first, the bar last."""
        side = [0] * 26
        for point, men in STARTS[self.variant].items():
            side[point] = men
        return tuple(side)


# ---- plays (rules.md, "A turn" to "fevga") ----

def row_of(first):
    """Six points in a row from `first`, round the ring."""
    return frozenset((first + i - 1) % 24 + 1 for i in range(6))


class Turn:
    """What one side may do with one throw: own and opposing counts at the start."""

    def __init__(self, rules, own, opposing, dice, first):
        self.rules, self.own, self.opposing, self.first = rules, own, opposing, first
        self.dice = [dice[0]] * 4 if dice[0] == dice[1] else list(dice)
        facing = [0] * 26
        for point in range(1, 25):
            facing[point] = opposing[rules.mirror(point)]
        limit = 1 if rules.hits else 0
        self.open = [False] + [facing[p] <= limit for p in range(1, 25)] + [False]
        self.facing = facing
        self.walls = self.find_walls() if rules.wall != "off" else []
        self.step_walls = self.walls if rules.wall == "step" else []
        if rules.variant == "fevga":
            self.find_fevga()
        self.head_limit = 15
        if rules.variant == "uzun":
            self.head_limit = 1
            self.head_limit = 2 if self.head_gives_two() else 1

    def passed(self, row):
        """Whether a row of six, in the opponent's numbers, is allowed (wall_front)."""
        front = self.rules.wall_front
        if front == "front":
            return any(self.opposing[point] for point in range(min(row)))
        if front == "home":
            return any(self.opposing[point] for point in range(7))
        return any(self.opposing[point] for point in range(max(row) + 1, 25))

    def find_walls(self):
        """The rows that may not be held, in the mover's own numbers."""
        rules, walls = self.rules, []
        for first in range(1, 25 if rules.wall_path == "ring" else 20):
            row = row_of(first)
            mirrored = frozenset(rules.mirror(point) for point in row)
            if rules.wall_path == "own":
                row, mirrored = mirrored, row
            if not self.passed(row):
                walls.append(mirrored)
        return walls

    def find_fevga(self):
        """The starting quarter, and the row right before an opponent on one point."""
        rules = self.rules
        quarter = [frozenset(range(19, 25))] if rules.start_wall != "off" else []
        self.walls = list(quarter)
        self.step_walls = quarter if rules.start_wall == "step" else []
        for point in range(7, 25):
            if rules.unblock and self.opposing[point] == rules.men:
                self.walls.append(frozenset(rules.mirror(p) for p in range(point - 6, point)))

    def head_gives_two(self):
        """Whether two may leave the head in this turn."""
        rules, double = self.rules, len(self.dice) == 4
        if not self.first or (rules.head_exception_who == "game" and
                              self.opposing[24] < rules.men):
            return False
        listed = double and self.dice[0] in (3, 4, 6)
        if rules.head_exception == "blocked":
            return not any(left == () for _, left in self.runs())
        return {"listed": listed, "any_double": double, "any": True,
                "off": False}[rules.head_exception]

    @staticmethod
    def holds(rows, own):
        """Whether one of the rows stands complete."""
        return any(all(own[point] for point in row) for row in rows)

    def held(self, own, facing, point):
        """A checker that hit in its home and may not go on (hit_and_run)."""
        return (self.rules.hit_and_run == "home_forbidden" and 1 <= point <= 6 and
                self.facing[point] > facing[point] and own[point] == 1)

    def steps(self, own, facing, die):
        """The points from which `die` may be played, and where to."""
        rules = self.rules
        standing = [point for point in range(1, 26) if own[point]]
        home = bool(standing) and standing[-1] <= 6
        movers = [BAR] if own[BAR] else standing
        if rules.runner and not own[OFF] and not any(own[1:12]):
            movers = movers[:1]
        found = {p: p - die for p in movers if p > die and self.open[p - die]}
        if home and own[die]:
            found[die] = OFF
        elif home and standing[-1] < die:
            found[standing[-1]] = OFF
        if self.own[24] - own[24] >= self.head_limit:
            found.pop(24, None)
        found = {p: to for p, to in found.items() if not self.held(own, facing, p)}
        if (rules.bearoff == "literal000" and not found and home and not own[die] and
                standing[-1] > die and not self.held(own, facing, standing[-1])):
            found[standing[-1]] = OFF
        return found

    def step(self, own, facing, source, die):
        """The boards after one step, where it went, and whether it hit; None if forbidden."""
        target = self.steps(own, facing, die).get(source)
        if target is None:
            return None
        own = list(own)
        own[source] -= 1
        own[target] += 1
        hit = target != OFF and facing[target] > 0
        if hit:
            facing = list(facing)
            facing[target] = 0
            facing[BAR] += 1
        if self.holds(self.step_walls, own):
            return None
        return tuple(own), tuple(facing), target, hit

    def ends(self, own):
        """Whether the turn may end here."""
        return not self.holds(self.walls, own)

    def runs(self):
        """Every position that legal steps lead to, with the dice that are left."""
        start = (self.own, tuple(self.facing))
        seen, todo = set(), [(start, tuple(self.dice))]
        while todo:
            place = todo.pop()
            if place in seen:
                continue
            seen.add(place)
            yield place
            (own, facing), left = place
            for die in set(left):
                rest = list(left)
                rest.remove(die)
                for source in self.steps(own, facing, die):
                    after = self.step(own, facing, source, die)
                    if after:
                        todo.append(((after[0], after[1]), tuple(rest)))

    def finals(self):
        """The legal final positions, each as own and facing counts."""
        rules = self.rules
        places = [(board, left) for board, left in self.runs()
                  if len(left) < len(self.dice) and self.ends(board[0])]
        if not places:
            return {(self.own, tuple(self.facing))}
        least = min(len(left) for _, left in places)
        larger = None
        if len(self.dice) - least == 1 and rules.larger_die and len(self.dice) == 2:
            larger = min(min(left) for _, left in places)
        legal = set()
        for board, left in places:
            enough = (len(left) == least or not rules.must_max) and (
                larger is None or min(left) == larger)
            if enough or (rules.win_ends_turn and board[0][OFF] == rules.men):
                legal.add(board)
        return legal


def opposing_after(rules, opposing, facing, before):
    """The opponent's own counts after hits."""
    counts = list(opposing)
    for point in range(1, 25):
        if before[point] != facing[point]:
            counts[rules.mirror(point)] = facing[point]
    counts[BAR] = opposing[BAR] + facing[BAR] - before[BAR]
    return tuple(counts)


def judge_written(turn, words):
    """A play as a record spells it: one leg per die, stars on hits. The boards after it."""
    places = {((turn.own, tuple(turn.facing)), tuple(sorted(turn.dice)))}
    for word in words:
        leg = re.fullmatch(r"(bar|[1-9]|1[0-9]|2[0-4])/(off|[1-9]|1[0-9]|2[0-4])(\*?)", word)
        require(leg, f'the play is not legal: "{word[:16]}" is no leg as records spell them')
        source = BAR if leg[1] == "bar" else int(leg[1])
        target = OFF if leg[2] == "off" else int(leg[2])
        after = set()
        for (own, facing), left in places:
            for die in set(left):
                to = turn.step(own, facing, source, die)
                if to and to[2] == target:
                    require(to[3] == (leg[3] == "*"), f"a hit, and only a hit, has a star: {word}")
                    rest = list(left)
                    rest.remove(die)
                    after.add(((to[0], to[1]), tuple(rest)))
        require(after, f"the play is not legal: {word} cannot be played")
        places = after
    board = next(iter(places))[0]
    if any(left == () for _, left in places):
        require(turn.ends(board[0]), "the play is not legal: the turn may not end here")
    else:
        require(board in turn.finals(), "the play is not legal: no pass here, or more dice, or "
                                        "the larger one, have to be played")
    return board


def legs_of(text):
    """The legs of a play as a bot may write it, or None where it is none."""
    words = [word for word in re.split(r"[ ,\t\r\n]+", text.lower()) if word]
    if words == ["pass"]:
        return []
    legs = []
    for word in words:
        point = r"(?:bar|off|home|[0-9]{1,2})\**"
        if not re.fullmatch(rf"{point}(?:[/-]{point})+(?:\([0-9]{{1,2}}\)\**)?", word):
            return None
        repeat = re.search(r"\(([0-9]+)\)", word)
        times = int(repeat[1]) if repeat else 1
        plain = re.sub(r"\(.*|\*", "", word)
        numbers = [{"bar": BAR, "off": OFF, "home": OFF}.get(p, p) for p in re.split("[/-]", plain)]
        points = [int(number) for number in numbers]
        if times < 1 or max(points) > BAR:
            return None
        legs += list(zip(points, points[1:])) * times
        if len(legs) > 4:
            break
    return legs[:5]


def ways_of(turn, legs):
    """The positions that a claim can mean when its legs are played in order: position, hits."""
    found = set()

    def follow(board, left, index, at, hits):
        if index == len(legs):
            found.add((board, len(left), hits))
            return
        source, target = legs[index]
        at = source if at is None else at
        single = any(d == at - target or (d > at - target and target == OFF) for d in left)
        for die in set(left):
            after = turn.step(board[0], board[1], at, die)
            if not after or after[2] < target:
                continue
            rest = list(left)
            rest.remove(die)
            place = (after[0], after[1])
            if after[2] == target:
                follow(place, rest, index + 1, None, hits + after[3])
            elif not (single and at == source):
                follow(place, rest, index, after[2], hits + after[3])

    follow((turn.own, tuple(turn.facing)), turn.dice, 0, None, 0)
    return found


def judge_sent(turn, text):
    """What an answer to a throw was: legal, illegal, malformed or ambiguous."""
    if text.startswith("#"):
        number = text[1:]
        good = re.fullmatch("0|[1-9][0-9]{0,9}", number) and int(number) < len(turn.finals())
        return "legal" if good else "malformed"
    legs = legs_of(text)
    if legs is None:
        return "malformed"
    orders = [legs]
    if turn.rules.play_check == "final":
        orders = permutations(legs)
    finals, best = turn.finals(), {}
    for order in orders:
        for board, _, hits in ways_of(turn, order):
            if board in finals:
                best[board] = min(hits, best.get(board, hits))
    if not best:
        return "illegal"
    fewest = min(best.values())
    return "legal" if list(best.values()).count(fewest) == 1 else "ambiguous"


def permutations(legs):
    """All orders of the legs, each once."""
    if len(legs) < 2:
        return [legs]
    return [[leg] + rest for i, leg in enumerate(legs) if leg not in legs[:i]
            for rest in permutations(legs[:i] + legs[i + 1:])]


# ---- results (rules.md, "Results"; README.md, "Reasons and forfeits") ----

def loss_of(rules, loser):
    """Kind (1 to 3) and points of a game lost with these checkers."""
    if loser[OFF]:
        return 1, 1
    quarter = sum(loser[19:25])
    koks = rules.koks == 3 and (quarter > 0 if rules.koks_test == "any" else quarter == rules.men)
    if koks or (rules.katmerli == 3 and sum(loser[19:26])):
        return 3, 3
    return 2, rules.home_mars if sum(loser[1:7]) == rules.men else 2


def highest(side):
    """The checker farthest from home."""
    return max((point for point in range(26) if side[point] and point), default=0)


def worst_of(rules, loser, other):
    """The worst result that the loser could still have suffered."""
    kind, points = loss_of(rules, loser)
    if kind == 1:
        return kind, points
    if rules.katmerli == 3 and rules.hits and highest(loser) + highest(other) > BAR:
        kind, points = 3, 3
    if rules.home_mars > points:
        kind, points = 2, rules.home_mars
    return kind, points


# ---- lines (record.md, "Grammar"; README.md, "Transport") ----

# positional fields, then keys in their order with a bang where they are required
LINES = {
    "record": ("table", "hakem! unit! event! variant! source! commit! x! y! x_version y_version "
               "x_title y_title x_command y_command x_files y_files x_settings "
               "y_settings pairing master throws server key date move_time reserve increment "
               "delay margin clock"),
    "game": ("table game", "attempt! score! starter! opening crawford cube"),
    "did": ("table ply seat deed", "kind throw ms passed open lag"),
    "fault": ("table ply seat", "code! dice got reason ms passed open lag"),
    "dispute": ("table serial code", "seat ply"),
    "result": ("table game", "winner! reason! kind points score contended"),
    "rethrow": ("table ply", "reason! seat"),
    "mix": ("unit", "commit_a a commit_b b withheld"),
    "void": ("table game", "attempt reason"),
    "end": ("table", "winner! score reason"),
    "reveal": ("unit", "seed!"),
    "sign": ("lines", "signature!")}
FILES = "([0-9a-f]{64}:[^,]+(,(?!$)|$))*"
NUMBERS = set("table hakem game ply serial attempt cube ms passed open lag lines move_time "
              "increment delay margin".split())
WHERE = {"record": {"start"}, "game": {"between"}, "did": {"play"}, "fault": {"play", "between"},
         "dispute": {"play", "between"}, "rethrow": {"play", "between"}, "result": {"play", "done"},
         "mix": {"between"}, "void": {"play", "between"},
         "end": {"between", "left"}, "reveal": {"ended"}, "sign": {"revealed"}}


def encode(value):
    """A value as a record spells it."""
    return "".join(f"%{ord(c):02X}" if ord(c) <= 32 or c in "%\x7f" else c for c in value)


def decode(text):
    """Undoes %xx."""
    try:
        return re.sub(rb"%([0-9A-Fa-f]{2})", lambda m: bytes([int(m[1], 16)]),
                      text.encode()).decode()
    except UnicodeDecodeError as error:
        raise Refused("a value is not UTF-8") from error


def parse(text):
    """Name, fields and play of a line; its spelling is the one that a record has."""
    require(text and not re.search(r"[\x00-\x1f\x7f]", text), "an empty line, or a control byte")
    words = text.split(" ")
    name = words[0]
    require(name in LINES, f'"{name[:32]}" is no message of a record')
    positional, keys = (part.split() for part in LINES[name])
    fields, play, at = {}, [], 1
    for key in positional:
        require(at < len(words) and words[at], f"{key} is missing")
        fields[key] = decode(words[at])
        at += 1
    order = [key.rstrip("!") for key in keys]
    if name == "record":
        order += [option[0] for option in OPTIONS]
    last = -1
    for word in words[at:]:
        key, sign, value = word.partition("=")
        if not sign:
            require(name == "did" and last < 0 and word, "not spelled as a record spells it")
            play.append(word)
            continue
        require(key in order and order.index(key) > last,
                f"not spelled as a record spells it: {key[:32]}=")
        last = order.index(key)
        fields[key] = decode(value)
        require(encode(fields[key]) == value, f"{key}= is not spelled as a record spells it")
    for key in keys:
        require(not key.endswith("!") or fields.get(key[:-1]), f"{key.rstrip('!')}= is missing")
    for key in NUMBERS & set(fields):
        require(re.fullmatch("0|[1-9][0-9]{0,15}", fields[key]), f"{key} is no number")
    return name, fields, play


def pair(text, key):
    """Two dice such as 31."""
    require(re.fullmatch("[1-6][1-6]", text), f"{key}= has to be two dice such as 31")
    return int(text[0]), int(text[1])


def hexadecimal(fields, key, size):
    """The bytes of hex digits, spelled small."""
    text = fields.get(key, "")
    require(re.fullmatch(f"[0-9a-f]{{{2 * size}}}", text),
            f"{key}= has to be {2 * size} hex digits")
    return bytes.fromhex(text)


def other(side):
    """The other seat."""
    return "Y" if side == "X" else "X"


def halves(value):
    """Half points as a record writes points."""
    return f"{value // 2}.5" if value % 2 else str(value // 2)


FAULTS = {"illegal": "t", "malformed": "t", "timeout": "tlb", "disconnect": "lb", "stall": "l",
          "withheld": "lb", "aborted": "lb"}  # t: of the side on turn; l: a match is left by it; b: by both sides


class Record:
    """A record that is read line by line."""

    def __init__(self, report, seed, key, throws):
        self.report, self.open_seed, self.known_key, self.file = report, seed, key, throws
        self.state, self.lines, self.head, self.before = "start", 0, None, None
        self.score, self.games, self.game, self.attempt = {"X": 0, "Y": 0}, 0, 0, 0
        self.last_winner = self.last_starter = None
        self.charged, self.throws, self.plies_all, self.begun = {"X": 0, "Y": 0}, 0, 0, 0
        self.result_reason = self.fault = self.offender = None
        self.disputes = {"X": 0, "Y": 0}
        self.game_key = self.unit_seed = self.unit_key = None
        self.checks_throws = False
        self.recorded, self.used, self.in_force = None, 0, False  # of recorded dice

    def find(self, why, line=None):
        """Tells of something that does not hold."""
        self.report(self.lines if line is None else line, why)

    # -- the chain and the header --

    def read(self, stored):
        """Takes one stored line, without its LF."""
        self.lines += 1
        require(len(stored) <= 65536, "longer than 65536 bytes")
        cut = re.fullmatch(rb"(.*) ([0-9a-f]{16})", stored, re.S)
        require(cut, "does not end in a blank and 16 hex digits of the chain")
        self.before = self.head
        self.head = (sha("hakem/v1/log", cut[1]) if self.head is None
                     else hashlib.sha256(self.head + lp(cut[1])).digest())
        require(self.head.hex()[:16].encode() == cut[2], "the digits of the chain do not fit: this "
                "line was altered, or one before it was added or left out")
        try:
            text = cut[1].decode()
        except UnicodeDecodeError as error:
            raise Refused("not UTF-8") from error
        name, fields, play = parse(text)
        require(self.state in WHERE[name], f"{name} cannot stand here ({self.state})")
        if name not in ("record", "mix", "reveal", "sign"):
            require(fields["table"] == self.leg, f"table has to be {self.leg} here")
        getattr(self, "read_" + name)(fields, play)

    def read_record(self, fields, _):
        """The header."""
        require(fields["hakem"] == "1", f"version {fields['hakem']} of the record is not known")
        self.rules = Rules(fields["variant"], fields)
        self.leg, self.header = fields["table"], fields
        require(fields["source"] in ("auditable", "seeded", "recorded", "manual"),
                f'source= has to be auditable, seeded, recorded or manual, not "{fields["source"]}"')
        self.listed = fields["source"] in ("recorded", "manual")
        require(("throws" in fields) == (fields["source"] == "recorded"),
                "throws= goes with source=recorded")
        if "throws" in fields:
            hexadecimal(fields, "throws", 32)
        for key in ("x", "y"):
            require(re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,31}", fields[key]),
                    f"{key}= is not a bot's name")
            for what, room in (("command", 256), ("files", 2048), ("settings", 256)):
                require(len(fields.get(f"{key}_{what}", "").encode()) < room,
                        f"{key}_{what}= is longer than {room - 1} bytes")
            require(re.fullmatch(FILES, fields.get(key + "_files", "")),
                    f"{key}_files= has to be words of 64 hex digits, a colon and a path")
        pairing = fields.get("pairing", "")
        require(pairing in ("mirrored", "lockstep", "independent"), "pairing= is not known")
        require(self.leg == "1" or (self.leg == "2" and pairing != "independent"),
                f"there is no leg {self.leg} of a unit that is {pairing}")
        self.commit = hexadecimal(fields, "commit", 32)
        self.key = hexadecimal(fields, "key", 32)
        master = hexadecimal(fields, "master", 32)
        self.read_clock(fields)
        self.state, self.crawford = "between", "ahead"
        if not (self.rules.vido == "on" and self.rules.crawford and self.rules.match > 1):
            self.crawford = "never"
        self.note_crawford()
        if self.known_key is not None and self.known_key != self.key:
            self.find("key= is not the key that was given")
        self.begin_dice(fields, master)
        if self.file is not None:
            self.begin_recorded(fields)

    def read_clock(self, fields):
        """The times of the header, in milliseconds."""
        number = {key: int(fields.get(key, "0")) for key in ("move_time", "increment", "delay")}
        require(max(number.values()) <= TIME_MAX, "a time is more than 10^12 ms")
        self.move_time, self.delay = number["move_time"], number["delay"]
        self.margin = int(fields.get("margin", "60000"))
        require(self.margin <= 60000, "margin= is more than a minute")
        require(fields.get("clock", "wall") == "wall", "clock= has to be wall")
        reserve = fields.get("reserve")
        require(reserve is None or re.fullmatch(r"(0|[1-9][0-9]{0,12}),\1", reserve),
                "reserve= has to be a time twice")

    def begin_dice(self, fields, master):
        """The dice of the unit, if the seed is the one that was promised."""
        event, unit = fields["event"], fields["unit"]
        if self.open_seed is not None and fields["source"] != "seeded":
            self.find("the dice are not seeded ones: no open seed can be theirs")
        open_seed = self.open_seed if fields["source"] == "seeded" else fields.get("throws")
        if open_seed is not None:
            secret = sha("hakem/v1/open", open_seed)
            seed = mac(secret, "hakem/v1/seed", event, unit, "0", "")
            if sha("hakem/v1/commit", "master", event, "", secret) != master:
                self.find("master= does not commit to the open seed that was given")
            elif self.unit_seed is None:
                self.unit_seed = seed
            elif self.unit_seed != seed:
                self.find("the seed of the unit does not follow from the open seed", self.seed_line)
        if self.unit_seed is None:
            return
        if sha("hakem/v1/commit", "server", event, unit, self.unit_seed) != self.commit:
            self.find("the seed does not open the commitment: commit= promised another one",
                      self.seed_line or 1)
            return
        self.unit_key = mac(self.unit_seed, "hakem/v1/key", event, unit, self.commit, "", "")
        self.checks_throws = True

    def begin_recorded(self, fields):
        """The unit's part of the file of throws that was given, if it is the one."""
        unit = re.fullmatch("U0*([1-9][0-9]{0,8})", fields["unit"])
        if not self.listed:
            self.find("the dice are not recorded ones: no file of throws can be theirs")
        elif "throws" in fields and hashlib.sha256(self.file).hexdigest() != fields["throws"]:
            self.find("throws= is not the hash of the file of throws that was given")
        else:
            units = read_throws(self.file)
            require(unit and int(unit[1]) <= len(units),
                    f"the file of throws has none for unit {fields['unit']}")
            self.recorded = units[int(unit[1]) - 1]

    seed_line = 0
    mixed, withheld = False, frozenset()  # what the players have added; the seats that failed to

    def read_mix(self, fields, _):
        """What the players of the unit have added to its dice."""
        require(self.header["source"] == "auditable", "nobody adds anything to seeded dice")
        require(not self.mixed and not self.begun, "mix stands once, before the first game")
        require(fields["unit"] == self.header["unit"], f"unit has to be {self.header['unit']} here")
        failed = fields.get("withheld")
        require(failed in (None, "a", "b", "a,b"), "withheld= has to be a, b or a,b")
        failed, values = (failed or "").split(","), {"a": b"", "b": b""}
        for player, name in enumerate("ab", 1):
            bound = f"commit_{name}" in fields
            promise = hexadecimal(fields, f"commit_{name}", 32) if bound else None
            if name in fields:
                values[name] = hexadecimal(fields, name, 32)
            require(name in fields or not bound or any(failed), f"{name}= is missing: what was "
                    "committed to is not there")
            require(not (name in failed and bound and name in fields),
                    f"{name}= is there, and is said to be withheld")
            if bound and name in fields and promise != sha(
                    "hakem/v1/commit", f"player-{player}", self.header["event"],
                    self.header["unit"], values[name]):
                self.find(f"{name}= does not open commit_{name}=, what player {player} had "
                          "committed to")
        self.mixed = True
        self.withheld = frozenset(("XY" if self.leg == "1" else "YX")["ab".index(name)]
                                  for name in failed if name)
        if self.checks_throws:
            self.unit_key = mac(self.unit_seed, "hakem/v1/key", self.header["event"],
                                self.header["unit"], self.commit, values["a"], values["b"])

    # -- games --

    def away(self, side):
        """Half points that a side still lacks."""
        return max(2 * self.rules.match - self.score[side], 0)

    def note_crawford(self):
        """Between two games: is the next one the Crawford game?"""
        if self.crawford == "now":
            self.crawford = "past"
        elif self.crawford == "ahead" and min(self.away("X"), self.away("Y")) <= 2:
            self.crawford = "now"

    def over(self):
        """Whether the match is over, and its winner."""
        if self.rules.match == 0:
            lead = self.score["X"] - self.score["Y"]
            return self.games >= self.rules.games, "X" if lead > 0 else "Y" if lead else "none"
        done = [side for side in "XY" if not self.away(side)]
        return bool(done), done[0] if len(done) == 1 else "none"

    def capped(self):
        """Whether the match ends because its last game went nowhere."""
        return self.games > 0 and self.result_reason == "cap"

    def next_game(self):
        """Number and attempt of the game that comes next."""
        return self.games + 1, self.attempt + 1 if self.game == self.games + 1 else 0

    def require_score(self, fields):
        want = f"{halves(self.score['X'])},{halves(self.score['Y'])}"
        require(fields.get("score") == want, f"score= has to be {want} here")

    def read_game(self, fields, _):
        """A game begins."""
        require(not self.capped() and not self.over()[0],
                "the match is over, and yet another game begins")
        require(not self.withheld, "what a side had declared for the dice never came, and yet a "
                "game begins")
        game, attempt = self.next_game()
        require((fields["game"], fields["attempt"]) == (str(game), str(attempt)),
                f"this is game {game}, attempt {attempt}")
        self.require_score(fields)
        self.read_opening(fields)
        self.game, self.attempt = game, attempt
        self.plies, self.turns = 0, {"X": 0, "Y": 0}
        self.board = {"X": self.rules.start(), "Y": self.rules.start()}
        self.phase, self.side, self.first, self.resigned = "throw", self.starter, True, False
        self.rejected, self.shown, self.refusals = {"X": 0, "Y": 0}, None, 0
        self.owner, self.offer, self.beavers, self.contended = None, 0, 0, False
        self.offender = self.fault = self.given = None
        self.begun += 1
        self.in_force = False
        self.disputes = {"X": 0, "Y": 0}
        crawford = "yes" if self.crawford == "now" else None
        require(fields.get("crawford") == crawford, f"crawford= has to be {crawford} here")
        require(fields.get("cube", "1") == str(self.cube) and fields.get("cube") != "1",
                f"cube= has to say {self.cube}")
        self.state = "play"
        if self.checks_throws:
            self.game_key = mac(self.unit_key, "hakem/v1/game", str(game), str(attempt))
        for number, dice in enumerate(self.opening):
            self.check_throw("O", number, dice, self.used + number)

    def read_opening(self, fields):
        """Who starts, from the rules and the throws, and what ties do to the cube."""
        text = fields.get("opening")
        self.opening = [pair(part, "opening") for part in text.split(",")] if text else []
        require(text != "", "opening= is empty")
        ties = [dice for dice in self.opening if dice[0] == dice[1]]
        require(len(ties) == max(len(self.opening) - 1, 0) and
                not (self.opening and self.opening[-1] in ties),
                "opening= has to be ties and one throw that decides")
        starter = {"roll": None, "winner": self.last_winner, "alternate": self.last_starter,
                   "loser": self.last_winner}[self.rules.next_starter]
        if starter and self.rules.next_starter != "winner":
            starter = other(starter)
        require(bool(starter) != bool(self.opening), "the opening throw is missing, or nobody has "
                                                     "to throw for the start of this game")
        if not starter:
            starter = "X" if self.opening[-1][0] > self.opening[-1][1] else "Y"
        require(fields["starter"] == starter, f"starter= has to be {starter} here")
        self.starter, self.cube = starter, 1
        if self.rules.vido == "on" and self.rules.match == 0:
            for _ in range(min(len(ties), self.rules.auto_doubles)):
                self.cube = min(self.cube * 2, max(self.cube, self.rules.vido_max))

    def proof(self):
        """What the throws that were checked are."""
        return "those of the file" if self.listed else "the committed ones"

    def used_now(self):
        """How many throws there were before the next one of this game."""
        decides = bool(self.opening) and self.rules.opening == "deciding"
        return self.used + len(self.opening) - decides + sum(self.turns.values())

    def check_throw(self, stream, number, dice, at=None):
        """A throw of the record against the one that the seed makes, or `at` in the file."""
        if self.listed:
            self.check_recorded(self.used_now() if at is None else at, dice)
            return
        if not self.checks_throws:
            return
        want = throw_of(self.game_key, stream, number)
        if want == dice:
            self.throws += 1
            return
        self.find(f"the throw {dice[0]}{dice[1]} is not the committed one: number {number} of "
                  f"stream {stream} is {want[0]}{want[1]}")
        self.checks_throws = False

    def check_recorded(self, at, dice):
        """A throw of recorded dice against the file's."""
        if self.recorded is None:
            return
        if self.recorded[at:at + 1] == [dice]:
            self.throws += 1
            return
        self.find(f"the throw {dice[0]}{dice[1]} is not that of the file: number {at + 1} of the "
                  f"unit's {len(self.recorded)}")
        self.recorded = None

    # -- plies --

    def may_double(self):
        """Whether the side to throw is asked before it does."""
        rules = self.rules
        dead = rules.match > 0 and 2 * self.cube >= self.away(self.side)
        return (self.phase == "throw" and rules.vido == "on" and not self.first and
                self.owner in (None, self.side) and not dead and self.crawford != "now" and
                2 * self.cube <= rules.vido_max)

    def deciding(self):
        """The throw that this turn has to be played with, where it decided who starts."""
        if self.first and self.opening and self.rules.opening == "deciding":
            return self.opening[-1]
        return None

    def read_throw(self, text, key):
        """A throw: the deciding one where that is due, the one that was seen before."""
        dice = pair(text, key)
        for want in (self.shown, self.refused if self.refusals else None, self.deciding()):
            require(want is None or want == dice, f"the throw in force is {want}, not {dice}")
        return dice

    def turn_now(self, dice):
        """The turn of the side that plays."""
        return Turn(self.rules, self.board[self.side], self.board[other(self.side)], dice,
                    self.turns[self.side] == 0)

    def read_did(self, fields, words):
        """A ply."""
        require(self.plies < PLIES_MAX, f"a game is cut off after {PLIES_MAX} plies")
        require(fields["ply"] == str(self.plies + 1), f"ply has to be {self.plies + 1} here")
        require(fields["seat"] == self.side, f"seat has to be {self.side} here")
        seat, asked = self.side, self.may_double()
        answers, charged = 1, True
        if fields["deed"][0].isdigit():
            replaced = self.refusals > 0 and self.rules.illegal == "replace_random"
            self.read_play(fields, words)
            answers = 2 if asked else 1
            charged = not replaced and (bool(words) or asked)
        else:
            require(not words, "a ply of the cube has no play")
            self.read_act(fields)
        self.plies += 1
        self.plies_all += 1
        require(charged or "ms" not in fields, "ms= charges time for what nobody was asked for")
        self.read_time(fields, seat)
        limit = answers * (self.move_time + self.margin)
        require(not self.move_time or int(fields.get("ms", "0")) <= limit,
                f"ms= is far beyond the move time of {self.move_time} ms")

    def read_play(self, fields, words):
        """A throw and what was played with it."""
        require(self.phase in ("throw", "thrown"), "an answer is awaited, not a throw")
        require("kind" not in fields and "throw" not in fields, "kind= and throw= do not go here")
        dice, seat = self.read_throw(fields["deed"], "dice"), self.side
        turn = self.turn_now(dice)
        own, facing = judge_written(turn, words)
        if self.refusals and self.rules.illegal == "replace_random" and self.checks_throws:
            self.check_replaced(turn, (own, facing))
        if not self.deciding() and not self.shown and not self.refusals:
            self.check_throw(seat, self.turns[seat], dice)
        self.board[other(seat)] = opposing_after(self.rules, self.board[other(seat)], facing,
                                                 turn.facing)
        self.board[seat] = own
        self.turns[seat] += 1
        self.phase, self.side, self.first = "throw", other(seat), False
        self.resigned, self.shown, self.refusals = False, None, 0
        self.mover = seat
        if self.outcome_now():
            self.state = "done"

    def check_replaced(self, turn, played):
        """The play in place of an illegal one, as the seed chooses it."""
        ranked = sorted(turn.finals(), key=lambda b: (b[0], opposing_after(
            self.rules, turn.opposing, b[1], turn.facing)))
        pick = mac(self.game_key, "hakem/v1/pick", tail=struct.pack(">I", self.plies + 1))
        if ranked[int.from_bytes(pick[:8], "big") % len(ranked)] != played:
            self.find("the play in place of the illegal one is not the committed one")

    def outcome_now(self):
        """Winner, kind and half points where a side has borne off all; a draw has no winner."""
        rules, men = self.rules, self.rules.men
        for side in "XY":
            if self.board[side][OFF] == men:
                break
        else:
            return None
        late = other(self.starter)
        if rules.draw == "last_roll" and self.board[self.starter][OFF] == men:
            left = men - self.board[late][OFF]
            if left == 0:
                return "none", 0, 2 if rules.draw_points == "1" else 1
            if self.mover == self.starter and left <= 4:
                return None
            side = self.starter
        kind, points = loss_of(rules, self.board[other(side)])
        return self.priced(side, kind, points)

    def priced(self, winner, kind, points):
        """A result times the cube; money play counts single while nobody has doubled."""
        rules = self.rules
        if rules.vido == "on" and rules.match == 0 and rules.jacoby and self.owner is None:
            kind, points = 1, 1
        return winner, kind, 2 * points * self.cube

    def may(self):
        """What the side asked may do without a throw."""
        if self.phase == "doubled":
            beaver = (self.rules.match == 0 and self.beavers < self.rules.beavers and
                      2 * self.offer <= self.rules.vido_max)
            return ["take", "drop"] + (["beaver"] if beaver else [])
        if self.phase == "resigned":
            return ["accept", "reject"]
        most = 3 if 3 in (self.rules.katmerli, self.rules.koks) else 2
        resign = (self.rules.resign == "on" and not self.resigned and
                  self.rejected[self.side] < most)
        return (["double"] if self.may_double() else []) + (["resign"] if resign else [])

    def read_act(self, fields):
        """A double, an answer, a resignation."""
        act, side = fields["deed"], self.side
        require(act in self.may(), f"{side} may not {act[:16]} here")
        if act == "resign":
            self.read_resignation(fields)
            return
        require("kind" not in fields and "throw" not in fields, "kind= and throw= do not go here")
        self.side = other(side)
        if act == "double":
            self.offer, self.doubler, self.phase = 2 * self.cube, side, "doubled"
        elif act == "beaver":
            self.offer, self.beavers = 2 * self.offer, self.beavers + 1
        elif act == "take":
            self.cube, self.owner, self.side = self.offer, other(self.doubler), self.doubler
            self.offer, self.beavers, self.phase = 0, 0, "thrown"
        elif act == "drop":
            self.given = (other(side), 1, self.offer, "drop")
            self.state = "done"
        elif act == "accept":
            self.given = self.priced(side, self.kind, self.kind) + ("resign",)
            self.state = "done"
        else:
            self.phase, self.rejected[other(side)] = self.resigned_in, self.kind

    def read_resignation(self, fields):
        """Its kind, and its throw where there was one."""
        side, kinds = self.side, self.rules.kinds
        kind = kinds.index(fields["kind"]) + 1 if fields.get("kind") in kinds else 0
        most = 3 if 3 in (self.rules.katmerli, self.rules.koks) else 2
        require(self.rejected[side] < kind <= most, f"{side} cannot resign here with this kind=")
        if "throw" in fields:
            dice = self.read_throw(fields["throw"], "throw")
            if not self.deciding() and not self.shown and not self.refusals:
                self.check_throw(side, self.turns[side], dice)
            self.shown, self.phase = dice, "thrown"
        else:
            require(self.may_double(), "throw= is missing: which throw was in force?")
        self.kind, self.resigned, self.resigned_in = kind, True, self.phase
        self.phase, self.side = "resigned", other(side)

    def read_time(self, fields, seat):
        """What was charged, and what passed beside it."""
        value = {key: int(fields[key]) for key in ("ms", "passed", "open", "lag") if key in fields}
        for key, number in value.items():
            require(number <= TIME_MAX, f"{key}= is more than 10^12 ms")
        require("ms" in value or not value, "passed=, open= and lag= go with ms=")
        require("passed" not in value or (value["passed"] > value["ms"] and
                                          "clock" not in self.header),
                "passed= has to be more than ms=, of a time that was shared")
        require(value.get("open", 2) >= 2, "open= is stated where two or more requests were open")
        require(value.get("lag", 1) > 0, "lag= is stated where there was one")
        self.contended = self.contended or value.get("lag", 0) > 20
        self.charged[seat] += value.get("ms", 0)
        require(self.charged[seat] <= TIME_MAX, "the time of a side is beyond 10^12 ms")

    # -- faults and ends --

    def read_fault(self, fields, _):
        """A side is at fault, in a game or between two."""
        seat, code = fields["seat"], fields["code"]
        require(seat in ("X", "Y"), "seat has to be X or Y")
        require(code in FAULTS, f'"{code[:32]}" is no fault')
        if self.state == "between":
            require(not self.capped() and not self.over()[0], "the match is over")
            require(self.withheld == ({seat} if code == "withheld" else set()),
                    "who withheld what it had declared is not who loses by it")
            require("l" in FAULTS[code], f"code={code} needs a game, and none runs")
            require(not {"dice", "got", "ms"} & set(fields) and fields["ply"] == "0",
                    "between two games there are no dice=, got= and ms=, and the ply is 0")
        else:
            self.judge_fault(fields, seat, code)
        self.read_time(fields, seat)
        self.offender, self.fault = seat, code
        if self.state == "between":
            self.state = "left"
            return
        allowed = {"forfeit_game": 0, "retry": 3, "replace_random": 1}[self.rules.illegal]
        if code in ("illegal", "malformed") and "dice" in fields and self.refusals < allowed:
            self.refusals, self.refused = self.refusals + 1, pair(fields["dice"], "dice")
            return
        self.in_force = "dice" in fields
        self.state, self.given = "done", self.forfeit(seat) + (code,)

    def forfeit(self, seat):
        """What a forfeited game costs."""
        kind, points = worst_of(self.rules, self.board[seat], self.board[other(seat)])
        points = max(points * self.cube, self.rules.forfeit_points, self.offer // 2)
        return other(seat), kind, 2 * points

    def judge_fault(self, fields, seat, code):
        """A fault in a game: whose it can be, and what it quotes."""
        require(code != "withheld", "nothing can be withheld from the dice once a game runs")
        require(fields["ply"] == str(self.plies + 1), f"ply has to be {self.plies + 1} here")
        text, phase = fields.get("dice"), self.phase
        thrown = phase == "thrown" or (phase == "resigned" and self.resigned_in == "thrown")
        if text is None:
            late = self.header["pairing"] == "lockstep" or self.header["source"] == "manual"
            require(not thrown and (phase != "throw" or late or self.may_double()),
                    "dice= is missing: which throw was in force?")
        else:
            require(thrown or phase == "throw", "dice= names a throw, and nobody has thrown")
            dice = self.read_throw(text, "dice")
        require("t" not in FAULTS[code] or seat == self.side,
                f"{seat} is not asked and cannot be at fault by {code}")
        plays = text is not None and phase != "resigned"
        require(plays or code != "illegal", "no play was asked for, and none can be illegal")
        mover = self.mover_now()
        if text is not None and not self.deciding() and not self.shown and not self.refusals:
            self.check_throw(mover, self.turns[mover], dice)
        if plays and code in ("illegal", "malformed"):
            self.judge_quoted(fields, code, self.turn_now(dice))

    def mover_now(self):
        """Whose throw it is."""
        return {"doubled": getattr(self, "doubler", None),
                "resigned": other(self.side)}.get(self.phase, self.side)

    @staticmethod
    def judge_quoted(fields, code, turn):
        """Was what the bot sent what the fault says?"""
        got = fields.get("got")
        require(got is not None, f"got= is missing: what was {code}?")
        sent = re.sub(r"\\x([0-9a-fA-F]{2})|\\(.)",
                      lambda m: chr(int(m[1], 16)) if m[1] else m[2], got)
        again = "".join("\\\\" if c == "\\" else c if " " <= c <= "~" else f"\\x{ord(c):02x}"
                        for c in sent)
        require(len(got) < 512 and (again.lower() == got.lower()),
                "got= is not spelled as a record quotes what was sent")
        if len(got) >= 508 and got.endswith("..."):
            return
        judgement = judge_sent(turn, sent)
        require(judgement == code or (code == "malformed" and judgement == "ambiguous"),
                f"the play that got= quotes is not {code} but {judgement}")

    def read_result(self, fields, _):
        """A game is over."""
        if self.state == "play":
            require(self.plies == PLIES_MAX, "the game is not over")
            winner, kind, points, reason = "none", 0, 0, "cap"
        elif self.given:
            winner, kind, points, reason = self.given
        else:
            winner, kind, points = self.outcome_now()
            reason = "normal"
        word = self.rules.kinds[kind - 1] if kind else "none"
        want = {"game": str(self.game), "reason": reason, "winner": winner, "kind": word,
                "points": halves(points), "contended": "yes" if self.contended else None}
        for key, value in want.items():
            require(fields.get(key) == value, f"{key}= has to be {value} here")
        for side in "XY":
            if winner in (side, "none"):
                self.score[side] += points
        self.used = self.used_now() + (self.in_force or self.shown is not None)
        self.games += 1
        self.last_winner = None if winner == "none" else winner
        self.last_starter, self.result_reason = self.starter, reason
        self.note_crawford()
        self.require_score(fields)
        self.state = "between"

    def read_dispute(self, fields, _):
        """A bot disagreed; that changes nothing."""
        seat = fields.get("seat")
        require(seat in ("X", "Y"), "seat= has to be X or Y")
        require(re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,31}", fields["code"]),
                "the code of a dispute has to be a name")
        self.disputes[seat] += 1
        require(self.disputes[seat] <= 3, f"more than 3 disputes of {seat} in a game")
        want = str(self.plies) if self.state == "play" else "0"
        require(fields.get("ply") == want, f"ply= has to be {want} here")

    def read_rethrow(self, fields, _):
        """Real dice that did not count: they are thrown again."""
        require(self.header["source"] == "manual", "only with source=manual a throw does not count")
        require(fields["reason"] in ("off_board", "halves", "on_checker", "not_flat"),
                "reason= has to be off_board, halves, on_checker or not_flat")
        playing = self.state == "play"
        known = playing and (self.phase not in ("throw", "thrown") or self.shown or self.refusals or
                             self.deciding())
        require(not known and fields.get("seat") == (self.side if playing else None) and
                (playing or not self.over()[0]), "nobody throws here, or another side")
        want = str(self.plies) if playing else "0"
        require(fields["ply"] == want, f"ply has to be {want} here")

    def read_void(self, fields, _):
        """A game counts for nobody."""
        require(not self.over()[0], "the match is over, no game can be void any more")
        game, attempt = self.game, self.attempt
        if self.state == "between":
            game, attempt = self.next_game()
        require(fields["game"] == str(game) and fields.get("attempt", str(attempt)) == str(attempt),
                f"this is game {game}, attempt {attempt}")
        self.game, self.attempt, self.state = game, attempt, "between"

    def read_end(self, fields, _):
        """The match is over."""
        winner, reason = fields["winner"], fields.get("reason")
        self.require_score(fields)
        over, leader = self.over()
        if over:
            require((winner, reason) == (leader, "normal"),
                    f"the match was won by {leader}, reason normal")
        elif self.capped():
            require((winner, reason) == ("none", "cap"), "the last game went nowhere: winner=none, "
                                                         "reason=cap")
        elif self.state == "between" and winner == "none":
            require((reason == "withheld") == (len(self.withheld) == 2) and
                    (not self.withheld or reason == "withheld"),
                    "who withheld what it had declared is not who loses by it")
            require("b" in FAULTS.get(reason, ""), f"without a winner it cannot end by {reason}")
        else:
            lost = (self.games > 0 and self.game == self.games and self.offender and
                    self.result_reason == self.fault and "l" in FAULTS[self.fault])
            require(self.state == "left" or lost,
                    "the match is not over, and no fault says that a side gave up")
            require((winner, reason) == (other(self.offender), self.fault),
                    f"{self.offender} gave up by {self.fault}, and the end says otherwise")
        self.state = "ended"

    def read_reveal(self, fields, _):
        """The seed of the unit."""
        hexadecimal(fields, "seed", 32)
        require(fields["unit"] == self.header["unit"], f"unit has to be {self.header['unit']} here")
        self.state = "revealed"

    def read_sign(self, fields, _):
        """The signature over everything before it."""
        require(fields["lines"] == str(self.lines - 1), f"lines has to be {self.lines - 1} here")
        signature = hexadecimal(fields, "signature", 64)
        message = b"hakem/v1/record\0" + self.before + struct.pack(">Q", self.lines - 1)
        if not signature_holds(self.key, message, signature):
            self.find("the signature is not one of key= over the lines before it")
        self.state = "signed"


def read_throws(data):
    """The throws of each unit in a text of recorded dice (record.md, "Recorded dice")."""
    units, headed = [[]], False
    for word in re.sub(rb"#[^\n]*", b"", data).split():
        if word == b"unit":
            units += [[]] if headed or units != [[]] else []
            headed = True
            continue
        require(re.fullmatch(b"[1-6][1-6]", word), f"the file of throws has {word[:20]!r} in it")
        units[-1].append((word[0] - 48, word[1] - 48))
    return units


def seek_seed(record, lines):
    """The seed stands near the end, but the throws from the first game on need it."""
    for number, line in enumerate(lines, 1):
        found = re.fullmatch(rb"reveal [^ ]+ seed=([0-9a-f]{64}) [0-9a-f]{16}", line)
        if found:
            record.unit_seed, record.seed_line = bytes.fromhex(found[1].decode()), number


def verify(data, report, seed=None, key=None, throws=None):
    """Verifies a record's bytes: proven, prefix or refused, and what was read."""
    findings = []

    def note(line, why):
        findings.append(line)
        report(line, why)

    record = Record(note, seed, key, throws)
    pieces = data.split(b"\n")
    lines, rest = pieces[:-1], pieces[-1]
    seek_seed(record, lines)
    try:
        for line in lines:
            record.read(line)
        if rest and record.state == "signed":
            note(record.lines + 1, "bytes stand behind the signature")
    except Refused as refused:
        note(record.lines, str(refused))
    if not lines and not findings:
        note(0, "this is no record: it holds no whole line")
    if findings:
        return "refused", record
    return ("proven" if record.state == "signed" else "prefix"), record


def contents(path):
    """The bytes of a file."""
    with open(path, "rb") as file:
        return file.read()


def main(arguments):
    """The command."""
    seed = key = throws = None
    prefix, paths, code = False, [], 0
    words = iter(arguments)
    for word in words:
        if word == "--seed":
            seed = next(words, None)
        elif word == "--key":
            key = bytes.fromhex(next(words, ""))
        elif word == "--throws":
            throws = next(words, "")
        elif word == "--prefix":
            prefix = True
        else:
            paths.append(word)
    if not paths or any(path.startswith("--") for path in paths):
        print(__doc__, file=sys.stderr)
        return 2
    for path in paths:
        try:
            data = contents(path)
            file = None if throws is None else contents(throws)
        except OSError as error:
            print(f"{error.filename}: {error.strerror}", file=sys.stderr)
            return 5

        def report(line, why, path=path):
            print(f"{path}: line {line}: {why}" if line else f"{path}: {why}")

        outcome, record = verify(data, report, seed, key, file)
        if outcome == "proven":
            print(f"{path}: proven: {record.lines} lines, {record.begun} games, {record.plies_all} "
                  f"plies; {record.throws} throws are "
                  f"{record.proof()}; signed by {record.key.hex()}")
        elif outcome == "prefix":
            print(f"{path}: unfinished: only a prefix is sound: {record.lines} lines")
        code = max(code, {"proven": 0, "prefix": 0 if prefix else 9, "refused": 6}[outcome],
                   key=(0, 9, 6).index)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
