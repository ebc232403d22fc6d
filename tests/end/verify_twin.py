"""Two verifiers that share nothing: `hakem verify` and contrib/verify/hakem_verify.py. Both accept
good records of every game and option; both refuse each of a list of altered ones, at the same line
and for the right reason. An altered record is chained and signed anew with a key of the test's own
wherever the rules, and not the chain, have to find it out."""
import hashlib
import os
import re
import shutil
import struct
import subprocess
import sys

import kit

TWIN = os.path.join(os.environ["HAKEM_SOURCE"], "contrib", "verify", "hakem_verify.py")
MAKER = os.path.join(os.environ["HAKEM_BUILD"], "tests/sim/make_record")
SEED = "m"

# The records that are altered: arguments of make_record.
BASES = {
    "plain": ["variant=tavla", "match=3"],
    "cube": ["variant=western", "match=5", "vido=on", "resign=on", "seed=c"],
    "money": ["variant=western", "match=0", "games=6", "vido=on", "beavers=2", "auto_doubles=2",
              "resign=on", "seed=d"],
    "faults": ["variant=tavla", "match=5", "faults=yes", "voids=yes", "seed=e4"],
    "uzun": ["variant=uzun", "match=1", "seed=u3"],
    "left": ["variant=tavla", "match=5", "left=1", "seed=l"],
    "void": ["variant=western", "match=3", "voids=yes", "seed=e"],
}
# Records that are good as they are: every game, every kind of option, the cube, money, faults.
GOOD = [["variant=%s" % variant, "match=3", "faults=yes", "voids=yes", "leg=2"] for variant in
        ("tavla", "uzun", "western", "nackgammon", "hypergammon", "fevga")]
GOOD += [["variant=%s" % variant, "match=5", "vido=on", "resign=on"] for variant in
         ("tavla", "uzun", "western", "fevga")]
GOOD += [["variant=tavla", "match=3", "faults=yes", option] for option in
         ("must_max=false", "larger_die=false", "opening=deciding", "next_starter=winner",
          "next_starter=loser", "next_starter=alternate", "bearoff=literal000",
          "hit_and_run=home_forbidden", "katmerli=3", "win_ends_turn=false", "play_check=final")]
GOOD += [["variant=uzun", "match=3", "faults=yes", option] for option in
         ("wall=turn_end", "wall=off", "wall_path=ring", "wall_path=own", "wall_front=home",
          "wall_front=behind", "head_exception=blocked", "head_exception=any_double",
          "head_exception=off", "head_exception_who=game", "koks=2", "koks_test=any",
          "home_mars=5", "draw=last_roll", "opening=reroll")]
GOOD += [["variant=fevga", "match=1", "faults=yes", option] for option in
         ("runner=false", "start_wall=step", "unblock=false")]
GOOD += [["variant=western", "match=0", "games=4", "vido=on", "jacoby=false", "faults=yes"]]


class Forger:
    """Chains and signs lines anew, with a key of its own."""

    def __init__(self, where):
        self.where = where
        self.key = os.path.join(where, "key.pem")
        self.run("genpkey", "-algorithm", "ed25519", "-out", self.key)
        self.public = self.run("pkey", "-in", self.key, "-pubout", "-outform", "DER")[-32:]

    @staticmethod
    def run(*arguments):
        return subprocess.run(("openssl",) + arguments, capture_output=True, check=True).stdout

    @staticmethod
    def lp(data):
        return struct.pack(">I", len(data)) + data

    def head(self, lines):
        """The chain's hash of the last line, and all lines with their digits."""
        head, out = None, []
        for line in lines:
            data = line.encode()
            head = hashlib.sha256((self.lp(b"hakem/v1/log") if head is None else head) +
                                  self.lp(data)).digest()
            out.append(data + b" " + head.hex()[:16].encode())
        return head, out

    def chained(self, lines):
        return b"".join(line + b"\n" for line in self.head(lines)[1])

    def signed(self, lines):
        """The lines with this forger's key, and a signature that holds for them."""
        lines = [re.sub(r" key=\S+", " key=" + self.public.hex(), lines[0])] + lines[1:]
        head, _ = self.head(lines[:-1])
        message = os.path.join(self.where, "message")
        with open(message, "wb") as file:
            file.write(b"hakem/v1/record\0" + head + struct.pack(">Q", len(lines) - 1))
        signature = self.run("pkeyutl", "-sign", "-inkey", self.key, "-rawin", "-in", message)
        if re.match(r"sign \d+ signature=[0-9a-f]{128}$", lines[-1]):
            count = lines[-1].split()[1]
            if count == self.count:
                count = str(len(lines) - 1)
            lines = lines[:-1] + ["sign %s signature=%s" % (count, signature.hex())]
        return self.chained(lines)


def find(lines, pattern, nth=1):
    """Index of the nth line that matches."""
    found = [i for i, line in enumerate(lines) if re.search(pattern, line)]
    if len(found) < nth:
        raise LookupError("no line %d like %s" % (nth, pattern))
    return found[nth - 1]


def sub(pattern, new, nth=1, line=None, at=None):
    """Alters the first thing that matches, in the nth line that has it. The finding is expected
    there, or where a line matches `at`."""
    def alter(lines):
        index = find(lines, line or pattern, nth)
        lines[index] = re.sub(pattern, new, lines[index], count=1)
        return (index if at is None else find(lines, at)) + 1
    return alter


def drop(pattern, nth=1, later=0):
    """Leaves a line out; the next one is then wrong, or one `later`."""
    def alter(lines):
        index = find(lines, pattern, nth)
        del lines[index]
        return index + 1 + later
    return alter


def twice(pattern, nth=1):
    """A line that stands twice."""
    def alter(lines):
        index = find(lines, pattern, nth)
        lines.insert(index, lines[index])
        return index + 2
    return alter


def swap(pattern, nth=1):
    """A line changes places with the next one."""
    def alter(lines):
        index = find(lines, pattern, nth)
        lines[index], lines[index + 1] = lines[index + 1], lines[index]
        return index + 1
    return alter


def put(pattern, new, nth=1):
    """A new line before the nth that matches."""
    def alter(lines):
        index = find(lines, pattern, nth)
        lines.insert(index, new)
        return index + 1
    return alter


def double_first(lines):
    """A double before the first throw of a game."""
    index = find(lines, r"^game ")
    lines.insert(index + 1, "did 1 1 %s double" % re.search("starter=(.)", lines[index])[1])
    return index + 2


def goes_on(lines):
    """Another game after the match is over."""
    index = find(lines, "^end ")
    score = re.search(r"score=(\S+)", lines[index - 1])[1]
    lines.insert(index, "game 1 %d attempt=0 score=%s starter=X opening=21" % (
        int(lines[index - 1].split()[2]) + 1, score))
    return index + 1


def late(lines):
    """The referee was late, and the result does not say so."""
    index = find(lines, r"^did .* ms=\d+$")
    lines[index] += " lag=21"
    return find(lines, "^result ") + 1


def ends_early(lines):
    """An end after the first game of a match that goes on."""
    index = find(lines, "^game ", 2)
    winner, score = re.search(r"winner=(.) .* score=(\S+)", lines[index - 1]).groups()
    lines.insert(index, "end 1 winner=%s score=%s reason=normal" % (winner, score))
    return index + 1


def disputes(count):
    """So many disputes of one side in a game."""
    def alter(lines):
        index = find(lines, "^did ")
        lines[index:index] = ["dispute 1 1 mine seat=X ply=0"] * count
        return index + count
    return alter


THROW = "not the committed one"
LEGAL = "not legal"
SPELLED = "spelled as a record spells|stands twice"
NO_HEX = "hex digits"
HERE = " has to be "
REVEAL = "^reveal "
# name, base, alteration, what both say; the records are chained and signed anew.
MUTANTS = [
    # the header
    ("version", "plain", sub("hakem=1", "hakem=2"), "version"),
    ("table", "plain", sub("^record 1", "record 3"), "leg|table"),
    ("unit", "plain", sub("unit=U000001", "unit=U000002", at=REVEAL), "does not open"),
    ("event", "plain", sub("event=test", "event=best", at=REVEAL), "does not open"),
    ("variant unknown", "plain", sub("variant=tavla", "variant=chess"), "no variant"),
    ("variant", "plain", sub("variant=tavla", "variant=uzun"), "option"),
    ("variant near", "cube", sub("variant=western", "variant=nackgammon", at="^did 1 4 "), LEGAL),
    ("source", "plain", sub("source=seeded", "source=live"), "source="),
    ("commit", "plain", sub("commit=..", "commit=00", at=REVEAL), "does not open"),
    ("commit short", "plain", sub("commit=..", "commit="), NO_HEX),
    ("commit large digits", "plain", sub("commit=.", "commit=A"), NO_HEX),
    ("name", "plain", sub(" x=alpha", " x=al%20pha"), "not a bot's name|a word is wanted"),
    ("name missing", "plain", sub(" x=alpha", ""), "x"),
    ("pairing", "plain", sub("pairing=mirrored", "pairing=twins"), "pairing="),
    ("pairing missing", "plain", sub(" pairing=mirrored", ""), "pairing="),
    ("leg of one", "faults", sub("pairing=mirrored", "pairing=lone"), "pairing="),
    ("master", "plain", sub("master=..", "master=0g"), NO_HEX),
    ("no file", "plain", sub(" [xy]_files=[^ ]*| pairing=", " x_files=ab:c pairing="), "x_files="),
    ("a file without a path", "plain", sub(" pairing=", " y_files=" + 64 * "a" + ": pairing="),
     "y_files="),
    ("a comma too many", "plain", sub(" pairing=", " y_files=" + 64 * "a" + ":b, pairing="),
     "y_files"),
    ("command", "plain", sub(" pairing=", " y_command=" + 256 * "c" + " pairing="), "y_command="),
    ("settings", "plain", sub(" pairing=", " x_settings=" + 256 * "s" + " pairing="), "x_settings="),
    ("margin", "plain", sub(" move_time=5000", " move_time=5000 margin=70000"), "margin="),
    ("reserve", "plain", sub(" move_time=5000", " move_time=5000 reserve=5,6"), "reserve="),
    ("clock", "plain", sub(" move_time=5000", " move_time=5000 clock=sand"), "clock="),
    ("delay", "plain", sub(" move_time=5000", " move_time=5000 delay=1000000000001"), "10|delay="),
    ("move time", "plain", sub(" ms=[0-9]+$", " ms=65001"), "move time"),
    ("option missing", "plain", sub(" must_max=true", ""), "must_max= is missing"),
    ("option value", "plain", sub("must_max=true", "must_max=maybe"), "must_max"),
    ("option default", "plain", sub("$", " vido=off", line="^record"), "default"),
    ("option alien", "plain", sub("$", " jacoby=false", line="^record"), "no option of tavla"),
    ("option length", "plain", sub("match=3", "match=0"), "match="),
    ("option number", "faults", sub("forfeit_points=2", "forfeit_points=4"), "forfeit_points"),
    ("field unknown", "plain", sub(" date=", " mood=good date="), SPELLED),
    ("field twice", "plain", sub(r" (date=\S+)", r" \1 \1"), SPELLED),
    ("field order", "plain", sub(r" (date=\S+) (move_time=\S+)", r" \2 \1"), SPELLED),
    # games
    ("game number", "plain", sub("^game 1 2", "game 1 3"), HERE + "2|game 2"),
    ("attempt", "plain", sub("attempt=0", "attempt=1"), "attempt"),
    ("attempt after void", "void", sub("attempt=1", "attempt=2"), "attempt"),
    ("score before", "plain", sub("score=0,1 ", "score=1,0 ", line="^game 1 2"), "score="),
    ("wrong starter", "plain", sub("starter=Y", "starter=X"), "starter="),
    ("opening throw", "plain", sub("opening=14", "opening=15"), THROW),
    ("opening order", "plain", sub("starter=Y opening=14", "starter=X opening=41"), THROW),
    ("opening tie left out", "cube", sub("opening=11,44,24", "opening=44,24"), THROW),
    ("opening undecided", "plain", sub("opening=14", "opening=44"), "decides|decide"),
    ("opening twice", "plain", sub("opening=14", "opening=14,14"), "decides|decide"),
    ("opening missing", "plain", sub(" opening=14", ""), "opening throw is missing"),
    ("table of a game", "plain", sub("^game 1", "game 2"), "table"),
    ("crawford missing", "cube", sub(" crawford=yes", ""), "crawford="),
    ("crawford added", "plain", sub("$", " crawford=yes", line="^game"), "crawford="),
    ("cube at the start", "money", sub(" cube=2", ""), "cube="),
    ("cube added", "plain", sub("$", " cube=2", line="^game"), "cube="),
    ("game too many", "plain", goes_on, "over"),
    # plies
    ("ply number", "plain", sub("^did 1 5 ", "did 1 6 "), "ply"),
    ("seat", "plain", sub("^did 1 5 Y", "did 1 5 X"), "seat"),
    ("die", "uzun", sub("^did 1 2 (.) ..(.*)", r"did 1 2 \1 66\2"), LEGAL + "|" + THROW),
    ("throw turned", "plain", sub("^did 1 3 (.) (.)(.)", r"did 1 3 \1 \3\2"), THROW),
    ("deciding throw", "uzun", sub("^did 1 1 (.) (.)(.)", r"did 1 1 \1 \3\2"),
     "deciding|in force"),
    ("play left out", "plain", sub("( [0-9b][0-9ar]*/[0-9]+)+ ms", " ms", line="^did 1 2 "),
     "no pass here"),
    ("one die only", "plain", sub(" [^ ]+/[^ ]+ ms", " ms", line="^did 1 2 "), LEGAL),
    ("one leg too many", "plain", sub(" ms", " 6/5 ms", line="^did 1 2 "), LEGAL),
    ("play elsewhere", "plain", sub(" [^ ]+/[^ ]+ ms", " 24/2 ms", line="^did 1 2 "), LEGAL),
    ("star missing", "plain", sub(r"\*", "", line=r"^did .*\*"), "spells|star"),
    ("star added", "plain", sub(" ms", "* ms", line="^did 1 1 "), "spells|star"),
    ("point as a number", "cube", sub("bar/", "25/"), "spells|spell"),
    ("head twice", "uzun", sub("^(did 1 2 . ..) .* ms", r"\1 24/20 24/20 ms"), LEGAL + "|" + THROW),
    ("dice for a word", "plain", sub("^did 1 5 Y ..", "did 1 5 Y 07"), "dice"),
    ("time of years", "plain", sub("ms=[0-9]+$", "ms=1000000000001"), "ms="),
    ("passed without more", "plain", sub("$", " passed=1", line="ms=[1-9]"), "passed="),
    ("open alone", "plain", sub("$", " open=1", line="ms=[0-9]+$"), "open="),
    ("lag of none", "plain", sub("$", " lag=0", line="ms=[0-9]+$"), "lag="),
    ("contended not said", "plain", late, "contended="),
    ("contended said", "plain", sub("$", " contended=yes", line="^result"), "contended="),
    ("two blanks", "plain", sub(" ms=", "  ms="), SPELLED),
    ("ply left out", "plain", drop("^did 1 5 "), "ply"),
    ("ply twice", "plain", twice("^did 1 5 "), "ply"),
    ("plies swapped", "plain", swap("^did 1 5 "), "ply"),
    ("dispute of nobody", "plain", put("^did ", "dispute 1 1 mine seat=Z ply=0"), "seat="),
    ("dispute of a ply to come", "plain", put("^did ", "dispute 1 1 mine seat=X ply=7"), "ply="),
    ("too many disputes", "plain", disputes(4), "more than 3"),
    # the cube
    ("double without cube", "plain", put("^did 1 2 ", "did 1 2 X double"), "may not double"),
    ("double at first", "cube", double_first, "may not double"),
    ("double in the crawford game", "cube", sub("^did 1 3 Y resign.*", "did 1 3 Y double"),
     "may not double"),
    ("double of who has it not", "cube", sub("^did 1 6 X .*", "did 1 6 X double"),
     "may not double"),
    ("beaver in a match", "cube", sub(" take", " beaver"), "may not beaver"),
    ("beaver too many", "money", sub("^did 1 6 X drop", "did 1 6 X beaver"), "may not beaver"),
    ("drop played on", "cube", sub(" take", " drop", at="^did 1 4 "), "cannot stand here|awaited"),
    ("answer left out", "cube", drop(" take"), "ply"),
    ("resign lower", "cube", sub("kind=gammon", "kind=single", line="did .* resign kind=gam"),
     "cannot resign|may not resign"),
    ("resign of no kind", "cube", sub("kind=single", "kind=double"), "cannot resign"),
    ("resign before the throw", "cube", sub(" throw=12", "", line="did 1 3 Y resign"),
     "throw= is missing"),
    ("throw of a resignation", "cube", sub("throw=12", "throw=21"), THROW),
    ("throw after a resignation", "cube", sub("^did 1 5 Y 12", "did 1 5 Y 13", nth=2,
                                              line="^did 1 5 Y"), "in force"),
    ("jacoby", "money", sub("kind=single points=4", "kind=gammon points=8"), "kind="),
    # faults, voids
    ("fault of another kind", "faults", sub("code=[a-z]+", "code=lazy"), "no fault"),
    ("fault of the other", "faults", sub("^(fault 1 [0-9]+) X (code=(ill|mal|time))", r"\1 Y \2"),
     "at fault|not asked"),
    ("fault ply", "faults", sub("^fault 1 ([0-9])", r"fault 1 9\1"), "ply"),
    ("fault dice", "faults", sub(" dice=..", " dice=77", line="^fault"), "dice"),
    ("fault without dice", "faults", sub(" dice=..", "", line="^fault"), "dice= is missing"),
    ("fault quotes nothing", "faults", sub(r" got=\S+", "", line="code=(ill|mal)"),
     "got= is missing"),
    ("fault quotes a legal play", "faults", sub(r"code=[a-z]+ (dice=\S+) got=\S+",
                                                r"code=illegal \1 got=#0"), "not illegal"),
    ("fault is another one", "faults", sub(r"code=illegal", "code=malformed", line="got=24/1"),
     "not malformed"),
    ("fault quoted otherwise", "faults", sub(r"got=\S+", r"got=a\\q"), "got= is not spelled"),
    ("leave without faults", "left", sub("code=[a-z]+", "code=illegal"), "needs a game"),
    ("leave with a ply", "left", sub("^fault 1 0", "fault 1 1"), "ply"),
    ("leave of nobody", "left", drop("^fault"), "gave up"),
    ("void game", "void", sub("^void 1 1", "void 1 2"), "game"),
    ("void attempt", "void", sub("^(void 1 1) attempt=0", r"\1 attempt=4"), "attempt"),
    # results and ends
    ("result game", "plain", sub("^result 1 1", "result 1 2"), "game"),
    ("result winner", "plain", sub("winner=Y", "winner=X", line="^result"), "winner="),
    ("result reason", "plain", sub("reason=normal", "reason=drop", line="^result"), "reason="),
    ("result kind", "plain", sub("kind=single", "kind=mars"), "kind="),
    ("result points", "plain", sub("points=1", "points=2"), "points="),
    ("result score", "plain", sub("score=0,1$", "score=0,2", line="^result"), "score="),
    ("forfeit cheap", "faults", sub("points=[2-9]", "points=1", line="^result .*reason=ill"),
     "points="),
    ("result early", "plain", drop("^did ", nth=103), "not over"),
    ("result left out", "plain", drop("^result"), "cannot stand here"),
    ("end winner", "plain", sub("winner=Y", "winner=X", line="^end"), "winner|won"),
    ("end score", "plain", sub("score=0,3", "score=0,4", line="^end"), "score="),
    ("end reason", "plain", sub("reason=normal", "reason=timeout", line="^end"), "reason"),
    ("end early", "plain", ends_early, "not over"),
    # the seed and the signature
    ("seed", "plain", sub("seed=..", "seed=00"), "does not open"),
    ("seed large digits", "plain", sub("seed=.", "seed=F"), NO_HEX + "|does not open"),
    ("unit revealed", "plain", sub("^reveal U000001", "reveal U000002"), "unit"),
    ("signature count", "plain", sub("^sign [0-9]+", "sign 7"), "lines"),
    ("message unknown", "plain", put("^did ", "hello hakem=1 name=x"), "no message of a record"),
]


def altered_bytes(forger, data, lines):
    """Alterations of the file itself: name, bytes, line, what both say."""
    text = data.split(b"\n")
    key = forger.public.hex().encode()
    digit = bytes([data[-100] ^ 1 if chr(data[-100] ^ 1) in "0123456789abcdef" else ord("0")])
    yield "digits of the chain", data.replace(text[4][-16:], b"0" * 16, 1), 5, "chain"
    yield "line altered", data.replace(b" ms=", b" ms=1", 1), None, "chain"
    yield "line cut out", b"\n".join(text[:6] + text[7:]), 7, "chain"
    yield "no digits", data.replace(text[4], text[4][:-17], 1), 5, "16 hex digits"
    yield "bytes behind", data + b"x", len(lines) + 1, "behind the signature"
    yield "line behind", data + text[-2] + b"\n", len(lines) + 1, "chain"
    yield "signature", forger.chained(lines[:-1] + [lines[-1][:-4] + "ffff"]), len(lines), \
        "signature"
    yield "signature digit", data[:-100] + digit + data[-99:], len(lines), "chain"
    yield "another key", data.replace(b" key=" + key, b" key=" + b"00" * 32, 1), 1, "chain"
    yield "key", forger.chained([re.sub("key=..", "key=zz", lines[0])]), 1, "hex digits"
    yield "not UTF-8", forger.chained(lines[:2]) + b"\xff 0000000000000000\n", 3, "chain"
    yield "empty", b"", 0, "no record"
    yield "no record", b"Once upon a time\n", 1, "16 hex digits"
    yield "long line", text[0] + b"\n" + b"x" * 70000 + b"\n", 2, "longer than 65536"


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)


def make(arguments):
    seeded = arguments if any(word.startswith("seed=") for word in arguments) else \
        ["seed=" + SEED] + arguments
    return subprocess.run([MAKER] + seeded, capture_output=True, check=True).stdout


def told(text):
    """Of each file the first line that was said about it: (line number, sentence)."""
    out = {}
    for line in text.splitlines():
        match = re.match(r"(?:.*/)?([^/]+)\.hkm: (?:line (\d+): )?(.*)", line)
        if match:
            out.setdefault(match[1], (int(match[2] or 0), match[3]))
    return out


def both(folder, *options):
    """What the two say of the records of a folder, and their exit codes."""
    paths = [os.path.join(folder, name) for name in sorted(os.listdir(folder))]
    ours = kit.hakem("verify", *options, *paths)
    twin = subprocess.run([sys.executable, TWIN, *options, *paths], capture_output=True, text=True,
                          check=False, env=kit.environment())
    return told(ours.stdout), told(twin.stdout), (ours.returncode, twin.returncode), twin.stderr


def check_good(tap, where):
    folder = os.path.join(where, "good")
    os.mkdir(folder)
    for number, arguments in enumerate(GOOD):
        write(os.path.join(folder, "%02d.hkm" % number), make(arguments))
    played = play(where, folder)
    ours, twin, codes, errors = both(folder)
    tap.same(codes, (0, 0), "both accept %d records of every game, and %d that bots played" %
             (len(GOOD), played)) or print("#", errors)
    for name in sorted(ours):
        good = ours[name][1].startswith("proven") and twin[name][1].startswith("proven")
        number = int(name) if name.isdigit() else 0
        if not good:
            tap.check(False, "%s %s" % (name, GOOD[number]), ours[name], twin[name])
        counts = [re.search(r"(\d+ lines, \d+ games, \d+ plies; \d+) throws", say[name][1])
                  for say in (ours, twin)]
        if good and counts[0][1] != counts[1][1]:
            tap.check(False, "%s: they count alike" % name, counts[0][1], counts[1][1])
    for option, value in (("seed", "another"), ("key", "00" * 32)):
        ours, twin, codes, _ = both(folder, "--" + option, value)
        tap.check(codes == (6, 6) and len(ours) == len(twin) > 30,
                  "with another --%s both refuse all of them" % option, codes, ours, twin)


def play(where, folder):
    """Records of bots that make mistakes, under each value of `illegal`."""
    count = 0
    for illegal in ("retry", "replace_random"):
        for variant, fault in (("tavla", "larger-die"), ("uzun", "head"), ("western", "both-dice")):
            store = os.path.join(where, illegal + variant)
            run = kit.hakem("duel", "zoo=" + kit.zoo_bot(where, fault), "other=" + kit.bot(where),
                            "--variant", variant, "--match", "3", "--illegal", illegal, "--seed",
                            "q", "--store", store, "--pairs", "1", cwd=where)
            if run.returncode not in (0, 3):
                print("#", run.stderr)
            for name in os.listdir(os.path.join(store, "records")):
                if name.endswith(".hkm"):
                    shutil.copy(os.path.join(store, "records", name),
                                os.path.join(folder, "p-%s-%s-%s" % (illegal, variant, name)))
                    count += 1
    return count


def check_mutants(tap, where, forger):
    folder, want = os.path.join(where, "bad"), {}
    os.mkdir(folder)
    bases = {name: [line.rsplit(" ", 1)[0] for line in make(arguments).decode().split("\n")[:-1]]
             for name, arguments in BASES.items()}
    for name, base, alter, reason in MUTANTS:
        lines = list(bases[base])
        forger.count = str(len(lines) - 1)
        line = alter(lines)
        file = "%s, %s" % (base, name)
        want[file] = (line, reason)
        write(os.path.join(folder, file + ".hkm"), forger.signed(lines))
    lines = bases["plain"]
    forger.count = str(len(lines) - 1)
    for name, data, line, reason in altered_bytes(forger, forger.signed(lines), lines):
        want["bytes, " + name] = (line, reason)
        write(os.path.join(folder, "bytes, %s.hkm" % name), data)
    ours, twin, codes, errors = both(folder)
    tap.same(codes, (6, 6), "both refuse %d altered records" % len(want)) or print("#", errors)
    tap.check(len(want) > 60 and len(set(want)) == len(want), "more than sixty")
    for name, (line, reason) in want.items():
        says = [side.get(name, (-1, "nothing")) for side in (ours, twin)]
        tap.check(all(re.search(reason, say[1]) and line in (None, say[0]) for say in says) and
                  says[0][0] == says[1][0], name, "want: line %s: %s" % (line, reason),
                  "hakem: line %d: %s" % says[0], "twin:  line %d: %s" % says[1])


def check_resigned(tap, where, forger):
    """What only an outside fact can tell: another key, an open seed."""
    folder = os.path.join(where, "resigned")
    os.mkdir(folder)
    lines = [line.rsplit(" ", 1)[0] for line in make(BASES["plain"]).decode().split("\n")[:-1]]
    forger.count = str(len(lines) - 1)
    write(os.path.join(folder, "good.hkm"), forger.signed(lines))
    lines[0] = re.sub("master=..", "master=00", lines[0])
    write(os.path.join(folder, "master.hkm"), forger.signed(lines))
    ours, twin, codes, _ = both(folder)
    tap.same(codes, (0, 0), "signed anew by another key both are good")
    ours, twin, codes, _ = both(folder, "--seed", SEED)
    tap.check(codes == (6, 6) and all(
        "proven" in say["good"][1] and "master=" in say["master"][1] for say in (ours, twin)),
        "the open seed tells the wrong master commitment", ours, twin)


def check_prefix(tap, where, forger):
    """A record that was cut off: only a prefix, wherever it was cut."""
    folder = os.path.join(where, "cut")
    os.mkdir(folder)
    text = make(BASES["plain"])
    for number, size in enumerate(range(700, len(text) - 1, len(text) // 12)):
        write(os.path.join(folder, "%02d.hkm" % number), text[:size])
    ours, twin, codes, _ = both(folder)
    tap.check(codes[0] == codes[1] and all("unfinished" in say[1] for side in (ours, twin)
                                           for say in side.values()) and len(ours) > 9,
              "cut off anywhere it is a prefix to both", codes, ours, twin)
    tap.same(both(folder, "--prefix")[2], (0, 0), "which --prefix lets pass")


def main():
    tap = kit.Tap()
    if shutil.which("openssl") is None:
        print("1..0 # SKIP openssl is not installed")
        return
    where = kit.folder()
    forger = Forger(where)
    check_good(tap, where)
    check_mutants(tap, where, forger)
    check_resigned(tap, where, forger)
    check_prefix(tap, where, forger)
    tap.done()


main()
