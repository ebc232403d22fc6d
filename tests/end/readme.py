"""The shell blocks of README.md run as they are printed, in a folder laid out as its reader has it."""
import os
import re
import subprocess

import kit

SOURCE = os.environ["HAKEM_SOURCE"]
BUILD = os.environ["HAKEM_BUILD"]

tap = kit.Tap()
where = kit.folder()


def block(heading):
    """The first shell block below a heading."""
    with open(os.path.join(SOURCE, "README.md"), encoding="utf-8") as file:
        part = file.read().split("\n## " + heading + "\n")[1]
    return re.search(r"^```sh\n(.*?)^```$", part, flags=re.M | re.S).group(1)


def lay_out():
    """contrib with a port that is free, and the programs where the page has them."""
    os.makedirs(os.path.join(where, "contrib"))
    for name in os.listdir(os.path.join(SOURCE, "contrib")):
        if name != "hakem.json":
            os.symlink(os.path.join(SOURCE, "contrib", name), os.path.join(where, "contrib", name))
    with open(os.path.join(SOURCE, "contrib", "hakem.json"), encoding="utf-8") as file:
        text = file.read()
    tap.check('"127.0.0.1:1444"' in text, "contrib/hakem.json listens on this machine")
    with open(os.path.join(where, "contrib", "hakem.json"), "w", encoding="utf-8") as file:
        file.write(text.replace("127.0.0.1:1444", "127.0.0.1:0"))
    os.symlink(BUILD, os.path.join(where, "build-quickstart"))


def run(script):
    environment = dict(kit.environment(), PATH=os.path.join(where, "build-quickstart") + ":" +
                       os.environ["PATH"])
    script = "trap 'kill -KILL $(jobs -p) 2>/dev/null || true' EXIT\n" + script
    return subprocess.run(["bash", "-e", "-c", script], cwd=where, env=environment, timeout=600,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, errors="replace")


lay_out()
done = run(block("Who is better?"))
tap.check(done.returncode == 0 and "finished: 100 of 100" in done.stdout and
          "No faults." in done.stdout, "the duel", done.stdout, done.stderr)
# What follows the block ends the daemon, in the same shell.
done = run(block("Run a daemon") + """
hakem ctl stop example --hard --store hakem-store
kill -TERM $!
wait $!
""")
tap.check(done.returncode == 0 and "event example" in done.stdout and
          "hakem-store/example" in done.stdout,
          "the daemon: submitted, listed, shown, ended", done.stdout, done.stderr)
tap.check(not kit.left_over(where), "nothing is left")
tap.done()
