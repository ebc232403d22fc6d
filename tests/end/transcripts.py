"""The transcripts of protocol/transcripts/ from the other side: each conversation is told to the
bundled bots, in both spellings. They have to understand every line, answer each request with its
table and serial, answer nothing else, and leave without a complaint. What a bot asks for in its
hello (plays, the position) it gets: the referee says the conversation anew with that hello."""
import json
import os
import re
import select
import shutil
import socket
import subprocess
import sys

import kit

SOURCE, BUILD = os.environ["HAKEM_SOURCE"], os.environ["HAKEM_BUILD"]
FOLDER = os.path.join(SOURCE, "protocol", "transcripts")
PLAYER = os.path.join(BUILD, "tests", "unit", "referee_transcripts")
PATIENCE = 10  # seconds for an answer
WANTED = {"text": " want=plays,position", "json": ',"want":["plays","position"]'}
# What may answer a request.
ANSWERS = {"match": ("ready", "decline"), "turn": ("play", "resign"),
           "cube": ("roll", "double", "resign"),
           "offer": ("take", "drop", "beaver", "accept", "reject"), "ping": ("pong",)}

tap = kit.Tap()


def bots():
    """name, spelling, command of the bundled bots that can run here."""
    python = os.path.join(SOURCE, "contrib", "python")
    yield "C", "text", [os.path.join(BUILD, "contrib", "c", "random")]
    yield "C, looking ahead", "text", [os.path.join(BUILD, "contrib", "c", "solid")]
    yield "Python", "text", [sys.executable, os.path.join(python, "random_bot.py")]
    yield "Python, looking ahead", "text", [sys.executable, os.path.join(python, "greedy_bot.py")]
    yield "a bot in JSON", "json", [sys.executable, os.path.join(SOURCE, "tests", "end", "json_bot.py")]
    node = shutil.which("node") or shutil.which("nodejs")
    if node:
        yield "JavaScript", "text", [node, os.path.join(SOURCE, "contrib", "js", "random.mjs")]


def wanting(script, spelling):
    """The script with hellos that want plays and positions."""
    lines = []
    for line in script.split("\n"):
        if line[2:8] == "> hell":
            words = [word for word in line.split(" ") if not word.startswith("want=")]
            line = " ".join(words) + WANTED["text"]
        elif line[2:5] == "> {" and '"hello"' in line:
            hello = json.loads(line[4:])
            hello.pop("want", None)
            text = json.dumps(hello, separators=(",", ":"), ensure_ascii=False)
            line = line[:4] + text[:-1] + WANTED["json"] + "}"
        lines.append(line)
    return "\n".join(lines)


def conversations(spelling, where):
    """name -> letter -> the lines that it is told."""
    names = sorted(os.listdir(os.path.join(FOLDER, spelling)))
    for name in names:
        with open(os.path.join(FOLDER, spelling, name), encoding="utf-8") as file:
            script = wanting(file.read(), spelling)
        with open(os.path.join(where, name), "w", encoding="utf-8") as file:
            file.write(script)
    subprocess.check_call([PLAYER, "--record"] + names, cwd=where)
    told = {}
    for name in names:
        with open(os.path.join(where, name), encoding="utf-8") as file:
            asked = set()  # those whose hello is a plain line, so that it could be changed
            for line in file.read().split("\n"):
                other = any(word in line for word in ("resume", "tables=0", '"tables":0'))
                if line[1:3] == " >" and WANTED[spelling] in line and not other:
                    asked.add(line[0])  # the bundled bots play, and begin anew
                if line[1:3] == " <" and line[0] in asked:
                    told.setdefault((name, line[0]), []).append(line[4:])
    return told


def read(line, spelling):
    """type, table, serial of a line."""
    if spelling == "json":
        message = json.loads(line)
        return message["type"], message.get("table"), message.get("serial")
    words = line.split(" ")
    numbers = [int(word) for word in words[1:3] if word.isdigit()] + [None, None]
    return words[0], numbers[0], numbers[1] if words[0] not in ("match", "ready") else None


class Listener:
    """A bot that is told lines."""

    def __init__(self, command, spelling):
        self.spelling, self.rest = spelling, b""
        self.again = set()  # tables and serials of requests that stand after an error
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE)

    def hear(self):
        """The next line of the bot, None when none comes."""
        while b"\n" not in self.rest:
            if not select.select([self.process.stdout], [], [], PATIENCE)[0]:
                return None
            more = os.read(self.process.stdout.fileno(), 65536)
            if not more:
                return None
            self.rest += more
        line, self.rest = self.rest.split(b"\n", 1)
        return line.decode()

    def tell(self, lines):
        """Tells all lines; the first thing that is wrong, or None."""
        hello = self.hear()
        if hello is None or read(hello, self.spelling)[0] != "hello":
            return "no hello: %s" % hello
        for line in lines:
            kind, table, serial = read(line, self.spelling)
            try:
                self.process.stdin.write(line.encode() + b"\n")
                self.process.stdin.flush()
            except BrokenPipeError:
                return "gone before: %s" % line
            if kind == "error":
                self.note_error(line)
            if kind in ANSWERS:
                said = self.hear()
                while said is not None and self.is_again(said, (table, serial)):
                    said = self.hear()
                if said is None:
                    return "no answer to: %s" % line
                answer = read(said, self.spelling)
                if answer[0] not in ANSWERS[kind] or answer[1:] != (table, serial):
                    return "%s\nanswers %s" % (said, line)
        return None

    def note_error(self, line):
        """An error after which the request stands: a bot may answer it once more."""
        found = re.search(r'"table":(\d+),"serial":(\d+)' if self.spelling == "json"
                          else r"table=(\d+) serial=(\d+)", line)
        if found and re.search("ambiguous|not-allowed", line):
            self.again.add((int(found[1]), int(found[2])))

    def is_again(self, said, awaited):
        """Whether a line is such an answer, and not the one that is awaited."""
        answer = read(said, self.spelling)
        return answer[1:] in self.again and answer[1:] != awaited

    def leave(self):
        """Ends the conversation; what is wrong with the end, or None."""
        rest, errors = self.process.communicate(timeout=PATIENCE)
        errors = errors.decode(errors="replace")
        left = [line for line in (self.rest + rest).decode().split("\n") if line]
        if not all(self.is_again(line, None) for line in left):
            return "unasked: %r" % (self.rest + rest)
        if self.process.returncode not in (0, 1):
            return "status %d: %s" % (self.process.returncode, errors)
        if "Traceback" in errors or "    at " in errors:
            return errors
        return None


# Conversations, or those of some letters, in which nothing depends on dice or time.
DIALS = {"hello.txt": "ab", "hello-refused.txt": "abc", "hello-missing.txt": "b"}


def dial(port, script, letter):
    """Says over TCP what the letter says; what it is told, line by line, "|" for the end."""
    peer = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    heard = []
    with peer, peer.makefile("rwb") as file:
        for line in script:
            if line[:4] == letter + " > ":
                file.write(line[4:].encode() + b"\n")
                file.flush()
            elif line[:3] in (letter + " <", letter + " |"):
                said = file.readline().decode().rstrip("\n")
                heard.append("%s < %s" % (letter, said) if said else letter + " |")
    return heard


def without_session(line):
    """A session's word is counted by the referee, from its beginning; its secret is its own."""
    line = re.sub(r' resume=\S+|,"resume":"[^"]*"', "", line)
    return re.sub(r'session("?[=:]"?)s\d+', r"session\1s", line)


def check_dials():
    process = kit.start("serve", "--listen", "127.0.0.1:0", "--variant", "tavla", "--match", "1",
                        cwd=kit.folder())
    port = int(process.stdout.readline().rsplit(":", 1)[1])
    for spelling in ("text", "json"):
        for name, letters in DIALS.items():
            with open(os.path.join(FOLDER, spelling, name), encoding="utf-8") as file:
                script = file.read().split("\n")
            for letter in letters:
                want = [line for line in script if line[:3] in (letter + " <", letter + " |")]
                heard = dial(port, script, letter)
                tap.same([without_session(line) for line in heard],
                         [without_session(line) for line in want],
                         "%s/%s, %s: the same over TCP" % (spelling, name, letter))
    process.terminate()
    process.wait(timeout=PATIENCE)


check_dials()
where = kit.folder()
told = {}
for spelling in ("text", "json"):
    os.mkdir(os.path.join(where, spelling))
    told[spelling] = conversations(spelling, os.path.join(where, spelling))
    tap.check(len(told[spelling]) > 60, "%d sides of conversations in %s" % (
        len(told[spelling]), spelling))
for bot, spelling, command in bots():
    wrong, requests = [], 0
    for (name, letter), lines in told[spelling].items():
        listener = Listener(command, spelling)
        found = listener.tell(lines)
        if found:
            listener.process.kill()
        found = found or listener.leave()
        requests += sum(read(line, spelling)[0] in ANSWERS for line in lines)
        if found:
            wrong.append("%s, %s: %s" % (name, letter, found))
    tap.check(not wrong and requests > 250, "%s understands them all and answers %d requests" % (
        bot, requests), *wrong[:8])
tap.done()
