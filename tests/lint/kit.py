"""What the lint tests share: TAP lines, the tree's C files, C text without comments."""

import os
import re
import sys

SOURCE = os.environ.get("HAKEM_SOURCE") or os.path.dirname(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

_count = 0


def check(good, name, faults=()):
    """Prints one TAP line; when it is bad, each fault is told on a line of its own."""
    global _count
    _count += 1
    print(f"{'ok' if good else 'not ok'} {_count} - {name}")
    for fault in () if good else faults:
        print(f"# {fault}".replace("\n", "\n# "))
    return good


def done():
    """Prints the plan and ends the test."""
    print(f"1..{_count}")
    sys.exit(0)


def files(root, folder, *endings):
    """Sorted paths below root/folder, relative to root, with one of these endings."""
    found = []
    for place, folders, names in os.walk(os.path.join(root, folder)):
        folders.sort()
        found += [os.path.relpath(os.path.join(place, name), root)
                  for name in names if name.endswith(endings)]
    return sorted(found)


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read()


_TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'', re.S)


def strip(text, strings=True):
    """C text with comments (and, by default, the insides of strings) blanked, lines kept."""

    def blank(match):
        token = match.group(0)
        if token[0] == "/":
            return re.sub(r"[^\n]", " ", token)
        return token[0] + " " * (len(token) - 2) + token[0] if strings else token

    return _TOKEN.sub(blank, text)


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


def storeys(root=SOURCE):
    """The table of storeys.txt: {storey: (allowed, {outside header: file or None}, links)}."""
    table = {}
    with open(os.path.join(root, "tests/lint/storeys.txt"), encoding="utf-8") as file:
        for row in file:
            if row.strip() and not row.startswith("#"):
                name, allowed, outside, links = (cell.strip() for cell in row.split("|"))
                headers = dict((word.split("=") + [None])[:2] for word in outside.split())
                table[name] = (allowed.split(), headers, links.split())
    return table
