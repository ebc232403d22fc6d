"""Includes go down the house (storeys.txt): upward ones are named by file and line."""

import os
import re
import tempfile

import kit

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.M)

# These are pure: no memory of their own, no printing, no chance, no time.
PURE = ("rules", "lib")
PURE_SYSTEM = {"assert.h", "limits.h", "stdbool.h", "stddef.h", "stdint.h", "string.h"}
# Libraries that only the storey with a row for them may see.
OUTSIDE = re.compile(r"^(cjson/|sodium|sqlite3|event2/|event\.h|evhttp|evdns)")


def storey_of(path):
    parts = path.split("/")
    return parts[1] if len(parts) > 2 else os.path.splitext(parts[1])[0]


def fault_of(root, table, path, kind, name):
    storey = storey_of(path)
    allowed, outside, _ = table[storey]
    if kind == '"':
        if not os.path.exists(os.path.join(root, "src", name)):
            return f"{name} is not in src/ (write the path from there)"
        target = name.split("/")[0]
        if target != storey and target not in allowed:
            return f"{storey}/ may not include {target}/ ({name})"
    elif OUTSIDE.match(name):
        if name not in outside:
            return f"{storey}/ may not use <{name}>"
        if outside[name] and outside[name] != os.path.basename(path):
            return f"<{name}> belongs in {storey}/{outside[name]} alone"
    elif storey in PURE and name not in PURE_SYSTEM:
        return f"{storey}/ is pure and may not use <{name}>"
    return None


def order_faults(root, path, includes):
    """Own header first, where there is one; ours before the system's."""
    own = path[len("src/"):-1] + "h"
    if path.endswith(".c") and os.path.exists(os.path.join(root, "src", own)):
        if not includes or includes[0][2] != own:
            yield f"{path}: its own header \"{own}\" does not come first"
    kinds = [kind for _, kind, _ in includes]
    if kinds != sorted(kinds):
        yield f"{path}: a header of ours stands behind one of the system"


def faults(root, table):
    for path in kit.files(root, "src", ".c", ".h"):
        text = kit.read(root, path)
        code = kit.strip(text, strings=False)
        if storey_of(path) not in table:
            yield f"{path}: no storey of that name in tests/lint/storeys.txt"
            continue
        includes = [(kit.line_of(code, match.start(1)), match.group(1), match.group(2))
                    for match in INCLUDE.finditer(code)]
        for line, kind, name in includes:
            fault = fault_of(root, table, path, kind, name)
            if fault:
                yield f"{path}:{line}: {fault}"
        yield from order_faults(root, path, includes)


def planted(table, path, text):
    """The faults of a tree that holds this file and one header per storey."""
    with tempfile.TemporaryDirectory() as root:
        for storey in table:
            os.makedirs(os.path.join(root, "src", storey), exist_ok=True)
            with open(os.path.join(root, "src", storey, "some.h"), "w", encoding="utf-8"):
                pass
        with open(os.path.join(root, path), "w", encoding="utf-8") as file:
            file.write(text)
        return list(faults(root, table))


def main():
    table = kit.storeys()
    found = list(faults(kit.SOURCE, table))
    kit.check(not found, "no include goes up the house", found)
    missing = [name for name in table
               if name != "main" and not kit.files(kit.SOURCE, f"src/{name}", ".c")]
    kit.check(not missing, "every storey of the table is there", missing)

    want = "src/wire/planted.c:3: wire/ may not include referee/ (referee/some.h)"
    got = planted(table, "src/wire/planted.c", '\n/*\n*/#include "referee/some.h"\n')
    kit.check(got == [want], "a planted upward include is named by file and line", got)
    got = planted(table, "src/rules/planted.c", "#include <stdlib.h>\n")
    kit.check(len(got) == 1, "so is an impure one in rules/", got)
    got = planted(table, "src/base/planted.c", "#include <cjson/cJSON.h>\n")
    kit.check(len(got) == 1, "so is cJSON outside json.c", got)
    got = planted(table, "src/arena/planted.c", "#include <sqlite3.h>\n")
    kit.check(len(got) == 1, "so is a library of another storey", got)
    got = planted(table, "src/base/some.c", '#include <string.h>\n#include "base/some.h"\n')
    kit.check(len(got) == 2, "so is a header out of order", got)
    got = planted(table, "src/referee/planted.c",
                  '#include "wire/some.h"\n// #include "net/some.h"\n')
    kit.check(not got, "what is allowed, or a comment, is not", got)
    kit.done()


main()
