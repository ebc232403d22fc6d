"""A reader of ABNF (RFC 5234, and %s of RFC 7405) for grammars without recursion: each rule
becomes a regular expression over bytes, and can also make up texts of its own."""
import re


class Grammar:
    TOKEN = re.compile(r"""\s*(?:;[^\n]*\n\s*)*(?:
        (?P<rule>[A-Za-z][A-Za-z0-9-]*) | (?P<text>(?:%[si])?"[^"]*") |
        (?P<bytes>%x[0-9A-Fa-f]+(?:-[0-9A-Fa-f]+|(?:\.[0-9A-Fa-f]+)*)) |
        (?P<times>\d*\*\d*|\d+) | (?P<sign>[()\[\]/]))""", re.VERBOSE)

    def __init__(self, text):
        self.rules, self.compiled = {}, {}
        parts = re.split(r"^([A-Za-z][A-Za-z0-9-]*)[ \t]*=(?!/)", re.sub(r";[^\n]*", "", text),
                         flags=re.MULTILINE)
        if parts[0].strip():
            raise ValueError("not a rule: %r" % parts[0].strip())
        for name, body in zip(parts[1::2], parts[2::2]):
            if name in self.rules:
                raise ValueError("%s stands twice" % name)
            self.rules[name] = self.parse(name, body)
        for name in self.rules:
            self.pattern(name)

    def parse(self, name, body):
        tokens, at = [], 0
        body = body.rstrip()
        while at < len(body):
            match = self.TOKEN.match(body, at)
            if not match:
                raise ValueError("%s: cannot read %r" % (name, body[at:at + 30]))
            tokens.append((match.lastgroup, match.group(match.lastgroup)))
            at = match.end()
        tree, rest = self.choice(tokens)
        if rest:
            raise ValueError("%s: what is %r?" % (name, rest[0][1]))
        return tree

    def choice(self, tokens):
        """("or", [("and", [...]), ...]) and the tokens that are left."""
        ways = [[]]
        while tokens and tokens[0] not in (("sign", ")"), ("sign", "]")):
            if tokens[0] == ("sign", "/"):
                ways.append([])
                tokens = tokens[1:]
            else:
                part, tokens = self.repeated(tokens)
                ways[-1].append(part)
        if not all(ways):
            raise ValueError("an empty way")
        return ("or", [("and", way) for way in ways]), tokens

    def repeated(self, tokens):
        least, most = 1, 1
        if tokens[0][0] == "times":
            low, star, high = tokens[0][1].partition("*")
            least = int(low or 0)
            most = int(high) if high else (None if star else least)
            tokens = tokens[1:]
        kind, text = tokens[0]
        if text in ("(", "["):
            part, tokens = self.choice(tokens[1:])
            least, most = (0, 1) if text == "[" else (least, most)
        else:
            part = (kind, text)
        return ("times", part, least, most), tokens[1:]

    def pattern(self, name, above=()):
        """The regular expression of a rule."""
        if name not in self.rules:
            raise ValueError("%s: no such rule" % name)
        if name in above:
            raise ValueError("%s calls itself" % name)
        if name not in self.compiled:
            self.compiled[name] = self.expression(self.rules[name], above + (name,))
        return self.compiled[name]

    def expression(self, tree, above):
        if tree[0] == "or":
            return b"(?:" + b"|".join(self.expression(way, above) for way in tree[1]) + b")"
        if tree[0] == "and":
            return b"".join(self.expression(part, above) for part in tree[1])
        if tree[0] == "times":
            inner = self.expression(tree[1], above)
            if tree[2:] == (1, 1):
                return inner
            return b"(?:%s){%d,%s}" % (inner, tree[2], b"%d" % tree[3] if tree[3] is not None
                                       else b"")
        if tree[0] == "rule":
            return self.pattern(tree[1], above)
        if tree[0] == "text":
            text = re.escape(tree[1].split('"')[1].encode())
            return text if tree[1].startswith("%s") else b"(?i:" + text + b")"
        low, dash, high = tree[1][2:].partition("-")
        if dash:
            return b"[\\x%02x-\\x%02x]" % (int(low, 16), int(high, 16))
        return b"".join(b"\\x%02x" % int(byte, 16) for byte in low.split("."))

    def matches(self, name, data):
        return re.fullmatch(self.pattern(name), data, re.DOTALL) is not None

    def make(self, tree, chance):
        """Some bytes that the tree (or the rule of that name) allows."""
        if isinstance(tree, str):
            return self.make(self.rules[tree], chance)
        if tree[0] == "or":
            return self.make(chance.choice(tree[1]), chance)
        if tree[0] == "and":
            return b"".join(self.make(part, chance) for part in tree[1])
        if tree[0] == "times":
            most = tree[3] if tree[3] is not None else tree[2] + 4
            return b"".join(self.make(tree[1], chance)
                            for _ in range(chance.randint(tree[2], most)))
        if tree[0] == "rule":
            return self.make(tree[1], chance)
        if tree[0] == "text":
            return tree[1].split('"')[1].encode()
        low, dash, high = tree[1][2:].partition("-")
        if dash:
            return bytes([chance.randint(int(low, 16), int(high, 16))])
        return bytes(int(byte, 16) for byte in low.split("."))
