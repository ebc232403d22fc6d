"""protocol/schema/ against the code: every file has the rules that the message table makes, its
descriptions are whole, and every JSON line that the encoder writes or a real match speaks is
valid. `--write` (make schema) writes the files anew: types, order and what is required come from
the table; descriptions, enums and whatever else stands beside a `$ref` stay as they are."""
import json
import os
import random
import re
import subprocess
import sys

import kit
from schema import Schema

FOLDER = os.path.join(os.environ["HAKEM_SOURCE"], "protocol", "schema")
TOOL = os.path.join(os.environ["HAKEM_BUILD"], "tests", "tool", "wire")
BASE = "https://hakem.example/protocol/1/"
DRAFT = "https://json-schema.org/draft/2020-12/schema"
LARGEST = 2 ** 53 - 1
WORD = {"type": "string", "pattern": r"^[^\u0000-\u0020\u007f-\u009f]+$"}
DIE = {"type": "integer", "minimum": 1, "maximum": 6}
DICE = {"type": "array", "items": DIE, "minItems": 2, "maxItems": 2}
NUMBER = {"type": "number", "multipleOf": 0.5, "minimum": -1e12, "maximum": 1e12}
PLAY_WORD = "[!-<>-~]+"
TYPES = {
    "int": {"type": "integer", "minimum": 0, "maximum": LARGEST},
    "seed": {"type": "string", "pattern": "^(0|[1-9][0-9]{0,19}|[0-9a-f]{64})$"},
    "word": WORD,
    "string": {"type": "string", "pattern": r"^[^\u0000]*$"},
    "flag": {"type": "boolean"},
    "dice": DICE,
    "deed": {"anyOf": [DICE, {"enum": ["double", "take", "drop", "beaver", "resign", "accept",
                                       "reject"]}]},
    "list": {"type": "array", "items": {"type": "string",
                                        "pattern": r"^[^,\u0000-\u0020\u007f-\u009f]+$"}},
    "numbers": {"anyOf": [NUMBER, {"type": "array", "items": NUMBER, "minItems": 1}]},
    "play": {"anyOf": [{"type": "string", "pattern": "^ *(%s *)*$" % PLAY_WORD},
                       {"type": "array", "items": {"type": "string",
                                                   "pattern": "^%s$" % PLAY_WORD}}]},
    "plays": {"type": "array", "items": {"type": "string", "pattern": "^%s$" % PLAY_WORD}},
}


def table():
    return json.loads(subprocess.check_output([TOOL, "table"]))


def option_rules(option):
    words = option["words"]
    if not words:
        rules = {"type": "integer", "minimum": option["min"], "maximum": option["max"]}
        if option["powers"]:
            rules = {"enum": [n for n in range(option["min"], option["max"] + 1)
                              if n & (n - 1) == 0]}
    else:
        rules = {"enum": [json.loads(word) if re.match("true$|false$|[0-9.]+$", word) else word
                          for word in words]}
    return dict(rules, description=option["sentence"])


def read(name):
    try:
        with open(os.path.join(FOLDER, name + ".json"), encoding="utf-8") as file:
            return json.load(file)
    except OSError:
        return {}


def made(message, options, old):
    """The schema of a message: what the table says, with the words of the old file."""
    members, used = {"type": {"const": message["name"]}}, set()
    for i, (name, kind) in enumerate(message["fields"]):
        used.add(kind)
        rules = {"$ref": "#/$defs/" + kind}
        if message["bot"] and i >= message["required"]:
            rules = {"anyOf": [rules, {"type": "null"}]}
        was = old.get("properties", {}).get(name, {})
        members[name] = dict(rules, **{key: value for key, value in was.items()
                                       if key not in ("$ref", "anyOf")})
    for option in options if message["options"] else ():
        members[option["name"]] = option_rules(option)
    required = ["type"] + [name for name, kind in message["fields"][:message["required"]]]
    return {"$schema": DRAFT, "$id": BASE + message["name"] + ".json", "title": message["name"],
            "description": old.get("description", ""), "type": "object", "properties": members,
            "required": required, "additionalProperties": True,
            "$defs": {kind: TYPES[kind] for kind in TYPES if kind in used}}


def every(messages):
    """message.json: any message, told by its type."""
    return {"$schema": DRAFT, "$id": BASE + "message.json", "title": "message",
            "description": "Any message of the protocol or the record, told by its `type`.",
            "oneOf": [{"$ref": message["name"] + ".json"} for message in messages]}


def spelled(schema):
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def write():
    tables = table()
    os.makedirs(FOLDER, exist_ok=True)
    schemas = [made(message, tables["options"], read(message["name"]))
               for message in tables["messages"]]
    for schema in schemas + [every(tables["messages"])]:
        with open(os.path.join(FOLDER, schema["title"] + ".json"), "w", encoding="utf-8") as file:
            file.write(spelled(schema))


def check_files(tap, tables):
    names = [message["name"] for message in tables["messages"]]
    for message in tables["messages"]:
        schema = read(message["name"])
        tap.check(schema == made(message, tables["options"], schema),
                  "%s.json says what the table says" % message["name"],
                  "run `make schema`, then fill in what is new")
        bare = [name for name, rules in schema.get("properties", {}).items()
                if name != "type" and not rules.get("description")]
        tap.check(schema.get("description") and not bare,
                  "%s.json: every description is there" % message["name"], bare)
    tap.same(read("message"), every(tables["messages"]), "message.json lists every message")
    tap.same(sorted(os.listdir(FOLDER)), sorted(name + ".json" for name in names + ["message"]),
             "and nothing else is there")


def errors(line):
    """What the schemas have against a JSON line."""
    message = json.loads(line)
    return Schema.load(os.path.join(FOLDER, message["type"] + ".json")).errors(message)


def check_encoder(tap, options):
    """Lines of the encoder, with fields filled by type: enums are left to real ones."""
    free = {}
    for name in os.listdir(FOLDER):
        schema = Schema(os.path.join(FOLDER, name))
        for field, rules in schema.root.get("properties", {}).items():
            if field not in ("type", *options):
                rules.pop("enum", None), rules.pop("items", None)
        free[schema.root["title"]] = schema
    output = subprocess.check_output([TOOL, "lines", "8000", "4"], encoding="utf-8").split("\n")
    wrong, count = [], 0
    for line in output[1::2]:
        message = json.loads(line)
        found = free[message["type"]].errors(message) if message["type"] in free else ["no schema"]
        wrong += [line] + found if found else []
        count += 1
    tap.check(not wrong and count == 8000, "8,000 lines of the encoder are valid", *wrong[:6])


def instance(rules, schema, chance):
    """Some value that is valid for the rules."""
    if "$ref" in rules:
        value = instance(schema.root["$defs"][rules["$ref"].split("/")[-1]], schema, chance)
        return value or instance(rules, schema, chance) if "minLength" in rules else value
    if "const" in rules or "enum" in rules:
        return rules["const"] if "const" in rules else chance.choice(rules["enum"])
    if "anyOf" in rules:
        return instance(chance.choice(rules["anyOf"]), schema, chance)
    if rules["type"] == "array":
        return [instance(rules["items"], schema, chance) for i in
                range(chance.randint(rules.get("minItems", 0), rules.get("maxItems", 5)))]
    if rules["type"] == "integer":
        return chance.choice([rules["minimum"], rules["maximum"],
                              chance.randint(rules["minimum"], rules["maximum"])])
    if rules["type"] == "number":
        return chance.choice([0, 2.5, -0.5, -7, 1000000000000])
    if rules["type"] == "string":
        form = rules.get("pattern", "")
        words = ["", "0", "18446744073709551615", "x", "ü=%", "a b", "8/5", " 8/5  6/5 ", "f" * 64]
        return chance.choice([word for word in words if re.search(form, word)])
    return {"boolean": chance.random() < 0.5, "null": None}[rules["type"]]


def check_decoder(tap, tables):
    """Whatever a schema allows, the decoder reads."""
    chance, lines = random.Random(4), []
    for message in [message for message in tables["messages"] if read(message["name"])] * 200:
        schema = Schema.load(os.path.join(FOLDER, message["name"] + ".json"))
        members = schema.root["properties"]
        lines.append(json.dumps({name: instance(rules, schema, chance)
                                 for name, rules in members.items()
                                 if name in schema.root["required"] or chance.random() < 0.4}))
    output = subprocess.run([TOOL, "decode", "any"], input="\n".join(lines) + "\n",
                            stdout=subprocess.PIPE, encoding="utf-8", check=True).stdout
    wrong = [line for line in output.split("\n")
             if line.startswith(("malformed", "unknown", "blank"))]
    tap.check(not wrong, "whatever a schema allows is read", *wrong[:6])


# A bot that writes down all that is said; it doubles, drops, resigns and errs now and then.
BOT = r"""
import json, os, random, sys
log, unit, asked = open("%s.%d.lines" % (sys.argv[1], os.getpid()), "w"), {}, ""
def say(**message):
    line = json.dumps(message)
    print(line, file=log, flush=True), print(line, flush=True)
say(type="hello", hakem=1, name=sys.argv[1][-1], version="1", author=None,
    want=["position", "plays"])
for line in sys.stdin:
    print(line, end="", file=log, flush=True)
    message = json.loads(line)
    kind, at = message["type"], {key: message.get(key) for key in ("table", "serial")}
    if kind == "match":
        unit[message["table"]] = (message["unit"], message["leg"], message["seat"])
        say(type="ready", table=message["table"])
        continue
    if kind == "error" and message["code"] == "not-allowed":
        say(type={"turn": "play", "cube": "roll", "offer": "take"}[asked], play="#0", **at)
        continue
    asked = kind if kind in ("turn", "cube", "offer") else asked
    chance = random.Random(repr((unit.get(at["table"]), at["serial"])))
    if kind == "turn":
        say(type="play", play="#0" if chance.random() < 0.98 else "8/1 no", **at)
        if chance.random() < 0.02:
            say(type="ping", id="7"), say(type="dance")
    elif kind in ("cube", "offer"):
        word = chance.choice([word for word in message["may"] if word != "resign"])
        if "resign" in message["may"] and chance.random() < 0.1:
            say(type="resign", kind="gammon", **at)
        elif kind == "cube" and chance.random() < 0.9:
            say(type="roll", **at)
        else:
            say(type=word, **at)
"""


def real_lines(where):
    """All lines of a seeded duel, with the cube and resignations."""
    script = os.path.join(where, "bot.py")
    with open(script, "w", encoding="utf-8") as file:
        file.write(BOT)
    bots = ["%s=%s %s %s" % (name, sys.executable, script, os.path.join(where, name))
            for name in ("a", "b")]
    options = ("--variant", "western", "--match", "3", "--vido", "on", "--resign", "on",
               "--illegal", "retry", "--pairs", "4", "--seed", "schema")
    run = kit.hakem("duel", *bots, *options, cwd=where)
    lines = []
    for name in sorted(os.listdir(where)):  # several processes may play for one bot
        if name.endswith(".lines"):
            with open(os.path.join(where, name), encoding="utf-8") as file:
                lines += file.read().splitlines()
    return run, lines


def check_real(tap):
    run, lines = real_lines(kit.folder())
    tap.check(run.returncode == 0, "a duel is played", run.stdout, run.stderr)
    wrong = []
    for line in lines:
        found = [] if json.loads(line)["type"] == "dance" else errors(line)
        wrong += [line] + found if found else []
    tap.check(not wrong, "every line of it is valid", *wrong[:6])
    spoken = {json.loads(line)["type"] for line in lines}
    missed = {"welcome", "match", "game", "did", "plays", "turn", "cube", "offer", "result", "end",
              "unit", "error", "pong", "bye", "roll", "double", "take", "drop", "resign"} - spoken
    tap.same(missed, set(), "and most messages are among them")


def check_transcripts(tap):
    """What the referee says in the transcripts, and what bots say that is a message."""
    folder = os.path.join(os.path.dirname(FOLDER), "transcripts", "json")
    told, said = [], []
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            text = file.read()
        told += re.findall(r"^. < (\{.*)$", text, re.MULTILINE)
        said += re.findall(r"^. > (\{.*)$", text, re.MULTILINE)
    output = subprocess.run([TOOL, "decode", "bot"], input="\n".join(said) + "\n",
                            stdout=subprocess.PIPE, encoding="utf-8", check=True).stdout
    outcomes = [line for line in output.split("\n")[:-1] if not line.startswith("{")]
    said = [line for line, word in zip(said, outcomes) if word.startswith("message")]
    wrong = []
    for line in told + said:
        found = errors(line)
        wrong += [line] + found if found else []
    tap.check(not wrong and len(told) > 900 and len(said) > 300,
              "%d lines of the transcripts are valid" % len(told + said), *wrong[:6])


def check_refused(tap):
    """A validator that refuses nothing would pass all of the above."""
    bad = ['{"type":"play","table":1}', '{"type":"play","table":"1","serial":1}',
           '{"type":"play","table":1.5,"serial":1}', '{"type":"play","table":-1,"serial":1}',
           '{"type":"play","table":9007199254740992,"serial":1}',
           '{"type":"play","table":1,"serial":1,"play":["8/5",3]}',
           '{"type":"play","table":1,"serial":1,"play":"8=5"}',
           '{"type":"hello","hakem":1,"name":""}', '{"type":"hello","hakem":1,"name":"a b"}',
           '{"type":"hello","hakem":true,"name":"a"}',
           '{"type":"turn","table":1,"serial":1,"dice":[7,1]}',
           '{"type":"turn","table":1,"serial":1,"dice":[1]}',
           '{"type":"turn","table":1,"serial":1,"dice":[1,2],"first":"yes"}',
           '{"type":"turn","table":1,"serial":1,"dice":[1,2],"off":[0.25,1]}',
           '{"type":"result","table":1,"game":1,"winner":"Z","reason":"normal"}',
           '{"type":"match","table":1,"unit":"U1","leg":1,"variant":"tavla","seat":"X",'
           '"vido":true}',
           '{"type":"unit","unit":"U1","seed":12}']
    passed = [line for line in bad if not errors(line)]
    tap.same(passed, [], "%d lines that break a rule are refused" % len(bad))


def main():
    if sys.argv[1:] == ["--write"]:
        return write()
    tap, tables = kit.Tap(), table()
    check_files(tap, tables)
    check_encoder(tap, {option["name"] for option in tables["options"]})
    check_decoder(tap, tables)
    check_real(tap)
    check_transcripts(tap)
    check_refused(tap)
    tap.done()


main()
