"""Manual dice from end to end: an operator in a pipe and on a terminal types throws, wrong ones and
ones that do not count; a run that is killed goes on with what was typed; both verifiers agree."""
import os
import pty
import random
import re
import select
import signal
import subprocess
import sys
import time

import kit

TWIN = os.path.join(os.environ["HAKEM_SOURCE"], "contrib", "verify", "hakem_verify.py")
PATIENCE = 60

tap = kit.Tap()
where = kit.folder()
chance = random.Random(7)
bots = ["one=" + kit.bot(where), "two=" + kit.bot(where, "--json")]


def command(store, *more):
    return [kit.HAKEM, "duel", *bots, "--dice", "manual", "--pairs", "1", "--match", "1",
            "--store", os.path.join(where, store), *more]


def throw():
    return "%d%d" % (chance.randint(1, 6), chance.randint(1, 6))


def run(store, typed, *more):
    """A whole run with this standard input."""
    return subprocess.run(command(store, *more), input=typed, env=kit.environment(), cwd=where,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          timeout=PATIENCE)


def record(store, leg=1):
    with open(os.path.join(where, store, "records", "U000001-%d.hkm" % leg),
              encoding="utf-8") as file:
        return file.read()


def throws_in(text):
    """The throws of a record, in thrown order."""
    found = []
    for line in text.splitlines():
        opening = re.search(r" opening=([\d,]+)", line)
        played = re.findall(r"^did 1 \d+ . (\d\d)", line)
        found += opening.group(1).split(",") if opening else played
    return found


def check_verified(store, name):
    folder = os.path.join(where, store)
    throws = os.path.join(folder, "throws.txt")
    files = [os.path.join(folder, "records", "U000001-%d.hkm" % leg) for leg in (1, 2)]
    done = kit.hakem("verify", folder, "--throws", throws)
    twin = subprocess.run([sys.executable, TWIN, "--throws", throws, *files], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=PATIENCE)
    tap.check(done.returncode == 0 and twin.returncode == 0 and
              done.stdout.count("those of the file") == twin.stdout.count("those of the file") == 2
              and "an operator typed what real dice showed" in done.stdout, name, done.stdout,
              done.stderr, twin.stdout)


def test_pipe():
    many = [throw() for _ in range(1000)]
    typed = ["71", "cocked", "", "5-", "?", *many[:9], "off", "halves", "checker", *many[9:]]
    done = run("pipe", "\n".join(typed) + "\n")
    tap.check(done.returncode == 0 and "finished: 2 of 2" in done.stdout, "a duel out of a pipe",
              done.stdout, done.stderr)
    tap.check('"71" is no throw' in done.stderr and '"5-" is no throw' in done.stderr,
              "what is no throw is told", done.stderr)
    tap.check(" source=manual " in record("pipe"), "the record says manual")
    found = throws_in(record("pipe"))
    tap.same(found, many[:len(found)], "the throws are used in the order in which they were typed")
    again = throws_in(record("pipe", 2))
    least = min(len(found), len(again))
    tap.same(again[:least], found[:least], "the other leg has the same")
    reasons = re.findall(r"^rethrow 1 \d+ reason=(\w+)", record("pipe"), re.M)
    tap.same(reasons, ["not_flat", "off_board", "halves", "on_checker"],
             "throws that did not count are in the record")
    check_verified("pipe", "both verifiers find them in throws.txt")
    done = kit.hakem("verify", os.path.join(where, "pipe"))
    tap.check(done.returncode == 0 and "throws are" not in done.stdout,
              "without it no throw is claimed", done.stdout, done.stderr)
    done = kit.hakem("duel", *bots, "--throws", os.path.join(where, "pipe", "throws.txt"),
                     "--pairs", "1", "--match", "1", "--store", os.path.join(where, "again"))
    tap.check(done.returncode == 0 and throws_in(record("again"))[:5] == found[:5],
              "recorded dice can use the file", done.stdout, done.stderr)


def test_kill():
    process = subprocess.Popen(command("kill"), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, env=kit.environment(), text=True, cwd=where)
    many = [throw() for _ in range(1000)]
    process.stdin.write("\n".join(many[:8]) + "\n")
    process.stdin.flush()
    asked = 0
    while asked < 7:  # what is asked for after the eighth throw was used
        line = process.stderr.readline()
        asked += "(" in line and "throws:" in line
        if not line:
            break
    while process.poll() is None and asked < 8 and " throws:" not in process.stderr.readline():
        pass
    process.send_signal(signal.SIGKILL)
    process.communicate()
    done = run("kill", "\n".join(many[8:]) + "\n")
    tap.check(done.returncode == 0, "a run that was killed goes on", done.stdout, done.stderr)
    found = throws_in(record("kill"))
    tap.same(found[:20], many[:20], "with what was typed before, and nothing is asked for twice")
    check_verified("kill", "and it is proven")
    done = run("short", "\n".join(many[:6]) + "\n")
    tap.check(done.returncode == 4, "where standard input ends the event stops", done.stderr)
    done = run("short", "\n".join(many[6:]) + "\n")
    tap.check(done.returncode == 0 and throws_in(record("short"))[:20] == many[:20],
              "and goes on with the next throw", done.stderr)


def test_terminal():
    master, slave = pty.openpty()
    environment = dict(kit.environment(), LC_ALL="tr_TR.UTF-8", LANG="tr_TR.UTF-8")
    process = subprocess.Popen(command("tty"), stdin=slave, stdout=slave, stderr=slave,
                               env=environment, cwd=where)
    os.close(slave)
    seen, answered, first = "", 0, ["kırık", "ne", "taş"]
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if not select.select([master], [], [], 0.2)[0]:
            if process.poll() is not None:
                break
            continue
        try:
            data = os.read(master, 65536)
        except OSError:
            break
        seen += data.decode(errors="replace")
        asked = len(re.findall(r"zarı: |atıyor: ", seen))
        while answered < asked:
            answered += 1
            os.write(master, ((first.pop(0) if first else throw()) + "\n").encode())
    code = process.wait(timeout=PATIENCE)
    os.close(master)
    tap.check(code == 0 and "yeniden atılır" in seen and '"ne" bir atış değil' in seen,
              "on a terminal, in Turkish", code, seen[-2000:])
    tap.check("reason=not_flat" in record("tty"), "and a Turkish word for what does not count")
    check_verified("tty", "proven too")


def test_refused():
    for arguments, words in ((["--dice", "fair"], "--dice takes auditable or manual"),
                             (["--dice", "manual", "--seed", "1"], "one of --dice, --seed")):
        done = kit.hakem("duel", *bots, *arguments)
        tap.check(done.returncode == 2 and words in done.stderr and done.stderr.count("\n") == 1,
                  "duel " + " ".join(arguments), done.stderr)


test_pipe()
test_kill()
test_terminal()
test_refused()
tap.done()
