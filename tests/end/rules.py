"""`hakem rules`: the games, and each game's rules with the options in force, in both languages; and
`hakem perft` of the games whose counts GNU Backgammon 1.07 gives too."""

import os
import re
import subprocess

HAKEM = os.environ["HAKEM"]
PERFT = {"western": 447, "nackgammon": 547, "hypergammon": 195}
OPTION = re.compile(r"^(\*?) +(\S.*\.)  \((\w+) (\w+), ([BF]\d+)(?:; (?:default|varsayılan) (\w+))?\)$")

count = 0


def check(good, name, why=""):
    global count
    count += 1
    print("ok" if good else "not ok", count, "-", name, flush=True)
    if not good:
        print("#", str(why)[:2000].replace("\n", "\n# "), flush=True)


def run(*arguments, language="C"):
    return subprocess.run([HAKEM, *arguments], capture_output=True, text=True, timeout=60,
                          env=dict(os.environ, LC_ALL=language))


def options(text):
    """{name: (marked, sentence, value, rule, default)} of the lines below "options"."""
    lines = text.split("\n")
    head = next(i for i, line in enumerate(lines) if line in ("options", "seçenekler"))
    found = {}
    for line in lines[head + 1:]:
        match = OPTION.match(line)
        if match:
            mark, sentence, name, value, rule, default = match.groups()
            found[name] = (mark == "*", sentence, value, rule, default)
    return found


def test_variant(name):
    english, turkish = run("rules", name), run("rules", name, language="tr_TR.UTF-8")
    check(english.returncode == 0 and english.stderr == "", f"{name} is told", english.stderr)
    ours, theirs = options(english.stdout), options(turkish.stdout)
    check(len(ours) >= 9 and list(ours) == list(theirs), f"{name}: {len(ours)} options in both "
          "languages", (ours, theirs))
    check(not any(row[0] or row[4] for row in ours.values()), f"{name}: no default is marked", ours)
    check(all(ours[key][2:4] == theirs[key][2:4] and ours[key][1] != theirs[key][1] for key in ours),
          f"{name}: the same values, other sentences", theirs)
    same = set(english.stdout.split("\n")) & set(turkish.stdout.split("\n")) - {name, ""}
    check(not same, f"{name}: every sentence is in Turkish", same)
    check("{}" not in english.stdout + turkish.stdout, f"{name}: numbers stand in their places")
    return ours


def main():
    names = [line.split()[0] for line in run("rules").stdout.split("\n")[:-2]]
    check(names == ["tavla", "uzun", "western", "nackgammon", "hypergammon", "fevga"],
          "the games are listed", names)
    told = {name: test_variant(name) for name in names}
    check(told["nackgammon"] == told["western"] == told["hypergammon"], "games of one school agree")

    done = run("rules", "uzun", "--wall", "turn_end", "--koks=2", "--match", "7")
    marked = {name: row for name, row in options(done.stdout).items() if row[0]}
    check(set(marked) == {"wall", "koks", "match"} and marked["wall"][2:] ==
          ("turn_end", "B32", "step") and marked["match"][1] ==
          "The match is won with 7 points (0: a money session).",
          "what differs is marked, with its default", marked)
    check(marked["wall"][1] != told["uzun"]["wall"][1], "and says something else", marked)
    check(options(run("rules", "--match", "3").stdout)["match"][2] == "3", "tavla without a name")

    for arguments, words in ((("chess",), "hakem knows tavla"), (("tavla", "uzun"), "too much"),
                             (("tavla", "--wall", "off"), "does not exist in tavla"),
                             (("uzun", "--wall", "high"), "takes step, turn_end, off"),
                             (("uzun", "--wal", "off"), "did you mean --wall")):
        done = run("rules", *arguments)
        check(done.returncode == 2 and done.stdout == "" and words in done.stderr and
              done.stderr.count("\n") == 1, f"refused: {' '.join(arguments)}", done.stderr)

    for name, finals in PERFT.items():
        done = run("perft", "--variant", name, "--depth", "1")
        check(done.stdout.startswith(f"depth 1: {finals} final positions"), f"perft of {name}",
              done.stdout)
    print(f"1..{count}")


main()
