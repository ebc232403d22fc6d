"""protocol/hakem.abnf against the code: the rules of the messages are what the message table
makes; lines of the encoder, of the transcripts and of a record match; whatever the grammar makes
up the decoder reads; and bad lines are refused by both. `--write` (make schema) writes the rules
of the messages anew."""
import json
import os
import random
import re
import subprocess
import sys

import kit
from abnf import Grammar

SOURCE, BUILD = os.environ["HAKEM_SOURCE"], os.environ["HAKEM_BUILD"]
PAGE = os.path.join(SOURCE, "protocol", "hakem.abnf")
TOOL = os.path.join(BUILD, "tests", "tool", "wire")
MARK = "; ---- messages, and rule options:"
TRAILING = ("play", "plays")
SENDERS = {"from-bot": "bot", "from-referee": "referee", "in-record": "record"}


def rule(name, ways, joined=" / "):
    """A rule, cut into lines of up to 100 characters."""
    text, column = "%-12s =" % name, 0
    lines = [text]
    for i, way in enumerate(ways):
        piece = (joined if i > 0 else " ") + way
        if len(lines[-1]) + len(piece) > 98:
            lines.append(" " * 13 + piece if joined == " / " else " " * 14 + piece)
        else:
            lines[-1] += piece
    return "\n".join(line.rstrip() for line in lines) + "\n"


def message_rules(message):
    name, fields = message["name"], message["fields"]
    keyed = [(key, kind) for key, kind in fields[message["positional"]:] if kind not in TRAILING]
    rest = [name + "-field"] if keyed else []
    rest += ["play-word"] if any(kind in TRAILING for _, kind in fields) else []
    rest += ["option"] if message["options"] else []
    parts = ['%%s"%s"' % name]
    parts += ["gap %s" % ("full-string" if kind == "string" else kind)
              for _, kind in fields[:message["positional"]]]
    parts += ["*( gap %s )" % ("( %s )" % " / ".join(rest) if len(rest) > 1 else rest[0])
              ] if rest else []
    required = [key for key, _ in fields[:message["required"]]]
    text = "; required: %s\n" % (", ".join(required) or "nothing")
    text += rule("m-" + name, parts, " ")
    if keyed:
        text += rule(name + "-field", ['%%s"%s=" %s' % pair for pair in keyed])
    return text


def option_ways(options):
    for option in options:
        words = ['%%s"%s"' % word for word in option["words"]]
        value = "( %s )" % " / ".join(words) if words else "int"
        yield '%%s"%s=" %s' % (option["name"], value)


def made(tables):
    text = ""
    for name, sender in SENDERS.items():
        text += rule(name, ["m-" + message["name"] for message in tables["messages"]
                            if message[sender]])
    for message in tables["messages"]:
        text += "\n" + message_rules(message)
    return text + "\n; of `match` and `record`\n" + rule("option", option_ways(tables["options"]))


def read():
    with open(PAGE, encoding="utf-8") as file:
        text = file.read()
    end = text.index("\n", text.index(MARK)) + 1
    return text[:end], text[end:]


def table():
    return json.loads(subprocess.check_output([TOOL, "table"]))


def write():
    head = read()[0]
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(head + "\n" + made(table()))


def decode(lines, sender):
    """What the decoder says to each line: a word and the rest."""
    run = subprocess.run([TOOL, "decode", sender], input=b"".join(line + b"\n" for line in lines),
                         stdout=subprocess.PIPE, check=True)
    return [line for line in run.stdout.split(b"\n")[:-1] if not line.startswith(b"{")]


def check_lines(tap, grammar):
    """Lines that were written by the code."""
    output = subprocess.check_output([TOOL, "lines", "8000", "7"]).split(b"\n")[:-1:2]
    every = [line for line in output
             if not any(grammar.matches(name, line) for name in SENDERS)]
    tap.check(not every and len(output) == 8000, "8,000 lines of the encoder match", *every[:5])
    wrong, count = [], 0
    folder = os.path.join(SOURCE, "protocol", "transcripts", "text")
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), "rb") as file:
            for line in re.findall(rb"^. < ([^{].*)$", file.read(), re.MULTILINE):
                count += 1
                wrong += [] if grammar.matches("frame", line + b"\n") else [line]
    tap.check(not wrong and count > 900, "%d lines of the transcripts match" % count, *wrong[:5])
    maker = os.path.join(BUILD, "tests", "sim", "make_record")
    record = subprocess.check_output([maker]).splitlines(keepends=True)
    wrong = [line for line in record if not grammar.matches("record-line", line)]
    tap.check(not wrong and len(record) > 20, "%d lines of a record match" % len(record),
              *wrong[:5])


def complete(line, messages):
    """Whether a made-up line has what a grammar cannot ask for: every required key, none twice."""
    words = line.replace(b"\t", b" ").split()
    message = messages[words[0].decode()]
    keys = [word.split(b"=")[0].decode() for word in words[1 + message["positional"]:]
            if b"=" in word]
    required = [key for key, _ in message["fields"][message["positional"]:message["required"]]]
    return len(keys) == len(set(keys)) and all(key in keys for key in required)


def check_made_up(tap, grammar, tables):
    chance = random.Random(5)
    messages = {message["name"]: message for message in tables["messages"]}
    for name, sender in SENDERS.items():
        lines = []
        while len(lines) < 3000:
            line = grammar.make(name, chance)
            if complete(line, messages):
                lines.append(line)
        said = decode(lines, sender)
        wrong = ["%r: %r" % (line, word) for line, word in zip(lines, said)
                 if not word.startswith(b"message ") and not in_words(word)]
        tap.check(not wrong and len(said) == len(lines), "what %s makes up is read" % name,
                  *wrong[:5])


def in_words(why):
    """Refusals of what the grammar leaves to words: the ends of numbers, a line's length."""
    return re.search(rb"whole number|64-bit number|has no value|too much", why)


BAD = """
hello hakem=1 name=a author=a%zz
hello hakem=1 name=a author=%00
hello hakem=1 name=a author=%2
hello hakem=one name=a
hello hakem=-1 name=a
hello hakem=01 name=a
hello hakem=1 name=
hello hakem=1 name=a loose
hello hakem=1 name=a want=position,,plays
ready
ready one
ready -1
ready 1.5
ready 1 now
play 1
play 1 x 8/5
roll 1 1 now
resign 1 1
decline 1 no reason
turn 1 1 71
turn 1 1 6
turn 1 1 six
turn 1 1 61 first=maybe
turn 1 1 61 off=1,
turn 1 1 61 off=-0
turn 1 1 61 off=0.25
turn 1 1 61 off=1.0
did 1 1 X triple 8/5
unit U1 seed=xyz
match 1 U1 1 variant=tavla seat=X opening=often
match 1 U1 1 variant=tavla seat=X vido=yes
Hello hakem=1 name=a
HELLO hakem=1 name=a
"""


def check_bad(tap, grammar):
    lines = [line.encode() for line in BAD.split("\n")[1:-1]]
    lines += [b"ready 1 \x00", b"hello hakem=1 name=a author=\xff", b"hello hakem=1 name=\xc3",
              b"play 1 1 \xe2\x82", b"ready\x0b1", b"hello hakem=1 name=a author=\xc0\xaf",
              b"hello hakem=1 name=a author=\xed\xa0\x80", b"play 1 1 8/5\x7f"]
    said = decode(lines, "any")
    taken = [line for line, word in zip(lines, said) if word.startswith(b"message")]
    tap.check(not taken and len(said) == len(lines), "the decoder refuses %d bad lines" % len(lines),
              *taken)
    matched = [line for line in lines if any(grammar.matches(name, line) for name in SENDERS)]
    tap.check(not matched, "and so does the grammar", *matched)
    tap.check(grammar.matches("frame", b"\r\n") and grammar.matches("frame", b" \t\n") and
              not grammar.matches("frame", b"ready 1"), "frames end with their line")


def main():
    if sys.argv[1:] == ["--write"]:
        return write()
    tap, tables = kit.Tap(), table()
    head, body = read()
    tap.check(body.strip() == made(tables).strip(), "the rules of the messages are the table's",
              "run `make schema`")
    grammar = Grammar(head + body)
    check_lines(tap, grammar)
    check_made_up(tap, grammar, tables)
    check_bad(tap, grammar)
    tap.done()


main()
