"""Bad input: one clear line that names the thing and the remedy, a distinct exit code,
and nothing half-written."""
import json
import os
import socket

import kit

tap = kit.Tap()
tools = kit.folder()
where = kit.folder()
good = "good=" + kit.bot(tools)
USAGE, IO, BOT = 2, 5, 7


def event(name, text):
    path = os.path.join(where, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text if isinstance(text, str) else json.dumps(text, indent=1))
    return name


def script(name, text, mode=0o755):
    path = os.path.join(where, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, mode)
    return "./" + name


def bots(*more):
    return [{"name": "a", "command": kit.bot(tools)}] + list(more)


taken = socket.create_server(("127.0.0.1", 0))
port = "127.0.0.1:%d" % taken.getsockname()[1]
event("broken.json", '{"name": "x",\n "pairs": }')
event("field.json", {"name": "x", "pears": 3, "bots": bots()})
event("value.json", {"name": "x", "pairs": 0, "bots": bots({"command": "b"})})
event("option.json", {"variant": "uzun", "katmerli": 3, "bots": bots({"command": "b"})})
event("alone.json", {"name": "x", "bots": bots()})
event("twins.json", {"name": "x", "bots": bots({"name": "A", "command": "b"})})
event("nobot.json", {"name": "x", "bots": bots({"name": "b", "command": "./nowhere"})})
event("dies.json", {"name": "x", "bots": bots({"name": "b", "command": script(
    "dies", "#!/bin/sh\necho first >&2\necho 'no licence for this machine' >&2\nexit 3\n")})})
script("plain", "#!/bin/sh\nexit 0\n", 0o644)
script("lost", "#!/no/such/interpreter\n")
script("mute", "#!/bin/sh\nexec 1>&-\nsleep 60\n")
script("chatty", "#!/bin/sh\necho Loading weights...\necho ready\necho go\nexec cat\n")
script("uzuncu", "#!/bin/sh\necho hello hakem=1 name=u variants=uzun\nexec cat\n")
script("newer", "#!/bin/sh\necho hello hakem=0 name=u\nexec cat\n")
script("killed", "#!/bin/sh\nkill -9 $$\n")
os.mkdir(os.path.join(where, "folder"))

CASES = [
    ("an unknown option", USAGE, "did you mean --pairs?", "duel", good, "b", "--pair", "3"),
    ("an unknown option of run", USAGE, "did you mean --store?", "run", "--stor", "x"),
    ("a value that is no number", USAGE, "whole number from 1", "duel", good, "b", "--pairs", "x"),
    ("a time that is none", USAGE, "250ms, 5s", "duel", good, "b", "--move_time", "soon"),
    ("an unknown variant", USAGE, "tavla, uzun, western, n", "duel", good, "b", "--variant",
     "chess"),
    ("an option's value that is not offered", USAGE, "katmerli", "duel", good, "b", "--katmerli",
     "9"),
    ("one bot alone", USAGE, "two bots", "duel", good),
    ("two bots of one name", USAGE, "NAME=COMMAND", "duel", good, good),
    ("a name that is none", USAGE, "cannot be a bot's name", "duel", good, "b!=./b"),
    ("an open quote", USAGE, "quotes closed", "duel", good, "b='x"),
    ("files of an unknown kind", USAGE, "hkm, mat, sgf, json, txt", "duel", good, "b", "--files", "pgn"),
    ("an unknown format", USAGE, "text or jsonl", "duel", good, "b", "--format", "xml"),
    ("an empty seed", USAGE, "--seed takes", "duel", good, "b", "--seed", ""),
    ("run without an event", USAGE, "run EVENT.json", "run"),
    ("an event that is missing", IO, "cannot read nowhere.json", "run", "nowhere.json"),
    ("an event that is a folder", IO, "folder", "run", "folder"),
    ("an event from nowhere", USAGE, "--store DIR", "run", "-"),
    ("an event that is no JSON", USAGE, "broken.json: line 2", "run", "broken.json"),
    ("an event with a wrong field", USAGE, "unknown field \"pears\": did you mean \"pairs\"?",
     "run", "field.json"),
    ("an event with a wrong value", USAGE, "value.json: line 3: \"pairs\"", "run", "value.json"),
    ("an option of another variant", USAGE, "katmerli", "run", "option.json"),
    ("an event with one bot", USAGE, "at least two bots", "run", "alone.json"),
    ("an event with twins", USAGE, "\"A\"", "run", "twins.json"),
    ("a bot that does not exist", BOT, "bot \"b\": cannot start \"./nowhere\"", "run",
     "nobot.json"),
    ("a bot that exits at once", BOT, "exited with status 3 before it said hello (its last error "
     "line: no licence for this machine)", "run", "dies.json"),
    ("a bot that is not executable", BOT, "chmod +x", "duel", good, "b=./plain"),
    ("a bot without interpreter", BOT, "interpreter", "duel", good, "b=./lost"),
    ("a bot in this folder without ./", BOT, "write ./dies", "duel", good, "b=dies"),
    ("a bot that closes its output", BOT, "closed its output before it said hello", "duel", good,
     "b=./mute"),
    ("a bot that prints other things", BOT, "too many lines", "duel", good,
     "b=./chatty"),
    ("a bot that does not play the variant", BOT, "does not offer tavla", "duel", good,
     "b=./uzuncu"),
    ("a bot of another protocol", BOT, "this referee speaks hakem=1", "duel", good, "b=./newer"),
    ("a bot that is killed", BOT, "was killed by signal 9", "duel", good, "b=./killed"),
    ("a store that is a file", IO, "in the way", "duel", good, "b=" + kit.bot(tools, "--json"),
     "--store", "plain"),
    ("serve without an address", USAGE, "--listen 127.0.0.1", "serve"),
    ("serve with a bot", USAGE, "only --log", "serve", "./b", "--listen", "127.0.0.1:0"),
    ("an address that is none", USAGE, "HOST:PORT", "serve", "--listen", "here"),
    ("an address for everybody", USAGE, "not a loopback address", "serve", "--listen",
     "0.0.0.0:0"),
    ("a port in use", IO, port + " is in use", "serve", "--listen", port),
]


def snapshot():
    return sorted(os.path.join(path, name) for path, folders, files in os.walk(where)
                  for name in folders + files)


before = snapshot()
for name, code, words, *arguments in CASES:
    done = kit.hakem(*arguments, cwd=where, timeout=30)
    lines = done.stderr.splitlines()
    tap.check(done.returncode == code and words in done.stderr and len(lines) == 1 and
              done.stdout == "" and lines[0].startswith("hakem " + arguments[0] + ": "),
              name, "code %d, wanted %d" % (done.returncode, code), done.stdout, done.stderr)
    if snapshot() != before:
        tap.check(False, name + ": nothing is written", *snapshot())
        break
else:
    tap.check(True, "nothing is written by any of them")

ok = kit.hakem("duel", good, "b=" + kit.bot(tools, "--json"), "--pairs", "1", "--match", "1",
               "--store", "s", cwd=where)
tap.check(ok.returncode == 0, "a good command after all", ok.stderr)
other = kit.hakem("duel", good, "b=" + kit.bot(tools, "--json"), "--pairs", "2", "--match", "1",
                  "--store", "s", cwd=where)
tap.check(other.returncode == USAGE and "s holds another event" in other.stderr,
          "a store of another event", other.stdout, other.stderr)
tap.same(kit.left_over(where) + kit.left_over(tools), [], "no process is left")
tap.done()
