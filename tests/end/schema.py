"""A JSON Schema (2020-12) validator for the keywords that protocol/ uses; any other keyword is
an error, so that a misspelt one cannot pass for a rule."""
import json
import os
import re

PYTHON = {"object": dict, "array": list, "string": str, "boolean": bool}
SAID = {"$schema", "$id", "$defs", "$comment", "title", "description", "examples", "default"}


class Schema:
    """A schema file; `$ref` leads to its own `$defs` or to files of the same folder."""

    loaded = {}

    def __init__(self, path):
        self.path = os.path.abspath(path)
        with open(path, encoding="utf-8") as file:
            self.root = json.load(file)

    @classmethod
    def load(cls, path):
        path = os.path.abspath(path)
        if path not in cls.loaded:
            cls.loaded[path] = cls(path)
        return cls.loaded[path]

    def errors(self, value):
        """What is wrong with a value: sentences that name the place; [] when it is valid."""
        return check(self, self.root, value, "$")


def is_type(value, name):
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if name == "null":
        return value is None
    if name == "number":
        return number
    if name == "integer":
        return number and value == int(value)
    return isinstance(value, PYTHON[name])


def same(a, b):
    return a == b and isinstance(a, bool) == isinstance(b, bool)


def refer(schema, ref):
    """The file and the rules that a `$ref` names."""
    name, _, pointer = ref.partition("#")
    if name:
        schema = Schema.load(os.path.join(os.path.dirname(schema.path), name))
    rules = schema.root
    for step in filter(None, pointer.split("/")):
        rules = rules[step]
    return schema, rules


def limits(rules, value):
    """Whether each keyword that bounds a number, a text, an array or an object holds."""
    yield "minimum", lambda limit: value >= limit, is_type(value, "number")
    yield "maximum", lambda limit: value <= limit, is_type(value, "number")
    yield "multipleOf", lambda step: value % step == 0, is_type(value, "number")
    yield "minLength", lambda limit: len(value) >= limit, isinstance(value, str)
    yield "maxLength", lambda limit: len(value) <= limit, isinstance(value, str)
    yield "pattern", lambda form: re.search(form, value) is not None, isinstance(value, str)
    yield "minItems", lambda limit: len(value) >= limit, isinstance(value, list)
    yield "maxItems", lambda limit: len(value) <= limit, isinstance(value, list)
    yield "const", lambda wanted: same(value, wanted), True
    yield "enum", lambda words: any(same(value, word) for word in words), True
    yield "type", lambda names: any(is_type(value, name) for name in
                                    ([names] if isinstance(names, str) else names)), True


def deeper(schema, rules, value, at):
    """What is wrong with the members of an object and the items of an array."""
    found = []
    if isinstance(value, dict):
        members = rules.get("properties", {})
        found += ["%s: %s is missing" % (at, key) for key in rules.get("required", ())
                  if key not in value]
        for key, member in value.items():
            inner = members.get(key, rules.get("additionalProperties", True))
            found += check(schema, inner, member, "%s.%s" % (at, key))
    if isinstance(value, list) and "items" in rules:
        for i, item in enumerate(value):
            found += check(schema, rules["items"], item, "%s[%d]" % (at, i))
    return found


def check(schema, rules, value, at):
    if isinstance(rules, bool):
        return [] if rules else ["%s: nothing is allowed here" % at]
    found, known = deeper(schema, rules, value, at), set(SAID)
    known |= {"properties", "required", "additionalProperties", "items"}
    for keyword, holds, applies in limits(rules, value):
        known.add(keyword)
        if keyword in rules and applies and not holds(rules[keyword]):
            found.append("%s: %s %s, not %.60r" % (at, keyword, rules[keyword], value))
    if "$ref" in rules:
        found += check(*refer(schema, rules["$ref"]), value, at)
    for keyword in ("anyOf", "oneOf"):
        if keyword in rules:
            tried = [check(schema, choice, value, at) for choice in rules[keyword]]
            good = sum(not errors for errors in tried)
            if good == 0 or (keyword == "oneOf" and good > 1):
                best = min(tried, key=len) if good == 0 else []
                found.append("%s: %d choices of %s hold for %.60r%s" % (
                    at, good, keyword, value, "".join("; " + error for error in best[:3])))
    unknown = set(rules) - known - {"$ref", "anyOf", "oneOf"}
    if unknown:
        raise ValueError("%s: unknown keywords %s" % (at, ", ".join(sorted(unknown))))
    return found
