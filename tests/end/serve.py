"""hakem serve: bots that dial in over TCP, in both spellings."""
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


def play_both(a, b):
    """Plays two of them in turns, until both connections have ended."""
    other = threading.Thread(target=b.play)
    other.start()
    a.play()
    other.join()


def serve(*options):
    process = kit.start("serve", "--listen", "127.0.0.1:0", *options)
    port = 0
    line = process.stdout.readline()
    while line and not line.startswith("serving in "):
        port = int(line.rsplit(":", 1)[1]) if line.startswith("listening on ") else port
        line = process.stdout.readline()
    return process, port


store = os.path.join(where, "once")
process, port = serve("--variant", "tavla", "--match", "3", "--store", store, "--once")
tap.check(port > 0, "port 0 takes a free one and says which")
a, b = kit.Dialler(port, "text"), kit.Dialler(port, "json", True)
play_both(a, b)
out, err = process.communicate(timeout=20)
tap.check(process.returncode == 0 and "room U000001: text " in out, "--once: a match, then the end",
          out, err)
tap.check(a.seen[0].startswith("welcome ") and json.loads(b.seen[0])["type"] == "welcome",
          "both are answered in their own spelling")
for bot, end in ((a, "bye "), (b, '{"type":"bye"')):
    kinds = [line for line in bot.seen if line.startswith(("unit ", '{"type":"unit"'))]
    tap.check(len(kinds) == 1 and bot.seen[-1].startswith(end),
              "the seed of the dice is told, then good-bye", *bot.seen[-3:])
record = os.path.join(store, "room", "records", "U000001-1.hkm")
verified = kit.hakem("verify", record)
tap.check(verified.returncode == 0, "the record verifies", verified.stdout, verified.stderr)
tap.check(os.path.exists(record[:-4] + ".mat"), "and there is a .mat")
shown = kit.hakem("show", os.path.join(store, "room"))
for command in (("show", store), ("replay", store), ("replay", store, "1"), ("verify", store),
                ("convert", store, os.path.join(where, "o"))):
    run = kit.hakem(*command)
    tap.check(run.returncode == 2 and run.stderr.count("\n") == 1 and
              os.path.join(store, "room") in run.stderr,
              "%s of the folder of all rooms names one" % " ".join(command[:1]), run.stderr)
tap.check("finished: 1 of 1" in shown.stdout, "hakem show looks at its store", shown.stdout,
          shown.stderr)
replayed = kit.hakem("replay", os.path.join(store, "room"), "1", "--print")
tap.check(replayed.returncode == 0 and "text" in replayed.stdout, "hakem replay too",
          replayed.stdout[-300:], replayed.stderr)

process, port = serve("--variant", "uzun", "--store", os.path.join(where, "refuse"), "--log",
                      "info")
asker = socket.create_connection(("127.0.0.1", port), timeout=20)
asker.sendall(b"hello hakem=1 name=narrow variants=tavla,western\n")
answer = asker.makefile().readline()
tap.check(answer.startswith("refused variant reason=uzun%20is%20played"),
          "who does not offer the variant is told which one is played", answer)
process.send_signal(signal.SIGINT)
out, err = process.communicate(timeout=20)
tap.check(re.search(r"^info session \d+ refused code=variant name=narrow reason=uzun ", err, re.M),
          "a refusal is logged at info", err)

store = os.path.join(where, "many")
process, port = serve("--match", "1", "--store", store, "--matches", "3", "--seed", "5")
first = [kit.Dialler(port, name) for name in ("one", "one", "two", "ONE")]
threads = [threading.Thread(target=bot.play) for bot in first]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
lines = [process.stdout.readline() for _ in range(4)]
tap.check(any("one-2" in line for line in lines), "two of one name: the second is NAME-2", *lines)
tap.check(sum(" against " in line for line in lines) == 2, "two matches at once", *lines)

a, b = kit.Dialler(port, "stays"), kit.Dialler(port, "returns")
stayer = threading.Thread(target=a.play)
stayer.start()
b.play(stop=2)
b.socket.shutdown(socket.SHUT_RDWR)
b.close()
stayer.join()
out, err = process.communicate(timeout=20)
tap.check("winner stays (normal)" in out, "who leaves loses the game", out, err)
tap.same(process.returncode, 0, "--matches 3 ends after three")

store = os.path.join(where, "back")
process, port = serve("--match", "5", "--store", store, "--once")
a, b = kit.Dialler(port, "stays"), kit.Dialler(port, "returns")
stayer = threading.Thread(target=a.play)
stayer.start()
b.play(stop=2)
b.close()
b = kit.Dialler(port, "returns")
b.play()
stayer.join()
out, err = process.communicate(timeout=20)
tap.check(process.returncode == 0 and "(normal)" in out,
          "who comes back under its name takes its seat again", out, err)
games = [line for line in b.seen if line.startswith("result ")]
tap.check(len(games) >= 1 and b.seen[1].startswith("match "), "and plays on", *b.seen[:4])

process, port = serve("--store", os.path.join(where, "stopped"))
bots = [kit.Dialler(port, "waits")]
bots[0].next()
process.send_signal(signal.SIGTERM)
out, err = process.communicate(timeout=20)
bots[0].play()
tap.check(process.returncode == 0 and bots[0].seen[-1].startswith("bye "),
          "SIGTERM: waiting bots hear good-bye", process.returncode, out, err, *bots[0].seen)

process, port = serve("--store", os.path.join(where, "fickle"), "--once", "--match", "1")
a = kit.Dialler(port, "stays")
a.next()
for number in range(2):
    b = kit.Dialler(port, "fickle%d" % number)
    b.next()
    if number == 1:
        b.next()
    b.close()
b = kit.Dialler(port, "comes", True)
play_both(a, b)
out, err = process.communicate(timeout=20)
tap.check(process.returncode == 0 and re.search(r"winner (stays|comes) \(normal\)", out),
          "who waits is not sent away by partners that leave before the match", out, err, *a.seen)

blocked = os.path.join(where, "blocked")
open(blocked, "w").close()
done = kit.hakem("serve", "--listen", "127.0.0.1:0", "--store", blocked, timeout=20)
tap.check(done.returncode == 5 and done.stdout == "" and done.stderr.count("\n") == 1,
          "a store that cannot be made is told at the start", done.stdout, done.stderr)

poor = os.path.join(where, "poor")
process = subprocess.Popen(["sh", "-c", "ulimit -n 64; exec \"$@\"", "sh", kit.HAKEM, "serve",
                            "--listen", "127.0.0.1:0", "--store", poor, "--match", "1"],
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
port = int(process.stdout.readline().rsplit(":", 1)[1])
crowd = [kit.Dialler(port, "c%d" % number) for number in range(30)]
time.sleep(1.5)
tap.check(process.poll() is None, "no descriptors left: it serves on", process.poll())
for bot in crowd[12:]:
    bot.close()
play_both(crowd[0], crowd[1])
tap.check(crowd[0].seen[-1].startswith("bye "), "and its matches end", *crowd[0].seen[-2:])
process.terminate()
for bot in crowd[2:12]:
    bot.close()
process.terminate()
out, err = process.communicate(timeout=20)
tap.check("winner c" in out and "Traceback" not in err, "with a winner", out, err)

process, port = serve("--store", os.path.join(where, "abuse"), "--once", "--match", "1")
noise = []
for data in (b"\x00\xff\xfe" * 100, b"{" * 5000, b"x" * 100000, b"hello\n" * 50,
             b"GET / HTTP/1.1\r\n\r\n", b'{"type":"hello"}\n{"type":"hello"}\n' * 3, b""):
    peer = socket.create_connection(("127.0.0.1", port))
    try:
        peer.sendall(data)
    except OSError:
        pass
    noise.append(peer)
a, b = kit.Dialler(port, "calm"), kit.Dialler(port, "cool", True)
play_both(a, b)
out, err = process.communicate(timeout=20)
tap.check(process.returncode == 0 and "winner c" in out, "noise on the port disturbs nobody",
          process.returncode, out, err)
ipv6 = kit.start("serve", "--listen", "[::1]:0", "--store", os.path.join(where, "six"))
line = ipv6.stdout.readline()
if line:
    tap.check(line.startswith("listening on [::1]:"), "IPv6 loopback", line)
else:
    print("ok %d - IPv6 loopback # SKIP no ::1 on this machine" % (tap.count + 1))
    tap.count += 1
ipv6.terminate()
ipv6.communicate()
tap.done()
