"""Each header compiles alone and twice, and its guard is its path."""

import os
import re
import shlex
import subprocess
import tempfile

import kit

# A header's tables and inline functions need no user when it stands alone.
FLAGS = ["-std=gnu17", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Wno-unused", "-Werror",
         "-fsyntax-only", "-x", "c", "-"]


def compile_faults(root, name):
    """What the compiler says to a file that includes nothing but this header, twice."""
    compiler = shlex.split(os.environ.get("CC") or "cc")
    run = subprocess.run(compiler + ["-I" + os.path.join(root, "src")] + FLAGS,
                         input=f'#include "{name}"\n#include "{name}"\n',
                         capture_output=True, text=True, check=False)
    if run.returncode == 0:
        return []
    lines = [line for line in run.stderr.split("\n") if "error" in line]
    return [f"src/{name}: {line}" for line in lines[:3] or ["the compiler fails"]]


def guard_faults(text, name):
    guard = "HAKEM_" + re.sub(r"[^A-Za-z0-9]", "_", name).upper()
    if f"#ifndef {guard}\n#define {guard}\n" not in text:
        yield f"src/{name}: its guard is not {guard}"
    if not text.startswith("/*"):
        yield f"src/{name}: no opening comment says what it owns"


def main():
    found = []
    names = [path[len("src/"):] for path in kit.files(kit.SOURCE, "src", ".h")]
    for name in names:
        found += compile_faults(kit.SOURCE, name)
        found += guard_faults(kit.read(kit.SOURCE, "src/" + name), name)
    kit.check(not found, "each header stands alone", found)
    kit.check(len(names) > 30, f"{len(names)} headers were looked at")
    with tempfile.TemporaryDirectory() as root:
        os.makedirs(os.path.join(root, "src/wire"))
        with open(os.path.join(root, "src/wire/planted.h"), "w", encoding="utf-8") as file:
            file.write("size_t wire_planted(void);\n")
        got = compile_faults(root, "wire/planted.h")
        kit.check(bool(got), "a header that leans on another is found", got)
        got = list(guard_faults("int wire_planted(void);\n", "wire/planted.h"))
        kit.check(len(got) == 2, "so is one without guard or opening comment", got)
    kit.done()


main()
