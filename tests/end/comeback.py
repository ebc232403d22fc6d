"""Bots whose connection breaks over real TCP, by RST, by FIN or unnoticed, and that resume their
session: the match goes on as if nothing had been."""
import json
import os
import re
import signal
import socket
import struct
import threading

import kit

tap = kit.Tap()
where = kit.folder()


class Returner(kit.Dialler):
    """A bot that breaks its connection at every so many messages and comes back. `how`: reset,
    close or open (the old socket stays open), in turns."""

    def __init__(self, port, name, spelled_json=False, every=7, hows=("reset",), **more):
        super().__init__(port, name, spelled_json, **more)
        self.port, self.name, self.more = port, name, more
        self.every, self.hows = every, hows
        self.secret, self.old, self.breaks, self.plies = None, [], 0, []

    def field(self, line, key):
        if self.json:
            return json.loads(line).get(key)
        found = re.search(r" %s=(\S+)" % key, line)
        return found and found.group(1)

    def next(self):
        message = super().next()
        if message and message[0] == "welcome":
            self.secret = self.field(self.seen[-1], "resume")
        elif message and message[0] == "did":
            self.plies.append(json.loads(self.seen[-1])["ply"] if self.json
                              else int(self.seen[-1].split()[2]))
        elif message and message[0] == "state" and self.field(self.seen[-1], "ply"):
            self.plies.append(("state", int(self.field(self.seen[-1], "ply"))))
        elif message and message[0] == "game":
            self.plies.append(("state", 0))
        return message

    def gaps(self):
        """Plies that were told twice or left out."""
        gaps, last = 0, None
        for ply in self.plies:
            if isinstance(ply, tuple):
                last = ply[1]
            else:
                gaps += last is None or ply != last + 1
                last = ply
        return gaps

    def come_back(self):
        how = self.hows[self.breaks % len(self.hows)]
        self.breaks += 1
        if how == "open":
            self.old.append((self.socket, self.file))
        else:
            if how == "reset":
                self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                                       struct.pack("ii", 1, 0))
            self.close()
        again = kit.Dialler(self.port, self.name, self.json, resume=self.secret, **self.more)
        self.socket, self.file, self.out = again.socket, again.file, again.out

    def play(self, stop=None):
        turns = 0
        while True:
            message = self.next()
            if message is None:
                return
            if message[0] == "turn":
                turns += 1
                if turns % self.every == 0 and self.breaks < 15:
                    if turns % 2:  # half of the times after the answer
                        self.answer(message)
                    self.come_back()
                    continue
            try:
                self.answer(message)
            except OSError:
                return


def serve(*options):
    process = kit.start("serve", "--listen", "127.0.0.1:0", *options)
    return process, int(process.stdout.readline().rsplit(":", 1)[1])


def play_both(a, b):
    other = threading.Thread(target=b.play)
    other.start()
    a.play()
    other.join()


def record_of(store):
    with open(os.path.join(store, "room", "records", "U000001-1.hkm"), encoding="utf-8") as file:
        text = file.read()
    return re.sub(r" (ms|lag|passed|open|contended|key|date|signature)=\S*| [0-9a-f]{16}$", "", text, flags=re.M)


# the same match three times: undisturbed, and with breaks of every kind on either side
texts = []
for turn, hows in enumerate(((), ("reset",), ("close", "open", "reset"))):
    store = os.path.join(where, "same%d" % turn)
    process, port = serve("--variant", "tavla", "--match", "5", "--seed", "9", "--store", store,
                          "--once")
    a = Returner(port, "one", hows=hows, every=5 if hows else 10 ** 9)
    a.next()
    b = Returner(port, "two", True, hows=hows[::-1], every=6 if hows else 10 ** 9)
    play_both(a, b)
    out, err = process.communicate(timeout=30)
    tap.check(process.returncode == 0 and "(normal)" in out, "a match is played to its end", out,
              err)
    if hows:
        tap.check(a.breaks > 10 and b.breaks > 10, "broken off many times", a.breaks, b.breaks)
        tap.check(any(line.startswith("state 1 ") for line in a.seen) and
                  any(line.startswith('{"type":"state"') for line in b.seen),
                  "and told the state each time, in both spellings")
        tap.same((a.gaps(), b.gaps()), (0, 0), "every ply is told once")
        for bot in (a, b):
            told = "".join(file.read() for _, file in bot.old)
            tap.check(told.count("replaced") == len(bot.old),
                      "an old connection that is still open hears that it is replaced",
                      len(bot.old), told[-300:])
            tap.check(re.search("the( |%20)match", bot.seen[-1]), "both hear the end", bot.seen[-1])
    texts.append(record_of(store))
    verified = kit.hakem("verify", os.path.join(store, "room"))
    tap.check(verified.returncode == 0, "the record verifies", verified.stdout, verified.stderr)
differ = [pair for pair in zip(*(text.split("\n") for text in texts)) if len(set(pair)) > 1]
tap.check(texts[0] == texts[1] == texts[2], "the records are the same, times apart", differ[:2])

# a program that starts anew, without the secret, while its old socket is still open
store = os.path.join(where, "anew")
process, port = serve("--match", "3", "--store", store, "--once")
a = kit.Dialler(port, "stays").start()
old = kit.Dialler(port, "anew")
old.play(stop=2)
fresh = kit.Dialler(port, "anew")
fresh.next()
old.close()
fresh.play()
a.thread.join(20)
out, err = process.communicate(timeout=30)
tap.check(process.returncode == 0 and fresh.seen[1].startswith("match "), "it gets a new match",
          out, err, *fresh.seen[:3])
tap.check("reason=disconnect" in "".join(a.seen), "and has lost the game that ran")

# secrets that are none, one that is another's, many of them
store = os.path.join(where, "foreign")
process, port = serve("--match", "1", "--store", store, "--once")
a, b = Returner(port, "victim", every=3), kit.Dialler(port, "calm", True)
a.next()
answers = set()
for number in range(200):
    name, secret = (("thief", a.secret), ("victim", a.secret[:-1] + "x"), ("victim", "1-2"),
                    ("victim", "0" * 90))[number % 4]
    thief = kit.Dialler(port, name, resume=secret)
    thief.next()
    answers.add(thief.seen[-1])
    thief.close()
tap.check(len(answers) == 1 and answers.pop().startswith("refused token "),
          "they are all refused in the same words", answers)
play_both(a, b)
out, err = process.communicate(timeout=30)
tap.check(process.returncode == 0 and "(normal)" in out and a.breaks > 0, "and harm nobody", out,
          err)

# an event with tokens: the secret stands beside the token
token = json.loads(kit.hakem("token", "back", "--format", "json").stdout)
other = json.loads(kit.hakem("token", "rival", "--format", "json").stdout)
path = os.path.join(where, "event.json")
with open(path, "w", encoding="utf-8") as file:
    json.dump({"name": "event", "match": 1, "pairs": 4, "concurrency": 4, "dice": "seeded",
               "seed": 3, "bots": [{"name": "back", "token": token["kept"]},
                                   {"name": "rival", "token": other["kept"]}]}, file)
process = kit.start("run", path, "--listen", "127.0.0.1:0")
port = int(re.search(r"127\.0\.0\.1:(\d+);", process.stderr.readline()).group(1))
rival = kit.Dialler(port, "rival", token=other["token"], tables=4).start()
back = Returner(port, "back", hows=("reset", "open"), every=9, token=token["token"], tables=4)
back.play()
out, err = process.communicate(timeout=60)
tap.check(process.returncode == 0 and "finished: 8 of 8" in out and back.breaks > 3,
          "four tables on a connection that breaks", back.breaks, out[-300:], err)
faults = kit.hakem("show", path)
tap.check("disconnect" not in faults.stdout, "no game is lost by it", faults.stdout[-600:])


class Called:
    """A bot that is dialled, and dialled again when it breaks its connection."""

    def __init__(self, name, every, **more):
        self.name, self.every, self.more = name, every, more
        self.secret, self.lines, self.calls = None, [], 0
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            peer = self.socket.accept()[0]
            self.calls += 1
            bot = kit.Dialler(None, self.name, sock=peer, **self.more,
                              **({"resume": self.secret} if self.secret else {}))
            self.talk(bot)
            bot.close()

    def talk(self, bot):
        turns = 0
        while True:
            message = bot.next()
            if message is None:
                return
            self.lines.append(bot.seen[-1])
            if message[0] == "welcome":
                self.secret = re.search(r" resume=(\S+)", bot.seen[-1]).group(1)
            turns += message[0] == "turn"
            if turns == self.every and self.calls < 4:
                return
            bot.answer(message)


called = [Called("called", 6), Called("calm", 10 ** 9)]
path = os.path.join(where, "called.json")
with open(path, "w", encoding="utf-8") as file:
    json.dump({"name": "called", "match": 5, "pairs": 1, "dice": "seeded", "seed": 3,
               "move_time": "60s", "concurrency": 1,
               "bots": [{"name": bot.name, "address": "127.0.0.1:%d" % bot.port}
                        for bot in called]}, file)
done = kit.hakem("run", path)
told = "".join(called[0].lines)
tap.check(done.returncode == 0 and "finished: 2 of 2" in done.stdout and "No faults." in done.stdout,
          "a bot that is dialled resumes when it is dialled again", done.stdout, done.stderr)
tap.check(called[0].calls == 4 and len(re.findall("^state 1 ", told, re.M)) == 3,
          "it is told the state each time", called[0].calls, told[-1500:])

def until(bot, kind):
    """Hears until such a message has come."""
    message = bot.next()
    while message is not None and message[0] != kind:
        message = bot.next()
    return bot.seen[-1]


# who waits in a room, lost: a match that is drawn then is not with it; and status counts
store = os.path.join(where, "waits")
process, port = serve("--match", "1", "--store", store)
gone, left = kit.Dialler(port, "gone"), kit.Dialler(port, "left")
until(gone, "match"), until(left, "match")
left.close()  # before it was ready: the match is off, `gone` waits again
until(gone, "end")
gone.close()
third = kit.Dialler(port, "third")
until(third, "welcome")
fourth = kit.Dialler(port, "fourth")
until(third, "match")
until(fourth, "match")
for bot in (third, fourth):
    bot.answer(("match", 1, None))
until(fourth, "game")
fourth.close()
for _ in range(500):
    reply = json.loads(kit.hakem("ctl", "status", "--store", store, "--format", "json").stdout)
    status = next(row for row in reply["connections"] if row["name"] == "fourth")
    if status["lost"]:
        break
tap.check(status["lost"] and status["playing"] == 1, "a lost bot sits where it sat", status)
process.send_signal(signal.SIGTERM)
process.send_signal(signal.SIGTERM)
out = process.communicate(timeout=60)[0]
tap.check("third (X) against fourth" in out and "gone (X) against third" not in out,
          "a lost guest is not drawn", out)
tap.same(kit.left_over(where), [], "no process is left")
tap.done()
