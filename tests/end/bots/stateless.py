"""A bot that keeps nothing in mind but the request it is asked: position and plays come with it.
It never looks at a `did`, a `game` or a `result`. Written from protocol/README.md alone, in the
JSON spelling. argv: tables, a file that gets a line for each match, and one with more fields of hello."""
import json
import os
import sys

# Who does not remember what was rejected owns up to the worst, which is never too low.
WORST = {"tavla": "katmerli", "western": "backgammon", "uzun": "koks"}


def place(word):
    return 25 if word == "bar" else 0 if word == "off" else int(word)


def after(position, play):
    """The position after a play of ours, legs joined by commas."""
    p = position[:]
    for leg in play.replace("*", "").split(","):
        a, b = map(place, leg.split("/"))
        assert p[a] > 0, "no checker to move: %s %s" % (position, play)
        p[a] -= 1
        if b > 0:
            p[b] = 1 if p[b] == -1 else p[b] + 1
    return p


def worth(p):
    """Few blots, few pips."""
    blots = sum(count == 1 for count in p[1:25])
    return -10 * blots - sum(point * count for point, count in enumerate(p) if count > 0)


def ahead(turn):
    """Pips that the opponent has more, from the position alone."""
    mine = theirs = 0
    for point, count in enumerate(turn["position"]):
        if turn["variant"] == "uzun":
            his = point + 12 if point <= 12 else point - 12
        else:
            his = 25 - point
        mine += point * max(count, 0)
        theirs += his * max(-count, 0)
    return theirs - mine


def main():
    plays, open_tables, most = {}, set(), 0

    def say(what, message, **more):
        print(json.dumps(dict(type=what, table=message["table"], serial=message["serial"], **more)),
              flush=True)

    hello = {"type": "hello", "hakem": 1, "name": "stateless", "tables": int(sys.argv[1]),
             "want": ["position", "plays"]}
    with open(sys.argv[3], encoding="ascii") as file:
        hello.update(word.split("=", 1) for word in file.read().split())
    print(json.dumps(hello), flush=True)
    for line in sys.stdin:
        message = json.loads(line)
        kind = message["type"]
        may = message.get("may", [])
        if kind == "match":
            open_tables.add(message["table"])
            most = max(most, len(open_tables))
            with open(sys.argv[2], "a", encoding="ascii") as file:
                file.write("stateless %d %d\n" % (os.getpid(), most))
            print(json.dumps({"type": "ready", "table": message["table"]}), flush=True)
        elif kind == "end":
            open_tables.discard(message["table"])
        elif kind == "plays":
            plays.setdefault((message["table"], message["serial"]), []).extend(message["plays"])
        elif kind == "turn":
            listed = plays.pop((message["table"], message["serial"]))
            assert message["roll"] == "me" and sum(c for c in message["position"] if c > 0) <= 15
            if "resign" in may and ahead(message) < -100:
                say("resign", message, kind=WORST[message["variant"]])
            else:
                best = max(range(len(listed)),
                           key=lambda i: worth(after(message["position"], listed[i])))
                say("play", message, play="#%d" % best)
        elif kind == "cube":
            say("double" if "double" in may and ahead(message) > 20 else "roll", message)
        elif kind == "offer":
            lead = ahead(message)  # far ahead it hopes for more than was offered
            refuses = lead < -60 if message["act"] == "double" else lead > 20
            wanted = ("drop", "reject") if refuses else ("take", "accept")
            say([word for word in wanted if word in may][0], message)
        elif kind in ("error", "refused") and message["code"] != "late":
            sys.exit("stateless: " + line)


main()
