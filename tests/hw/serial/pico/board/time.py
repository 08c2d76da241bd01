"""MicroPython's clock, simulated by ``world``."""

import world

WRAPS = 1 << 30


def ticks_ms() -> int:
    return int(world.ticks()) % WRAPS


def ticks_diff(later: int, earlier: int) -> int:
    return (later - earlier + WRAPS // 2) % WRAPS - WRAPS // 2


def sleep_ms(milliseconds: int) -> None:
    world.sleep(milliseconds)
