"""libhakem as it is installed: the header, the pkg-config file and both libraries; the C example
built by them, the Python example, and nothing exported but hakem_*."""
import os
import shlex
import shutil
import subprocess
import tempfile

BUILD = os.environ["HAKEM_BUILD"]
SOURCE = os.environ["HAKEM_SOURCE"]
CC = shlex.split(os.environ.get("CC") or "cc")
NM = shlex.split(os.environ.get("NM") or "nm")[:1]
PYTHON = os.environ.get("PYTHON3") or "python3"
START = "W 24:2 13:5 8:3 6:5 | B 24:2 13:5 8:3 6:5"
HEAD = "W 24:15 | B 24:15"

count = 0


def check(good, name, why=""):
    global count
    count += 1
    print("ok" if good else "not ok", count, "-", name, flush=True)
    if not good:
        print("#", str(why)[:2000].replace("\n", "\n# "), flush=True)


def run(command, **more):
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, **more)
    return done.returncode, done.stdout, done.stderr


def makefile_value(name):
    with open(os.path.join(BUILD, "Makefile"), encoding="utf-8") as file:
        for line in file:
            if line.startswith(f"{name} = "):
                return line.split(" = ", 1)[1].strip()
    return ""


def names(path, *options):
    """Symbols that a library defines for others."""
    _, out, _ = run([*NM, "-g", "--defined-only", *options, path])
    words = [line.split() for line in out.splitlines()]
    return sorted(word[2].split("@")[0] for word in words if len(word) == 3)



root = tempfile.mkdtemp(prefix="hakem-lib-")
targets = ["install-libLTLIBRARIES", "install-includeHEADERS", "install-pkgconfigDATA"]
environment = {key: value for key, value in os.environ.items() if key not in ("MAKEFLAGS", "MFLAGS")}
code, out, err = run(["make", "-C", BUILD, *targets, f"DESTDIR={root}"], env=environment)
check(code == 0, "it installs", err)
placed = {name: os.path.join(folder, name)
          for folder, _, found in os.walk(root) for name in found}
wanted = ["hakem.h", "hakem.pc", "libhakem.a", "libhakem.so", "libhakem.so.0"]
check(all(name in placed for name in wanted), "header, hakem.pc and both libraries are there",
      sorted(placed))

header = open(placed["hakem.h"], encoding="utf-8").read()
exported = names(placed["libhakem.so"], "-D")
check(len(exported) >= 18 and all(name.startswith("hakem_") for name in exported),
      f"the shared library exports {len(exported)} names, all of them hakem_*", exported)
check(all(f"{name}(" in header for name in exported), "each is declared in the header", exported)
archive = names(placed["libhakem.a"])
check(archive == exported, "the archive defines the same for others, and no more", archive)

flags = makefile_value("HAKEM_CFLAGS").split()
sanitized = [flag for flag in flags if flag.startswith("-fsanitize")]
_, out, _ = run([*NM, "-D", "-u", placed["libhakem.so"]])
needed = {line.split()[1].split("@")[0] for line in out.splitlines() if " U " in line}
pure = {"memchr", "memcmp", "memcpy", "memmove", "memset", "bcmp", "strchr", "strcmp", "strlen",
        "strncmp", "__memcpy_chk", "__memmove_chk", "__memset_chk", "__stack_chk_fail"}
if not sanitized:
    check(needed <= pure, "it needs nothing but moving and comparing bytes", needed - pure)

# ---- the C example, by pkg-config; the header beside that of the bots, and in C++
library = os.path.dirname(placed["libhakem.so"])
environment = dict(os.environ, PKG_CONFIG_SYSROOT_DIR=root, LC_ALL="C", LD_LIBRARY_PATH=library,
                   PKG_CONFIG_PATH=os.path.dirname(placed["hakem.pc"]))
environment.pop("DESTDIR", None)
code, words, err = run(["pkg-config", "--cflags", "--libs", "hakem"], env=environment)
check(code == 0 and "-lhakem" in words, "pkg-config finds it", err)
words = words.split()
strict = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", *sanitized]
source = os.path.join(SOURCE, "contrib", "c", "legal_plays.c")
shared, static = os.path.join(root, "shared"), os.path.join(root, "static")
code, _, err = run([*CC, *strict, source, "-o", shared, *words])
check(code == 0, "the C example builds with the shared library", err)
code, _, err = run([*CC, *strict, source, "-o", static, *words[:-1], placed["libhakem.a"]])
check(code == 0, "and with the archive", err)
both = os.path.join(root, "both.c")
with open(both, "w", encoding="utf-8") as file:
    file.write('#include <hakem.h>\n#include "hakem_bot.h"\n#include <hakem.h>\n')
code, _, err = run([*CC, "-fsyntax-only", "-Wno-unused", both, *words,
                    "-I" + os.path.join(SOURCE, "contrib", "c")])
check(code == 0, "the header stands beside hakem_bot.h", err)
if shutil.which("c++"):
    code, _, err = run(["c++", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-x", "c++",
                        placed["hakem.h"]])
    check(code == 0, "and is C++ too", err)

# ---- what the examples say
cases = [["western", "4HPwATDgc/ABMA", "31"], ["tavla", START, "66"],
         ["uzun", HEAD, "65"], ["uzun", HEAD, "33", "head_exception=off"],
         ["tavla", "W 6:1 off:14 | B 24:1 off:14", "61", "win_ends_turn=false"]]
python = [PYTHON, os.path.join(SOURCE, "contrib", "python", "legal_plays.py")]
preload = {}
if sanitized:
    _, path, _ = run([*CC, "-print-file-name=libasan.so"])
    preload = {"LD_PRELOAD": path.strip(), "ASAN_OPTIONS": "detect_leaks=0"}
for case in cases:
    code, plays, err = run([shared, *case], env=environment)
    check(code == 0 and plays, f"the C example lists {' '.join(case)}", err)
    again = run([static, *case], env=environment)
    check(again[1] == plays, "the archive says the same", again)
    again = run([*python, *case], env={**environment, **preload,
                                       "LIBHAKEM": placed["libhakem.so.0"]})
    check(again[1] == plays, "and Python", again)
check(run([shared, *cases[0]], env=environment)[1].count("\n") == 16, "3-1 has 16 plays at the start")
for bad in (["chess", START, "31"], ["western", "4HPw", "31"], ["western", START, "71"],
            ["western", START, "31", "wall=step"], ["western", START, "31", "x"], ["western"]):
    code, out, err = run([shared, *bad], env=environment)
    check(code == 2 and not out and err.count("\n") == 1, f"refused in one line: {err.strip()}",
          (code, out, err))
    code, out, err = run([*python, *bad], env={**environment, **preload,
                                               "LIBHAKEM": placed["libhakem.so.0"]})
    check(code == 1 and not out and err.count("\n") == 1, f"by Python too: {err.strip()}",
          (code, out, err))

shutil.rmtree(root)
print(f"1..{count}")
