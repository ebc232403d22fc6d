"""hakem serve CONFIG.json and hakem ctl: events and rooms in one process, whatever happens to it."""
import json
import os
import re
import signal
import socket
import subprocess
import threading
import time

import kit

tap = kit.Tap()
where = kit.folder()
store = os.path.join(where, "store")
PATIENCE = 60


def write(name, value):
    path = os.path.join(where, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(value if isinstance(value, str) else json.dumps(value))
    return path


def config(name="hakem.json", **more):
    return write(name, dict({"listen": "127.0.0.1:0", "store": store}, **more))


def serve(path):
    """Starts the daemon; the process and its port."""
    process = kit.start("serve", path)
    port = 0
    while True:
        line = process.stdout.readline()
        if not line:
            out, err = process.communicate()
            tap.check(False, "the daemon starts", err)
            raise SystemExit(1)
        if line.startswith("listening on "):
            port = int(line.rsplit(":", 1)[1])
        if line.startswith("serving in "):
            break
    process.lines = []
    # A pipe that nobody reads would stop it in the end.
    process.reader = threading.Thread(target=lambda: process.lines.extend(process.stdout),
                                      daemon=True)
    process.reader.start()
    process.errors = []
    process.error_reader = threading.Thread(target=lambda: process.errors.extend(process.stderr),
                                            daemon=True)
    process.error_reader.start()
    return process, port


def end(process, how=signal.SIGTERM):
    process.send_signal(how)
    process.wait(PATIENCE)
    process.reader.join(5)
    process.error_reader.join(5)
    return process.returncode


def ctl(*words):
    return kit.hakem("ctl", *words, "--store", store)


def ask(*words):
    """The daemon's answer as it is."""
    done = ctl(*words, "--format", "json")
    return json.loads(done.stdout) if done.stdout else {"ok": False, "stderr": done.stderr}


def event_of(name):
    for row in ask("list")["events"]:
        if row["name"] == name:
            return row
    return {"state": "none"}


def room_of(name):
    return [row for row in ask("list")["rooms"] if row["name"] == name][0]


def wait_for(what, patience=PATIENCE):
    """Waits until a look is not false."""
    until = time.monotonic() + patience
    while time.monotonic() < until:
        got = what()
        if got:
            return got
        time.sleep(0.05)
    return None


def children(name, **more):
    bots = [{"name": "a", "command": kit.bot(where)},
            {"name": "b", "command": kit.bot(where, "--json")}]
    return write(name + ".json", dict({"name": name, "match": 1, "pairs": 10, "dice": "seeded",
                                       "seed": name, "bots": bots}, **more))


# ---- what a configuration may not be: the line, the field, what is allowed
good = {"store": '"%s"' % store, "listen": '"127.0.0.1:0"'}
for field, value, words in (
        ("listen", "7", '"listen" must be a text'),
        ("listen", '"localhost"', '"listen" must be HOST:PORT'),
        ("listen", '"0.0.0.0:0"', "is not a loopback address"),
        ("plaintext", '"yes"', '"plaintext" must be true or false'),
        ("store", '""', '"store" must not be empty'),
        ("store", "[]", '"store" must be a text'),
        ("tokens", "1", '"tokens" must be a text'),
        ("log", '"loud"', '"log" must be one of error, warn, info, debug'),
        ("sessions", "1", '"sessions" must be a whole number from 2 to 4096'),
        ("events", "-1", '"events" must be a whole number from 0 to 256'),
        ("stop_time", '"soon"', '"stop_time" must be a time'),
        ("rooms", "{}", '"rooms" must be a list'),
        ("rooms", "[3]", "a room is an object"),
        ("rooms", '[{"variant": "tavla"}]', 'a room needs a "name"'),
        ("rooms", '[{"name": "../x"}]', 'a room needs a "name"'),
        ("rooms", '[{"name": "hakem.x"}]', 'cannot begin with "hakem."'),
        ("rooms", '[{"name": "a"},\n{"name": "A"}]', 'two rooms are called "A"'),
        ("rooms", '[{"name": "a", "variant": "chess"}]', '"variant" must be one of tavla'),
        ("rooms", '[{"name": "a", "bots": []}]', 'unknown field "bots"'),
        ("rooms", '[{"name": "a", "matc": 3}]', 'did you mean "match"?'),
        ("rooms", '[{"name": "a", "token": 1}]', '"token" must be true or false'),
        ("rooms", '[{"name": "a", "move_time": "x"}]', '"move_time" must be a time'),
        ("lissen", "1", 'did you mean "listen"?')):
    fields = dict(good, **{field: value})
    order = [key for key in fields if key != field] + [field]
    text = "{ // a comment\n" + ",\n".join('"%s": %s' % (key, fields[key]) for key in order) + "\n}\n"
    path = write("bad.json", text)
    done = kit.hakem("serve", path, timeout=20)
    line = 2 + len(order) - 1 + value.count("\n")
    tap.check(done.returncode == 2 and done.stderr.count("\n") == 1 and words in done.stderr and
              "%s: line %d: " % (path, line) in done.stderr and not os.path.exists(store),
              "refused: %s %s" % (field, value[:30].replace("\n", " ")), done.stderr)
for text, words in (("[]", "one JSON object"), ("{}", '"store" has to say'), ("{", "line 1"),
                    ('{"store": "x", "rooms": [{"name": "a"}]}', 'needs a "listen" address'),
                    ('{"store": "x", "listen": "0.0.0.0:0", "plaintext": true,\n'
                     '"rooms": [{"name": "a"}]}', 'line 2: room "a" needs "token": true')):
    done = kit.hakem("serve", write("bad.json", text), timeout=20)
    tap.check(done.returncode == 2 and words in done.stderr and done.stderr.count("\n") == 1,
              "refused: " + text[:40].replace("\n", " "), done.stderr)
done = kit.hakem("serve", config(), "--match", "3", timeout=20)
tap.check(done.returncode == 2 and "only --log" in done.stderr, "no rule beside a file", done.stderr)
done = ctl("list")
tap.check(done.returncode == 5 and "no daemon answers" in done.stderr and
          done.stderr.count("\n") == 1, "nobody there: one line", done.stderr)
for words in ((), ("lisst",), ("list", "x"), ("submit",), ("kick",), ("pause", "a", "b"),
              ("list", "--hard"), ("status", "--format", "xml")):
    done = ctl(*words)
    tap.check(done.returncode == 2 and done.stderr.count("\n") == 1, "ctl %s: refused" %
              " ".join(words), done.stderr)

# ---- two events at once, pause, kill -9, restart, the end
path = config(log="info")
process, port = serve(path)
tap.same(oct(os.stat(store).st_mode & 0o777), "0o700", "the folder is its user's alone")
tap.same(oct(os.stat(os.path.join(store, "hakem.sock")).st_mode & 0o777), "0o600",
         "and so is the socket")
done = kit.hakem("serve", config("second.json"), timeout=20)
tap.check(done.returncode == 8 and done.stderr.count("\n") == 1, "a second daemon is refused",
          done.returncode, done.stderr)
one, two = children("one", pairs=30), children("two", pairs=30, variant="uzun")
for name in (one, two):
    done = ctl("submit", name)
    tap.check(done.returncode == 0 and "is on" in done.stdout, "submitted", done.stdout, done.stderr)
tap.check(wait_for(lambda: event_of("one").get("finished", 0) > 2 and
                   event_of("two").get("finished", 0) > 2), "both play")
tap.same(ctl("pause", "one").returncode, 0, "one is paused")
time.sleep(0.5)  # what had ended is on disk and shown
was = event_of("one")
time.sleep(0.5)
now, other = event_of("one"), event_of("two")
tap.check(was["state"] == now["state"] == "paused" and was["finished"] == now["finished"],
          "and stands still", was, now)
shown = ctl("list")
tap.check(re.search(r"^event one +paused, \d+ of 60 matches, ", shown.stdout, re.M) and
          re.search(r"^event two ", shown.stdout, re.M), "list is for people", shown.stdout)
tap.check(wait_for(lambda: event_of("two").get("finished", 999) > other.get("finished", 0)), "while the other plays on")
status = ask("status")
tap.check(status["ok"] and status["pid"] == process.pid and status["events"] >= 1 and
          status["store"] == store, "status tells about itself", status)
tap.check("process %d" % process.pid in ctl("status").stdout, "also to people")
shown = kit.hakem("show", os.path.join(store, "one"))
tap.check("running: " in shown.stdout, "hakem show asks an event of the daemon", shown.stdout,
          shown.stderr)
shown = kit.hakem("show", store)
tap.check(shown.returncode == 2 and os.path.join(store, "one") in shown.stderr or
          os.path.join(store, "two") in shown.stderr, "and says which there are", shown.stderr)
tap.same(end(process, signal.SIGKILL), -9, "kill -9")
process, port = serve(path)
tap.same(event_of("one")["state"], "paused", "what was paused is paused")
tap.same(ctl("resume").returncode, 0, "all is resumed")
for name in ("one", "two"):
    tap.check(wait_for(lambda: event_of(name)["state"] == "finished"), name + " goes to its end",
              event_of(name))
    records = os.path.join(store, name, "records")
    files = [os.path.join(records, file) for file in os.listdir(records) if file.endswith("hkm")]
    tap.check(len(files) == 60 and kit.hakem("verify", *files).returncode == 0,
              name + ": its records verify", len(files))
    shown = kit.hakem("show", os.path.join(store, name))
    tap.check("finished: 60 of 60" in shown.stdout, name + ": all was played", shown.stdout[:300])
reference = kit.hakem("run", one, "--store", os.path.join(where, "alone"))
tap.same(kit.records(os.path.join(store, "one")), kit.records(os.path.join(where, "alone")),
         "with seeded dice as an undisturbed run")

# ---- what cannot be submitted
done = ctl("submit", one)
tap.check(done.returncode == 2 and "the event is over" in done.stderr, "what is over", done.stderr)
again = children("two", pairs=3)
done = ctl("submit", again)
tap.check(done.returncode == 2 and "its name is taken" in done.stderr, "a name that is taken",
          done.stderr)
for name, words in (("a b", "letters, digits"), ("hakem.db", "letters, digits"),
                    ("..", "letters, digits")):
    done = ctl("submit", write("x.json", open(one).read().replace('"one"', json.dumps(name), 1)))
    tap.check(done.returncode == 2 and words in done.stderr and
              not os.path.exists(os.path.join(store, name)) or name == "..",
              "a name that is none: " + name, done.stderr)
done = ctl("submit", write("x.json", '{\n"pears": 3}'))
tap.check(done.returncode == 2 and "line 2" in done.stderr and '"pairs"?' in done.stderr,
          "a bad event names the line", done.stderr)
missing = children("missing", bots=[{"name": "a", "command": "./nowhere"},
                                    {"name": "b", "command": kit.bot(where)}])
tap.same(ctl("submit", missing).returncode, 0, "a bot that does not start")
failed = wait_for(lambda: event_of("missing")["state"] == "failed" and event_of("missing"))
tap.check(failed and "nowhere" in failed["error"], "fails its event, and says why", failed)
for words in (("pause", "nobody"), ("resume", "one"), ("stop", "two"), ("kick", "zoe")):
    done = ctl(*words)
    tap.check(done.returncode == 2 and done.stderr.count("\n") == 1, " ".join(words) + ": refused",
              done.stderr)

# ---- the socket hears any line
for line in (b"", b"\n", b"{\n", b"[]\n", b'{"do":3}\n', b'{"do":"dance"}\n', b'{"do":"kick"}\n',
             b"x" * 100000 + b"\n", b'{"do":"submit","text":"{}"}\n',
             b'{"do":"token","name":"a b"}\n', b'{"do":"list","do":"list"}\n', b"\xff\xfe\n"):
    peer = socket.socket(socket.AF_UNIX)
    peer.connect(os.path.join(store, "hakem.sock"))
    peer.sendall(line)
    peer.shutdown(socket.SHUT_WR)
    answer = b""
    while True:
        got = peer.recv(65536)
        if not got:
            break
        answer += got
    tap.check(not line.strip() and (not answer or b'"ok":false' in answer) or
              json.loads(answer)["ok"] is False, "the socket hears %r" % line[:20], answer[:200])
tap.check(ask("status")["ok"], "and goes on")

# ---- stop soft, hard, and on again
path3 = children("long", pairs=200, concurrency=4)
ctl("submit", path3)
wait_for(lambda: event_of("long").get("finished", 0) > 3)
tap.same(ctl("stop", "long").returncode, 0, "stop")
tap.check(wait_for(lambda: event_of("long")["state"] == "stopped"), "ends its running matches",
          event_of("long"))
tap.check(kit.hakem("show", os.path.join(store, "long")).stdout.find("interrupted") > 0,
          "and lets its store go")
tap.same(ctl("submit", path3).returncode, 0, "the same file again: it goes on")
wait_for(lambda: event_of("long").get("running", 0) > 0)
tap.same(ctl("stop", "long", "--hard").returncode, 0, "stop --hard")
tap.same(event_of("long")["state"], "stopped", "is at once")
end(process)
process, port = serve(path)
tap.same(event_of("long")["state"], "stopped", "a restart leaves it alone")
tap.same(ctl("resume", "long").returncode, 0, "resume takes it up")
tap.check(wait_for(lambda: event_of("long")["state"] == "finished"), "and it ends",
          event_of("long"))
tap.same(kit.left_over(os.path.join(where, "bot.py"), 5), [],
         "no bot of events that are over is left")

# ---- tokens, several connections, kick
made = {name: ask("token", name)["token"] for name in ("in", "out", "third")}
tap.check(all(re.fullmatch(r"hakem_[0-9a-f]{64}", token) for token in made.values()), "tokens")
with open(os.path.join(store, "hakem.tokens"), encoding="utf-8") as file:
    kept = file.read()
tap.check(kept.count("sha256:") == 3 and not any(token in kept for token in made.values()),
          "of which only the hashes are kept", kept)
early = kit.Dialler(port, "in", token=made["in"]).start()
wrong = kit.Dialler(port, "in", token=made["out"])
wrong.next()
tap.check(wrong.seen[0].startswith("refused token "), "a wrong one is refused", wrong.seen)
stranger = kit.Dialler(port, "stranger")
stranger.next()
tap.check(stranger.seen[0].startswith("refused token "), "so is who is not known", stranger.seen)
net = write("net.json", {"name": "net", "match": 1, "pairs": 20, "concurrency": 4, "bots": [
    {"name": name, "token": True} for name in ("in", "out", "third")]})
tap.same(ctl("submit", net).returncode, 0, "an event of bots that dial in")
tap.check(wait_for(lambda: event_of("net")["state"] == "gathers" and
                   set(event_of("net")["absent"].split(", ")) == {"out", "third"}),
          "waits for who is not here", event_of("net"))
kit.Dialler(port, "out", True, token=made["out"], tables=3).start()
third = [kit.Dialler(port, "third", token=made["third"]).start() for _ in range(2)]
tap.check(wait_for(lambda: event_of("net").get("finished", 0) > 5), "plays when they are",
          event_of("net"))
done = ctl("kick", "third")
tap.check(done.returncode == 0 and "2 connections" in done.stdout, "kick", done.stdout, done.stderr)
tap.check(wait_for(lambda: event_of("net")["state"] == "finished"), "the others play on",
          event_of("net"))
for bot in third:
    bot.thread.join(10)
tap.check(all(any(line.startswith("bye ") and "organiser" in line for line in bot.seen)
              for bot in third), "who is out hears why", third[0].seen[-3:])
shown = kit.hakem("show", os.path.join(store, "net"))
tap.check("finished: 120 of 120" in shown.stdout and "aborted" in shown.stdout,
          "and has lost the rest", shown.stdout)
early.thread.join(10)
tap.check("the%20event%20is%20over" in early.seen[-1], "the others are told the end",
          early.seen[-2:])

# ---- reload
config(log="info", stop_time="5s", sessions=100,
       rooms=[{"name": "tavla", "match": 1}, {"name": "uzun", "variant": "uzun", "match": 1}])
reloaded = ask("reload")
tap.check(reloaded["ok"] and set(reloaded["changed"]) == {"tokens", "rooms", "stop_time"} and
          reloaded["restart"] == ["sessions"], "reload says what it took", reloaded)
config(rooms=[{"name": "tavla", "match": 3}], nonsense=1)
done = ctl("reload")
tap.check(done.returncode == 2 and "nonsense" in done.stderr, "a bad file changes nothing",
          done.stderr)
a, b = kit.Dialler(port, "x").start(), kit.Dialler(port, "y", variants="tavla").start()
for bot in (a, b):
    bot.thread.join(20)
tap.check("the%20match%20is%20over" in a.seen[-1], "a room that was added is played in", a.seen[-1])
tap.same(room_of("tavla")["finished"], 1, "and counts")
config(rooms=[{"name": "tavla", "match": 3}])
process.send_signal(signal.SIGHUP)
tap.check(wait_for(lambda: len(ask("list")["rooms"]) == 1), "SIGHUP reloads: a room is gone",
          ask("list"))
tap.same(ask("reload")["restart"], ["tavla"], "another game in a room needs a restart")
tap.same(end(process), 0, "SIGTERM with nothing running")
done = kit.hakem("serve", path, timeout=20)
tap.check(done.returncode == 2 and "room tavla: " in done.stderr and "another event" in done.stderr,
          "and another store", done.stderr)

# ---- a crowd at the door, each heard
config(rooms=[{"name": "crowd", "match": 1}])
process, port = serve(path)
socks = [socket.create_connection(("127.0.0.1", port), timeout=60) for _ in range(200)]
crowd = [kit.Dialler(port, "c%03d" % i, i % 2 == 0, sock=sock).start()
         for i, sock in enumerate(socks)]
for bot in crowd:
    bot.thread.join(60)
ends = [bot.seen[-1] for bot in crowd if bot.seen]
tap.check(len(ends) == 200 and all("the match is over" in end.replace("%20", " ") for end in ends),
          "200 hellos at once: each plays and hears good-bye",
          [end for end in ends if "over" not in end][:3])
tap.same(room_of("crowd")["finished"], 100, "a hundred matches")
tap.same(sorted(os.listdir(store)).count("crowd"), 1, "in one store")
shown = kit.hakem("show", os.path.join(store, "crowd"), "--format", "jsonl")
tap.check(shown.stdout.count('"type":"standing"') == 200 or shown.stdout.count('"c0') >= 100,
          "with a table of them all", shown.stdout[:400])
newcomers = [kit.Dialler(port, "n%03d" % i) for i in range(60)]
answers = []
for bot in newcomers:
    bot.next()
    answers.append(bot.seen[0].split()[0:2] if bot.seen else None)
tap.check(["refused", "full"] in answers and answers[0][0] == "welcome",
          "a room has a ceiling, and says so in a line", answers[-3:])
for bot in newcomers:
    bot.close()

# ---- the daemon is killed in the middle of a room's match
tap.same(end(process), 0, "who has gone is not waited for")
config(rooms=[{"name": "home", "match": 7}])
process, port = serve(path)
pair = [kit.Dialler(port, name) for name in ("ayse", "bora")]
pair[1].start()
pair[0].play(stop=8)
end(process, signal.SIGKILL)
process, port = serve(path)
pair = [kit.Dialler(port, name).start() for name in ("bora", "ayse")]
for bot in pair:
    bot.thread.join(30)
tap.check(pair[0].seen[1].startswith("match ") and "U000001" in pair[0].seen[1] and
          wait_for(lambda: room_of("home")["finished"] == 1),
          "both come back, and their match goes on", pair[0].seen[:3], ask("list"))
record = os.path.join(store, "home", "records", "U000001-1.hkm")
done = kit.hakem("verify", record)
tap.check(done.returncode == 0, "its record verifies", done.stdout, done.stderr)

# ---- who leaves, stays away
bots = [kit.Dialler(port, name) for name in ("w1", "w2")]
watcher = bots[0].start()
bots[1].play(stop=1)
done = ctl("kick", "w2")
tap.check(done.returncode == 0, "a bot is kicked out of a room", done.stderr)
watcher.thread.join(20)
tap.check(any(line.startswith("end ") and "aborted" in line for line in watcher.seen),
          "which costs it the match", watcher.seen[-4:])

# ---- SIGTERM: what runs may end, who waits hears when to come back
bots = [kit.Dialler(port, name) for name in ("s1", "s2", "s3")]
for bot in bots:
    bot.next()
tap.check(wait_for(lambda: room_of("home")["waiting"] == 1), "one waits", ask("list"))
process.send_signal(signal.SIGTERM)
time.sleep(0.3)
refusal = ask("submit", one)
tap.check(not refusal["ok"] and refusal.get("code") == "stops", "nothing new is taken", refusal)
runner = bots[1].start()
bots[0].play()
process.wait(PATIENCE)
tap.same(process.returncode, 0, "the running match ends, then the daemon")
bots[2].play()
tap.check(bots[2].seen[-1].startswith("bye ") and " retry=5000" in bots[2].seen[-1],
          "who waited hears when to come back", bots[2].seen)
path4 = config(rooms=[{"name": "slow", "match": 7}], stop_time="1s")
process, port = serve(path4)
bots = [kit.Dialler(port, name).start() for name in ("t1", "t2")]
for bot in bots:
    bot.answer = lambda message: None  # they never answer
idle = [kit.Dialler(port, name) for name in ("i1", "i2")]
for bot in idle:
    bot.next()
    bot.answer(bot.next())
tap.check(wait_for(lambda: room_of("slow")["running"] >= 1), "a match runs")
begun = time.monotonic()
code = end(process)
tap.check(code == 4 and time.monotonic() - begun < 20, "what runs too long is cut off", code)
# ---- the service manager and its journal
manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
manager.bind(os.path.join(where, "notify"))
manager.settimeout(20)
reading, writing = os.pipe()
stream = "%d:%d" % (os.fstat(writing).st_dev, os.fstat(writing).st_ino)
envs = dict(kit.environment(), NOTIFY_SOCKET=os.path.join(where, "notify"),
            WATCHDOG_USEC="600000", JOURNAL_STREAM=stream)
process = subprocess.Popen([kit.HAKEM, "serve", config(log="info", rooms=[{"name": "sd"}])],
                           env=envs, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                           stderr=writing)
os.close(writing)
said = []
while said.count("WATCHDOG=1") < 3:
    said.append(manager.recv(1000).decode())
tap.check(said[0] == "READY=1" and any(re.match(r"STATUS=0 connections, 0 tables, 0 events$", word)
                                       for word in said), "READY, STATUS, WATCHDOG", said)
ctl("submit", children("env", bots=[
    {"name": "a", "command": "sh -c 'env >%s/env.txt; exec %s'" % (where, kit.bot(where))},
    {"name": "b", "command": kit.bot(where)}], pairs=1))
wait_for(lambda: event_of("env")["state"] == "finished")
with open(os.path.join(where, "env.txt"), encoding="utf-8") as file:
    tap.check("NOTIFY_SOCKET" not in file.read(), "a bot does not speak for the daemon")
process.send_signal(signal.SIGHUP)
while "RELOADING=1" not in said:
    said.append(manager.recv(1000).decode())
process.send_signal(signal.SIGTERM)
while "STOPPING=1" not in said:
    said.append(manager.recv(1000).decode())
tap.same(process.wait(PATIENCE), 0, "RELOADING, STOPPING")
with os.fdopen(reading, encoding="utf-8") as file:
    lines = file.read().split("\n")
tap.check(any(line.startswith("<6>info admin submit") for line in lines),
          "the journal gets priorities", *lines[:10])
tap.same(kit.left_over(where), [], "no process is left")
tap.done()
