"""A bot in JSON of nothing but the document: the first legal play, the first thing it may do."""

import json
import sys

ANSWERS = {"cube": ("roll",), "offer": ("take", "accept", "drop", "reject")}


def say(**message):
    print(json.dumps(message), flush=True)


say(type="hello", hakem=1, name="json", want=["position", "plays"])
for line in sys.stdin:
    message = json.loads(line)
    kind = message["type"]
    about = {key: message[key] for key in ("table", "serial") if key in message}
    if kind == "match":
        say(type="ready", **about)
    elif kind == "turn":
        say(type="play", play="#0", **about)
    elif kind in ANSWERS:
        say(type=next(word for word in ANSWERS[kind] if word in message["may"]), **about)
    elif kind == "ping":
        say(type="pong", id=message.get("id"))
    elif kind in ("bye", "refused"):
        break
