"""hakem run with bots that dial in (tokens) and bots that are dialled."""
import json
import os
import re
import signal
import socket
import threading
import time

import kit

tap = kit.Tap()
where = kit.folder()
secrets = {}


def token(name):
    made = json.loads(kit.hakem("token", name, "--format", "json").stdout)
    secrets[name] = made["token"]
    return made["kept"]


def event(name, bots, **more):
    path = os.path.join(where, name + ".json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(dict({"name": name, "match": 1, "pairs": 2, "dice": "seeded", "seed": 7,
                        "bots": bots}, **more), file)
    return path


def dials_in(name):
    return {"name": name, "token": token(name)}


def run(path, *options):
    """Starts hakem run where bots dial in; the process and the port."""
    process = kit.start("run", path, "--listen", "127.0.0.1:0", *options)
    line = process.stderr.readline()
    while line.startswith(("debug ", "info ")):
        line = process.stderr.readline()
    found = re.search(r"listening on 127\.0\.0\.1:(\d+); waiting for ", line)
    tap.check(found is not None, "it says where it listens and for whom it waits", line)
    return process, int(found.group(1)), line


def end_of(process):
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err


# tokens
shown = kit.hakem("token", "anatolia")
tap.check(shown.returncode == 0 and re.search(r"hakem_[0-9a-f]{64}\n", shown.stdout) and
          re.search(r'\{"name": "anatolia", "token": "sha256:[0-9a-f]{64}"\}', shown.stdout),
          "hakem token prints the token and the line for the event file", shown.stdout)
tap.check(kit.hakem("token", "anatolia").stdout != shown.stdout, "another one each time")
for bad in ((), ("a b",), ("a", "b"), ("hakem",), ("a", "--format", "xml")):
    done = kit.hakem("token", *bad)
    tap.check(done.returncode == 2 and done.stderr.count("\n") == 1 and not done.stdout,
              "hakem token %s is refused in one line" % " ".join(bad), done.stderr)

# two that dial in, one child; one dials in twice
bots = [dials_in("text"), dials_in("json"), {"name": "child", "command": kit.bot(where)}]
path = event("mixed", bots, pairs=4, concurrency=6, match=7)
process, port, line = run(path)
tap.check("text, json" in line, "they are named", line)
crowd = [kit.Dialler(port, "text", token=secrets["text"]).start(),
         kit.Dialler(port, "json", True, token=secrets["json"], tables=2).start(),
         kit.Dialler(port, "TEXT", True, token=secrets["text"]).start()]
code, out, err = end_of(process)
tap.check(code == 0 and "finished: 24 of 24" in out, "an event of all kinds of bots ends", code,
          out[-400:], err)
for bot in crowd:
    bot.thread.join(20)
tap.check(crowd[0].tables and crowd[2].tables,
          "both connections of one entrant were given tables", crowd[0].tables, crowd[2].tables)
tap.check(all(bot.seen[-1].find("bye") >= 0 for bot in crowd), "all hear good-bye")
tap.check(not any(secret in out + err for secret in secrets.values()), "no token is shown")
files = [os.path.join(where, "mixed.store", "records", name)
         for name in os.listdir(os.path.join(where, "mixed.store", "records"))]
tap.same(kit.hakem("verify", *[name for name in files if name.endswith(".hkm")]).returncode, 0,
         "the records verify")
again = kit.hakem("run", path)
tap.check(again.returncode == 0 and "24 of 24" in again.stdout,
          "what is over is shown without --listen", again.stderr)

# wrong tokens and unknown names: one answer, late, and no secret in the log
path = event("guess", [dials_in("one"), dials_in("two")])
process, port, line = run(path, "--log", "debug")
answers = {}
begun = time.monotonic()
for who, more in (("one", {"token": "hakem_" + "0" * 64}), ("nobody", {"token": secrets["one"]}),
                  ("two", {})):
    bot = kit.Dialler(port, who, **more)
    bot.say("hello hakem=1 name=one token=" + secrets["one"])
    bot.next()
    answers[who, len(more)] = bot.seen[-1]
    tap.same(bot.next(), None, "%s is sent away" % who)
tap.same(set(answers.values()), {"refused token reason=unknown%20name%20or%20wrong%20token have=1\n"},
         "a wrong token, a missing one, an unknown name: the same answer")
tap.check(time.monotonic() - begun >= 1 + 2 + 4 - 0.1, "and each time it takes longer")
wrong = kit.Dialler(port, "one", token=secrets["one"], variants="uzun")
wrong.next()
tap.check(wrong.seen[0].startswith("refused variant"), "a variant that is not offered", wrong.seen)
pair = [kit.Dialler(port, name, token=secrets[name]).start() for name in ("one", "two")]
code, out, err = end_of(process)
tap.check(code == 0 and "finished: 4 of 4" in out, "the right ones play meanwhile", code, err[-500:])
tap.check(not any(secret in out + err for secret in secrets.values()), "no token is logged")
tap.check("code=token name=nobody" in err, "a refusal is logged", err[-500:])

# who does not come loses, who goes away for too long too
path = event("absent", [dials_in("here"), dials_in("away"), {"name": "child",
                                                            "command": kit.bot(where)}])
process, port, line = run(path, "--wait", "1500ms")
kit.Dialler(port, "here", token=secrets["here"]).start()
code, out, err = end_of(process)
tap.check(code == 0 and "finished: 12 of 12" in out and
          'bot "away" stayed away for 1 s: it loses the matches that are left' in err,
          "an absent bot loses its matches, the others play", code, out[-600:], err)
path = event("alone", [dials_in("here"), dials_in("away")])
process, port, line = run(path, "--wait", "500ms")
kit.Dialler(port, "here", token=secrets["here"]).start()
code, out, err = end_of(process)
tap.check(code == 7 and "1 of 2 bots came within 0 s, so nothing is played; absent: away" in err and
          not os.path.exists(os.path.join(where, "alone.store")),
          "with one bot nothing is played and nothing written", code, out, err)

# it comes back after a hang-up, and after a kill of the referee
path = event("back", [dials_in("stays"), dials_in("returns")], match=3, pairs=3)
process, port, line = run(path)
stays = kit.Dialler(port, "stays", token=secrets["stays"]).start()
returns = kit.Dialler(port, "returns", token=secrets["returns"])
returns.play(stop=2)
returns.close()
returns = kit.Dialler(port, "returns", token=secrets["returns"])
returns.play(stop=30)
process.send_signal(signal.SIGKILL)
process.communicate()
process, port, line = run(path)
for name in ("stays", "returns"):
    kit.Dialler(port, name, token=secrets[name]).start()
code, out, err = end_of(process)
tap.check(code == 0 and "finished: 6 of 6" in out, "kill -9, started again: it goes on", code,
          out[-400:], err)


# bots that are dialled
class Listener:
    """A bot that waits to be dialled, as often as it is told to."""

    def __init__(self, name, port=0, stop=None):
        self.name, self.stop, self.bots = name, stop, []
        self.socket = socket.create_server(("127.0.0.1", port))
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                peer = self.socket.accept()[0]
            except OSError:
                return
            bot = kit.Dialler(None, self.name, sock=peer)
            self.bots.append(bot)
            bot.play(self.stop)
            bot.close()
            self.stop = None


first, second = Listener("first"), Listener("second", stop=3)
path = event("dialled", [{"name": "a", "address": "127.0.0.1:%d" % first.port},
                         {"name": "b", "address": "localhost:%d" % second.port}], match=3)
done = kit.hakem("run", path)
tap.check(done.returncode == 0 and "finished: 4 of 4" in done.stdout and len(second.bots) == 2,
          "bots that are dialled play; one that hangs up is dialled again", done.stdout[-400:],
          done.stderr)
tap.check(done.stderr.count("\n") == 1 and 'bot "b" at localhost:' in done.stderr and
          "it is dialled again" in done.stderr, "which is told in one line", done.stderr)

closed = socket.create_server(("127.0.0.1", 0))
port = closed.getsockname()[1]
closed.close()
path = event("late", [{"name": "a", "address": "127.0.0.1:%d" % first.port},
                      {"name": "b", "address": "127.0.0.1:%d" % port}])
process = kit.start("run", path)
line = process.stderr.readline()
tap.check("127.0.0.1:%d is not there: Connection refused; it is dialled again" % port in line,
          "a refused connection is one line", line)
late = Listener("late", port)
code, out, err = end_of(process)
tap.check(code == 0 and "finished: 4 of 4" in out and err == "", "and it plays when it comes", code,
          out[-300:], err)
late.socket.shutdown(socket.SHUT_RDWR)
late.socket.close()
process = kit.start("run", path, "--wait", "1s", "--store", os.path.join(where, "never"))
code, out, err = end_of(process)
tap.check(code == 7 and err.count("\n") == 2 and "absent: b" in err,
          "who never comes: nothing is played", code, err)

# what cannot be
two = [dials_in("x"), dials_in("y")]
for name, bots, options, words in (
        ("nowhere", two, (), "say where with --listen"),
        ("unknown", [{"name": "x", "token": True}, two[1]], ("--listen", "127.0.0.1:0"),
         "hakem token x"),
        ("far", [{"name": "x", "address": "192.0.2.1:7000"}, two[1]],
         ("--listen", "127.0.0.1:0"), "--plaintext"),
        ("public", two, ("--listen", "0.0.0.0:0"), "not a loopback address"),
        ("named", two, ("--listen", "example.org:7000"), "is not an address to listen on")):
    done = kit.hakem("run", event(name, bots), *options, timeout=20)
    tap.check(done.returncode == 2 and words in done.stderr and done.stderr.count("\n") == 1 and
              not os.path.exists(os.path.join(where, name + ".store")), "refused: " + name,
              done.stderr)
tap.same(kit.left_over(where), [], "no process is left")
tap.done()
