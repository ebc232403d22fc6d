"""The client libraries of contrib/, in C, Python and JavaScript, by one probe in each language:
tests/end/clients/cases.txt word for word, the same bytes in pieces of any size, and whole duels in
which every request is compared with what was kept from the lines before it."""
import os
import re
import shutil
import subprocess
import sys
import threading

import kit

SOURCE = os.environ["HAKEM_SOURCE"]
HERE = os.path.join(SOURCE, "tests", "end", "clients")
PATIENCE = 20  # seconds for a whole case

tap = kit.Tap()
where = kit.folder()


def take(*names):
    """A file of the sources, beside the others."""
    return shutil.copy(os.path.join(SOURCE, *names), where)


def compile_c(compiler, source, out, *flags):
    run = subprocess.run([*compiler.split(), "-Wall", "-Wextra", "-pedantic", "-Werror", *flags,
                          source, "-o", os.path.join(where, out)],
                         cwd=where, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    tap.check(run.returncode == 0, f"{compiler} {' '.join(flags)} {os.path.basename(source)}: no "
              "warning", run.stdout)


def compilers(*names):
    return [name for name in names if shutil.which(name)]


def build():
    """The probes as commands, by language."""
    take("contrib", "c", "hakem_bot.h")
    source = take("tests", "end", "clients", "probe.c")
    for compiler in compilers("gcc", "clang"):
        compile_c(compiler, source, "probe-" + compiler, "-O2", "-std=c99")
        compile_c(compiler, source, "probe-" + compiler, "-O2", "-std=gnu17", "-Wconversion",
                  "-Wshadow", "-Wformat=2")
    compile_c(os.environ["CC"], source, "probe", "-O1", "-g")
    plus = os.path.join(where, "plus.cpp")
    with open(plus, "w", encoding="ascii") as file:
        file.write('#include "hakem_bot.h"\n'
                   "static int choose(hakem_bot *, hakem_turn *turn) { return turn->count - 1; }\n"
                   "int main(int argc, char **argv) {\n    hakem_bot bot = hakem_bot();\n"
                   '    bot.name = "plus";\n    bot.choose = choose;\n'
                   "    return hakem_run(&bot, argc, argv);\n}\n")
    for compiler in compilers("g++", "clang++"):
        compile_c(compiler, plus, "plus", "-O2", "-std=c++11")
    take("contrib", "python", "hakem_bot.py")
    probes = {"C": [os.path.join(where, "probe")],
              "Python": [sys.executable, take("tests", "end", "clients", "probe.py")]}
    take("contrib", "js", "hakem_bot.mjs")
    script = take("tests", "end", "clients", "probe.mjs")
    if shutil.which("node"):
        probes["JavaScript"] = [shutil.which("node"), script]
    elif os.environ.get("CI") == "true":
        tap.check(False, "node is there", "node is missing: install it")
    return probes


class Case:
    def __init__(self, name):
        self.name = name
        self.env = {}
        self.steps = []  # [text to send, answers to come]
        self.stderr = []

    def add(self, sign, line):
        if sign == "$":
            self.env.update(word.split("=", 1) for word in line.split())
        elif sign == "<":
            if not self.steps or self.steps[-1][1]:
                self.steps.append(["", []])
            line = re.sub("@([0-9]+)", lambda many: " ".join(["8/5,6/5"] * int(many.group(1))), line)
            self.steps[-1][0] += line + "\n"
        elif sign == ">":
            if not self.steps:
                self.steps.append(["", []])
            self.steps[-1][1].append(line)
        else:
            self.stderr.append(line)


def cases():
    found = []
    with open(os.path.join(HERE, "cases.txt"), encoding="utf-8") as file:
        for line in file.read().split("\n"):
            if line.startswith("= "):
                found.append(Case(line[2:]))
            elif line[:1] in ("$", "<", ">", "|"):
                found[-1].add(line[0], line[2:])
    return found


class Probe:
    """A probe as a child; its stderr is gathered."""

    def __init__(self, command, env):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, bufsize=0,
                                        env={**kit.environment(), **env})
        self.complaints = b""
        self.reader = threading.Thread(target=self._gather)
        self.reader.start()
        self.timer = threading.Timer(PATIENCE, self.process.kill)
        self.timer.start()
        self.answers = open(self.process.stdout.fileno(), encoding="utf-8", newline="\n",
                            closefd=False)

    def _gather(self):
        for line in self.process.stderr:
            self.complaints += line

    def send(self, data):
        try:
            self.process.stdin.write(data)
        except BrokenPipeError:
            pass

    def line(self):
        return self.answers.readline().rstrip("\n")

    def end(self):
        """Its exit status, what it still said, and what it complained of."""
        self.process.stdin.close()
        rest = self.answers.read()
        status = self.process.wait()
        self.timer.cancel()
        self.reader.join()
        self.answers.close()
        self.process.stdout.close()
        self.process.stderr.close()
        return status, rest, self.complaints.decode().splitlines()


def run_case(language, command, case):
    probe = Probe(command, case.env)
    wrong = []
    for text, answers in case.steps:
        probe.send(text.encode())
        for want in answers:
            got = probe.line()
            if want != "*" and got != want:
                wrong.append(f"got:  {got}\nwant: {want}")
    status, rest, complaints = probe.end()
    if status != 0 or rest:
        wrong.append(f"exit status {status}, and then {rest!r}")
    if case.stderr:
        missing = iter(complaints)
        wrong += [f"not on stderr: {line}" for line in case.stderr if line not in missing]
    tap.check(not wrong, f"{language}: {case.name}", *wrong[:5], *complaints[:20])


def run_pieces(language, command, case, size):
    """All of a case in pieces; the tables may be answered in another order."""
    probe = Probe(command, case.env)
    data = "".join(text for text, _ in case.steps).replace("\n", "\r\n").encode()
    for at in range(0, len(data), size):
        probe.send(data[at:at + size])
    status, rest, complaints = probe.end()
    want = sorted(line for _, answers in case.steps for line in answers if line != "*")
    got = sorted(rest.splitlines()[1:])
    tap.check(status == 0 and got == want, f"{language}: {case.name}, in pieces of {size} bytes",
              f"got:  {got}", f"want: {want}", *complaints[:5])


def run_duel(variant, probes, *options, want):
    """Two probes of each language against each other, all that they are asked compared."""
    for one, two in zip(probes, [*list(probes)[1:], *list(probes)[:1]]):
        log = os.path.join(where, "log")
        store = os.path.join(where, "store")
        shutil.rmtree(store, ignore_errors=True)
        open(log, "w", encoding="ascii").close()
        commands = [f"{name}={' '.join(probes[name])}" for name in dict.fromkeys((one, two))]
        if len(commands) == 1:
            commands.append("Again=" + " ".join(probes[one]))
        os.environ.update(PROBE_LOG=log, PROBE_WANT=want)
        run = kit.hakem("duel", *commands, "--variant", variant, "--pairs", "8", "--seed", "5",
                        "--concurrency", "8", "--store", store, *options)
        with open(log, encoding="ascii") as file:
            rows = [[int(word) for word in line.split()] for line in file]
        name = f"{one} and {two} in {variant}, want={want} {' '.join(options)}"
        tap.check(run.returncode == 0 and "No faults." in run.stdout, name + ": no faults",
                  run.stdout, run.stderr)
        tap.check(len(rows) >= 2 and sum(row[0] for row in rows) > 200
                  and not any(row[1] for row in rows),
                  name + ": every request says what was kept", rows)
    del os.environ["PROBE_LOG"], os.environ["PROBE_WANT"]


def run_arguments(language, command):
    for words in (["--what"], ["--tables", "0"], ["--tables", "4097"], ["--tables"], ["x"],
                  ["--connect"]):
        run = subprocess.run([*command, *words], stdin=subprocess.DEVNULL, capture_output=True,
                             text=True, timeout=PATIENCE, check=False)
        tap.check(run.returncode == 2 and run.stderr.count("\n") == 1 and not run.stdout,
                  f"{language}: {' '.join(words)} is refused in one line", run)
    run = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
                         timeout=PATIENCE, env={**kit.environment(), "HAKEM_TABLES": "many"})
    tap.check(run.returncode == 2 and "HAKEM_TABLES" in run.stderr, f"{language}: so is HAKEM_TABLES",
              run)
    run = subprocess.run([*command, "--trace", "--name", "me"], input=b"ping id=4\n",
                         capture_output=True, timeout=PATIENCE, check=False)
    traced = run.stderr.decode().splitlines()
    tap.check(traced[0].startswith("> hello hakem=1 name=me") and traced[1:] ==
              ["< ping id=4", "> pong id=4"], f"{language}: --trace shows the conversation", traced)


def main():
    probes = build()
    for language, command in probes.items():
        for case in cases():
            run_case(language, command, case)
        run_arguments(language, command)
        for case in cases():
            if case.name in ("a batch", "the cube", "matches"):
                case.env.pop("PROBE_BATCH", None)
                for size in (1, 2, 3, 7, 64, 1000):
                    if case.name != "a batch":
                        run_pieces(language, command, case, size)
    everything = ["--vido", "on", "--resign", "on", "--match", "5"]
    for variant in ("tavla", "uzun", "western", "nackgammon", "hypergammon", "fevga"):
        run_duel(variant, probes, *everything, want="position,plays")
    run_duel("western", probes, "--match", "0", "--games", "5", "--vido", "on", "--beavers", "2",
             "--auto-doubles", "2", "--jacoby", "true", want="position,plays")
    with open(os.path.join(SOURCE, "contrib", "python", "hakem_bot.py"), encoding="utf-8") as file:
        text = file.read()
    import ast
    tap.check(ast.parse(text, feature_version=(3, 8)), "hakem_bot.py is Python 3.8")
    tap.done()


main()
