"""What no file may hold: unsafe calls, loose ends, long functions, long files."""

import re

import kit

FUNCTION_LINES = 60
FILE_LINES = 450
COLUMNS = 100

CALLS = {
    "strcpy": "use memcpy with a length, or bytes_add",
    "strcat": "use bytes_add",
    "sprintf": "use snprintf",
    "vsprintf": "use vsnprintf",
    "strtok": "use strtok_r, or walk with a pointer",
    "atoi": "use text_i64",
    "atol": "use text_i64",
    "alloca": "use alloc_zeroed",
    "gets": "use file_read",
    "rand": "chance comes from dice/",
    "srand": "chance comes from dice/",
    "random": "chance comes from dice/",
    "drand48": "chance comes from dice/",
    "localtime": "use text_utc",
    "system": "hakem starts no shell",
    "popen": "hakem starts no shell",
    "cJSON_GetObjectItem": "it folds case: use json_member",
    "cJSON_GetArrayItem": "it is quadratic in a loop: use json_first and json_next",
    "cJSON_Minify": "it had overflows",
    "cJSON_SetValuestring": "it had overflows",
    "cJSON_InsertItemInArray": "it had overflows",
}
# Calls that only these files may make.
PLACED = {
    r"\b(?:clock_gettime|gettimeofday|time)": ("src/net/loop.c", "now is an argument"),
    r"\b(?:randombytes\w*|getrandom|getentropy)": ("src/dice/scheme.c", "only dice/ makes chance"),
}
LOOSE_ENDS = re.compile(r"\b(TODO|FIXME|XXX|HACK|TBD|WIP)\b")
TYPEDEF = re.compile(r"\btypedef\s+(struct|union|enum)\b")
VALUE_INT = re.compile(r"->\s*valueint\b")


def call_faults(path, code):
    for name, remedy in CALLS.items():
        for match in re.finditer(rf"(?<![\w.>]){name}\s*\(", code):
            yield kit.line_of(code, match.start()), f"{name}: {remedy}"
    for match in VALUE_INT.finditer(code):
        yield kit.line_of(code, match.start()), "valueint saturates: use json_integer"
    for pattern, (home, reason) in PLACED.items():
        for match in re.finditer(rf"(?<![\w.>]){pattern}\s*\(", code):
            if path.startswith("src/") and path != home:
                yield kit.line_of(code, match.start()), f"belongs in {home}: {reason}"
    for match in TYPEDEF.finditer(code):
        yield kit.line_of(code, match.start()), "a type is named with its struct, union or enum"


def length_faults(text):
    """A function runs from a line at column 0 that ends in `) {` to the next `}` at column 0."""
    lines = text.split("\n")
    if len(lines) - 1 > FILE_LINES:
        yield FILE_LINES + 1, f"a file of {len(lines) - 1} lines (at most {FILE_LINES})"
    start = None
    for number, line in enumerate(lines, 1):
        if len(line) > COLUMNS:
            yield number, f"a line of {len(line)} columns (at most {COLUMNS})"
        if line and not line[0].isspace() and line[0] not in "/#*{}":
            start = number
        if line == "}" and start:
            if number - start + 1 > FUNCTION_LINES:
                yield start, f"a function of {number - start + 1} lines (at most {FUNCTION_LINES})"
            start = None


def faults_of(path, text):
    found = [(kit.line_of(text, match.start()), f"a loose end: {match.group(0)}")
             for match in LOOSE_ENDS.finditer(text)]
    if path.endswith((".c", ".h")):
        found += call_faults(path, kit.strip(text))
        # Tables of tests may be long; the house itself may not.
        if path.startswith("src/") and path != "src/base/lang_tr.h":
            found += length_faults(text)
    return [f"{path}:{line}: {what}" for line, what in sorted(found)]


def main():
    count = 0
    found = []
    for folder in ("src", "contrib", "tests", "protocol"):
        for path in kit.files(kit.SOURCE, folder, ".c", ".h", ".py", ".js", ".sh", ".md"):
            if path != "tests/lint/banned.py":
                count += 1
                found += faults_of(path, kit.read(kit.SOURCE, path))
    kit.check(not found, "nothing banned in the tree", found)
    kit.check(count > 100, f"{count} files were looked at")

    plants = {
        "a banned call": "void f(void) {\n    strcpy(a, b);\n}\n",
        "a folding lookup": "    x = cJSON_GetObjectItem(a, b);\n",
        "chance of its own": "    x = rand ();\n",
        "a clock of its own": "    x = time(NULL);\n",
        "a typedef": "typedef struct x {\n} x;\n",
        "a loose end in a comment": "/* TODO */\n",
        "a long function": "int f(void) {\n" + "    x();\n" * 59 + "}\n",
        "a long file": "int x;\n" * 451,
        "a long line": "int x" + "x" * 100 + ";\n",
    }
    for name, text in plants.items():
        kit.check(len(faults_of("src/wire/planted.c", text)) == 1, f"{name} is found")
    innocent = ("/* strcpy( is banned */\nint f(void) {\n" + "    x();\n" * 58 + "}\n"
                '    log("rand(%d)", x->time(1));\n    strtok_r(a, b, c);\n    my_rand();\n')
    got = faults_of("src/wire/planted.c", innocent)
    kit.check(not got, "comments, texts, members and longer names are not", got)
    kit.done()


main()
