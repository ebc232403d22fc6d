"""Clocks end to end: nobody loses time that the referee, the machine's load or its calendar has
cost; identical bots are charged the same; what was late stands in the record."""
import glob
import json
import os
import random
import re
import signal
import subprocess
import sys
import time

import kit

tap = kit.Tap()
where = kit.folder()
text, spelled = "a=" + kit.bot(where), "b=" + kit.bot(where, "--json")

# A bot that thinks: it takes the first play after so many milliseconds, up to so many more.
THINKER = r"""
import random, sys, time
think, spread, tables = float(sys.argv[1]), float(sys.argv[2]), sys.argv[3]
chance = random.Random(sys.argv[4])
print("hello hakem=1 name=thinker tables=%s" % tables, flush=True)
for line in sys.stdin:
    word = line.split()
    if word[0] == "match":
        print("ready", word[1], flush=True)
    elif word[0] == "turn":
        time.sleep((think + chance.random() * spread) / 1000)
        print("play", word[1], word[2], "#0", flush=True)
"""
with open(os.path.join(where, "thinker.py"), "w", encoding="utf-8") as file:
    file.write(THINKER)


def thinker(name, think, spread, tables, seed):
    return "%s=%s %s %g %g %d %s" % (name, kit.PYTHON, os.path.join(where, "thinker.py"), think,
                                     spread, tables, seed)


def standings(out):
    return [row for row in map(json.loads, out.splitlines()) if row["type"] == "standing"]


def timeouts(out):
    return [row["faults"]["timeout"] for row in standings(out)]


def plies(store):
    """Every ply of a store's records as (seat's bot, fields)."""
    for path in sorted(glob.glob(os.path.join(store, "records", "*.hkm"))):
        with open(path, encoding="utf-8") as file:
            for line in file:
                words = line.split()
                fields = dict(word.split("=", 1) for word in words if "=" in word)
                if words[0] == "record":
                    bots = {"X": fields["x"], "Y": fields["y"]}
                elif words[0] in ("did", "result"):
                    yield bots.get(words[3]), words[0], fields


def stand_still():
    """hakem is stopped again and again, for longer than an answer may take, wherever it is."""
    chance = random.Random("stand still")
    store = os.path.join(where, "stopped")
    process = kit.start("duel", text, spelled, "--pairs", "1500", "--match", "1", "--move_time",
                        "150ms", "--concurrency", "4", "--store", store, "--format", "jsonl",
                        "--files", "hkm")
    while not os.path.exists(os.path.join(store, "hakem.sock")) and process.poll() is None:
        time.sleep(0.02)
    for length in [0.4] * 3 + [5.0] + [0.4] * 9:
        time.sleep(0.05 + chance.random() * 0.15)
        process.send_signal(signal.SIGSTOP)
        time.sleep(length)
        process.send_signal(signal.SIGCONT)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    tap.check(process.returncode in (0, 4) and timeouts(out) == [0, 0],
              "hakem was stopped for 5 s and 12 times for 0.4 s: nobody is flagged at 150 ms",
              process.returncode, timeouts(out), err)
    lags = [int(fields["lag"]) for _, kind, fields in plies(store) if "lag" in fields]
    marked = [fields for _, kind, fields in plies(store) if "contended" in fields]
    tap.check(lags and max(lags) > 300 and marked,
              "the record says how late it was, and which games were contended",
              len(lags), max(lags or [0]), len(marked))
    for path in sorted(glob.glob(os.path.join(store, "records", "*.hkm"))):
        with open(path, encoding="utf-8") as file:
            late = " contended=yes" in file.read()
        if late:
            told = kit.hakem("replay", path, "--print", "--no-board").stdout
            tap.check("contended" in told, "and hakem replay shows it", told[-500:])
            break
    checked = kit.hakem("verify", *sorted(glob.glob(os.path.join(store, "records", "*.hkm"))))
    tap.check(checked.returncode == 0, "and it is proven all the same", checked.stdout[-500:])


def loaded():
    """Eight busy programs beside it."""
    burner = "import time\nend = time.time() + 60\nwhile time.time() < end: pass\n"
    burners = [subprocess.Popen([sys.executable, "-c", burner]) for _ in range(8)]
    try:
        run = kit.hakem("duel", thinker("a", 5, 0, 1, "a"), thinker("b", 5, 0, 1, "b"), "--pairs",
                        "6", "--match", "1", "--move_time", "1s", "--concurrency", "4", "--store",
                        os.path.join(where, "loaded"), "--format", "jsonl")
    finally:
        for process in burners:
            process.kill()
            process.wait()
    tap.check(run.returncode == 0 and timeouts(run.stdout) == [0, 0],
              "nobody is flagged beside eight busy programs", run.stdout[-500:], run.stderr)


JUMPS = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
/* The calendar jumps by a day to and fro; the monotonic clock does not. */
static long jump(void) {
    static unsigned calls;
    return ++calls / 7 % 2 ? 86400 : -86400;
}
int clock_gettime(clockid_t id, struct timespec *out) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int status = real(id, out);
    if (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE) out->tv_sec += jump();
    return status;
}
int gettimeofday(struct timeval *out, void *zone) {
    struct timespec now;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &now);
    out->tv_sec = now.tv_sec;
    out->tv_usec = now.tv_nsec / 1000;
    return 0;
}
time_t time(time_t *out) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (out) *out = now.tv_sec;
    return now.tv_sec;
}
"""


def calendar():
    """The wall clock of the calendar jumps all the time."""
    source = os.path.join(where, "jumps.c")
    library = os.path.join(where, "jumps.so")
    with open(source, "w", encoding="ascii") as file:
        file.write(JUMPS)
    made = subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source, "-ldl"],
                          stderr=subprocess.PIPE, text=True)
    if made.returncode != 0 or "asan" in os.environ.get("LD_PRELOAD", ""):
        print("# no library to preload can be made here: %s" % made.stderr[:200])
        return
    run = subprocess.run([kit.HAKEM, "duel", text, spelled, "--pairs", "20", "--match", "1",
                          "--move_time", "1s", "--store", os.path.join(where, "jumps"), "--format",
                          "jsonl"], env=dict(kit.environment(), LD_PRELOAD=library,
                                             ASAN_OPTIONS="verify_asan_link_order=0"),
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                         text=True, timeout=120)
    tap.check(run.returncode == 0 and timeouts(run.stdout) == [0, 0],
              "a calendar that jumps by days flags nobody", run.stdout[-500:], run.stderr[-500:])


def same():
    """Two bots of the same habits."""
    store = os.path.join(where, "same")
    run = kit.hakem("duel", thinker("a", 25, 0, 1, "x"), thinker("b", 25, 0, 1, "y"), "--pairs", "32",
                    "--match", "1", "--concurrency", "16", "--store", store, "--seed", "same")
    sums = {"a": [0, 0], "b": [0, 0]}
    for bot, kind, fields in plies(store):
        if kind == "did" and "ms" in fields:
            sums[bot][0] += int(fields["ms"])
            sums[bot][1] += 1
    each = [total / max(count, 1) for total, count in sums.values()]
    tap.check(run.returncode == 0 and all(count > 1000 for _, count in sums.values()),
              "two bots of the same habits play", run.stderr, sums)
    tap.check(each[0] < 1.02 * each[1] and each[1] < 1.02 * each[0],
              "and are charged the same: %.2f and %.2f ms" % tuple(each), sums)


def pinged():
    """A bot on TCP that waits is pinged, and the operator sees how far away it is."""
    store = os.path.join(where, "room")
    process = kit.start("serve", "--listen", "127.0.0.1:0", "--store", store)
    port = 0
    while not port:
        found = re.match(r"listening on .*:(\d+)", process.stdout.readline())
        port = int(found.group(1)) if found else 0
    bot = kit.Dialler(port, "waits")
    bot.socket.settimeout(20)
    begun = time.monotonic()
    kind = bot.next()
    while kind and kind[0] != "ping":
        kind = bot.next()
    waited = time.monotonic() - begun
    bot.say("pong " + " ".join(bot.seen[-1].split()[1:]))
    time.sleep(0.2)
    status = kit.hakem("ctl", "status", "--store", store)
    tap.check(kind and 14 < waited < 18, "who waits is pinged after 15 s", kind, waited)
    tap.check(re.search(r"waits from 127\.0\.0\.1:\d+: 0 of 1 tables, round trip \d+ ms",
                        status.stdout), "its round trip is in the status", status.stdout,
              status.stderr)
    process.send_signal(signal.SIGTERM)
    process.wait(20)


stand_still()
loaded()
calendar()
same()
pinged()
tap.done()
