"""Random bytes, and the family of the board."""

from collections import namedtuple

import world

_Names = namedtuple("_Names", ("sysname",))


def urandom(count: int) -> bytes:
    return int(world.start()).to_bytes(count, "big")


def uname() -> _Names:
    return _Names(world.family())
