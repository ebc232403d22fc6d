"""A bot that asks for nothing and looks at no position: it keeps a board for each table by the
`did` lines, and knows the rules of tavla, western and uzun. Written from protocol/README.md and
protocol/rules.md alone. argv: tables, a file that gets a line for each match, and one with more words of hello."""
import os
import random
import sys

START = {"tavla": {24: 2, 13: 5, 8: 3, 6: 5}, "western": {24: 2, 13: 5, 8: 3, 6: 5},
         "uzun": {24: 15}}
BAR, OFF = 25, 0


class Board:
    """p[1..24]: own checkers, or minus the opponent's; p[25]: own bar; p[0]: minus theirs."""

    def __init__(self, variant):
        self.uzun = variant == "uzun"
        self.p = [0] * 26
        self.off = [0, 0]
        for point, men in START[variant].items():
            self.p[point] += men
            self.p[self.other(point)] -= men

    def other(self, point):
        """Where the opponent counts a point of ours, and the other way round."""
        if self.uzun:
            return point + 12 if point <= 12 else point - 12
        return 25 - point

    def did(self, mine, play):
        for leg in play:
            a, b = (BAR if word == "bar" else OFF if word == "off" else int(word)
                    for word in leg.rstrip("*").split("/"))
            if mine:
                self.step(a, b)
            elif b == OFF:
                self.p[a] += 1
                self.off[1] += 1
            else:
                self.p[0 if a == BAR else a] += 1
                if self.p[b] == 1:
                    self.p[b] = -1
                    self.p[BAR] += 1
                else:
                    self.p[b] -= 1

    def step(self, a, b):
        """One step of ours."""
        self.p[a] -= 1
        if b == OFF:
            self.off[0] += 1
        elif self.p[b] == -1:
            self.p[b] = 1
            self.p[0] -= 1
        else:
            self.p[b] += 1

    def copy(self):
        board = Board.__new__(Board)
        board.uzun, board.p, board.off = self.uzun, self.p[:], self.off[:]
        return board

    def may_step(self, a, die):
        """Where a step from `a` leads, or None."""
        p, b = self.p, a - die
        if p[a] <= 0 or (p[BAR] > 0 and a != BAR):
            return None
        if b > 0:
            return b if p[b] >= (0 if self.uzun else -1) else None
        if any(p[point] > 0 for point in range(7, 26)):
            return None
        if b < 0 and any(p[point] > 0 for point in range(a + 1, 7)):
            return None
        return OFF

    def is_wall(self):
        """Six in a row on the opponent's path, and none of his checkers past them."""
        mine = [0] * 26
        his = [0] * 26
        for point in range(1, 25):
            mine[self.other(point)] = self.p[point] > 0
            his[self.other(point)] = self.p[point] < 0
        passed = self.off[1] > 0
        for low in range(1, 20):
            if not passed and all(mine[low:low + 6]):
                return True
            passed = passed or his[low]
        return False


def plays(board, dice, first):
    """The legal plays: [steps], of as many dice as possible, one for each final position."""
    double = dice[0] == dice[1]
    heads = 2 if first and dice in ([3, 3], [4, 4], [6, 6]) else 1
    best = {}

    def extend(board, left, steps, from_head, seen):
        key = tuple(board.p), tuple(left), from_head
        if key in seen:
            return
        seen.add(key)
        best.setdefault(len(steps), {}).setdefault(tuple(board.p), steps)
        for die in sorted(set(left)):
            for a in range(BAR, 0, -1):
                b = board.may_step(a, die)
                head = from_head + (board.uzun and a == 24)
                if b is None or head > heads:
                    continue
                after = board.copy()
                after.step(a, b)
                if board.uzun and after.is_wall():
                    continue
                rest = list(left)
                rest.remove(die)
                extend(after, rest, steps + [(a, b, die)], head, seen)

    extend(board, dice * 2 if double else list(dice), [], 0, set())
    found = list(best[max(best)].values())
    if max(best) == 1 and not double:
        larger = [steps for steps in found if steps[0][2] == max(dice)]
        found = larger or found
    return found


def spell(steps):
    return " ".join("%s/%s" % ("bar" if a == BAR else a, "off" if b == OFF else b)
                    for a, b, _ in steps)


class Table:
    def __init__(self, variant, seat):
        self.variant, self.seat = variant, seat

    def game(self, seed):
        self.board = Board(self.variant)
        self.chance = random.Random(seed)
        self.first = True
        self.resigned = False


def main():
    tables = {}
    most = 0

    def say(*words):
        print(*words, flush=True)

    with open(sys.argv[3], encoding="ascii") as file:
        say("hello hakem=1 name=stateful tables=%s variants=tavla,uzun,western %s"
            % (sys.argv[1], file.read().strip()))
    for line in sys.stdin:
        words = line.split()
        kind = words[0]
        values = dict(word.split("=", 1) for word in words if "=" in word)
        play = [word for word in words[5:] if "=" not in word]
        may = values.get("may", "").split(",")
        table = tables.get(words[1]) if len(words) > 1 else None
        if kind == "match":
            tables[words[1]] = Table(values["variant"], values["seat"])
            most = max(most, len(tables))
            with open(sys.argv[2], "a", encoding="ascii") as file:
                file.write("stateful %d %d\n" % (os.getpid(), most))
            say("ready", words[1])
        elif kind == "game":
            table.game(values["seed"])
        elif kind == "did":
            mine = words[3] == table.seat
            if words[4].isdigit():
                if mine:
                    table.first = False
                table.board.did(mine, play)
        elif kind == "turn":
            found = plays(table.board, [int(digit) for digit in words[3]], table.first)
            assert found[0], "asked for a turn that has no play: %s" % line
            if "resign" in may and not table.resigned and table.chance.random() < 0.02:
                table.resigned = True
                say("resign", words[1], words[2], "oin" if table.variant == "uzun" else "single")
            else:
                play = table.chance.choice(found) if len(found) > 1 else found[0]
                say("play", words[1], words[2], spell(play))
        elif kind == "cube":
            doubles = "double" in may and table.chance.random() < 0.1
            say("double" if doubles else "roll", words[1], words[2])
        elif kind == "offer":
            refuses = table.chance.random() < 0.3
            wanted = ("drop", "reject") if refuses else ("take", "accept")
            say([word for word in wanted if word in may][0], words[1], words[2])
        elif kind == "end":
            del tables[words[1]]
        elif kind in ("error", "refused") and words[1] != "late":
            sys.exit("stateful: " + line)


main()
