"""What an event shows of itself while it runs: the event stream against its schemas, the live
table on a terminal, plain lines in a pipe."""
import json
import os
import re
import signal
import threading
import time

import kit
import terminal
from schema import Schema

tap = kit.Tap()
where = kit.folder()
SCHEMAS = os.path.join(os.environ.get("HAKEM_SOURCE", "."), "protocol", "events")
ORDER = re.compile("S E (V )?P (([BFGLMPW] )*P )?(s )*(e )*(W )*X ")
LETTERS = {"stream": "S", "start": "B", "event": "E", "progress": "P", "fault": "F", "game": "G",
           "match": "M", "standing": "s", "encounter": "e", "end": "X",
           "evaluator": "V", "luck": "L", "estimate": "W"}


def check_stream(lines, name):
    """Each line is valid and they come in their order; the lines as objects."""
    rows = [json.loads(line) for line in lines]
    whole = Schema.load(os.path.join(SCHEMAS, "line.json"))
    wrong = [(row, whole.errors(row)[:3]) for row in rows if whole.errors(row)]
    tap.check(rows and not wrong, "%s: %d lines as the schemas say" % (name, len(rows)),
              *wrong[:5])
    kinds = "".join(LETTERS[row["type"]] + " " for row in rows)
    tap.check(ORDER.fullmatch(kinds), "%s: in their order" % name, kinds[:400])
    return rows


def streams():
    store = os.path.join(where, "stream")
    bots = ["tee=" + kit.bot(where), "jay=" + kit.bot(where, "--json"),
            "bad=" + kit.bot(where, "exit")]
    path = os.path.join(where, "stream.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"name": "stream", "pairs": 4, "match": 3, "seed": "s", "restarts": 0,
                   "bots": [dict(zip(("name", "command"), bot.split("=", 1))) for bot in bots]},
                  file)
    run = kit.hakem("run", path, "--store", store, "--format", "jsonl")
    rows = check_stream(run.stdout.splitlines(), "run")
    matches = [row for row in rows if row["type"] == "match"]
    tap.same(len([row for row in rows if row["type"] == "start"]), 24, "every match begins once")
    games = [row for row in rows if row["type"] == "game"]
    faults = [row for row in rows if row["type"] == "fault"]
    tap.same(len(matches), 24, "every match is told")
    tap.same(sum(row["games"] for row in matches), len(games), "and every game")
    lost = [row for row in matches + games if row["offender"]]
    tap.check(faults and all(row["bot"] == "bad" for row in faults) and
              len(lost) >= len(faults), "the faults of the bad one", faults[:3])
    standing = {row["name"]: row for row in rows if row["type"] == "standing"}
    tap.check(sum(standing["bad"]["faults"].values()) > 0 and
              rows[-1] == {"type": "end", "event": "stream", "state": "finished"},
              "the tables and the end", rows[-1])
    shown = check_stream(kit.hakem("show", store, "--format", "jsonl").stdout.splitlines(), "show")
    tail = [row for row in rows if row["type"] in ("standing", "encounter", "end")]
    tap.same([row for row in shown if row["type"] in ("standing", "encounter", "end")], tail,
             "show ends as run did")


def clumsy():
    """The command of a bot that plays something impossible now and then."""
    path = os.path.join(where, "clumsy.py")
    with open(path, "w", encoding="utf-8") as file:
        file.write(kit.BOT.replace('play = "#%d" % pick(seed, turn, count)',
                                   'play = "1/25 7/7" if at[1] % 5 == 1 else "#0"'))
    return "%s %s" % (kit.PYTHON, path)


def refused():
    """A refused answer is told with the words of the record, and costs no game."""
    run = kit.hakem("duel", "bad=" + clumsy(), "good=" + kit.bot(where), "--pairs",
                    "1", "--match", "1", "--illegal", "retry", "--seed", "2", "--format", "jsonl",
                    "--store", os.path.join(where, "refused"))
    rows = check_stream(run.stdout.splitlines(), "refusals")
    faults = [row for row in rows if row["type"] == "fault"]
    tap.check(faults and all(row["bot"] == "bad" and row["code"] in ("illegal", "malformed") and
                             row["got"] == "1/25 7/7" and len(row["dice"]) == 2
                             for row in faults), "what it sent and why it was refused", *faults[:3])
    tap.check(all(row["offender"] is None for row in rows if row["type"] == "game"),
              "and lost nothing by it", run.stderr)


def interrupted():
    """A run that is stopped and goes on tells nothing twice."""
    store = os.path.join(where, "twice")
    command = ("duel", "a=" + kit.bot(where), "b=" + kit.bot(where), "--pairs", "200", "--match",
               "1", "--seed", "4", "--store", store, "--format", "jsonl", "--files", "none")
    process = kit.start(*command)
    lines = []
    while len([line for line in lines if '"type":"match"' in line]) < 10:
        lines.append(process.stdout.readline())
    process.send_signal(signal.SIGINT)
    lines += process.stdout.readlines()
    process.wait(60)
    first = check_stream(lines, "stopped")
    tap.check(process.returncode == 4 or first[-1]["state"] == "interrupted", "it was interrupted",
              process.returncode, first[-1])
    second = check_stream(kit.hakem(*command).stdout.splitlines(), "gone on")
    told = [(row["unit"], row["leg"]) for row in first + second if row["type"] == "match"]
    tap.same((len(told), len(set(told))), (400, 400), "each match is told once")
    tap.same(next(row["finished"] for row in second if row["type"] == "progress"),
             len([row for row in first if row["type"] == "match"]),
             "it counts on where it was")


def serving():
    """A daemon writes the streams of its rooms and events, side by side."""
    store = os.path.join(where, "serving")
    process = kit.start("serve", "--listen", "127.0.0.1:0", "--match", "1", "--matches", "2",
                        "--store", store, "--format", "jsonl")
    lines = [process.stdout.readline(), process.stdout.readline()]
    port = int(json.loads(lines[1])["listen"].rsplit(":", 1)[1])
    for _ in range(2):
        bots = [threading.Thread(target=kit.Dialler(port, name).play) for name in ("one", "two")]
        for bot in bots:
            bot.start()
        for bot in bots:
            bot.join(30)
    lines += process.stdout.readlines()
    tap.check(process.wait(20) == 0, "serve ends", process.stderr.read())
    rows = [json.loads(line) for line in lines]
    whole = Schema.load(os.path.join(SCHEMAS, "line.json"))
    wrong = [(row, whole.errors(row)[:3]) for row in rows if whole.errors(row)]
    tap.check(not wrong, "serve: %d lines as the schemas say" % len(rows), *wrong[:3])
    kinds = [row["type"] for row in rows]
    tap.check(kinds[:4] == ["stream", "listen", "event", "progress"] and kinds[-1] == "end" and
              kinds.count("start") == kinds.count("match") == kinds.count("game") == 2 and
              all(row["event"] == "room" for row in rows[2:]), "serve: what a room plays", kinds)


def duel_on(columns, rows, seconds, resize=None, **env):
    """A duel on a terminal, interrupted after so long."""
    store = os.path.join(where, "tty%d" % time.monotonic_ns())
    bots = ["a-bot-with-a-long-name-2026-11-%d=%s" % (i, kit.bot(where, *extra))
            for i, extra in enumerate(((), ("--json",)))]
    command = [kit.HAKEM, "duel"] + bots + ["--pairs", "1500", "--match", "1", "--files", "none",
                                            "--store", store]
    screen = terminal.Terminal(command, columns, rows, dict(kit.environment(), **env))
    end = time.monotonic() + 20
    while time.monotonic() < end and not any("Elo" in line for line in screen.text()):
        screen.run(0.1)
    screen.run(seconds)
    if resize is not None:
        screen.size(resize, rows)
        screen.run(1.0)
    return screen, screen.screen()


def on_terminals():
    for columns in (60, 80, 120):
        screen, seen = duel_on(columns, 24, 1.5, TERM="xterm")
        status = [i for i, line in enumerate(seen) if "3000 matches" in line and "left" in line]
        heads = [line for line in screen.text() if " Elo " in line]
        tap.check(len(status) == 1 and len(heads) == 1,
                  "%d columns: one drawing, however often it is drawn" % columns, *screen.text())
        tap.check(all(len(line) <= columns for line in seen) and not screen.unknown,
                  "%d columns: nothing is cut off or unknown" % columns, screen.unknown)
        tap.check("a second" in "".join(seen) and
                  ("pts/game" in heads[0]) == (columns >= 80) and
                  ("[" in seen[status[0]]) == (columns >= 100),
                  "%d columns: rate, time left, and the columns that have room" % columns, *seen)
        screen.stop()
        after = [line for line in screen.text() if "left" in line]
        tap.check(not after and any("interrupted: " in line for line in screen.text()),
                  "%d columns: the page takes its place" % columns, *screen.text())
        wide = [line for line in screen.text() if len(line) > columns]
        tap.check(not wide, "and fits", *wide)


def corners():
    screen, seen = duel_on(100, 24, 0.6, resize=70, TERM="xterm")
    tap.check(len([line for line in seen if " Elo " in line]) == 1, "a resize draws anew", *seen)
    screen.stop()
    screen, seen = duel_on(80, 5, 0.8, TERM="xterm")
    tap.check(seen[-1] == "" and len(screen.screen()) <= 5 and
              len([line for line in screen.text() if " Elo " in line]) == 1,
              "a low terminal does not scroll", *screen.text())
    screen.stop()
    screen, _ = duel_on(80, 24, 0.3, TERM="dumb")
    tap.check(not screen.coloured and not screen.unknown and screen.folded is not None,
              "a dumb terminal gets plain lines")
    screen.stop()


def faults_on(name, coloured, **env):
    bots = ["good=" + kit.bot(where), "bad=" + clumsy()]
    screen = terminal.Terminal(
        [kit.HAKEM, "duel"] + bots + ["--pairs", "900", "--match", "1", "--files", "none",
                                      "--store", os.path.join(where, "faults" + name)],
        100, 30, dict(kit.environment(), TERM="xterm", **env))
    seen = []
    end = time.monotonic() + 20
    while time.monotonic() < end and not any("/1 bad: " in line for line in seen):
        if not screen.run(0.1):
            break
        seen = screen.screen()
    tap.check(any(re.search(r"U\d+-\d/1 bad: illegal: 1/bar: ", line) for line in seen) and
              screen.coloured == coloured, "the last faults are seen, %s" % name, *screen.text())
    screen.stop()


def in_a_pipe():
    """Lines now and then, without any sequence for terminals."""
    process = kit.start("duel", "a=" + kit.bot(where), "b=" + kit.bot(where), "--pairs", "2000",
                        "--match", "1", "--store", os.path.join(where, "pipe"), "--files", "none")
    time.sleep(4.5)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    lines = re.findall(r"^\d+ of 4000 matches, \d+ games, [\d.]+ a second, [\d:]+ left$", out, re.M)
    tap.check(len(lines) in (1, 2) and "\x1b" not in out, "in a pipe plain lines", out, err)


streams()
refused()
interrupted()
serving()
on_terminals()
corners()
faults_on("coloured", True)
faults_on("plain", False, NO_COLOR="1")
in_a_pipe()
tap.done()
