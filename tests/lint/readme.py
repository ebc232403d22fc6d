"""src/README.md walks through every file of the house, and names none that is gone."""

import os
import re

import kit


def faults(paths, text):
    """A file counts as named by its path from src/, with .c, .h or .[ch], or without."""
    for path in paths:
        stem = re.escape(os.path.splitext(path)[0])
        if not re.search(rf"(?<![\w/]){stem}(?![\w-])", text):
            yield f"src/{path} is not mentioned"
    # Only names that look like a source file of a storey: `base/json.c`, `net/conn.[ch]`.
    folders = "|".join(sorted({path.split("/")[0] for path in paths if "/" in path}))
    for match in re.finditer(rf"(?<![\w/])((?:{folders})/\w+)\.(?:c|h|\[ch\])(?!\w)", text):
        if not any(path.startswith(match.group(1) + ".") for path in paths):
            yield f"line {kit.line_of(text, match.start())}: {match.group(0)} does not exist"


def main():
    paths = [path[len("src/"):] for path in kit.files(kit.SOURCE, "src", ".c", ".h")]
    where = os.path.join(kit.SOURCE, "src/README.md")
    if kit.check(os.path.exists(where), "src/README.md is there"):
        found = list(faults(paths, kit.read(kit.SOURCE, "src/README.md")))
        kit.check(not found, f"it names all {len(paths)} files and none that is gone", found)
    got = list(faults(["base/json.c", "base/json_scan.c"], "see base/json_scan.c, base/old.h"))
    kit.check(len(got) == 2, "a missing and a stale name are found", got)
    got = list(faults(["base/json.c", "base/json.h", "main.c"], "`base/json.[ch]`, `main.c`"))
    kit.check(not got, "a good text has no fault", got)
    kit.done()


main()
