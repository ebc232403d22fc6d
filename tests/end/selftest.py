"""hakem selftest: the referee proves itself fair, the same way each time."""

import os
import re
import subprocess

HAKEM = os.path.join(os.environ["HAKEM_BUILD"], "hakem")
count = 0


def check(good, name, why=""):
    global count
    count += 1
    print("ok" if good else "not ok", count, "-", name, flush=True)
    if not good:
        print("#", str(why).replace("\n", "\n# "), flush=True)


def run(*arguments, lang="C"):
    return subprocess.run([HAKEM, "selftest", *arguments], capture_output=True, text=True,
                          timeout=120, check=False, env=dict(os.environ, LC_ALL=lang, LANG=lang))


proof = run("--pairs", "20")
lines = proof.stdout.strip().split("\n")
check(proof.returncode == 0 and len(lines) == 19 and all(": good" in line for line in lines[:18]),
      "three proofs in each of six variants", proof)
control = [int(n) for n in re.findall(r"second leg (\d+)\)", proof.stdout)]
check(len(control) == 6 and min(control) > 0, "other dice in the second leg are noticed", control)
check("neither player" in lines[-1], "the last line says what was proved", lines[-1])
check(run("--pairs", "20").stdout == proof.stdout, "it says the same each time")
check(run("--pairs", "1").returncode == 2, "one pair proves nothing: refused")
check(run("x").returncode == 2, "a word too much is refused")
print(f"1..{count}")
