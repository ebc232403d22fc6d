"""Records against the published scheme, with the standard library and openssl only: chain, both
commitments, every throw, the bots' streams and the signature of records that tests/sim/make_record
wrote. Nothing of ours computes here (design: dice hakem/v1)."""

import hashlib
import hmac
import os
import re
import shutil
import struct
import subprocess
import tempfile

MAKER = os.path.join(os.environ["HAKEM_BUILD"], "tests/sim/make_record")
SEED = "chain"

count = 0


def check(good, name, why=""):
    global count
    count += 1
    print("ok" if good else "not ok", count, "-", name, flush=True)
    if not good:
        print("#", str(why).replace("\n", "\n# "), flush=True)


def lp(*fields):
    """Each field behind its length."""
    data = [field.encode() if isinstance(field, str) else field for field in fields]
    return b"".join(struct.pack(">I", len(field)) + field for field in data)


def sha(*fields):
    return hashlib.sha256(lp(*fields)).digest()


def mac(key, *fields, tail=b""):
    return hmac.new(key, lp(*fields) + tail, hashlib.sha256).digest()


def roll(game_key, stream, number):
    """Throw `number` of a stream: bytes below 252, the first two that are kept."""
    dice, block = [], 0
    while len(dice) < 2:
        data = mac(game_key, "hakem/v1/roll", stream, tail=struct.pack(">II", number, block))
        dice += [byte % 6 + 1 for byte in data if byte < 252]
        block += 1
    return f"{dice[0]}{dice[1]}"


def fields_of(line):
    words = line.split(" ")
    return words, dict(word.split("=", 1) for word in words if "=" in word)


def chain_fault(lines):
    head = None
    for number, line in enumerate(lines, 1):
        bare, digits = line.rsplit(" ", 1)
        head = (sha("hakem/v1/log", bare) if head is None
                else hashlib.sha256(head + lp(bare)).digest())
        if head.hex()[:16] != digits:
            return f"line {number}: {digits}, wanted {head.hex()[:16]}"
    return None


def heads_of(lines):
    heads, head = [], None
    for line in lines:
        bare = line.rsplit(" ", 1)[0]
        head = (sha("hakem/v1/log", bare) if head is None
                else hashlib.sha256(head + lp(bare)).digest())
        heads.append(head)
    return heads


def commitment_fault(header, seed, unit):
    event = header["event"]
    master = sha("hakem/v1/open", SEED)
    if sha("hakem/v1/commit", "master", event, "", master).hex() != header["master"]:
        return "C_M"
    if mac(master, "hakem/v1/seed", event, unit, "0", "") != seed:
        return "S_u"
    committed = sha("hakem/v1/commit", "server", event, unit, seed)
    return None if committed.hex() == header["commit"] else "C_S"


def throw_faults(lines, header, seed, unit):
    """Throws that are not the scheme's, and how many were compared."""
    committed = bytes.fromhex(header["commit"])
    key = mac(seed, "hakem/v1/key", header["event"], unit, committed, "", "")
    compared, faults, turns, game_key, opening = 0, [], {}, b"", []
    for number, line in enumerate(lines, 1):
        words, fields = fields_of(line.rsplit(" ", 1)[0])
        if words[0] == "game":
            game_key = mac(key, "hakem/v1/game", words[2], fields["attempt"])
            opening = fields["opening"].split(",") if "opening" in fields else []
            turns = {"X": 0, "Y": 0}
            want = [roll(game_key, "O", n) for n in range(len(opening))]
            compared += len(opening)
            if want != opening:
                faults.append(f"line {number}: opening {opening}, wanted {want}")
        elif words[0] == "did":
            seat, dice = words[3], words[4]
            first = words[2] == "1" and opening and header["opening"] == "deciding"
            want = opening[-1] if first else roll(game_key, seat, turns[seat])
            turns[seat] += 1
            compared += 1
            if dice != want:
                faults.append(f"line {number}: {dice}, wanted {want}")
    return faults, compared


def signature_holds(folder, public, message, signature):
    """Ed25519 by openssl; the prefix makes a public key file of the 32 bytes."""
    paths = {}
    for name, data in (("key", bytes.fromhex("302a300506032b6570032100") + public),
                       ("message", message), ("signature", signature)):
        paths[name] = os.path.join(folder, name)
        with open(paths[name], "wb") as file:
            file.write(data)
    run = subprocess.run(["openssl", "pkeyutl", "-verify", "-pubin", "-keyform", "DER", "-inkey",
                          paths["key"], "-rawin", "-in", paths["message"], "-sigfile",
                          paths["signature"]], capture_output=True, check=False)
    return run.returncode == 0


def check_signature(folder, name, lines, header):
    words, fields = fields_of(lines[-1].rsplit(" ", 1)[0])
    total = int(words[1])
    check(words[0] == "sign" and total == len(lines) - 1, f"{name}: the signature counts the lines")
    head = heads_of(lines)[-2]
    public, signature = bytes.fromhex(header["key"]), bytes.fromhex(fields["signature"])
    message = b"hakem/v1/record\0" + head + struct.pack(">Q", total)
    check(signature_holds(folder, public, message, signature), f"{name}: and holds (openssl)")
    check(not signature_holds(folder, public, message + b"x", signature),
          f"{name}: for nothing else")


def main():
    openssl = shutil.which("openssl") is not None
    with tempfile.TemporaryDirectory() as folder:
        for arguments in (["variant=tavla", "match=5"], ["variant=uzun", "match=3", "leg=2"],
                          ["variant=western", "match=3", "faults=yes", "voids=yes"]):
            name = " ".join(arguments)
            run = subprocess.run([MAKER, f"seed={SEED}", *arguments], capture_output=True,
                                 check=True)
            text = run.stdout.decode()
            lines = text.split("\n")[:-1]
            header = fields_of(lines[0].rsplit(" ", 1)[0])[1]
            words, fields = fields_of(lines[-2].rsplit(" ", 1)[0])
            check(chain_fault(lines) is None, f"{name}: {len(lines)} lines are chained",
                  chain_fault(lines))
            altered = [re.sub(r"^(did . )3 ", r"\g<1>4 ", line) for line in lines]
            check(chain_fault(altered) is not None, f"{name}: an altered line would be noticed")
            seed, unit = bytes.fromhex(fields["seed"]), header["unit"]
            check(words[1] == unit and commitment_fault(header, seed, unit) is None,
                  f"{name}: the seed opens both commitments", commitment_fault(header, seed, unit))
            faults, compared = throw_faults(lines, header, seed, unit)
            check(not faults and compared > 30, f"{name}: {compared} throws are the scheme's",
                  "\n".join(faults[:3]))
            if openssl:
                check_signature(folder, name, lines, header)
    if not openssl:
        check(True, "signatures # SKIP openssl is not installed")
    print(f"1..{count}")


main()
