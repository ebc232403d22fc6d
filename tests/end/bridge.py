"""hakem bridge: GNU Backgammon is the referee of two of our bots in a match to 5, one that follows
the game by `did` alone and proves that against each position, and a UBGI engine. Then its lines
byte by byte: what is odd gets an answer that stops the game, never a hang."""
import os
import re
import shutil
import socket
import subprocess
import sys
import time

import kit

GNUBG = shutil.which("gnubg") or "/usr/games/gnubg"
tap = kit.Tap()
where = kit.folder()
UBGI = os.path.join(os.environ["HAKEM_SOURCE"], "tests", "end", "bots", "ubgi.py")

# Keeps the board by `did` as the protocol's page says, compares, and takes the first play.
FOLLOWER = r'''
import sys
START = {24: 2, 13: 5, 8: 3, 6: 5}
def say(text):
    print(text, flush=True)
say("hello hakem=1 name=follower want=position,plays")
p, cube = [], 1
for line in sys.stdin:
    word = line.split()
    keys = dict(part.split("=", 1) for part in word if "=" in part)
    if word[0] == "match":
        say("ready " + word[1])
    elif word[0] == "game":
        p = [0] * 26
        for point, count in START.items():
            p[point] += count
            p[25 - point] -= count
    elif word[0] == "did":
        legs = [part for part in word[5:] if "=" not in part]
        for leg in legs:
            a, b = (25 if x == "bar" else 0 if x == "off" else int(x)
                    for x in leg.rstrip("*").split("/"))
            if word[3] == "X":
                p[a] -= 1
                if b and p[b] == -1:
                    p[b], p[0] = 1, p[0] - 1
                elif b:
                    p[b] += 1
            else:
                p[0 if a == 25 else a] += 1
                if b and p[b] == 1:
                    p[b], p[25] = -1, p[25] + 1
                elif b:
                    p[b] -= 1
    elif word[0] in ("turn", "cube", "offer"):
        if p != [int(count) for count in keys["position"].split(",")]:
            sys.stderr.write("lost: %r is not %s\n" % (p, keys["position"]))
            open(sys.argv[1], "a").write("lost\n")
            sys.exit(1)
        open(sys.argv[1], "a").write(word[0] + "\n")
        at = " %s %s" % (word[1], word[2])
        say({"turn": "play" + at + " #0", "cube": "double" + at, "offer": "take" + at}[word[0]])
'''
follower = os.path.join(where, "follower.py")
with open(follower, "w", encoding="utf-8") as file:
    file.write(FOLLOWER)
noted = os.path.join(where, "noted")


def bridge(bot):
    """A bridge to that bot, and where it listens."""
    process = kit.start("bridge", "--listen", "127.0.0.1:0", bot)
    address = re.search(r"listening on ([\d.]+:\d+)", process.stderr.readline()).group(1)
    return process, address


bots = [bridge(" ".join((kit.PYTHON, follower, noted))),
        bridge("ubgi:" + " ".join((kit.PYTHON, UBGI, "0.1", "cube")))]
if os.access(GNUBG, os.X_OK):
    out = os.path.join(where, "match.mat")
    script = "".join("set player %d external %s\n" % (side, address)
                     for side, (_, address) in enumerate(bots))
    script += "set automatic game on\nset automatic roll on\nset rng mersenne\nset seed 5\n" \
              "new match 5\nexport match mat %s\nquit\ny\n" % out
    done = subprocess.run([GNUBG, "-t", "-q", "-r"], input=script, text=True, errors="replace",
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=100)
    text = ""
    if os.path.exists(out):
        with open(out, encoding="utf-8") as file:
            text = file.read()
    tap.check("Wins" in text and text.rstrip().splitlines()[-1].strip().startswith("Wins"),
              "a match to 5 is played to its end", done.stdout[-500:], text[-500:])
    with open(noted, encoding="utf-8") as file:
        heard = file.read().split()
    tap.check("lost" not in heard and heard.count("turn") > 20 and "cube" in heard,
              "whoever follows by did is never lost", set(heard))
    tap.check("Doubles" in text, "the cube is turned", text[-500:])
    judged = kit.hakem("convert", out, os.path.join(where, "match.hkm"))
    tap.check(judged.returncode == 0, "and every play was legal", judged.stdout, judged.stderr)
else:
    print("# GNU Backgammon is not installed: only the lines are tried")


class Client:
    """GNU Backgammon's side of a bridge, by hand."""

    def __init__(self, address):
        host, port = address.split(":")
        self.socket = socket.create_connection((host, int(port)), timeout=30)
        self.file = self.socket.makefile("r", encoding="utf-8", newline="\n")

    def ask(self, line, end="\n\0"):
        self.socket.sendall((line + end).encode("latin-1"))
        return self.file.readline()


OPENING = "board:gnubg:root:3:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0"
REST = ":1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1"
client = Client(bots[1][1])
answer = client.ask(OPENING + ":1:3:1:3:1" + REST)
tap.check(re.fullmatch(r"\d+/\d+\*? \d+/\d+\*?\n", answer), "a play with 31", answer)
answer = client.ask(OPENING + ":1:6:5:6:5" + REST, end="\r\n")
tap.check(re.fullmatch(r"\d+/\d+\*? \d+/\d+\*?\n", answer), "again, with another line end", answer)
for name, line in (("rubbish", "hello"), ("a board that cannot be", OPENING + ":1:9:9:9:9" + REST),
                   ("half a board", "board:a:b:3:0:0"),
                   ("bytes", "board:\xff\xfe:\x01")):
    answer = client.ask(line)
    tap.check(answer.startswith("Error: "), "%s is answered with an error" % name, answer)
answer = client.ask(OPENING + ":1:6:5:6:5" + REST)
tap.check("/" in answer, "and it goes on", answer)
client.socket.sendall(b"x" * 10000)
tap.same(client.file.readline(), "", "a line without an end: it hangs up")
dead = bridge(" ".join((kit.PYTHON, "-c", "'import sys; sys.exit(3)'")))
answer = Client(dead[1]).ask(OPENING + ":1:6:5:6:5" + REST)
tap.check(answer.startswith("Error: "), "a bot that does not start", answer)
illegal = bridge("ubgi:" + " ".join((kit.PYTHON, UBGI, "0.2", "illegal")))
client = Client(illegal[1])
answers = [client.ask(OPENING + ":1:6:5:6:5" + REST) for _ in range(9)]
tap.check(answers[8].startswith("Error: 24/1") and "/" in answers[7],
          "an illegal play of the bot is told, not passed on", *answers)
done = kit.hakem("bridge", "--listen", "127.0.0.1:0", "gnubg:0ply")
tap.check(done.returncode != 0 and "no bridge to itself" in done.stderr, "no bridge to gnubg",
          done.stderr)
for process, _ in bots + [dead, illegal]:
    process.terminate()
    process.wait(timeout=20)
tap.same(kit.left_over(where, 8.0), [], "no process is left")
tap.done()
