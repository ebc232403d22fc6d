"""`hakem moves --jsonl` and its human form, `hakem perft`: the cases through the program, a
conversation over a pipe, bad requests each on their line, and hostile bytes."""

import json
import os
import subprocess

HAKEM = os.environ["HAKEM"]
SOURCE = os.environ["HAKEM_SOURCE"]
ENGLISH = dict(os.environ, LC_ALL="C")
START = {"W": {"24": 2, "13": 5, "8": 3, "6": 5}, "B": {"24": 2, "13": 5, "8": 3, "6": 5}}
ASK = {"id": 1, "variant": "tavla", "board": START, "to_move": "W", "dice": [3, 1]}

count = 0


def check(good, name, why=""):
    global count
    count += 1
    print("ok" if good else "not ok", count, "-", name, flush=True)
    if not good:
        print("#", str(why)[:2000].replace("\n", "\n# "), flush=True)


def serve(data):
    done = subprocess.run([HAKEM, "moves", "--jsonl"], input=data, capture_output=True, timeout=60)
    return done.returncode, done.stdout.split(b"\n")[:-1]


def ask(*requests):
    lines = [json.dumps(request).encode() + b"\n" for request in requests]
    return [json.loads(line) for line in serve(b"".join(lines))[1]]


def run(*arguments):
    return subprocess.run([HAKEM, *arguments], capture_output=True, text=True, timeout=60,
                          env=ENGLISH)


def without(key, **changes):
    request = {**ASK, **changes}
    request.pop(key, None)
    return request


# ---- the cases

with open(os.path.join(SOURCE, "tests", "cases", "rules.jsonl"), encoding="utf-8") as file:
    cases = [json.loads(line) for line in file]
for case in cases:
    case["try"] = case["expect"].get("legal", []) + case["expect"].get("illegal", [])
for case, got in zip(cases, ask(*cases), strict=True):
    want = case["expect"]
    legal = len(want.get("legal", []))
    good = got["id"] == case["id"] and all(
        got[key] == (sorted(want[key]) if key == "finals" else want[key])
        for key in ("finals", "n_finals", "dice_used", "result") if key in want)
    tried = got.get("try", [])
    good = good and all(one is True for one in tried[:legal])
    good = good and all(isinstance(one, str) and one for one in tried[legal:])
    check(good, case["id"], got)

# ---- the form

code, lines = serve(json.dumps({**ASK, "try": ["8/5 6/5", "8/5"]}).encode())
check(code == 0 and len(lines) == 1, "a last line without LF is answered")
check(lines[0].startswith(b'{"id":1,"dice_used":2,"n_finals":16,"finals":["W 23:1 21:1 13:5'),
      "the answer's order and spelling", lines[0])
check(lines[0].endswith(b',"try":[true,"only 1 of 2 dice played; 2 can be"]}'), "try", lines[0])
check(list(ask(ASK)[0]) == ["id", "dice_used", "n_finals", "finals"], "no try unasked")
finals = ask(ASK)[0]["finals"]
check(finals == sorted(finals, key=str.encode), "finals are sorted bytewise")
for name in ("x\"\\\u00e7", 12, -3, 2.5, True, False, None):
    check(ask({**ASK, "id": name})[0]["id"] == name, f"id {name!r} comes back")
check(ask(without("id"))[0]["id"] is None and ask({**ASK, "id": [1]})[0]["id"] is None,
      "no scalar, no id")
check(ask(without("dice"))[0] == {"id": 1, "result": None}, "no dice: the result")
check(ask({**without("dice"), "board": {"W": {}, "B": {"6": 15}}})[0]["result"]
      == ["W", "mars", 2], "men that are missing are off")
check(ask({**ASK, "options": {"must_max": False}})[0]["n_finals"] > 16, "an option as a boolean")
check(ask({**ASK, "options": {"match": 7, "wall": "step"}})[0]["error"]
      == "option wall does not exist in tavla", "an option of another game")

# ---- bad requests

BAD = {
    "no variant": (without("variant"), "variant"),
    "unknown variant": ({**ASK, "variant": "chess"}, "variant"),
    "no board": (without("board"), "board"),
    "half a board": ({**ASK, "board": {"W": {}}}, "board"),
    "point 25": ({**ASK, "board": {"W": {"25": 1}, "B": {}}}, "25"),
    "point 08": ({**ASK, "board": {"W": {"08": 1}, "B": {}}}, "08"),
    "a fraction": ({**ASK, "board": {"W": {"8": 1.5}, "B": {}}}, "point 8"),
    "sixteen": ({**ASK, "board": {"W": {"8": 15, "7": 1}, "B": {"1": 15}}}, "16 checkers"),
    "off does not add up": ({**ASK, "off": {"W": 1, "B": 0}}, "leave off out"),
    "on one point": ({**ASK, "board": {"W": {"8": 15}, "B": {"17": 15}}}, "both sides"),
    "bar in uzun": ({**ASK, "variant": "uzun", "board": {"W": {"24": 14}, "B": {"24": 15}},
                     "bar": {"W": 1}}, "bar"),
    "no mover": (without("to_move"), "to_move"),
    "mover X": ({**ASK, "to_move": "X"}, "to_move"),
    "die 7": ({**ASK, "dice": [7, 1]}, "dice"),
    "one die": ({**ASK, "dice": [1]}, "dice"),
    "three dice": ({**ASK, "dice": [1, 1, 1]}, "dice"),
    "dice as text": ({**ASK, "dice": "31"}, "dice"),
    "first_turn as text": ({**ASK, "first_turn": "yes"}, "first_turn"),
    "try as text": ({**ASK, "try": "8/5"}, "try"),
    "try with a number": ({**ASK, "try": ["8/5", 1]}, "try"),
    "unknown option": ({**ASK, "options": {"cube": "on"}}, "cube"),
    "option with a list": ({**ASK, "options": {"match": [1]}}, "match"),
    "a list": ([1, 2], "object"),
}
for name, (request, named) in BAD.items():
    got = ask(request, ASK)
    check(len(got) == 2 and list(got[0]) == ["id", "error"] and named in got[0]["error"]
          and got[1]["n_finals"] == 16, f"{name}: refused, and the stream goes on", got[0])

HOSTILE = {
    "an empty line": b"",
    "no JSON": b"{",
    "NUL bytes": b"\0" * 100,
    "no UTF-8": b'{"id":"\xff"}',
    "deep": b"[" * 100000,
    "a key twice": b'{"id":1,"id":2}',
    "1 MiB of blanks": b" " * (1 << 20),
    "too long": b" " * ((1 << 20) + 1),
    "much too long": b"x" * (5 << 20),
}
for name, line in HOSTILE.items():
    code, lines = serve(line + b"\n" + json.dumps(ASK).encode() + b"\n")
    good = code == 0 and len(lines) == 2 and json.loads(lines[0])["id"] is None
    check(good and "error" in json.loads(lines[0]) and json.loads(lines[1])["n_finals"] == 16,
          f"{name}: refused, and the stream goes on", lines[0][:200])
long_try = {**ASK, "try": ["8/5 6/5 " + " " * 1000] * 900 + ["x" * 50000]}
got = ask(long_try)[0]["try"]
check(got[:-1] == [True] * 900 and "no step" in got[-1], "long claims in a long line")

with subprocess.Popen([HAKEM, "moves", "--jsonl"], stdin=subprocess.PIPE,
                      stdout=subprocess.PIPE) as talk:
    for number in range(3):
        talk.stdin.write(json.dumps({**ASK, "id": number}).encode() + b"\n")
        talk.stdin.flush()
        check(json.loads(talk.stdout.readline())["id"] == number, f"answer {number} comes at once")
    talk.stdin.close()
    check(talk.wait(10) == 0, "the end of the input is the end")

# ---- the forms for people

done = run("moves", "--variant", "tavla", "start", "31")
check(done.returncode == 0 and "8/5 6/5" in done.stdout and "16 legal" in done.stdout,
      "plays of the start", done)
done = run("moves", "W 5:1 | B 18:15", "64", "--to-move=B")
check(done.returncode == 0 and "18/8" not in done.stdout.split("|")[0], "the other side", done)
done = run("moves", "--variant", "uzun", "W 24:14 13:1 | B 24:15", "66", "--to-move", "B",
           "--first")
check("24/18 24/18" in done.stdout, "--first", done)
done = run("moves", "--variant", "uzun", "W 24:14 13:1 | B 24:15", "66", "--to-move", "B",
           "--first", "--head-exception", "off")
check("24/18 24/18" not in done.stdout and "24/18" in done.stdout, "a rule option", done)
done = run("moves", "W 7:2 off:13 | B 24:15", "66")
check(done.stdout.startswith("pass "), "the pass", done)
for words, named in ((["start"], "position"), (["start", "71"], "71"), (["W 5", "31"], "too early"), (["W 5:x", "31"], "x"),
                     (["start", "31", "--to-move", "X"], "X"), (["--jsonl", "start"], "start"),
                     (["start", "31", "--wall", "off"], "wall")):
    done = run("moves", *words)
    check(done.returncode == 2 and named in done.stderr and done.stderr.count("\n") == 1
          and done.stdout == "", f"refused: {' '.join(words)}", done)
done = run("perft", "--depth", "1")
check(done.returncode == 0 and "447 final positions, 21 throws" in done.stdout, "perft", done)
check(run("perft", "--depth", "0").returncode == 2 and run("perft", "x").returncode == 2,
      "perft refuses")
print(f"1..{count}")
