"""Many tables on one connection, with real bots: one that follows the `did` lines and never sees a
position, and one that keeps no state; bots spread over processes; what they are charged."""
import collections
import glob
import json
import os

import kit

tap = kit.Tap()
where = kit.folder()
BOTS = os.path.join(os.environ["HAKEM_SOURCE"], "tests", "end", "bots")


def bot(name, tables, seen, more="none"):
    """A bot's command; the words of its hello are in a file, so that they change no dice."""
    return "%s=%s %s %d %s %s" % (name, kit.PYTHON, os.path.join(BOTS, name + ".py"), tables,
                                  os.path.join(where, seen), os.path.join(where, more))


def write(more, words):
    with open(os.path.join(where, more), "w", encoding="ascii") as file:
        file.write(words)


def read(seen):
    """{bot: {pid: [matches, most tables at once]}}"""
    out = collections.defaultdict(lambda: collections.defaultdict(lambda: [0, 0]))
    with open(os.path.join(where, seen), encoding="ascii") as file:
        for line in file:
            name, pid, most = line.split()
            out[name][pid][0] += 1
            out[name][pid][1] = max(out[name][pid][1], int(most))
    return out


def faults(run):
    return {row["name"]: sum(row["faults"].values()) for row in map(json.loads, run.stdout.splitlines())
            if row["type"] == "standing"}


def two_kinds():
    """Whole matches with a cube, of who keeps a board and who keeps nothing."""
    whole = ""
    for variant in ("tavla", "uzun", "western"):
        store = os.path.join(where, variant)
        run = kit.hakem("duel", bot("stateful", 16, variant + ".seen"),
                        bot("stateless", 16, variant + ".seen", "forced"), "--variant", variant,
                        "--match", "3", "--vido", "on", "--resign", "on", "--pairs", "8",
                        "--concurrency", "16", "--seed", "two kinds", "--format", "jsonl", "--store",
                        store)
        tap.check(run.returncode == 0 and set(faults(run).values()) == {0} and not run.stderr,
                  variant + ": matches without a refusal", faults(run), run.stderr[-800:])
        seen = read(variant + ".seen")
        tap.check(all(len(seen[name]) == 1 and max(seen[name].values())[1] > 8 for name in seen)
                  and len(seen) == 2, variant + ": each bot is one process with many tables",
                  dict(seen))
        records = sorted(glob.glob(os.path.join(store, "records", "*.hkm")))
        proven = kit.hakem("verify", *records)
        whole += "".join(open(path, encoding="utf-8").read() for path in records)
        tap.check(proven.returncode == 0 and len(records) == 16, variant + ": all are proven",
                  proven.stderr[-300:])
    met = {act: whole.count(" %s " % act)
           for act in ("double", "take", "drop", "resign", "accept", "reject")}
    tap.check(min(met.values()) > 0, "everything that is no play was met", met)


def forced():
    """auto=forced from a real bot: the same games, fewer questions."""
    out = []
    for words in ("", "auto=forced"):
        store = os.path.join(where, "games" + words)
        write("varies", words)
        run = kit.hakem("duel", bot("stateful", 4, "forced.seen", "varies"),
                        bot("stateless", 4, "forced.seen"), "--variant", "western", "--match", "3",
                        "--pairs", "4", "--seed", "forced", "--store", store)
        asked = sum(line.startswith("did") and " ms=" in line
                    for path in glob.glob(os.path.join(store, "records", "*.hkm"))
                    for line in open(path, encoding="utf-8"))
        # one position may be reached by two plays: the lines but for those
        games = {name: [line.split()[:5] for line in text.splitlines()[1:]]
                 for name, text in kit.records(store).items() if name.endswith(".hkm")}
        out.append((run.returncode, asked, games))
    tap.check(out[0][0] == out[1][0] == 0 and out[1][1] < out[0][1],
              "a bot with auto=forced is asked less often", out[0][:2], out[1][:2])
    tap.check(out[0][2] == out[1][2], "and plays the same games")


def processes():
    """256 matches at once, in one process of each bot and spread over four."""
    for count in (1, 4):
        seen = "spread-%d" % count
        run = kit.hakem("duel", bot("stateless", 256, seen), bot("stateful", 256, seen), "--match",
                        "1", "--pairs", "128", "--concurrency", "256", "--processes", str(count),
                        "--format", "jsonl", "--variant", "western", "--files", "none", "--store",
                        os.path.join(where, seen + ".store"), timeout=300)
        tap.check(run.returncode == 0 and set(faults(run).values()) == {0},
                  "256 matches at once in %d processes of each bot" % count, faults(run),
                  run.stderr[-800:])
        for name, pids in read(seen).items():
            shares = sorted(matches for matches, most in pids.values())
            tap.check(len(shares) == count and shares[0] > 0 and
                      max(most for _, most in pids.values()) <= 256 / count,
                      "%s: they are shared out" % name, dict(pids))
    event = {"name": "spread", "match": 1, "pairs": 32, "concurrency": 8, "bots": [
        {"name": "a", "command": bot("stateless", 64, "event.seen").split("=", 1)[1],
         "processes": 2},
        {"name": "b", "command": bot("stateful", 64, "event.seen").split("=", 1)[1]}]}
    path = os.path.join(where, "spread.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(event, file)
    run = kit.hakem("run", path)
    seen = read("event.seen")
    tap.check(run.returncode == 0 and len(seen["stateless"]) == 2 and len(seen["stateful"]) == 1,
              "an event says it for each bot", run.stderr, dict(seen))


write("none", "")
write("forced", "auto=forced")
two_kinds()
forced()
processes()
tap.done()
