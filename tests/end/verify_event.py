"""`hakem verify` of a whole event: a store whose rows, records, schedule and secret do not fit
together is found out, and says where; a folder of records; what is missing; voids of each bot."""
import hashlib
import os
import re
import shutil
import signal
import sqlite3
import time

import kit

tap = kit.Tap()
where = kit.folder()


def duel(name, *options, cwd=where):
    store = os.path.join(where, name)
    run = kit.hakem("duel", "able=" + kit.bot(where), "unable=" + kit.zoo_bot(where, "no-bar"),
                    "--match", "1", "--store", store, *options, cwd=cwd)
    tap.check(run.returncode == 0, name, run.stderr)
    return store


def verify(*arguments):
    run = kit.hakem("verify", *arguments)
    return run.returncode, run.stdout, run.stderr


def altered(store, *statements):
    """A copy of the store with other rows in it."""
    copy = os.path.join(where, "altered")
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(store, copy, ignore=shutil.ignore_patterns("*.sock"))
    db = sqlite3.connect(os.path.join(copy, "hakem.db"))
    for statement in statements:
        if db.execute(statement).rowcount == 0:
            raise LookupError(statement)
    db.commit()
    db.close()
    return copy


def check_good(store):
    code, out, err = verify(store)
    tap.check(code == 0 and "12 of 12 proven" in out and "follow from the records" in out,
              "a store whose parts fit together", code, out, err)
    code, out, _ = verify(store, "--seed", "s")
    tap.check(code == 0 and out.count("follow from the open seed") == 12, "with its open seed", out)
    code, out, _ = verify(os.path.join(store, "records"))
    tap.check(code == 0 and "12 of 12 proven" in out, "the folder of its records", out)
    code, out, err = verify(where)
    tap.check(code == 2 and "store" in err, "a folder of stores is no folder of records", code, err)
    empty = os.path.join(where, "empty")
    os.mkdir(empty)
    code, _, err = verify(empty)
    tap.check(code == 5 and "no .hkm file" in err, "an empty folder", code, err)


def check_altered(store):
    winner = "UPDATE game SET winner = 1 - winner WHERE unit = 3 AND leg = 2"
    two = "UPDATE piece SET text = (SELECT text FROM piece AS p WHERE p.unit = 2 AND p.leg = 1 AND" \
          " p.part = piece.part AND p.game = piece.game) WHERE unit = 4 AND leg = 1"
    cases = [
        ("a game's winner", [winner], 6, "^U000003-2: .*another result of game 1"),
        ("a game's kind", ["UPDATE game SET kind = kind % 2 + 1 WHERE unit = 2 AND leg = 1"], 6,
         "^U000002-1: .*another result of game 1"),
        ("a fault's offender", ["UPDATE game SET offender = 1 - offender WHERE offender >= 0"], 6,
         "another result of game 1"),
        ("a fault's reason", ["UPDATE game SET reason = 'timeout' WHERE offender >= 0"], 6,
         "another result of game 1"),
        ("a match's winner", ["UPDATE match SET winner = 1 - winner WHERE unit = 1 AND leg = 1"],
         6, "^U000001-1: .*another result than the record"),
        ("a match's score", ["UPDATE match SET x_score = x_score + 2 WHERE unit = 6 AND leg = 2"],
         6, "^U000006-2: .*another result than the record"),
        ("who played", ["UPDATE match SET x_entrant = y_entrant, y_entrant = x_entrant"
                        " WHERE unit = 1 AND leg = 1"], 6, "^U000001-1: .*another result"),
        ("a head", ["UPDATE match SET head = randomblob(32) WHERE unit = 1 AND leg = 1"], 6,
         "^U000001-1: .*another head"),
        ("a record in another's place", [two], 6, "^U000004-1: .*is the record of U000002-1"),
        ("a record that is gone", ["DELETE FROM piece WHERE unit = 4 AND leg = 2"], 6,
         "^U000004-2: .*results of it and no record"),
        ("a game that is gone", ["DELETE FROM game WHERE unit = 4 AND leg = 2"], 6,
         "^U000004-2: .*results of 0 games, the record 1"),
        ("a match that is gone", ["DELETE FROM match WHERE unit = 4 AND leg = 2"], 6,
         "^U000004-2: .*another result than the record"),
        ("a record cut short", ["DELETE FROM piece WHERE unit = 4 AND leg = 2 AND part = 2"], 6,
         r"^U000004-2: unfinished(.*\n)+.*U000004-2.hkm: not the record that the store has"),
        ("the master seed", ["UPDATE event SET master = randomblob(32)"], 6,
         "^U000001-1: master= is not"),
        ("the key", ["UPDATE event SET public_key = randomblob(32)"], 6, "^U000001-1: key= is not"),
    ]
    for name, statements, want, words in cases:
        code, out, err = verify(altered(store, *statements))
        tap.check(code == want and re.search(words, out, re.M), name, "exit %d" % code, out, err)


def check_log(store):
    """The event's log: its checkpoints are signed, and a match that is dropped later shows."""
    path = os.path.join(store, "log.hkl")
    code, out, err = verify(store)
    tap.check("20 lines hold, 6 checkpoints are signed" in out, "a log of 12 matches", out, err)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    lost = [line for line in text.splitlines() if line.startswith("match U000005 ")]
    gone = ["DELETE FROM %s WHERE unit = 5" % table for table in ("piece", "game", "match")]
    copy = altered(store, *gone)
    code, out, err = verify(copy)
    tap.check(code == 6 and len(lost) == 2 and
              re.search("^U000005-2: the log has its end, the store no result$", out, re.M),
              "a unit dropped from the store is still in the log", code, out, err)
    tap.check("the standings of the store follow from the records" in out,
              "and its standings follow from what is there", out)
    os.remove(os.path.join(copy, "log.hkl"))
    shutil.rmtree(os.path.join(copy, "records"))
    code, out, err = verify(copy)
    tap.check(code == 6 and "missing: U000005" in out and "log.hkl: it is missing" in out,
              "a log that is gone is a finding", out, err)
    code, out, err = verify(copy, "--log", path)
    tap.check(code == 6 and "differs" in out, "a copy of the log that was kept tells", out, err)
    half = os.path.join(where, "half.hkl")
    keep(half, text[:len(text) // 2])
    code, out, err = verify(store, "--log", half)
    tap.check(code == 0, "a copy kept half way is how the log begins", code, out, err)
    for name, old, new, words in (
            ("a head altered", r" head=..", " head=00", "line 3 of the log: the digits"),
            ("a line cut out", r"(?m)^match .*\n", "", "of the log: the digits|no line"),
            ("a checkpoint altered", r"checkpoint \d+", "checkpoint 9", "the digits"),
            ("a header of another event", r"event=\S+", "event=x#00", "line 1 of the log")):
        keep(os.path.join(copy, "log.hkl"), re.sub(old, new, text, count=1))
        code, out, err = verify(copy)
        tap.check(code == 6 and re.search(words, out), name, code, out, err)
    keep(os.path.join(copy, "log.hkl"), "")
    code, out, err = verify(copy)
    tap.check(code == 6 and "the log lacks 10 results" in out, "an empty log", code, out, err)
    for where_else, code_wanted in ((store, 5), (os.path.join(store, "records"), 2),
                                    (os.path.join(store, "records", "U000001-1.hkm"), 2)):
        code, out, err = verify(where_else, "--log", "nosuch.hkl")
        tap.check(code == code_wanted and out == "" and err.count("\n") == 1 and
                  ("nosuch.hkl" in err or "--log goes with" in err),
                  "--log with %s" % os.path.basename(where_else), code, out, err)
    twin(text)


def check_files(store):
    """The files in STORE/records are what the store has, all of it and nothing else."""
    def spoil(name, how):
        path = os.path.join(altered(store), "records", name)
        how(path)
        return verify(os.path.dirname(os.path.dirname(path)))

    def empty(path):
        keep(path, "")

    def cut(path):
        with open(path, "rb+") as file:
            file.truncate(os.path.getsize(path) // 2)

    def other(path):
        shutil.copy(path.replace("U000003-1", "U000002-1"), path)

    def folder(path):
        os.remove(path)
        os.mkdir(path)

    def unknown(path):
        os.remove(path)
        os.symlink("nowhere", path)

    for name, how, words in (
            ("U000003-1.hkm", os.remove, "U000003-1.hkm: it is missing"),
            ("U000003-1.hkm", empty, "U000003-1.hkm: not the record .* from line 1 on"),
            ("U000003-1.hkm", cut, "U000003-1.hkm: not the record"),
            ("U000003-1.hkm", other, "U000003-1.hkm: not the record .* from line 1 on"),
            ("U000003-1.hkm", folder, "U000003-1.hkm is a folder"),
            ("U000003-1.hkm", unknown, "U000003-1.hkm: it is missing"),
            ("U000007-1.hkm", empty, "U000007-1.hkm: no match that has ended"),
            ("U3-1.hkm", empty, "U3-1.hkm: no match that has ended"),
            ("U000003-1.hkm.tmp", empty, "hkm.tmp: no match that has ended"),
            ("notes", empty, "notes: no match that has ended")):
        code, out, err = spoil(name, how)
        findings = [line for line in out.splitlines() if ".hkm" in line or "notes" in line]
        tap.check(code == 6 and len(findings) == 1 and re.search(words, findings[0]) and
                  "the standings of the store follow" in out,
                  "%s, %s" % (name, how.__name__), code, findings, err)
    shutil.rmtree(os.path.join(altered(store), "records"))
    code, out, _ = verify(os.path.join(where, "altered"))
    tap.check(code == 6 and out.count("it is missing, and the store has its record") == 12,
              "the whole folder is gone", code, out)
    bare = duel("bare", "--pairs", "1", "--seed", "s", "--files", "none")
    code, out, _ = verify(bare)
    tap.check(code == 0 and not os.path.exists(os.path.join(bare, "records")),
              "an event that writes no files", code, out)


def twin(text):
    """The log in the words of record.md: chain and checkpoints, by other means."""
    head, signed = None, []
    for number, line in enumerate(text.splitlines()):
        bare, digits = line[:-17], line[-16:]
        words = bare.split(" ")
        if words[0] == "checkpoint":
            signed.append(int(words[1]) == number)
        data = len(bare).to_bytes(4, "big") + bare.encode()
        tag = b"hakem/v1/log"
        head = hashlib.sha256((len(tag).to_bytes(4, "big") + tag if head is None else head) +
                              data).digest()
        if head.hex()[:16] != digits:
            signed.append(False)
    tap.check(len(signed) == 6 and all(signed), "the chain is that of record.md", text)


def keep(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def check_voids():
    """A referee that is killed: the void games are counted, and the standings hold."""
    store = os.path.join(where, "killed")
    command = ("duel", "able=" + kit.bot(where), "unable=" + kit.zoo_bot(where, "no-bar"), "--match",
               "3", "--pairs", "40", "--store", store)
    for _ in range(3):
        process = kit.start(*command, cwd=where)
        deadline = time.monotonic() + 60
        while not os.path.exists(store + "/hakem.db") and time.monotonic() < deadline:
            time.sleep(0.02)
        time.sleep(0.3)
        process.send_signal(signal.SIGKILL)
        process.wait()
        code, out, err = verify(store)
        tap.check(code in (0, 9), "a store that was torn out of its process", code, out, err)
    run = kit.hakem(*command, cwd=where)
    tap.check(run.returncode == 0, "it goes on", run.stderr)
    code, out, err = verify(store)
    voids = sum(text.count("\nvoid ") for text in kit.records(store).values())
    want = ["%s: %d void games" % (name, voids) for name in ("able", "unable") if voids]
    with open(os.path.join(store, "log.hkl"), encoding="utf-8") as file:
        logged = len(re.findall("^void ", file.read(), re.M))
    tap.same(logged, voids, "the log has the void games")
    tap.check(code == 0 and all(line in out for line in want), "its %d void games are counted" %
              voids, code, out, err)


good = duel("good", "--pairs", "6", "--seed", "s")
check_good(good)
check_altered(good)
check_log(good)
check_files(good)
check_voids()
tap.done()
