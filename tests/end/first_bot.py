"""The bots that are printed in README.md, protocol/README.md and contrib/README.md, taken from there
letter by letter: each is built in a clean folder beside the clients and plays whole matches against
a bundled bot, over pipes and over TCP; the printed commands run as printed."""
import os
import re
import shlex
import shutil
import subprocess
import sys

import kit

SOURCE = os.environ["HAKEM_SOURCE"]
BUILD = os.environ["HAKEM_BUILD"]
VARIANTS = ("tavla", "uzun", "western")

tap = kit.Tap()
where = kit.folder()
os.chdir(where)
os.environ["PATH"] = BUILD + ":" + os.environ["PATH"]


def blocks(*page):
    """The fenced blocks of a page, each with its language."""
    with open(os.path.join(SOURCE, *page), encoding="utf-8") as file:
        return re.findall(r"^```(\w*)\n(.*?)^```$", file.read(), flags=re.M | re.S)


def save(name, text):
    with open(name, "w", encoding="utf-8") as file:
        file.write(text)


def lay_out():
    """The clients, the bundled bot where the commands name it, and what the pages print."""
    for name in ("c/hakem_bot.h", "python/hakem_bot.py", "js/hakem_bot.mjs"):
        shutil.copy(os.path.join(SOURCE, "contrib", name), where)
    os.makedirs("contrib/c")
    shutil.copy(os.path.join(BUILD, "contrib", "c", "random"), "contrib/c/random")
    printed = blocks("contrib", "README.md")
    named = {}
    for language, text in printed:
        found = re.match(r"(?:/\*|#|//) ([\w.]+)", text) if language else None
        if found:
            named[found.group(1)] = text
    tap.same(sorted(named), ["bare.cjs", "first.c", "first.mjs", "first.py", "net.py"],
             "the bots that contrib/README.md prints")
    for name, text in named.items():
        save(name, text)
    lines = [len([line for line in named[name].splitlines()[1:] if line.strip()])
             for name in ("first.c", "first.py", "first.mjs")]
    tap.check(max(lines) <= 10, "the first bots have ten lines at most", lines)
    save("readme.py", next(text for language, text in blocks("README.md") if language == "python"))
    save("firstbot.py", next(text for language, text in blocks("protocol", "README.md")
                             if language == "python"))
    commands = next(text for language, text in printed if not language and "first.py" in text)
    return re.search(r"first.c: (.*?) \*/", named["first.c"]).group(1), commands.splitlines()


def store():
    """A fresh one: what is named by the second is not enough here."""
    return ["--store", "kept-" + str(tap.count)]


def duel(one, *options):
    run = kit.hakem("duel", one, "contrib/c/random", "--pairs", "4", *options, *store(), timeout=300)
    tap.check(run.returncode == 0 and "No faults." in run.stdout and "finished: 8 of 8" in run.stdout,
              f"{one} {' '.join(options)}: a duel without faults", run.stdout, run.stderr)


def serve(command, variant):
    """A match over TCP: hakem serve, the bot as its page starts it, and the bundled one."""
    server = kit.start("serve", "--listen", "127.0.0.1:0", "--variant", variant, "--match", "3",
                       "--matches", "1", *store())
    line = server.stdout.readline()
    if not tap.check(line.startswith("listening on "), f"{command}: hakem serve listens", line):
        return
    address = line.split()[-1]
    bots = [subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True)
            for words in (shlex.split(command.replace("127.0.0.1:7000", address)),
                          ["contrib/c/random", "--connect", address])]
    out, err = server.communicate(timeout=60)
    ends = [bot.communicate(timeout=60) for bot in bots]
    tap.check(server.returncode == 0 and "(normal)" in out and not err
              and all(bot.returncode == 0 for bot in bots),
              f"{command}: a match of {variant} over TCP", out, err, ends)


def main():
    build, commands = lay_out()
    run = subprocess.run([*shlex.split(build.replace("cc ", os.environ["CC"] + " ", 1)), "-Wall",
                          "-Wextra", "-pedantic", "-Werror"], capture_output=True, text=True,
                         check=False)
    tap.check(run.returncode == 0, build, run.stderr)
    node = shutil.which("node")
    python = sys.executable
    os.makedirs("bin")
    os.symlink(python, "bin/python3")  # the python3 of the tests
    os.environ["PATH"] = os.path.join(where, "bin") + ":" + os.environ["PATH"]
    if node is None and os.environ.get("CI") == "true":
        tap.check(False, "node is there", "node is missing: install it")
    with_node = [] if node is None else ["node first.mjs"]
    for command in ["./first", "python3 first.py", *with_node]:
        for variant in VARIANTS:
            duel(command, "--variant", variant)
        duel(command, "--variant", "western", "--match", "3", "--vido", "on", "--concurrency", "4")
        for variant in VARIANTS:
            serve(command + " --connect 127.0.0.1:7000", variant)
    duel("python3 net.py", "--variant", "western", "--vido", "on", "--match", "3", "--concurrency", "8")
    duel("python3 readme.py")
    serve("python3 firstbot.py 127.0.0.1:7000", "tavla")
    if node is not None:
        duel("node bare.cjs")
    for command in commands:
        if command.startswith("hakem duel") and (node or "node" not in command):
            run = kit.hakem(*shlex.split(command)[1:], "--pairs", "2", *store())
            tap.check(run.returncode == 0 and "No faults." in run.stdout, command, run.stdout, run.stderr)
    served = [command for command in commands if "127.0.0.1:7000" in command]
    tap.check(len(served) == 2 and served[0].startswith("hakem serve"), "serve and a bot are printed")
    options = shlex.split(served[0])
    serve(served[1], options[options.index("--variant") + 1])
    tap.done()


main()
