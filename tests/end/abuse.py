"""Peers that mean no good, over real TCP: lines without end, NUL and bad UTF-8, deep and huge
JSON, floods, junk, a reset after every byte, connections that say next to nothing. Each is told
where there is something to tell, and dropped; a match of two others goes on meanwhile."""
import os
import random
import socket
import struct
import threading
import time

import kit

tap = kit.Tap()
HELLO = b"hello hakem=1 name=abuser\n"
JSON_HELLO = b'{"type":"hello","hakem":1,"name":"abuser"}\n'


class Good(kit.Dialler):
    """Plays at a walking pace, and notes when it answers and when it is asked."""

    answered = 0.0  # of both: when the last answer left
    waits = []      # seconds from one's answer to the other's request

    def answer(self, message):
        if message[0] == "turn":
            if Good.answered:
                Good.waits.append(time.monotonic() - Good.answered)
            time.sleep(0.002)
            Good.answered = 0.0
            super().answer(message)
            Good.answered = time.monotonic()
        else:
            super().answer(message)


def dial():
    return socket.create_connection(("127.0.0.1", port), timeout=20)


def say(*pieces, times=1):
    """Says the pieces to the end or until nobody listens; all that is told, "" for a reset."""
    with dial() as peer:
        reader = threading.Thread(target=lambda: told.append(hear(peer)))
        told = []
        reader.start()
        try:
            for _ in range(times):
                for piece in pieces:
                    peer.sendall(piece)
        except OSError:
            pass
        reader.join(30)
        return told[0] if told else None


def hear(peer):
    told = b""
    try:
        while True:
            more = peer.recv(65536)
            if not more:
                return told.decode()
            told += more
    except ConnectionError:
        return told.decode()
    except OSError:
        return None


def reset_after(data):
    with dial() as peer:
        peer.sendall(data)
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def open_files():
    return len(os.listdir("/proc/%d/fd" % process.pid))


process = kit.start("serve", "--listen", "127.0.0.1:0", "--variant", "tavla", "--match", "99",
                    cwd=kit.folder())
port = int(process.stdout.readline().rsplit(":", 1)[1])
good = [Good(port, "good-a").start(), Good(port, "good-b", True).start()]
while len(Good.waits) < 50:
    time.sleep(0.01)
files, memory = open_files(), kit.peak_memory(process.pid)

# ---- what is told and dropped
SPOILT = [b"ready 1 \x00\n", b"ready \xff\n", b"ready 1\x01\n"]
DEEP = b'{"type":"ping","x":' + b"[" * 9000 + b"\n"
WIDE = b'{"type":"ping","x":[' + b"1," * 4000 + b"1]}\n"
TWICE = b'{"type":"ready","table":1,"table":1}\n'
for name, pieces, times, words in (
        ("a line without end", (HELLO, b"x" * (1 << 20)), 1, "error too-long"),
        ("a line without end before hello", (b"x" * (1 << 20),), 1, "error too-long"),
        ("a huge line of JSON", (JSON_HELLO, b'{"x":"', b"y" * (10 << 20)), 1, "too-long"),
        ("NUL, bad UTF-8, control bytes", [HELLO] + SPOILT, 1, "too many malformed lines"),
        ("deep JSON", (JSON_HELLO, DEEP, DEEP, DEEP), 1, "too many malformed lines"),
        ("arrays too long", (JSON_HELLO, WIDE, WIDE, WIDE), 1, "too many malformed lines"),
        ("duplicate keys", (JSON_HELLO, TWICE, TWICE, TWICE), 1, "too many malformed lines"),
        ("a flood", (HELLO, b"note\n" * 100000), 1, "too many lines that nobody asked for"),
        ("a flood of blank lines", (HELLO, b"\n" * 100000), 1, "nobody asked for"),
        ("a hello after hello", (HELLO * 4,), 1, "too many malformed lines")):
    told = say(*pieces, times=times)
    tap.check(told is not None and words in told.replace("%20", " "), "%s: told and dropped" % name,
              told)

# ---- junk, resets at every byte, and peers that come and go
chance = random.Random(7)
junk = [bytes(chance.randrange(256) for _ in range(5000)) for _ in range(20)]
junk += [b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\n"]
dropped = []
droppers = [threading.Thread(target=lambda data: dropped.append(say(data)), args=(data,))
            for data in junk]
for thread in droppers:
    thread.start()
script = HELLO + b"ready 1\nplay 1 1 8/5 6/5\nping id=1\n"
for length in range(len(script)):
    reset_after(script[:length])
for _ in range(500):
    dial().close()
left = dial()
left.sendall(HELLO)
left.shutdown(socket.SHUT_WR)
tap.check("welcome" in (hear(left) or ""), "who closes one direction is heard to the end")

# ---- two hundred that say a byte now and then
slow, begun = [dial() for _ in range(200)], time.monotonic()
while slow and time.monotonic() - begun < 25:
    for peer in slow[:]:
        try:
            peer.sendall(b"h")
            peer.setblocking(False)
            if peer.recv(65536) == b"":
                raise ConnectionError
        except BlockingIOError:
            peer.setblocking(True)
        except OSError:
            slow.remove(peer)
            peer.close()
    time.sleep(0.2)
took = time.monotonic() - begun
tap.check(not slow and took < 15, "who says nothing is dropped in time", len(slow), took)

for thread in droppers:
    thread.join(30)
tap.check(len(dropped) == len(junk) and None not in dropped, "so is junk", dropped)

# ---- and meanwhile
asked = len(Good.waits)
time.sleep(0.5)
tap.check(len(Good.waits) > asked, "the others still play", len(Good.waits), good[0].seen[-3:])
waits = sorted(Good.waits)
tap.check(len(waits) > 500 and waits[len(waits) * 99 // 100] < 0.5 and waits[-1] < 3,
          "and hardly waited", len(waits), waits[-5:])
print("# %d requests, p50 %.2f ms, p99 %.2f ms, most %.1f ms" % (
    len(waits), 1000 * waits[len(waits) // 2], 1000 * waits[len(waits) * 99 // 100],
    1000 * waits[-1]))
heard = [line for bot in good for line in bot.seen]
tap.check(not any("error" in line or "timeout" in line or "disconnect" in line for line in heard),
          "nobody of them lost by it")
time.sleep(0.5)
tap.check(open_files() <= files + 2, "every descriptor is given back", open_files(), files)
tap.check(kit.peak_memory(process.pid) < memory + 32, "the memory stays", memory,
          kit.peak_memory(process.pid))
pair = [kit.Dialler(port, "late-a").start(), kit.Dialler(port, "late-b").start()]
end = time.monotonic() + 10
while time.monotonic() < end and not all(len(bot.seen) > 5 for bot in pair):
    time.sleep(0.02)
tap.check(all(len(bot.seen) > 5 for bot in pair), "and others can dial in and play")
process.terminate()
process.wait(timeout=20)
tap.check(process.returncode is not None and process.returncode >= 0, "it ends as told",
          process.returncode)
tap.done()
