"""What a play costs the referee, beside a floor: the least that any program pays which moves the
same lines over the same connections (tests/bench/floor.c). hakem runs as users run it: records,
chained hashes, auditable dice, clocks, the store. Everything runs on one processor, the cases of
a round one after the other, and what is printed are medians of the rounds; a figure is processor
time, user and system, not time by the wall. Nothing fails by a figure.

    python3 speed.py [-n ROUNDS] [PART ...]      parts: plays memory crowd gnubg (all)
"""
import json
import os
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time

HAKEM = os.path.abspath(os.environ.get("HAKEM", "./hakem"))
BENCH = os.path.abspath(os.environ.get("BENCH", "tests/bench"))
BOT, FLOOR, FIBS_BOT = (os.path.join(BENCH, name) for name in ("bot", "floor", "fibs_bot"))
GNUBG = shutil.which("gnubg", path=os.environ["PATH"] + ":/usr/games")
TICK = os.sysconf("SC_CLK_TCK")
CPUS = sorted(os.sched_getaffinity(0))
WHERE = tempfile.mkdtemp(prefix="hakem-bench-")
FLOOR_TIME = "0.7"  # seconds
CROWD_TIME = 15


def start(*words, cpu=CPUS[0], **more):
    """A process on one processor, its output in a file."""
    out = tempfile.TemporaryFile("w+", dir=WHERE)
    process = subprocess.Popen(words, stdin=more.get("stdin", subprocess.DEVNULL), stdout=out,
                               stderr=subprocess.STDOUT, cwd=WHERE,
                               preexec_fn=lambda: os.sched_setaffinity(0, {cpu}))
    process.out = out
    return process


def said(process):
    process.out.seek(0)
    return process.out.read()


def used(process):
    """Seconds of processor time of this process alone."""
    with open("/proc/%d/stat" % process.pid, encoding="ascii") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def resident(process):
    """kB of memory in use."""
    with open("/proc/%d/status" % process.pid, encoding="ascii") as file:
        return int(re.search(r"VmRSS:\s+(\d+)", file.read()).group(1))


def end(process, limit=120):
    """Waits for its end; its processor time, and that of the children it has waited for."""
    stop = time.monotonic() + limit
    while os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is None:
        if time.monotonic() > stop:
            process.kill()
        time.sleep(0.01)
    own = used(process)
    before = os.times()
    process.wait()
    after = os.times()
    whole = after[2] + after[3] - before[2] - before[3]
    return own, max(whole - own, 0.0)


def floor(way, pairs, tables, *more):
    """{figure: value} of the floor."""
    process = start(FLOOR, BOT, "--way", way, "--pairs", str(pairs), "--tables", str(tables),
                    "--time", FLOOR_TIME, *more)
    end(process)
    figures = {key: float(value) for key, value in re.findall(r"(\w+)=([\d.]+)", said(process))}
    if figures.get("refused", 1) != 0:
        sys.exit("floor: " + said(process))
    figures["plays_per_s"] = 1e6 / (figures["us_per_play"] + figures["bots_us_per_play"])
    return figures


def write_event(pairs, concurrency):
    """An event of two bots that dial in; its file and their tokens."""
    kept = [json.loads(subprocess.check_output([HAKEM, "token", name, "--format", "json"]))
            for name in ("a", "b")]
    path = os.path.join(WHERE, "event.json")
    with open(path, "w", encoding="ascii") as file:
        json.dump({"name": "bench", "variant": "western", "pairs": pairs, "files": "none",
                   "concurrency": concurrency,
                   "bots": [{"name": key["name"], "token": key["kept"]} for key in kept]}, file)
    return path, [key["token"] for key in kept]


def listen(event):
    """hakem as it plays the event, and its port."""
    hakem = start(HAKEM, "run", event, "--listen", "127.0.0.1:0", "--store",
                  tempfile.mkdtemp(dir=WHERE), "--format", "jsonl")
    port = None
    while port is None and hakem.poll() is None:
        time.sleep(0.01)
        port = re.search(r"127\.0\.0\.1:(\d+)", said(hakem))
    if port is None:
        sys.exit("hakem run: " + said(hakem))
    return hakem, port.group(1)


def dial_in(event, tokens, links, tables):
    """hakem as it plays the event, and its two bots, each with so many connections."""
    hakem, port = listen(event)
    bots = [start(BOT, "--connect", port, "--many", str(links), "--tables", str(tables), "--name",
                  name, "--token", token) for name, token in zip("ab", tokens)]
    return hakem, bots


def plays_of(process):
    """How many plays were asked for, by the standings at the end of the stream."""
    rows = [json.loads(line) for line in said(process).splitlines() if line.startswith("{")]
    standings = [row for row in rows if row["type"] == "standing"]
    faults = sum(sum(row["faults"].values()) for row in standings)
    if len(standings) != 2 or faults > 0:
        sys.exit("hakem: a bot had faults, or there is no result: " + said(process)[-600:])
    return sum(row["answers"] for row in standings)


def hakem_over(way, pairs, tables, matches):
    """The same figures of hakem; bots are started over pipes, or dial in."""
    if way == "pipe":
        words = [[name + "=" + BOT + " --tables %d" % tables] for name in ("a", "b")]
        process = start(HAKEM, "duel", *words[0], *words[1], "--variant", "western", "--pairs",
                        str(matches // 2), "--concurrency", str(tables), "--files", "none",
                        "--format", "jsonl", "--luck", "off", "--store",
                        tempfile.mkdtemp(dir=WHERE))
        own, bots = end(process)
    else:
        event, tokens = write_event(matches // 2, pairs * tables)
        process, peers = dial_in(event, tokens, pairs, tables)
        own, bots = end(process)[0], sum(end(peer)[0] for peer in peers)
    plays = plays_of(process)
    return {"us_per_play": own * 1e6 / plays, "plays_per_s": plays / (own + bots)}


# way, pairs of connections, tables on each, matches of hakem's that last about a second
SHAPES = (("tcp", 1, 1, 400), ("pipe", 1, 1, 600), ("tcp", 1, 8, 1200), ("tcp", 1, 256, 3000),
          ("pipe", 1, 256, 3000), ("tcp", 1, 1024, 5000), ("tcp", 64, 1, 500),
          ("tcp", 1000, 1, 3000))


def row(what, value, must, aim):
    """A line of the table: a value, and what it must be and is meant to be."""
    good = lambda limit: value <= limit if must >= aim else value >= limit
    verdict = "aim" if good(aim) else "good" if good(must) else "MISSED"
    print("%-58s %9.3g %8g %8g  %s" % (what, value, must, aim, verdict), flush=True)


def head(title):
    print("\n%-58s %9s %8s %8s" % (title, "", "must", "aim"), flush=True)


def medians(rounds, measure):
    """{case: {figure: median}} of rounds in which every case is measured once."""
    runs = [measure() for _ in range(rounds)]
    return {case: {key: statistics.median(run[case][key] for run in runs)
                   for key in runs[0][case]} for case in runs[0]}


def measure_plays():
    out = {}
    for way, pairs, tables, matches in SHAPES:
        case = (way, pairs, tables)
        out["floor", case] = floor(way, pairs, tables)
        out["hakem", case] = hakem_over(way, pairs, tables, matches)
        if pairs * tables == 1:
            out["echo", case] = floor(way, pairs, tables, "--echo")
    return out


def system_calls(pairs, tables, matches):
    """A play, of the main thread, the store's apart; None without strace."""
    if shutil.which("strace") is None:
        return None
    event, tokens = write_event(matches // 2, pairs * tables)
    hakem, bots = dial_in(event, tokens, pairs, tables)
    counter = start("strace", "-c", "-o", os.path.join(WHERE, "calls"), "-p", str(hakem.pid),
                    cpu=CPUS[-1])
    for process in (hakem, *bots, counter):
        end(process)
    with open(os.path.join(WHERE, "calls"), encoding="ascii") as file:
        total = re.search(r"\s(\d+)\s+(?:\d+\s+)?total", file.read())
    return int(total.group(1)) / plays_of(hakem)


def plays(rounds):
    found = medians(rounds, measure_plays)
    us = lambda who, *case: found[who, case]["us_per_play"]
    rate = lambda who, *case: found[who, case]["plays_per_s"]
    print("\n%-58s %9s %8s %8s" % ("processor time of a play, us", "hakem", "floor", "echo"))
    for way, pairs, tables, _ in SHAPES:
        case = (way, pairs, tables)
        print("%-58s %9.3f %8.3f %8s" % (
            "%s, %d pairs of connections, %d tables each" % case, us("hakem", *case),
            us("floor", *case), "%.3f" % us("echo", *case) if ("echo", case) in found else ""))
    many = ("tcp", 1, 256)
    head("ratios")
    row("one game, TCP, to an echo", us("hakem", "tcp", 1, 1) / us("echo", "tcp", 1, 1), 1.6, 1.3)
    row("one game, pipes, to an echo", us("hakem", "pipe", 1, 1) / us("echo", "pipe", 1, 1), 3, 2.2)
    row("one game, TCP, plays a second, to the floor",
        rate("hakem", "tcp", 1, 1) / rate("floor", "tcp", 1, 1), 0.65, 0.8)
    row("8 tables, TCP, to the floor", us("hakem", "tcp", 1, 8) / us("floor", "tcp", 1, 8), 1.6,
        1.3)
    row("256 tables, TCP, to the floor", us("hakem", *many) / us("floor", *many), 2.4, 1.5)
    row("256 tables, plays a second, to the floor", rate("hakem", *many) / rate("floor", *many),
        0.7, 0.85)
    row("256 tables, TCP to pipes", us("hakem", *many) / us("hakem", "pipe", 1, 256), 1.3, 1.2)
    row("1,024 tables to 256", us("hakem", "tcp", 1, 1024) / us("hakem", *many), 1.4, 1.2)
    row("1,000 games to 64, to the same of the floor",
        us("hakem", "tcp", 1000, 1) / us("hakem", "tcp", 64, 1) /
        (us("floor", "tcp", 1000, 1) / us("floor", "tcp", 64, 1)), 1.2, 1)
    for what, tables, matches, must, aim in (("one game", 1, 40, 4, 3),
                                             ("256 tables", 256, 2000, 0.05, 0.03)):
        calls = system_calls(1, tables, matches)
        if calls is None:
            print("%-58s strace is not here" % ("system calls a play, " + what))
        else:
            row("system calls a play, " + what, calls, must, aim)


def wait_for_matches(hakem, count):
    """Until so many matches are over."""
    while hakem.poll() is None and said(hakem).count('"type":"match"') < count:
        time.sleep(0.2)


def running(pairs, tables):
    """kB while games run on every table."""
    event, tokens = write_event(100000, pairs * tables)
    hakem, bots = dial_in(event, tokens, pairs, tables)
    wait_for_matches(hakem, 2 * pairs * tables)
    memory = resident(hakem)
    hakem.kill()
    for process in (hakem, *bots):
        end(process)
    return memory


def memory(_rounds):
    """What is resident; of which shared libraries' pages are most where nothing is played."""
    head("memory, kB")
    idle = start(HAKEM, "serve", "--listen", "127.0.0.1:0", "--variant", "western", "--store",
                 tempfile.mkdtemp(dir=WHERE))
    time.sleep(1)
    row("a daemon that waits", resident(idle), 4096, 2560)
    idle.terminate()
    end(idle)
    few, many = running(64, 1), running(1000, 1)
    row("a game of two bots, each on its connection", (many - few) / 936, 8, 2)
    few, many = running(1, 64), running(1, 1024)
    row("a game on a connection of many", (many - few) / 960, 8, 2)


def crowd(_rounds):
    """Bots that think for a second, all in one process: what is between the last answer of a match
    and the request that follows is the referee's, and the bots' own, on another processor."""
    head("bots that dial in and think for 1 s")
    for links, room in ((500, 51200), (2000, 204800)):
        event, tokens = write_event(100000, links // 2)
        hakem, port = listen(event)
        bots = start(BOT, "--connect", port, "--many", str(links), "--name", "a", "--token",
                     tokens[0], "--rival", "b", "--rival-token", tokens[1], "--think", "1000",
                     cpu=CPUS[-1])
        time.sleep(CROWD_TIME)
        kilobytes, spent = resident(hakem), used(hakem)
        hakem.kill()
        for process in (hakem, bots):
            end(process)
        late = re.search(r"p99_ms=([\d.]+)", said(bots))
        row("%d bots, ms that 99 of 100 requests take" % links, float(late.group(1)), 20, 5)
        row("%d bots, kB of memory" % links, kilobytes, room, room // 2)
        print("%-58s %9.3g" % ("%d bots, part of a processor" % links, spent / CROWD_TIME))


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def ask_gnubg(matches):
    """GNU Backgammon as the referee of the same two bots: seconds of all three, and plays."""
    ports = [free_port(), free_port()]
    bots = [start(FIBS_BOT, str(port)) for port in ports]
    words = ["set display off", "set automatic roll on", "set automatic game on",
             "set automatic move on", "set confirm new off", "set confirm save off",
             "set threads 1", "set cube use off"]
    words += ["set player %d external 127.0.0.1:%d" % pair for pair in enumerate(ports)]
    path = os.path.join(WHERE, "gnubg")
    with open(path, "w", encoding="ascii") as file:
        file.write("\n".join(words + ["new match 64"] * matches + ["quit", ""]))
    with open(path, encoding="ascii") as file:
        referee = start(GNUBG, "-t", "-q", "-r", stdin=file)
    seconds = sum(sum(end(process)) for process in (referee, *bots))
    answered = [re.search(r"answered=(\d+)", said(bot)) for bot in bots]
    return seconds, sum(int(found.group(1)) for found in answered if found)


def measure_gnubg():
    whole, played = ask_gnubg(2)
    begun, _ = ask_gnubg(0)
    return {"gnubg": {"rate": played / (whole - begun)},
            "hakem": {"rate": hakem_over("tcp", 1, 1, 200)["plays_per_s"]}}


def gnubg(rounds):
    head("beside GNU Backgammon as the referee of two bots that search the same way")
    if GNUBG is None:
        print("gnubg is not here")
        return
    found = medians(rounds, measure_gnubg)
    row("plays a second of processor time",
        found["hakem"]["rate"] / found["gnubg"]["rate"], 1.2, 1.35)


PARTS = {"plays": plays, "memory": memory, "crowd": crowd, "gnubg": gnubg}


def main():
    words = sys.argv[1:]
    rounds = int(words[1]) if words[:1] == ["-n"] else 3
    parts = words[2:] if words[:1] == ["-n"] else words
    print("hakem %s, medians of %d rounds" % (HAKEM, rounds))
    try:
        for part in parts or PARTS:
            PARTS[part](rounds)
    finally:
        shutil.rmtree(WHERE, ignore_errors=True)


if __name__ == "__main__":
    main()
