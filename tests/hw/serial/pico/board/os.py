"""Random bytes."""

import world


def urandom(count: int) -> bytes:
    return int(world.start()).to_bytes(count, "big")
