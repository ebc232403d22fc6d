"""The bundled bots against a scripted referee: whole games from tests/end/bots/, told over pipes
and TCP. The lines there are what a referee sends to one seat, from the match to
the bye; the turns carry the position, to check who follows the board."""

import os
import select
import shutil
import socket
import subprocess
import sys
import time

SOURCE = os.environ["HAKEM_SOURCE"]
BUILD = os.environ["HAKEM_BUILD"]
PATIENCE = 10  # seconds for any one answer
VARIANTS = ("tavla", "uzun", "western", "nackgammon", "hypergammon", "fevga")

sys.path.insert(0, os.path.join(SOURCE, "contrib", "python"))
import hakem_bot  # noqa: E402

count = 0


def check(good, name, why=""):
    global count
    count += 1
    print("ok" if good else "not ok", count, "-", name, flush=True)
    if not good:
        print("#", str(why).replace("\n", "\n# "), flush=True)


# ---- the script

AT_TABLE = "match game did plays turn cube offer result end".split()


def script(variant, table=1, seed=None):
    """The lines of a game, for another table or another seed if wanted."""
    path = os.path.join(SOURCE, "tests", "end", "bots", variant + ".txt")
    with open(path, encoding="utf-8") as file:
        lines = [line for line in file.read().splitlines() if not line.startswith("#")]
    for i, line in enumerate(lines):
        words = line.split(" ")
        if words[0] in AT_TABLE:
            words[1] = str(table)
        if seed is not None and words[0] == "game":
            words = [word for word in words if not word.startswith("seed=")] + [f"seed={seed}"]
        lines[i] = " ".join(words)
    return lines


STRANGE = ["tomorrow 1 2 news=yes", "note text=hello%20there", "welcome hakem=1 session=s-1",
           "did 999 1 X 31 8/5 6/5", "turn 999 1 31"]


# ---- a bot as a child

class Child:
    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE)
        self.source = self.process.stdout
        self.sink = self.process.stdin
        self.tail = b""
        self.complaint = ""

    def send(self, lines):
        self.sink.write("".join(line + "\n" for line in lines).encode())
        self.sink.flush()

    def line(self):
        """The bot's next line as a dict; None when it says nothing more."""
        until = time.monotonic() + PATIENCE
        while b"\n" not in self.tail:
            ready, _, _ = select.select([self.source], [], [], max(0, until - time.monotonic()))
            data = os.read(self.source.fileno(), 65536) if ready else b""
            if not data:
                return None
            self.tail += data
        line, self.tail = self.tail.split(b"\n", 1)
        text = line.decode()
        kind, *words = text.split(" ")
        message = {"type": kind}
        if kind == "play":
            message.update(table=int(words[0]), serial=int(words[1]), play=" ".join(words[2:]))
        elif kind in ("ready", "decline"):
            message["table"] = int(words.pop(0))
        for name, _, value in (word.partition("=") for word in words if "=" in word):
            message[name] = value.split(",") if name in ("variants", "want") else value
        return message

    def end(self):
        """Closes the pipe to the bot; its exit status, or "hangs". Keeps what it said on stderr."""
        try:
            _, complaint = self.process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.communicate()
            return "hangs"
        self.complaint = complaint.decode()
        return self.process.returncode


class Wrong(Exception):
    pass


def converse(child, lines, turns=None):
    """Tells the lines and takes the answers; returns the indices of the plays it chose."""
    chosen, waiting, listed = [], [], {}
    for line in lines:
        waiting.append(line)
        words = line.split(" ")
        if words[0] == "plays":
            start = 0 if words[3] == "0" else listed[words[1]]
            listed[words[1]] = start + sum("=" not in word for word in words[4:])
        elif words[0] == "match":
            child.send(STRANGE + waiting)
            waiting = []
            answer = child.line()
            if answer != {"type": "ready", "table": int(words[1])}:
                raise Wrong(f"no ready to {line!r} but {answer}")
        elif words[0] == "turn":
            child.send(waiting)
            waiting = []
            answer = child.line()
            if not answer or answer["type"] != "play" or answer["table"] != int(words[1]) or \
                    answer["serial"] != int(words[2]) or answer["play"][:1] != "#":
                raise Wrong(f"to {line!r} it said {answer}")
            index = int(answer["play"][1:])
            if not 0 <= index < listed[words[1]]:
                raise Wrong(f"to {line!r} it played {answer['play']} of {listed[words[1]]} plays")
            chosen.append(index)
            if len(chosen) == turns:
                return chosen
    child.send(waiting)
    return chosen


def play(bot, lines, turns=None):
    """One life of a bot: (its hello, its choices, its exit status)."""
    child = Child(bot["command"])
    try:
        hello = child.line()
        chosen = converse(child, lines, turns)
    except (Wrong, BrokenPipeError) as wrong:
        hello, chosen = None, str(wrong)
    status = child.end()
    return hello, chosen if hello else chosen + "\n" + child.complaint, status


def test_hello(bot, hello):
    good = (hello is not None and list(hello)[:2] == ["type", "hakem"] and hello["type"] == "hello"
            and str(hello["hakem"]) == "1" and hello["name"] and hello["want"] == ["plays"]
            and hello["variants"] == list(VARIANTS) and int(hello["tables"]) >= 1)
    check(good, f"{bot['name']}: hello is well-formed", hello)


def test_bot(bot):
    """Returns what it chose in each variant."""
    choices = {}
    for variant in VARIANTS:
        lines = script(variant)
        asked = sum(line.startswith("turn ") for line in lines)
        hello, chosen, status = play(bot, lines)
        choices[variant] = chosen
        check(len(chosen) == asked and hello, f"{bot['name']}: a listed play to each of {asked} "
              f"turns of {variant}", chosen)
        check(status == 0, f"{bot['name']}: bye ends it with 0 ({variant})", status)
        again = play(bot, lines)[1]
        check(again == chosen, f"{bot['name']}: the same seed, the same choices ({variant})",
              f"{chosen}\n{again}")
    test_hello(bot, hello)
    if bot["chance"]:
        other = play(bot, script("tavla", seed=77))[1]
        check(other != choices["tavla"], f"{bot['name']}: another seed, other choices", other)
    _, chosen, status = play(bot, script("tavla"), turns=5)
    check(status == 0 and len(chosen) == 5, f"{bot['name']}: a referee that hangs up in mid game "
          "ends it with 0", (status, chosen))
    test_refusal(bot)
    test_cube(bot)
    test_two_tables(bot, choices)
    return choices


def test_refusal(bot):
    child = Child(bot["command"])
    child.line()
    child.send(["refused version have=2"])
    status = child.end()
    check(status == 1, f"{bot['name']}: a refusal ends it with 1", status)


CUBE = [
    ("cube 1 1 may=roll,double ms=100", ("roll", "double")),
    ("offer 1 2 double may=take,drop value=2 ms=100", ("take", "drop")),
    ("offer 1 3 beaver may=take,drop,beaver value=8", ("take", "drop")),
    ("offer 1 4 resign may=accept,reject kind=single throw=61", ("accept", "reject")),
]


def test_cube(bot):
    """The opening position: nobody has a reason to double, to drop or to reject a gift."""
    child = Child(bot["command"])
    child.line()
    child.send(["match 1 U1 1 variant=western seat=Y opponent=x match=7 vido=on resign=on",
                "game 1 1 attempt=0 score=0,0 starter=X seed=1", "did 1 1 X double"])
    said = [child.line()]
    for line, _ in CUBE:
        child.send([line])
        answer = child.line() or {}
        said.append(answer.get("type"))
    child.end()
    check(said[1:] == [words[0] for _, words in CUBE], f"{bot['name']}: rolls, takes and accepts",
          said)


def test_two_tables(bot, choices):
    """Two games at once on one connection: each goes as it would alone."""
    chosen = {1: [], 2: []}
    child = Child(bot["command"])
    child.line()
    parts = {table: split_turns(script(variant, table)) for table, variant in
             ((1, "tavla"), (2, "uzun"))}
    for first, second in zip(parts[1], parts[2]):
        child.send(first + second)  # one batch, two requests
        for _ in range(2):
            answer = child.line()
            while answer and answer["type"] == "ready":
                answer = child.line()
            if answer:
                chosen[answer["table"]].append(int(answer["play"][1:]))
    rounds = min(len(parts[1]), len(parts[2]))
    wanted = {1: choices["tavla"][:rounds], 2: choices["uzun"][:rounds]}
    check(chosen == wanted, f"{bot['name']}: two tables on one connection do not mix",
          f"{chosen}\n{wanted}")
    child.end()


def split_turns(lines):
    """The lines in batches, each up to one turn."""
    parts, part = [], []
    for line in lines:
        part.append(line)
        if line.startswith("turn "):
            parts.append(part)
            part = []
    return parts


# ---- over TCP

def test_tcp(bot, choices):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(PATIENCE)
        address = "127.0.0.1:%d" % listener.getsockname()[1]
        command = bot["command"] + ["--connect", address, "--name", "dialled-in", "--token", "a b%"]
        child = Child(command)
        connection, _ = listener.accept()
        with connection, connection.makefile("wb") as sink:
            child.source, child.sink = connection, sink
            hello = child.line()
            check(hello["name"] == "dialled-in" and hello["token"] == "a%20b%25",
                  f"{bot['name']}: --name and --token are in the hello over TCP", hello)
            chosen = converse(child, script("western"))
            check(chosen == choices["western"], f"{bot['name']}: plays over TCP as over pipes",
                  chosen)
        check(child.end() == 0, f"{bot['name']}: ends with 0 over TCP")
    child = Child(bot["command"] + ["--connect", address])
    status = child.end()
    check(status == 1 and "cannot connect" in child.complaint and child.complaint.count("\n") == 1,
          f"{bot['name']}: a closed port is one clear line", (status, child.complaint))


# ---- the Python module follows the board

class Follower(hakem_bot.Bot):
    wrong = turns = 0

    def choose(self, turn):
        self.turns += 1
        kept = turn.table.board
        self.wrong += turn.board != kept or turn.board is kept
        men = sum(n for n in turn.after(0).points if n > 0)
        self.wrong += men > sum(n for n in kept.points if n > 0)
        return turn.plays[0].replace(",", " ")


def test_follower(variant):
    bot = Follower()
    bot.start()
    lines = script(variant)
    data = "".join(line + "\r\n" for line in lines).encode()
    said = b"".join(bot.feed(data[at:at + 1000]) for at in range(0, len(data), 1000))
    asked = sum(line.startswith("turn ") for line in lines)
    check(bot.turns == asked and bot.wrong == 0 and bot.done and said.count(b"\n") == asked + 1,
          f"hakem_bot.py follows the board of {variant}", (bot.turns, asked, bot.wrong))


def bots():
    python = sys.executable
    c = os.path.join(BUILD, "contrib", "c")
    scripts = os.path.join(SOURCE, "contrib")
    every = [
        ("random in C", [os.path.join(c, "random")], True),
        ("greedy in C", [os.path.join(c, "greedy")], True),
        ("solid in C", [os.path.join(c, "solid")], False),
        ("random in Python", [python, os.path.join(scripts, "python", "random_bot.py")], True),
        ("greedy in Python", [python, os.path.join(scripts, "python", "greedy_bot.py")], True),
    ]
    node = shutil.which("node")
    if node:
        every.append(("random in JavaScript", [node, os.path.join(scripts, "js", "random.mjs")],
                      True))
    elif os.environ.get("CI") == "true":
        check(False, "random in JavaScript", "node is missing: install it")
    else:
        global count
        count += 1
        print("ok", count, "- random in JavaScript # SKIP node is missing")
    return [{"name": name, "command": command, "chance": chance}
            for name, command, chance in every]


def main():
    choices = {}
    for variant in VARIANTS:
        test_follower(variant)
    for bot in bots():
        choices[bot["name"]] = test_bot(bot)
        test_tcp(bot, choices[bot["name"]])
    for kind in ("random", "greedy"):
        same = [name for name in choices if name.startswith(kind)]
        check(all(choices[name] == choices[same[0]] for name in same),
              f"{' = '.join(same)}: with one seed they choose alike")
    check(choices["greedy in C"] != choices["random in C"], "greedy is not random")
    print(f"1..{count}")


main()
