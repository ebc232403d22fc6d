#!/usr/bin/env python3
"""The legal plays of a position and a throw, by libhakem.

    legal_plays.py VARIANT POSITION DICE [OPTION=VALUE]...      (western 4HPwATDgc/ABMA 31)

The library is found where the system keeps its own, or by LIBHAKEM=/path/to/libhakem.so.0.
"""
import ctypes
import os
import sys
from ctypes import byref, c_char_p, c_int32, c_size_t, c_uint8

ROOM, WHY, TEXT = 8192, 160, 64  # HAKEM_ROOM, HAKEM_WHY_MAX, HAKEM_PLAY_MAX


class Rules(ctypes.Structure):
    _fields_ = [("variant", c_int32), ("value", c_int32 * 63)]


class Position(ctypes.Structure):
    _fields_ = [("men", c_uint8 * 26 * 2), ("mover", c_uint8), ("dice", c_uint8 * 2),
                ("first_turn", c_uint8), ("match", c_uint8 * 12),  # cube and offers: see hakem.h
                ("length", c_int32), ("score", c_int32 * 2)]


class Final(ctypes.Structure):
    _fields_ = [("men", c_uint8 * 26 * 2), ("leg", c_uint8 * 3 * 4), ("legs", c_uint8)]


def legal_plays(variant, text, dice, options=()):
    """The plays as texts, "" for the pass; ValueError says what is wrong."""
    lib = ctypes.CDLL(os.environ.get("LIBHAKEM", "libhakem.so.0"))
    lib.hakem_list.restype = c_size_t
    rules, position, why = Rules(), Position(), ctypes.create_string_buffer(WHY)
    if lib.hakem_rules_init(byref(rules), variant.encode()) != 0:
        raise ValueError(f"{variant}: no such variant")
    for name, value in (option.split("=", 1) for option in options):
        if lib.hakem_rules_set(byref(rules), name.encode(), value.encode(), why) != 0:
            raise ValueError(why.value.decode())
    lib.hakem_position_init(byref(rules), byref(position))
    data = text.encode()
    if lib.hakem_position_read(byref(rules), c_char_p(data), c_size_t(len(data)), byref(position),
                               why) < 0:
        raise ValueError(why.value.decode())
    position.dice[:] = [int(die) for die in dice[:2].ljust(2, "0")]
    finals, out = (Final * ROOM)(), ctypes.create_string_buffer(TEXT)
    count = lib.hakem_list(byref(rules), byref(position), finals, c_size_t(ROOM))
    if count == 0:
        raise ValueError("dice are two digits from 1 to 6")
    return [out.value.decode() for final in finals[:count]
            if lib.hakem_play_write(byref(final), out) >= 0]


if __name__ == "__main__":
    try:
        for play in legal_plays(*sys.argv[1:4], options=sys.argv[4:]):
            print(play or "pass")
    except (TypeError, ValueError) as error:
        sys.exit(f"legal_plays.py: {error}")
