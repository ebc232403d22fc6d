"""Each sentence marked _("...") or N_("...") has its Turkish row, and each row its sentence."""

import re

import kit

LITERALS = r'((?:"(?:[^"\\\n]|\\.)*"\s*)+)'
MARKED = re.compile(r"(?<!\w)N?_\(\s*" + LITERALS + r"\)")
OPENED = re.compile(r'(?<!\w)N?_\(\s*"')
ROW = re.compile(r"\{\s*" + LITERALS + r",\s*" + LITERALS + r"\}")
CONVERSION = re.compile(r"%(?:%|[-+ #0]*(?:\d+|\*)?(?:\.(?:\d+|\*)?)?(?:hh|h|ll|l|j|z|t)?[a-zA-Z])")
WIDTH = 92  # columns of a text of several lines, a help page above all
OPTION = re.compile(r"(?<![\w-])--[a-z_]+")
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0"}


def text_of(literals):
    """What adjoining C literals say."""
    parts = re.findall(r'"((?:[^"\\\n]|\\.)*)"', literals)
    return re.sub(r"\\(.)", lambda match: ESCAPES.get(match.group(1), match.group(1)),
                  "".join(parts), flags=re.S)


def marked_in(path, text):
    """(sentence, place) of each mark; a mark that is not one literal is a fault."""
    code = kit.strip(text, strings=False)
    found = [(text_of(match.group(1)), f"{path}:{kit.line_of(code, match.start())}")
             for match in MARKED.finditer(code)]
    whole = {match.start() for match in MARKED.finditer(code)}
    for match in OPENED.finditer(code):
        if match.start() not in whole:
            found.append((None, f"{path}:{kit.line_of(code, match.start())}"))
    return found


def faults(marks, rows):
    """Missing and stale rows, wrong order, conversions that differ."""
    table = dict(rows)
    for sentence, place in marks:
        if sentence is None:
            yield f"{place}: a mark must hold one literal and nothing else"
        elif sentence not in table:
            yield f"{place}: no Turkish row for \"{sentence}\""
    used = {sentence for sentence, _ in marks}
    for english, turkish in rows:
        if english not in used:
            yield f"lang_tr.h: nobody says \"{english}\""
        if CONVERSION.findall(english) != CONVERSION.findall(turkish):
            yield f"lang_tr.h: the conversions of \"{english}\" differ"
        if sorted(OPTION.findall(english)) != sorted(OPTION.findall(turkish)):
            yield f"lang_tr.h: the options of \"{english}\" differ"
        for line in f"{english}\n{turkish}".split("\n"):
            if len(line) > WIDTH and "\n" in english.strip("\n"):
                yield f"lang_tr.h: over {WIDTH} columns: \"{line}\""
        if english.endswith("\n") != turkish.endswith("\n"):
            yield f"lang_tr.h: one of \"{english}\" and its row ends with a line end"
    keys = [english.encode() for english, _ in rows]
    for before, after in zip(keys, keys[1:]):
        if before >= after:
            yield f"lang_tr.h: out of order: \"{after.decode()}\""


def main():
    rows = [(text_of(match.group(1)), text_of(match.group(2))) for match in
            ROW.finditer(kit.strip(kit.read(kit.SOURCE, "src/base/lang_tr.h"), strings=False))]
    marks = []
    for path in kit.files(kit.SOURCE, "src", ".c", ".h"):
        if path not in ("src/base/lang.h", "src/base/lang_tr.h"):
            marks += marked_in(path, kit.read(kit.SOURCE, path))
    found = list(faults(marks, rows))
    kit.check(not found, f"{len(marks)} marks and {len(rows)} rows agree", found)
    kit.check(len(rows) > 40, "the rows were found")

    planted = marked_in("p.c", 'f(_("a %d" /* b */\n "c\\n"), N_("x"), _(row->help), n_("no"));\n')
    kit.check(planted == [("a %dc\n", "p.c:1"), ("x", "p.c:2")], "marks are read", [planted])
    kit.check(marked_in("p.c", 'f(_("a" b));')[0][0] is None, "a mark with more in it is a fault")
    cases = {
        "a missing row": ([("a", "p")], []),
        "a stale row": ([], [("a", "b")]),
        "a conversion that differs": ([("%d %s", "p")], [("%d %s", "%s %d")]),
        "a lost line end": ([("a\n", "p")], [("a\n", "b")]),
        "a lost option": ([("--a b", "p")], [("--a b", "-a b")]),
        "a wide line": ([("a\nb", "p")], [("a\nb", "a\n" + "b" * (WIDTH + 1))]),
        "wrong order": ([("a", "p"), ("b", "p")], [("b", "x"), ("a", "y")]),
    }
    for name, (some_marks, some_rows) in cases.items():
        got = list(faults(some_marks, some_rows))
        kit.check(len(got) == 1, f"{name} is found", got)
    good = list(faults([("%ld%% of %s", "p")], [("%ld%% of %s", "%ld%% / %s")]))
    kit.check(not good, "a good row is not", good)
    kit.done()


main()
