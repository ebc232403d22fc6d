"""hakem check: good bots pass whole, each bot of the zoo is found by the item that is its fault,
nothing takes long, nobody is left behind; and the forms of the report."""
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import threading

import kit

SOURCE = os.environ["HAKEM_SOURCE"]
BUILD = os.environ["HAKEM_BUILD"]
PYTHON = sys.executable
AT_ONCE = 8

# Fault -> the items that are to be found bad, and the most others that may be bad beside them.
FAULTS = {
    # the first words
    "exits": (["hello"], 0),
    "silent": (["hello"], 0),
    "no-flush": (["hello"], 0),
    "cr-only": (["hello"], 0),
    "not-hello": (["hello"], 0),
    "banner": (["stdout"], 0),
    "bad-name": (["name"], 0),
    "version": (["version"], 0),
    "variants": (["variants"], 0),
    "second-hello": (["silence"], 0),
    "closes-stdout": (["ready/tavla"], 8),
    "never-reads": (["ready/tavla"], 2),
    "declines": (["ready/tavla"], 0),
    "unknown-option": (["strange-option"], 1),
    # lines
    "strange-field": (["fields"], 2),
    "key-order": (["keys"], 0),
    "blanks": (["blanks"], 0),
    "crlf": (["crlf"], 0),
    "pieces": (["pieces"], 0),
    "strange-message": (["unknown"], 1),
    "note": (["note"], 0),
    "no-pong": (["ping"], 0),
    "long-list": (["long-list/tavla"], 8),
    "long-line": (["stdout"], 0),
    "chatter": (["stdout"], 0),
    "mixes": (["spelling"], 0),
    "half-line": (["play"], 8),
    "floods": (["stderr"], 0),
    "notes": (["silence"], 0),
    # whom it answers
    "wrong-table": (["address"], 2),
    "wrong-serial": (["address"], 0),
    "small-numbers": (["address"], 0),
    "old-serial": (["silence"], 1),
    "twice": (["silence"], 1),
    "answers-did": (["silence"], 1),
    "goes-on": (["silence"], 1),
    # rules
    "larger-die": (["larger-die/tavla"], 3),
    "both-dice": (["both-dice/tavla"], 8),
    "bear-off": (["off-behind/tavla"], 16),
    "head": (["head/uzun", "opening/uzun"], 24),
    "wall": (["wall/uzun"], 2),
    "no-bar": (["bar/tavla"], 60),
    "own-numbers": (["opening/tavla"], 90),
    "dance": (["after-dance/tavla"], 60),
    "loses-state": (["next-game"], 4),
    "one-board": (["interleaved"], 3),
    "own-mind": (["replaced"], 40),
    # the course of a match
    "gives-up": (["retry", "replaced", "forfeit", "late", "stands"], 0),
    "draw": (["draw"], 0),
    "crawford": (["crawford"], 1),
    "plays-cube": (["cube/tavla"], 2),
    "beavers": (["offered/tavla"], 2),
    "takes-all": (["resigned"], 1),
    "chance": (["seed"], 0),
    "slow": (["time"], 0),
    "hangs": (["play"], 2),
    "stops": (["play"], 2),
    "eats-memory": (["growth"], 0),
    # the end
    "status": (["bye"], 2),
    "stays": (["bye", "eof", "eof-in-game", "refused"], 0),
    "deaf": (["sigterm"], 0),
    "daemon": (["strays"], 0),
}

tap = kit.Tap()
where = kit.folder()
zoo = kit.zoo_bot(where, "good").split()[1]


def check(command, *arguments):
    """Rows of the report and the exit code."""
    run = kit.hakem("check", command, "--format", "json", *arguments)
    return [json.loads(line) for line in run.stdout.splitlines()], run


def bad_items(rows):
    return {row["id"]: row for row in rows if row.get("verdict") == "bad"}


def try_fault(fault):
    """The faults that show at once need no long play; only uzun has a head and walls."""
    items = " ".join(FAULTS[fault][0])
    return fault, check("%s %s %s" % (PYTHON, zoo, fault), "--time",
                        "500ms" if fault == "eats-memory" else "60ms", "--variant",
                        "tavla,uzun" if "uzun" in items else "tavla")


def try_good(bot):
    return bot, check(bot[1], "--move_time", "5s")


def shown(rows):
    return "\n".join("%s: %s\n%s" % (row["id"], row.get("words", ""), "\n".join(row["lines"]))
                     for row in bad_items(rows).values())


def first_bot(page):
    """The bot of a page, as it stands there."""
    with open(os.path.join(SOURCE, page), encoding="utf-8") as file:
        code = re.search(r"```python\n(.*?)```", file.read(), re.S).group(1)
    path = os.path.join(where, page.replace("/", "-") + ".py")
    with open(path, "w", encoding="utf-8") as file:
        file.write(code)
    return path


def good_bots():
    c = os.path.join(BUILD, "contrib", "c")
    contrib = os.path.join(SOURCE, "contrib")
    python = os.path.join(contrib, "python")
    bots = [("greedy in C", os.path.join(c, "greedy")), ("random in C", os.path.join(c, "random")),
            ("solid in C", os.path.join(c, "solid")),
            ("greedy in Python", "%s %s/greedy_bot.py" % (PYTHON, python)),
            ("random in Python", "%s %s/random_bot.py" % (PYTHON, python)),
            ("the bot of the README", "%s %s" % (PYTHON, first_bot("README.md"))),
            ("the zoo's own", "%s %s good" % (PYTHON, zoo)),
            ("the zoo's own in JSON", "%s %s json" % (PYTHON, zoo)),
            ("the zoo's own, which says sync", "%s %s asks" % (PYTHON, zoo))]
    if shutil.which("node"):
        bots.append(("random in JavaScript", "node %s/js/random.mjs" % contrib))
    return bots


def test_good(results):
    for (name, _), (rows, run) in results:
        summary = rows[-1] if rows else {}
        tap.check(run.returncode == 0 and summary.get("bad") == 0 and summary["complete"] and
                  summary["good"] > 80, "%s is all good" % name, shown(rows), run.stderr)


def test_zoo(results):
    for fault, (rows, run) in results:
        wanted, others = FAULTS[fault]
        bad = bad_items(rows)
        missing = [item for item in wanted if item not in bad]
        tap.check(run.returncode == 3 and not missing and len(bad) - len(wanted) <= others,
                  "%s: %s" % (fault, ", ".join(wanted)), "missing: %s" % missing,
                  "bad: %s" % list(bad), run.stderr[-300:])
        quoted = [row for row in bad.values()
                  if row["lines"] or row["item"] in ("hello", "stderr", "growth", "strays")]
        tap.check(len(quoted) == len(bad) and all(row["words"] for row in bad.values()),
                  "%s: each with the reason and the lines" % fault, list(bad.values())[:2])


def test_words():
    """The report for people, and the ways to ask for less."""
    command = "%s %s crlf" % (PYTHON, zoo)
    run = kit.hakem("check", command, "--only", "crlf")
    tap.check(run.returncode == 3 and re.search(
        r"^BAD   crlf +line ends of CR LF\n        the bot ended, with status 1: what is", run.stdout,
        re.M) and "\n          < match 1 U000001" in run.stdout and "good  " not in run.stdout,
        "the text names the item, says why and quotes the lines", run.stdout)
    run = kit.hakem("check", command, "--only", "keys")
    tap.check(run.returncode == 0 and run.stdout.startswith("good  keys") and
              run.stdout.count("\n") == 2, "one item alone is good", run.stdout, run.stderr)
    turkish = subprocess.run((kit.HAKEM, "check", command, "--only", "crlf"), timeout=60, text=True,
                             capture_output=True, env=dict(os.environ, LC_ALL="tr_TR.UTF-8"))
    tap.check("HATA  crlf            CR LF satır sonları" in turkish.stdout, "in Turkish too",
              turkish.stdout)
    rows, run = check(command, "--only", "opening/uzun")
    tap.check([row["id"] for row in rows if row["type"] == "item"] == ["opening/uzun"],
              "one item in one variant", rows)
    listed = kit.hakem("check", "--list").stdout.splitlines()
    names = [line.split()[0] for line in listed]
    tap.check(len(names) > 70 and len(set(names)) == len(names) and
              all(item.split("/")[0] in names for wanted, _ in FAULTS.values() for item in wanted),
              "--list names %d items, each once" % len(names), listed)


def test_json():
    rows, _ = check("%s %s no-pong" % (PYTHON, zoo), "--variant", "tavla")
    kinds = [row["type"] for row in rows]
    tap.check(kinds[0] == "start" and kinds[-1] == "summary" and
              set(kinds[1:-1]) == {"item"} and rows[0]["format"] == "hakem-check/1",
              "JSON: a start, the items, a summary", kinds)
    counts = [sum(row.get("verdict") == verdict for row in rows)
              for verdict in ("good", "bad", "none")]
    tap.same(counts, [rows[-1][key] for key in ("good", "bad", "none")], "the summary counts them")
    bad = bad_items(rows)
    tap.check(list(bad) == ["ping"] and bad["ping"]["lines"][-1] == "< ping id=7",
              "the last line is the one that was not answered", bad)
    with open(os.path.join(SOURCE, "protocol", "events", "check.json"), encoding="utf-8") as file:
        schema = json.load(file)
    found = [fault for row in rows for fault in misfits(row, schema["$defs"][row["type"]])]
    tap.same(found, [], "every row fits its schema")


def misfits(row, schema):
    """What of a flat row does not fit: required, known, of its type, one of its words."""
    types = {"string": str, "integer": int, "boolean": bool, "array": list}
    for key in schema["required"]:
        if key not in row:
            yield "%s is missing" % key
    for key, value in row.items():
        rule = schema["properties"].get(key)
        if rule is None:
            yield "%s is not known" % key
        elif "const" in rule and value != rule["const"] or \
                "enum" in rule and value not in rule["enum"] or \
                "type" in rule and not isinstance(value, types[rule["type"]]):
            yield "%s is %r" % (key, value)


def test_usage():
    for arguments, code, words in [
            ((), 2, "check takes one bot"),
            (("a", "b"), 2, "check takes one bot"),
            (("./nobody-here",), 7, "there is no such program"),
            (("x", "--variant", "tavla,plakoto"), 2, "unknown variant plakoto"),
            (("x", "--format", "xml"), 2, "--format takes text or json"),
            (("x", "--listen", "127.0.0.1:0"), 2, "check takes one bot"),
            (("--listen", "nowhere"), 2, "not an address")]:
        run = kit.hakem("check", *arguments)
        tap.check(run.returncode == code and words in run.stderr and run.stderr.count("\n") == 1,
                  "%s: exit %d" % (" ".join(arguments) or "nothing", code), run.stderr)
    run = kit.hakem("check", "%s %s good" % (PYTHON, zoo), "--only", "nothing")
    tap.check(run.returncode == 2 and "there is no item nothing" in run.stderr,
              "an item that does not exist: exit 2", run.stderr)


def dialled(words):
    """The report of a bot that dials in, and again whenever it is sent away; `words` begin its
    command, the address ends it."""
    process = kit.start("check", "--listen", "127.0.0.1:0", "--variant", "tavla", "--format",
                        "json")
    bots = []

    def serve():
        for line in process.stderr:
            found = re.search(r"at (127\.0\.0\.1:\d+)$", line.strip())
            if found:
                bots.append(subprocess.Popen([PYTHON] + words + [found.group(1)],
                                             stderr=subprocess.DEVNULL))

    thread = threading.Thread(target=serve)
    thread.start()
    out = process.stdout.read()
    code = process.wait(timeout=60)
    thread.join()
    for bot in bots:
        bot.wait(timeout=10)
    return [json.loads(line) for line in out.splitlines()], code, bots


def test_listen(name, words):
    rows, code, bots = dialled(words)
    tap.check(code == 0 and rows[-1]["bad"] == 0 and rows[-1]["good"] > 50 and len(bots) > 3,
              "%s dials in %d times and is all good" % (name, len(bots)), shown(rows), code)
    skipped = {row["id"] for row in rows if row.get("verdict") == "none"}
    tap.check({"bye", "eof", "sigterm", "strays"} <= skipped,
              "what only a process can do does not apply", skipped)


def test_resume():
    """A connection that breaks: the bot comes back with its secret, and goes on."""
    for fault, code, verdict in (("good", 0, "good"), ("forgets", 3, "bad")):
        rows, status, _ = dialled([zoo, fault, "--connect"])
        resume = next(row for row in rows if row.get("item") == "resume")
        tap.check(status == code and resume["verdict"] == verdict,
                  "%s, it comes back: %s" % (fault, verdict), resume, shown(rows))


with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
    zoo_results = list(pool.map(try_fault, FAULTS))
    good_results = list(pool.map(try_good, good_bots()))
tap.same(sorted(FAULTS), sorted(kit.zoo_faults() - {"one-table", "json", "asks", "forgets"}),
         "a zoo of %d, all of them tried" % len(FAULTS))
test_good(good_results)
test_zoo(zoo_results)
test_words()
test_json()
test_usage()
test_listen("random in Python", [os.path.join(SOURCE, "contrib", "python", "random_bot.py"),
                                 "--connect"])
test_listen("the bot of the document", [first_bot("protocol/README.md")])
test_resume()
tap.same(kit.left_over(where), [], "no process is left")
tap.done()
