"""hakem replay, verify and convert as a user meets them: in a pipe, on a terminal (a pty), on
records that were altered in one place, and out of a store that a real duel has filled."""

import fcntl
import hashlib
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree
import termios
import time

from schema import Schema

BUILD = os.environ["HAKEM_BUILD"]
SOURCE = os.environ["HAKEM_SOURCE"]
HAKEM = os.environ["HAKEM"]
BOT = f"{sys.executable} {SOURCE}/contrib/python/random_bot.py"
MAKER = os.path.join(BUILD, "tests/sim/make_record")
ENVIRONMENT = dict(os.environ, LC_ALL="C.UTF-8", LANG="C.UTF-8", TERM="xterm")
PATIENCE = 20  # seconds for any one thing

count = 0


def check(good, name, why=""):
    global count
    count += 1
    print("ok" if good else "not ok", count, "-", name, flush=True)
    if not good:
        print("#", str(why).replace("\n", "\n# "), flush=True)


def hakem(*arguments, **more):
    return subprocess.run([HAKEM, *arguments], capture_output=True, text=True, timeout=PATIENCE,
                          env=ENVIRONMENT, check=False, **more)


def make(folder, name, *arguments):
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        subprocess.run([MAKER, *arguments], stdout=file, check=True)
    return path


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def test_verify(folder, records):
    run = hakem("verify", *records.values())
    keys = [re.search(r" key=(\w+)", read(path))[1] for path in records.values()]
    every = len(records)
    check(run.returncode == 0 and run.stdout.count(": proven: ") == len(records) and
          run.stdout.endswith(f"\n{every} of {every} proven; signed by {keys[0]}\n") and
          all(run.stdout.count("signed by " + key) == 1 for key in keys),
          "every record is proven; the last line counts them", run.stdout + run.stderr)
    alone = hakem("verify", records["tavla"])
    check(" of 1 proven" not in alone.stdout and "; signed by " in alone.stdout,
          "a single one names its key", alone.stdout)
    run = hakem("verify", records["tavla"], os.path.join(folder, "absent"))
    check(run.returncode == 5 and "\n1 of 2 proven; " in run.stdout, "one that is missing counts",
          run.stdout + run.stderr)
    run = hakem("verify", records["tavla"], "--seed", "cli")
    check(run.returncode == 0 and "follow from the open seed" in run.stdout,
          "the open seed is confirmed", run.stdout)
    run = hakem("verify", records["tavla"], "--seed", "other")
    check(run.returncode == 6, "another one is not", run.stdout)
    run = hakem("verify", records["tavla"], "--key", "00" * 32)
    check(run.returncode == 6 and "key=" in run.stdout, "nor another key", run.stdout)
    lines = read(records["uzun"]).split("\n")
    part = write(os.path.join(folder, "part.hkm"), "\n".join(lines[:40]) + "\n")
    run = hakem("verify", part)
    check(run.returncode == 9 and "unfinished" in run.stdout and ": 40 lines" in run.stdout,
          "a part proves only a prefix", run.stdout)
    check(hakem("verify", part, "--prefix").returncode == 0, "which --prefix accepts")


def test_print(records):
    for variant, path in records.items():
        plies = len(re.findall(r"^did ", read(path), re.M))
        games = len(re.findall(r"^game ", read(path), re.M))
        run = hakem("replay", path, "--print")
        check(run.returncode == 0 and run.stdout.count("┌13─14") == plies + games,
              f"{variant}: a board for each of {plies} plies", run.stderr)
        run = hakem("replay", path, "--no-board", "--ascii")
        told = re.findall(r"^ *(\d+) [XY] (\S+) [1-6]{2}: ", run.stdout, re.M)
        check(len(told) == plies and run.stdout.isascii(), f"{variant}: and a line for each")
    run = hakem("replay", records["western"], "--at", "1.1")
    check(run.returncode == 0 and run.stdout.count("┌") == 1 and "\n  1 " in run.stdout,
          "--at shows one position", run.stdout)
    with open(records["tavla"], encoding="utf-8") as file:
        run = hakem("replay", "-", "--no-board", stdin=file)
    check(run.returncode == 0 and "the match goes to" in run.stdout, "standard input is read")


def test_altered(folder, records):
    """One byte of one line: refused with the line's number, what stands before is shown."""
    for variant, path in records.items():
        lines = read(path).split("\n")[:-1]
        faults = []
        places = list(range(0, len(lines), 9)) + [len(lines) - 2, len(lines) - 1]
        for number in places:
            line = lines[number]
            at = len(line) // 2
            other = "1" if line[at] != "1" else "2"
            altered = lines[:number] + [line[:at] + other + line[at + 1:]] + lines[number + 1:]
            bad = write(os.path.join(folder, "bad.hkm"), "\n".join(altered) + "\n")
            run = hakem("replay", bad, "--no-board")
            shown = len(re.findall(r"^ *\d+ [XY] ", run.stdout, re.M))
            before = sum(line.startswith("did ") for line in lines[:number])
            if run.returncode != 6 or f"line {number + 1}: " not in run.stderr or shown != before:
                faults.append(f"line {number + 1}: {run.returncode}, {shown} of {before} plies: "
                              f"{run.stderr}")
        check(not faults, f"{variant}: {len(places)} alterations are refused by line",
              "\n".join(faults[:5]))


def chained(lines):
    """The lines with their digits made anew, as the page on the record says."""
    out, head = [], None
    for line in lines:
        text = line[:-17].encode()
        field = len(text).to_bytes(4, "big") + text
        if head is None:
            head = hashlib.sha256(b"\0\0\0\x0chakem/v1/log" + field).digest()
        else:
            head = hashlib.sha256(head + field).digest()
        out.append(line[:-16] + head.hex()[:16])
    return "\n".join(out) + "\n"


def test_forged(folder, records):
    """A throw that was changed and chained anew is refused where it stands."""
    lines = read(records["tavla"]).split("\n")[:-1]
    check(chained(lines) == read(records["tavla"]), "chaining a record anew changes nothing")
    number = max(at for at, line in enumerate(lines) if line.startswith("game "))
    lines[number] = re.sub(r"opening=", "opening=33,", lines[number])
    bad = write(os.path.join(folder, "forged.hkm"), chained(lines))
    before = sum(line.startswith("did ") for line in lines[:number])
    for command in (("verify", bad), ("replay", bad, "--no-board")):
        run = hakem(*command)
        check(run.returncode == 6 and
              re.search(r"line %d: the throw 33 is not the committed one" % (number + 1),
                        run.stdout + run.stderr),
              f"{command[0]}: a forged throw is refused", run.stdout[-300:] + run.stderr)
    shown = len(re.findall(r"^ *\d+ [XY] ", run.stdout, re.M))
    check(shown == before, "replay shows what stands before it", (shown, before))
    part = write(os.path.join(folder, "forged-part.hkm"), chained(lines[:-2]))
    check(hakem("replay", part, "--no-board").returncode == 0,
          "without its seed nobody can know yet")


def test_attempts(folder):
    record = make(folder, "voids.hkm", "variant=tavla", "match=5", "seed=v", "voids=yes")
    want = re.findall(r"^game \d+ (\d+) attempt=(\d+)", read(record), re.M)
    run = hakem("replay", record, "--no-board")
    shown = re.findall(r"^game (\d+), score [^,]*?(?:, attempt (\d+))?(?:, opening|:)",
                       run.stdout, re.M)
    check([(game, attempt or "0") for game, attempt in shown] == want and
          any(attempt != "0" for _, attempt in want),
          "attempts are shown as the record counts them", (shown, want))


def test_locale(records):
    for name, value in (("LC_ALL", "C"), ("LC_CTYPE", "POSIX"), ("LANG", "tr_TR.ISO-8859-9")):
        bare = {key: text for key, text in ENVIRONMENT.items()
                if key not in ("LC_ALL", "LC_CTYPE", "LANG")}
        run = subprocess.run([HAKEM, "replay", records["tavla"], "--at", "1.1"], check=False,
                             capture_output=True, timeout=PATIENCE, env={**bare, name: value})
        check(b"+13-14" in run.stdout and "┌".encode() not in run.stdout,
              f"{name}={value}: drawn in ASCII", run.stdout)


def test_thrower(records):
    """The throw that is drawn is said to be the one's who threw it."""
    names = re.search(r" x=(\S+) y=(\S+)", read(records["western"])).groups()
    for ply in (1, 2):
        run = hakem("replay", records["western"], "--at", f"1.{ply}")
        seat, name, dice = re.search(r"^ +\d+ ([XY]) (\S+) (\d\d): ", run.stdout, re.M).groups()
        other = names[seat == "X"]
        man = "○" if seat == "X" else "●"
        check(re.search(rf"│ +{man} [⚀-⚅] [⚀-⚅]  {dice} +│", run.stdout) and
              f"{name} has thrown {dice}\n" in run.stdout and
              f"▶ {other} is on turn\n" in run.stdout,
              f"ply {ply}: the dice carry the figure of {name}", run.stdout)


def mat_of(record):
    """The rows that a record's .mat has to have, from its lines: plies, results, names."""
    rows = []
    for line in record.split("\n"):
        words = line.split(" ")
        if words[0] == "game":
            rows.append(("game", words[2]))
        elif words[0] == "did":
            play = [word for word in words[5:-1] if "=" not in word]
            legs = " ".join(play).replace("bar", "25").replace("off", "0")
            dice = "".join(sorted(words[4], reverse=True))
            rows.append((words[3], f"{dice}: {legs}".rstrip()))
        elif words[0] == "result":
            fields = dict(word.split("=") for word in words if "=" in word)
            rows.append((fields["winner"], "Wins " + fields["points"]))
        elif words[0] == "void":
            while rows.pop()[0] != "game":
                pass
    return rows


def read_mat(text):
    rows = []
    for line in text.split("\n"):
        game = re.match(r" Game (\d+)$", line)
        wins = re.match(r"( +)(Wins \d+) points?( and the match)?$", line)
        if game:
            rows.append(("game", game[1]))
        elif wins:
            rows.append(("X" if len(wins[1]) == 6 else "Y", wins[2]))
        elif re.match(r" *\d+\) ", line):
            for cell in re.finditer(r"\d\d:(?: \d+/\d+\*?)*", line):
                rows.append(("X" if cell.start() == 5 else "Y", cell[0]))
    return rows


TITLES = {"tavla": "tavla", "uzun": "uzun", "western": "Backgammon", "nackgammon": "NackGammon",
          "hypergammon": "HyperGammon (3)", "fevga": "fevga"}


def test_mat(folder):
    """The .mat says what the record says, in every variant."""
    for variant, title in TITLES.items():
        path = os.path.join(folder, f"{variant}.mat")
        record = read(make(folder, "mat.hkm", f"variant={variant}", "match=5", "seed=mat",
                           "faults=yes", "voids=yes", f"mat={path}"))
        text = read(path)
        check(read_mat(text) == mat_of(record) and len(mat_of(record)) > 30,
              f"{variant}: the .mat holds the {len(mat_of(record))} plies and results")
        lines = text.split("\n")
        check(f'; [Variation "{title}"]' in lines and " 5 point match" in lines and
              text.count(" and the match\n") == 1 and text.endswith("\n"), "its header is whole")
        check(all(line == line.rstrip() for line in lines) and "\r" not in text,
              "no blank trails")
        starts = {match.start(2) for line in lines
                  for match in [re.match(r"( *\d+\) .{28})(\d\d:)", line)] if match}
        check(starts == {33}, "the right column stands at 33", starts)


class Terminal:
    """A program on a terminal of its own."""

    def __init__(self, *arguments, rows=24, columns=80):
        self.master, self.slave = pty.openpty()
        self.resize(rows, columns)
        self.before = termios.tcgetattr(self.slave)
        self.text = ""
        self.process = subprocess.Popen([HAKEM, *arguments], stdin=self.slave, stdout=self.slave,
                                        stderr=self.slave, env=ENVIRONMENT)

    def wait_for(self, pattern):
        """Whether the terminal shows that within patience; the text before it is used up."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            found = re.search(pattern, self.text, re.S)
            if found:
                self.text = self.text[found.end():]
                return True
            if select.select([self.master], [], [], 0.1)[0]:
                self.text += os.read(self.master, 65536).decode(errors="replace")
        return False

    def resize(self, rows, columns):
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def press(self, keys):
        os.write(self.master, keys.encode())

    def finish(self):
        code = self.process.wait(timeout=PATIENCE)
        restored = termios.tcgetattr(self.slave) == self.before
        self.wait_for(r"\x1b\[\?1049l")
        os.close(self.slave)
        os.close(self.master)
        return code, restored


def test_json(folder, records):
    """A match as JSON against its schema; and the schema refuses what is none."""
    schema = Schema.load(os.path.join(SOURCE, "protocol/record.json"))
    money = make(folder, "money.hkm", "variant=western", "match=0", "games=5", "seed=json",
                 "vido=on", "beavers=1", "jacoby=true", "resign=on")
    voids = make(folder, "json-voids.hkm", "variant=tavla", "match=5", "seed=v", "voids=yes")
    for name, record in [*records.items(), ("money", money), ("voids", voids)]:
        path = os.path.join(folder, name + ".json")
        run = hakem("convert", record, path)
        match = json.loads(read(path)) if run.returncode == 0 else {}
        wrong = schema.errors(match)
        check(not wrong and len(match["lines"]) > 20, f"{name}: JSON as protocol/record.json says",
              run.stderr + "\n".join(wrong[:3]))
    for name, spoil in (("no header", lambda lines: lines.clear()),
                        ("a word that is none", lambda lines: lines[1].update(starter="Z")),
                        ("a number as text", lambda lines: lines[2].update(ply="1")),
                        ("a request", lambda lines: lines.append({"type": "roll", "table": 1}))):
        spoilt = json.loads(json.dumps(match))
        spoil(spoilt["lines"])
        check(schema.errors(spoilt), f"{name}: not as the schema says")


def test_screen(folder, records):
    screen = Terminal("replay", records["tavla"])
    check(screen.wait_for(r"\x1b\[\?1049h.*game 1, score 0-0.*1/\d+ "), "the first step is shown",
          screen.text)
    for keys, pattern, name in ((" ", r"  1 [XY] .*2/\d+ ", "space: the first ply"),
                                ("n\x1b[C", r"  3 [XY] .*4/\d+ ", "n and right: two more"),
                                ("p", r"  2 [XY] .*3/\d+ ", "p: one back"),
                                ("\x1b[D", r"  1 [XY] .*2/\d+ ", "left: another"),
                                ("f", r"● Y beta-2.1.*off.*is on turn|is on turn.*● Y beta-2.1",
                                 "f: seen by Y"),
                                ("]", r"game 2, score", "]: the next game"),
                                ("[", r"game 1, score 0-0", "[: the game before"),
                                ("17j", r" 17 [XY] .*\d+/\d+ ", "17j: ply 17 of the game"),
                                ("99999j", r" 17 [XY] .*\d+/\d+ ", "a ply that is not there: it stays"),
                                ("!", r"(?i)fault|illegal|timeout|malformed|disconnect",
                                 "!: the next fault"),
                                (">", r"the match goes to", ">: the end")):
        screen.press(keys)
        check(screen.wait_for(pattern), name, screen.text[-400:])
    screen.press("q")
    code, restored = screen.finish()
    check(code == 0 and restored, "q leaves the terminal as it was", (code, restored))

    screen = Terminal("replay", records["uzun"], "--ascii", "--at", "1.5")
    check(screen.wait_for(r"\+13-14.*  5 [XY] "), "--at begins there")
    screen.process.send_signal(signal.SIGTERM)
    code, restored = screen.finish()
    check(code == 4 and restored, "a signal leaves the terminal as it was", (code, restored))

    screen = Terminal("replay", records["uzun"], "--at", "1.5", rows=10, columns=20)
    check(screen.wait_for(r"larger terminal") and "┌" not in screen.text,
          "a terminal that is too small has no board", screen.text)
    screen.resize(24, 80)
    screen.process.send_signal(signal.SIGWINCH)
    check(screen.wait_for(r"┌13.*  5 [XY] .*f flip, q quit"), "a larger one has", screen.text)
    screen.press("q")
    check(screen.finish() == (0, True), "and goes on")

    lines = read(records["western"]).split("\n")
    lines[5] = lines[5].replace("did", "Did")
    bad = write(os.path.join(folder, "bad.hkm"), "\n".join(lines))
    screen = Terminal("replay", bad)
    check(screen.wait_for(r"game 1, score 0-0"), "a record with a bad line is shown up to it")
    screen.press(">")
    check(screen.wait_for(r"line 6 is refused: "), "the refused line is named on the last page")
    screen.press("q")
    code, restored = screen.finish()
    check(code == 6 and restored, "and by the exit code", (code, restored))


def test_svg(records):
    """A picture of a position has every checker once, and a strip of a game each ply."""
    space = "{http://www.w3.org/2000/svg}"
    for variant in ("tavla", "uzun", "western"):
        run = hakem("replay", records[variant], "--svg", "--at", "1.9")
        tree = xml.etree.ElementTree.fromstring(run.stdout)
        men = [int(c.get("r")) for c in tree.iter(space + "circle") if c.get("r") == "13"]
        more = [int(t.text) - 5 for t in tree.iter(space + "text")
                if t.get("style") and t.text.isdigit()]
        off = [r for r in tree.iter(space + "rect") if r.get("width") == "26"]
        check(run.returncode == 0 and len(men) + sum(more) + len(off) == 30, f"{variant}: 30 checkers",
              (run, len(men), more, len(off)))
        run = hakem("replay", records[variant], "--svg", "--at", "1")
        plies = len(re.findall(r"^did 1 ", read(records[variant]).split("\nresult")[0], re.M))
        check(run.returncode == 0 and run.stdout.count("<g transform") == plies + 1,
              f"{variant}: a strip of game 1", (run.stdout.count("<g transform"), plies))


def test_store(folder):
    store = os.path.join(folder, "store")
    run = hakem("duel", f"one={BOT}", f"two={BOT}", "--pairs", "1", "--match", "1", "--seed", "5",
                "--store", store, "--files", "hkm,mat")
    if not os.path.exists(os.path.join(store, "hakem.db")):
        check(False, "a duel fills a store", run.stdout + run.stderr)
        return
    run = hakem("convert", store, os.path.join(folder, "out"))
    names = sorted(os.listdir(os.path.join(folder, "out")))
    check(run.returncode == 0 and names == ["U000001-1.hkm", "U000001-1.mat", "U000001-2.hkm",
                                            "U000001-2.mat"], "convert writes four files",
          run.stderr or names)
    same = [name for name in names if read(os.path.join(folder, "out", name)) ==
            read(os.path.join(store, "records", name))]
    check(same == names, "the same that the duel wrote", same)
    run = hakem("convert", store, os.path.join(folder, "mats"), "--files", "mat")
    check(all(name.endswith(".mat") for name in os.listdir(os.path.join(folder, "mats"))),
          "--files chooses", run.stderr)
    run = hakem("verify", store, "--seed", "5")
    check(run.returncode == 0 and run.stdout.count(": proven: ") == 2, "verify reads the store",
          run.stdout + run.stderr)
    run = hakem("replay", store, "2", "--no-board")
    check(run.returncode == 0 and "unit U000001, leg 2" in run.stdout, "replay opens match 2",
          run.stderr)
    run = hakem("replay", store, "3")
    check(run.returncode == 2 and "matches 1 to 2" in run.stderr, "but no third", run.stderr)
    run = hakem("replay", store)
    check(run.returncode == 2 and "which match" in run.stderr, "and needs the number", run.stderr)


def test_full(folder, record):
    """A full disk behind standard output is said, and no success."""
    store = os.path.join(folder, "store")
    for arguments in (["verify", record], ["replay", "--print", record],
                      ["convert", store, os.path.join(folder, "full")],
                      ["check", BOT, "--variant", "tavla", "--only", "ready"],
                      ["selftest", "--pairs", "2"], ["rules"],
                      ["perft", "--depth", "1"], ["moves", "start", "31"], ["show", store],
                      ["luck", record], ["token", "a"]):
        with open("/dev/full", "w", encoding="utf-8") as full:
            run = subprocess.run([HAKEM, *arguments], stdout=full, stderr=subprocess.PIPE,
                                 text=True, timeout=PATIENCE, env=ENVIRONMENT, check=False)
        check(run.returncode == 5 and "cannot write to standard output" in run.stderr,
              f"{arguments[0]} to a full disk", (run.returncode, run.stderr))


def test_bad_input(folder):
    for arguments, code, words in (
            (["replay", os.path.join(folder, "absent.hkm")], 5, "absent.hkm"),
            (["replay"], 2, "which record"),
            (["replay", "a", "1", "--bord"], 2, "--no-board|--at|bord"),
            (["verify"], 2, "which record"),
            (["verify", "x", "--key", "12"], 2, "64 hex digits"),
            (["convert", folder, os.path.join(folder, "o")], 2, "not a store"),
            (["convert", folder], 2, "into what"),
            (["convert", folder, "o", "--files", "pgn"], 2, "hkm, mat, sgf, json, txt")):
        run = hakem(*arguments)
        check(run.returncode == code and re.search(words, run.stderr) and
              run.stderr.count("\n") == 1, f"{' '.join(arguments[:1])}: {words}",
              (run.returncode, run.stderr))
    for text in ("", "\n", "rubbish\n", "did 1 1 X 31 8/5 6/5 0123456789abcdef\n", "\0\xff" * 50):
        path = write(os.path.join(folder, "rubbish.hkm"), text)
        runs = [hakem("replay", path), hakem("verify", path)]
        check(all(run.returncode == 6 for run in runs), f"no record: {text[:12]!r}",
              [run.stderr for run in runs])


def test_alien(folder):
    """Files that are no match are refused in one line, and nothing is made of them."""
    out = os.path.join(folder, "alien.mat")
    noise = bytes((i * i * 7919 >> 3) & 255 for i in range(20000))
    rows = b" 5 point match\n\n Game 1\n a : 0   b : 0\n  1) " + b"31: 8/5 6/5 "
    for name, data, words in (
            ("noise", noise, "no text"), ("a program", b"\x7fELF\2\1\1" + bytes(2000), "no text"),
            ("a database", b"SQLite format 3\0" + bytes(4000), "no text"),
            ("UTF-16", "\ufeff 5 point match\n".encode("utf-16-le"), "UTF-16"),
            ("JSON", b' {"a": [\n' + b'"12: 31",\n' * 300 + b"1]}\n", "JSON"),
            ("prose", b"A match: 3 games  of it\n12:31 they began\n" * 40, "no game was found"),
            ("go", b"(;GM[1]FF[4]SZ[19];B[qd];W[dd])\n", "not backgammon"),
            ("a list", b"(defun x (a : 3))\n" * 30, "no game was found"),
            ("66 MB of a line", rows + b"31: 8/5 6/5 " * 5800000, "64 MB"),
            ("half a record", b"record " + b"x" * 200000, "whole line")):
        path = os.path.join(folder, "alien")
        with open(path, "wb") as file:
            file.write(data)
        for arguments in (["convert", path, out], ["convert", path, out, "--lenient"],
                          ["replay", path]):
            run = hakem(*arguments)
            check(run.returncode == 6 and run.stderr.count("\n") == 1 and words in run.stderr and
                  path in run.stderr and not os.path.exists(out),
                  f"{arguments[0]}: {name} is refused", (run.returncode, run.stderr[:400]))


def test_bytes(folder):
    """Byte order mark, line ends of three kinds and Turkish letters of one byte change nothing;
    a file that stops is kept only where that is asked for."""
    rows = [" 5 point match", "", " Game 1", " Gülşah Iğdır : 0           İpek Öz : 0",
            "  1) 31: 8/5 6/5                42: 8/4 6/4",
            "  2) 65: 24/13                  Doubles => 2", "  3)  Drops",
            "                                Wins 1 point", ""]
    read_rows = {}
    for name, data in (("plain", "\n".join(rows).encode()),
                       ("mark", b"\xef\xbb\xbf" + "\r\n".join(rows).encode()),
                       ("mixed", "\r".join(rows[:4]).encode() + b"\r\n" + "\n".join(rows[4:]).encode()),
                       ("latin", "\n".join(rows).encode("iso8859-9"))):
        path, out = os.path.join(folder, "bytes.mat"), os.path.join(folder, "bytes.hkm")
        with open(path, "wb") as file:
            file.write(data)
        run = hakem("convert", path, out, "--lenient")
        text = re.sub(r"(event|commit)=\S+| [0-9a-f]{16}$", "", read(out), flags=re.M)
        read_rows[name] = text
        check(run.returncode == 0 and "Gülşah" in text and "İpek" in text and "drop" in text and
              text == read_rows["plain"], f"{name}: read alike", run.stderr + text)
        os.unlink(out)
    cut = write(os.path.join(folder, "cut.mat"), "\n".join(rows[:5]) + "\n  2) 65: 24/1")
    run = hakem("convert", cut, os.path.join(folder, "cut.hkm"))
    check(run.returncode == 6 and "cut.mat: line 6: illegal: 65: 24/1" in run.stderr and
          not os.path.exists(os.path.join(folder, "cut.hkm")), "a file that stops is refused",
          run.stderr)
    run = hakem("convert", cut, os.path.join(folder, "cut.hkm"), "--lenient")
    check(run.returncode == 0 and "did 1 2 Y 42" in read(os.path.join(folder, "cut.hkm")),
          "with --lenient what comes before is kept", run.stderr)


def main():
    with tempfile.TemporaryDirectory() as folder:
        records = {variant: make(folder, f"{variant}.hkm", f"variant={variant}", "match=3",
                                 "seed=cli", "faults=yes" if variant == "tavla" else "faults=no")
                   for variant in TITLES}
        test_verify(folder, records)
        test_print(records)
        test_altered(folder, records)
        test_forged(folder, records)
        test_attempts(folder)
        test_locale(records)
        test_thrower(records)
        test_mat(folder)
        test_json(folder, records)
        test_svg(records)
        test_screen(folder, records)
        test_store(folder)
        test_full(folder, records["western"])
        test_bad_input(folder)
        test_alien(folder)
        test_bytes(folder)
    print(f"1..{count}")


main()
