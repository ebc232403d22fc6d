"""A small terminal on a pseudo-terminal: enough of one to see what a program draws on it."""
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time

SEQUENCE = re.compile(rb"\x1b\[([0-9;?]*)([A-Za-z])")


class Terminal:
    """A program on a screen of `columns` times `rows`; lines that scroll off are kept."""

    def __init__(self, command, columns, rows, env):
        self.columns, self.rows = columns, rows
        self.lines = [""]  # all lines, the screen is the last `rows` of them
        self.row = self.column = 0
        self.coloured = self.folded = False
        self.unknown = set()
        self.rest = b""
        main, other = pty.openpty()
        self.fd = main
        self.size(columns, rows)
        self.process = subprocess.Popen(command, stdin=other, stdout=other,
                                        stderr=subprocess.PIPE, env=env, start_new_session=True)
        os.close(other)

    def size(self, columns, rows):
        self.columns, self.rows = columns, rows
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def top(self):
        return max(0, len(self.lines) - self.rows)

    def screen(self):
        return [line.rstrip() for line in self.lines[self.top():]]

    def text(self):
        return [line.rstrip() for line in self.lines]

    def put(self, letter):
        if self.column >= self.columns:  # the line is folded only now
            self.folded = True
            self.down()
            self.column = 0
        line = self.lines[self.row].ljust(self.column)
        self.lines[self.row] = line[:self.column] + letter + line[self.column + 1:]
        self.column += 1

    def down(self):
        self.row += 1
        if self.row == len(self.lines):
            self.lines.append("")

    def do(self, number, what):
        if what == "A":
            self.row = max(self.top(), self.row - int(number or 1))
        elif what == "K":
            self.lines[self.row] = self.lines[self.row][:min(self.column, self.columns - 1)]
        elif what == "J":
            self.lines[self.row] = self.lines[self.row][:self.column]
            for row in range(self.row + 1, len(self.lines)):
                self.lines[row] = ""
            # What is erased below still is screen, though nothing stands there.
        elif what == "m":
            self.coloured = True
        else:
            self.unknown.add(what)

    def feed(self, data):
        data = self.rest + data
        at = 0
        while at < len(data):
            byte = data[at:at + 1]
            if byte == b"\x1b":
                found = SEQUENCE.match(data, at)
                if found is None:
                    break
                self.do(found.group(1).decode(), found.group(2).decode())
                at = found.end()
                continue
            if byte == b"\r":
                self.column = 0
            elif byte == b"\n":
                self.down()
            else:
                size = 1 if byte < b"\x80" else 2 if byte < b"\xe0" else 3 if byte < b"\xf0" else 4
                if at + size > len(data):
                    break
                self.put(data[at:at + size].decode())
                at += size - 1
            at += 1
        self.rest = data[at:]

    def run(self, seconds):
        """Takes in what comes, for so long; False once the program has ended."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if select.select([self.fd], [], [], 0.05)[0]:
                try:
                    data = os.read(self.fd, 65536)
                except OSError:
                    data = b""
                if not data:
                    return False
                self.feed(data)
        return True

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        self.run(10)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.fd)
        return self.process.returncode
