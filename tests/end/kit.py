"""What the end-to-end tests share: TAP, running hakem, bots as small scripts, and
a look at the processes that are left. Standard library only."""
import atexit
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

HAKEM = os.environ.get("HAKEM", "./hakem")
PYTHON = sys.executable

# A bot in both spellings. It takes the play that the game's seed and its own turn point
# to, so that two runs with the same seeds are the same. argv: [--json] [FAULT], see
# `misbehave`. While there is a file bot.py.hold beside it, it says no hello and makes
# bot.py.held.
BOT = r'''
import json, os, signal, sys, time

spelled_json = "--json" in sys.argv
fault = ([a for a in sys.argv[1:] if a != "--json"] or [""])[0]

def say(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()

def stray():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(300)
        os._exit(0)

def misbehave(when):
    """Faults by the moment they happen at."""
    while when == "start" and os.path.exists(__file__ + ".hold"):
        open(__file__ + ".held", "w").close()
        time.sleep(0.02)
    if fault == "exit-at-once" and when == "start":
        sys.exit(3)
    if fault == "silent" and when == "start":
        time.sleep(300)
    if fault == "exit" and when == "match":
        sys.exit(0)
    if fault == "never-reads" and when == "match":
        time.sleep(300)
    if fault == "sleeps" and when == "turn":
        time.sleep(300)
    if fault == "once" and when == "turn" and not os.path.exists(__file__ + ".once"):
        open(__file__ + ".once", "w").close()
        os._exit(1)
    if fault == "crash" and when == "turn":
        sys.stderr.write("first\nboom at line 7\n")
        sys.exit(1)
    if fault == "stops" and when == "turn":
        os.kill(os.getpid(), signal.SIGSTOP)
    if fault == "floods" and when == "turn":
        for _ in range(100):
            sys.stderr.write("x" * 65536)
    if fault == "long-line" and when == "match":
        for _ in range(160):
            sys.stdout.write("y" * 65536)
        sys.stdout.flush()
    if fault == "daemon" and when == "match":
        stray()
    if fault == "deaf" and when == "start":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if fault == "deaf" and when == "end":
        time.sleep(300)
    if fault == "half-line" and when == "turn":
        sys.stdout.write("play ")
        sys.stdout.flush()
        os._exit(0)
    if fault == "too-early" and when == "match":
        for serial in range(20):
            say("play 1 %d 8/5" % serial)

def pick(seed, turn, count):
    x = (seed ^ turn * 0x9E3779B97F4A7C15) & (2 ** 64 - 1)
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & (2 ** 64 - 1)
    x = (x ^ x >> 27) * 0x94D049BB133111EB & (2 ** 64 - 1)
    return (x ^ x >> 31) % count

def fields(line):
    """A message as a dict, from either spelling."""
    if spelled_json:
        return json.loads(line)
    words = line.split()
    rest = words[1:]
    out = {"type": words[0]}
    if words[0] in ("match", "game", "turn", "plays"):
        out["table"] = int(rest[0])
    if words[0] in ("turn", "plays"):
        out["serial"] = int(rest[1])
    if words[0] == "plays":
        out["plays"] = rest[3:]
    for word in rest:
        if word.startswith("seed="):
            out["seed"] = word[5:]
    return out

misbehave("start")
if spelled_json:
    say(json.dumps({"type": "hello", "hakem": 1, "name": "jay", "want": ["plays"]}))
else:
    say("hello hakem=1 name=tee want=plays")
seed, turn, count = 0, 0, 0
for line in sys.stdin:
    message = fields(line)
    kind = message["type"]
    if kind == "match":
        misbehave("match")
        say(json.dumps({"type": "ready", "table": message["table"]}) if spelled_json
            else "ready %d" % message["table"])
    elif kind == "game":
        seed, turn = int(message["seed"]), 0
    elif kind == "plays":
        count += len(message["plays"])
    elif kind == "turn":
        misbehave("turn")
        at = message["table"], message["serial"]
        play = "#%d" % pick(seed, turn, count)
        turn, count = turn + 1, 0
        say(json.dumps({"type": "play", "table": at[0], "serial": at[1], "play": play})
            if spelled_json else "play %d %d %s" % (at + (play,)))
misbehave("end")
'''


class Tap:
    """Checks that print TAP."""

    def __init__(self):
        self.count = 0

    def check(self, good, name, *facts):
        self.count += 1
        print("%s %d - %s" % ("ok" if good else "not ok", self.count, name), flush=True)
        if not good:
            for fact in facts:
                for line in str(fact).splitlines()[:40]:
                    print("# " + line, flush=True)
        return good

    def same(self, got, want, name):
        return self.check(got == want, name, "got:  %r" % (got,), "want: %r" % (want,))

    def done(self):
        print("1..%d" % self.count)


class Dialler:
    """A bot of the test's own on a socket, one line at a time. `more` goes into its hello;
    a socket that is given was accepted: then it was dialled."""

    def __init__(self, port, name, spelled_json=False, sock=None, **more):
        self.socket = sock or socket.create_connection(("127.0.0.1", port), timeout=20)
        # Two files: one for both directions forgets what it has read when it is written to.
        self.file = self.socket.makefile("r", encoding="utf-8", newline="\n")
        self.out = self.socket.makefile("w", encoding="utf-8", newline="\n")
        self.json = spelled_json
        self.seen = []
        self.tables = set()
        if spelled_json:
            self.say(json.dumps(dict({"type": "hello", "hakem": 1, "name": name}, **more)))
        else:
            self.say(" ".join(["hello hakem=1 name=" + name] +
                              ["%s=%s" % item for item in more.items()]))

    def say(self, line):
        self.out.write(line + "\n")
        self.out.flush()

    def next(self):
        """The next message: its type and, for a turn, table and serial."""
        try:
            line = self.file.readline()
        except OSError:
            return None
        if not line:
            return None
        self.seen.append(line)
        if self.json:
            message = json.loads(line)
            return message["type"], message.get("table"), message.get("serial")
        words = line.split()
        numbers = [int(word) for word in words[1:3] if word.isdigit()] + [None, None]
        return words[0], numbers[0], numbers[1]

    def answer(self, message):
        kind, table, serial = message
        if kind == "match":
            self.tables.add(table)
            self.say(json.dumps({"type": "ready", "table": table}) if self.json
                     else "ready %d" % table)
        elif kind == "turn":
            self.say(json.dumps({"type": "play", "table": table, "serial": serial, "play": "#0"})
                     if self.json else "play %d %d #0" % (table, serial))

    def play(self, stop=None):
        """Plays until the connection ends, or until so many turns have come."""
        turns = 0
        while True:
            message = self.next()
            if message is None:
                return
            turns += message[0] == "turn"
            if stop is not None and turns > stop:
                return
            try:
                self.answer(message)
            except OSError:
                return

    def start(self):
        """Plays in a thread of its own."""
        self.thread = threading.Thread(target=self.play, daemon=True)
        self.thread.start()
        return self

    def close(self):
        for file in (self.file, self.out, self.socket):
            try:
                file.close()
            except OSError:
                pass


def folder():
    """A fresh folder that goes away with the test."""
    path = tempfile.mkdtemp(prefix="hakem-end-")
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    return path


def bot(where, *arguments):
    """The command of a bot; its script is written into the folder."""
    path = os.path.join(where, "bot.py")
    if not os.path.exists(path):
        with open(path, "w", encoding="utf-8") as file:
            file.write(BOT)
    return " ".join((PYTHON, path) + arguments)


def zoo_bot(where, fault):
    """The command of a bot of tests/end/zoo, as a copy in the folder."""
    path = os.path.join(where, "zoo.py")
    if not os.path.exists(path):
        shutil.copy(os.path.join(os.environ["HAKEM_SOURCE"], "tests", "end", "zoo", "bot.py"), path)
    return " ".join((PYTHON, path, fault))


def zoo_faults():
    """The faults that this bot has: the words that it asks for."""
    path = os.path.join(os.environ["HAKEM_SOURCE"], "tests", "end", "zoo", "bot.py")
    with open(path, encoding="utf-8") as file:
        asked = re.findall(r"is_fault\(([^)]*)\)", file.read())
    return {name for words in asked for name in re.findall(r'"([a-z-]+)"', words)}


def environment():
    env = dict(os.environ, LC_ALL="C.UTF-8")
    env.pop("LANGUAGE", None)
    return env


def hakem(*arguments, cwd=None, timeout=120):
    """Runs hakem to its end."""
    return subprocess.run((HAKEM,) + arguments, cwd=cwd, timeout=timeout, env=environment(),
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, errors="replace")


def start(*arguments, cwd=None):
    """Starts hakem; the caller ends it."""
    process = subprocess.Popen((HAKEM,) + arguments, cwd=cwd, env=environment(),
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, errors="replace")
    atexit.register(lambda: process.poll() is None and process.kill())
    return process


def left_over(where, patience=3.0):
    """Processes whose command line names the folder, once `patience` seconds have
    passed or none is left."""
    end = time.monotonic() + patience
    while True:
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open("/proc/%s/cmdline" % pid, "rb") as file:
                    words = file.read()
            except OSError:
                continue
            if int(pid) != os.getpid() and where.encode() in words:
                found.append((int(pid), words.replace(b"\0", b" ").decode(errors="replace")))
        if not found or time.monotonic() > end:
            return found
        time.sleep(0.05)


def peak_memory(pid):
    """The most memory a process has had, in MiB."""
    with open("/proc/%d/status" % pid, encoding="ascii") as file:
        return int(re.search(r"VmHWM:\s+(\d+) kB", file.read()).group(1)) / 1024


def records(store):
    """The records of a store without what differs from run to run: times, the key, the
    date, and the digits and signatures that cover them."""
    out = {}
    where = os.path.join(store, "records")
    for name in sorted(os.listdir(where)):
        with open(os.path.join(where, name), encoding="utf-8") as file:
            text = file.read()
        if name.endswith(".hkm"):
            text = re.sub(r" [0-9a-f]{16}$", "", text, flags=re.M)
            text = re.sub(r" (ms|passed|open|lag|contended|key|date|signature)=\S*", "", text)
        text = re.sub(r"^; \[(EventDate|EventTime) .*$", "", text, flags=re.M)
        out[name] = text
    return out
