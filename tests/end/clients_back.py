"""The clients of contrib/ over a TCP connection that breaks: by RST or FIN, at bytes of either
direction. They dial again and resume, and the match is the very one that an undisturbed
connection gives, as all their chance comes from the referee's seeds."""
import os
import re
import select
import shutil
import socket
import struct
import subprocess
import sys
import threading

import kit

SOURCE = os.environ["HAKEM_SOURCE"]
PATIENCE = 60  # seconds for a whole match

tap = kit.Tap()
where = kit.folder()


def build():
    """The probes of clients.py as commands, by language."""
    contrib, probe = os.path.join(SOURCE, "contrib"), os.path.join(SOURCE, "tests", "end", "clients")
    out = os.path.join(where, "probe")
    subprocess.run([*os.environ["CC"].split(), "-O1", "-I" + os.path.join(contrib, "c"),
                    os.path.join(probe, "probe.c"), "-o", out], check=True, cwd=where)
    for folder, client, name in (("python", "hakem_bot.py", "probe.py"),
                                 ("js", "hakem_bot.mjs", "probe.mjs")):
        shutil.copy(os.path.join(contrib, folder, client), where)
        shutil.copy(os.path.join(probe, name), where)
    probes = {"C": [out], "Python": [sys.executable, os.path.join(where, "probe.py")]}
    if shutil.which("node"):
        probes["JavaScript"] = [shutil.which("node"), os.path.join(where, "probe.mjs")]
    return probes


class Cutter:
    """Between a bot and the referee: connection number i breaks after `cuts[i]` bytes, counted
    from the referee where i is even, from the bot where it is odd; later ones hold."""

    def __init__(self, port, cuts):
        self.target, self.cuts = port, cuts
        self.connections = 0
        self.heard = threading.Event()  # the referee has said something
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.port = self.listening.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        while True:
            try:
                bot = self.listening.accept()[0]
            except OSError:
                return
            number = self.connections
            self.connections += 1
            referee = socket.create_connection(("127.0.0.1", self.target))
            threading.Thread(target=self._pass, args=(number, bot, referee), daemon=True).start()

    def _pass(self, number, bot, referee):
        left = self.cuts[number] if number < len(self.cuts) else None
        counted = bot if number % 2 else referee
        open_ends = True
        try:
            while open_ends and left != 0:
                for source in select.select([bot, referee], [], [])[0]:
                    data = source.recv(65536)
                    open_ends = open_ends and data != b""
                    if source is counted and left is not None:
                        data = data[:left]
                        left -= len(data)
                    (referee if source is bot else bot).sendall(data)
                    if source is referee:
                        self.heard.set()
        except OSError:
            pass
        for end in (bot, referee):
            if number % 3 == 0 and left == 0:  # RST
                end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            end.close()

    def close(self):
        self.listening.close()


def play(pair, name, cuts, *options):
    """One match of two probes; its record, what they compared and how often they dialled."""
    store = os.path.join(where, "store-" + name)
    log = os.path.join(where, "log-" + name)
    process = kit.start("serve", "--listen", "127.0.0.1:0", "--seed", "3", "--once", "--store",
                        store, "--resign", "on", "--vido", "on", "--match", "9", "--vido-max", "2",
                        "--move_time", "60s", *options)
    port = int(re.search(r":(\d+)$", process.stdout.readline().strip()).group(1))
    cutters, bots = [], []
    for place, command in enumerate(pair):
        cutter = Cutter(port, cuts[place])
        cutters.append(cutter)
        env = {**kit.environment(), "PROBE_WANT": "position,plays", "PROBE_LOG": log}
        bots.append(subprocess.Popen([*command, "--connect", "127.0.0.1:%d" % cutter.port,
                                      "--name", "bot%d" % place], env=env,
                                     stderr=subprocess.PIPE, text=True))
        cutter.heard.wait(PATIENCE)  # who dials in first sits at X
    errors = [bot.communicate(timeout=PATIENCE)[1] for bot in bots]
    process.communicate(timeout=PATIENCE)
    for cutter in cutters:
        cutter.close()
    with open(log, encoding="ascii") as file:
        rows = [[int(word) for word in line.split()] for line in file]
    return (kit.records(os.path.join(store, "room")), rows,
            [cutter.connections for cutter in cutters], [bot.returncode for bot in bots], errors)


def cuts(step):
    """Breaks at many places: of the referee's bytes in a state, a list of plays, a request; of the
    bot's in its hello, behind it, in an answer."""
    referee = [1300, 800, 2600, 1900, 3500, 1500, 2900]
    bot = [260, 20, 275, 240, 290, 250]
    pairs = [pair for i in range(6) for pair in (referee[i], bot[i])] + referee[6:]
    return [size + step * i for i, size in enumerate(pairs)]


def test_cuts(one, two, commands, *options):
    pair = (commands[one], commands[two])
    label = "%s and %s, %s" % (one, two, options[1])
    plain = play(pair, "%s-%s-plain" % (one, two), ([], []), *options)
    cut = play(pair, "%s-%s-cut" % (one, two), (cuts(1), cuts(3)), *options)
    tap.check(plain[3] == [0, 0] and cut[3] == [0, 0], label + ": both end well", plain[4:],
              cut[3:])
    tap.check(min(cut[2]) > 8, "%s: dialled %s times" % (label, cut[2]), cut[4])
    tap.check(plain[0] == cut[0] and len(str(plain[0])) > 4000, label + ": the same match",
              plain[4], cut[4])
    tap.check(len(cut[1]) == 2 and sum(row[0] for row in cut[1]) > 40
              and not any(row[1] for row in cut[1]),
              label + ": every request says what was kept", cut[1])


def hello(listening, lines):
    """A referee that hears a hello, says some lines and hangs up."""
    connection = listening.accept()[0]
    connection.settimeout(PATIENCE)
    with connection, connection.makefile("rw", encoding="utf-8", newline="\n") as file:
        said = file.readline()
        file.write("".join(line + "\n" for line in lines))
        file.flush()
        connection.shutdown(socket.SHUT_WR)
    return said


def test_anew(language, command):
    """What cannot be resumed begins anew; without a secret nothing is dialled again."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        address = "127.0.0.1:%d" % listening.getsockname()[1]
        listening.settimeout(PATIENCE)
        bot = subprocess.Popen([*command, "--connect", address], stderr=subprocess.PIPE, text=True)
        said = [hello(listening, lines) for lines in (
            ["welcome hakem=1 session=s1 line=4096 resume=s-1"], ["welcome hakem=1"])]
        error = bot.communicate(timeout=PATIENCE)[1]
        tap.check("resume" not in said[0] and said[1].endswith(" resume=s-1\n")
                  and bot.returncode == 0, language + ": no secret, no third time", said, error)
        bot = subprocess.Popen([*command, "--connect", address], stderr=subprocess.PIPE, text=True)
        said = [hello(listening, lines) for lines in (
            ["welcome hakem=1 session=s1 line=4096 resume=s-1"], ["refused token have=1"],
            ["bye reason=over"])]
        error = bot.communicate(timeout=PATIENCE)[1]
        tap.check(said[1].endswith(" resume=s-1\n") and said[2] == said[0]
                  and bot.returncode == 0, language + ": what is over begins anew", said, error)


probes = build()
for language, command in probes.items():
    test_anew(language, command)
test_cuts("C", "Python", probes, "--variant", "western")
if "JavaScript" in probes:
    test_cuts("JavaScript", "Python", probes, "--variant", "uzun")
tap.done()
