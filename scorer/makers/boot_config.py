"""The block of config.txt for the configured wires.

It switches on the buses of the configured wires, and gives the pins their levels from power-on.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from scorer.config.pin_claims import Claim, ClaimKind
from scorer.config.pin_map import POWER_BUTTON
from scorer.hw.displays.buses import config_txt_line

BEGIN = "# Truco Scorer begin: written by scorer setup"
END = "# Truco Scorer end"
_I2C_ON_FREE_PINS = "of I2C bus 3"
_SPI = "of SPI 0"
# The clock of SPI follows that of the core, which changes with the load unless it is fixed.
_STEADY_SPI_CLOCK = (
    "[pi3]",
    "core_freq=250",
    "[pi02]",
    "core_freq=250",
    "[pi4]",
    "core_freq_min=500",
    "[all]",
)
_OUTPUTS = (ClaimKind.LAMP, ClaimKind.BUZZER, ClaimKind.LED, ClaimKind.OUTPUT)


def boot_lines(claims: Iterable[Claim]) -> tuple[str, ...]:
    """The lines for these wires, without comments.

    Those of single models come last, and leave the section ``[all]``.
    """
    wires = tuple(claims)
    buses = " ".join(w.name for w in wires if w.kind in (ClaimKind.BUS, ClaimKind.STRIP))
    buttons = [wire.pin for wire in wires if wire.kind is ClaimKind.BUTTON]
    outputs = [wire for wire in wires if wire.kind in _OUTPUTS]
    lines = [
        "dtparam=i2c_arm=on,i2c_arm_baudrate=400000",
        "enable_uart=1",
        f"dtoverlay=gpio-shutdown,gpio_pin={POWER_BUTTON},active_low=1,gpio_pull=up,debounce=2000",
        "dtparam=watchdog=on",
    ]
    if _SPI in buses:
        lines.append(config_txt_line("spi", 0))
    if _I2C_ON_FREE_PINS in buses:
        lines.append("dtoverlay=i2c-gpio,bus=3,i2c_gpio_sda=10,i2c_gpio_scl=11")
    if buttons:
        lines.append(f"gpio={pin_list(buttons)}=ip,pu")
    for level, rests_high in (("dl", False), ("dh", True)):
        if pins := [wire.pin for wire in outputs if wire.rests_high is rests_high]:
            lines.append(f"gpio={pin_list(pins)}=op,{level}")
    if any(wire.kind is ClaimKind.STRIP for wire in wires):
        lines += _STEADY_SPI_CLOCK
    return tuple(lines)


def pin_list(pins: Iterable[int]) -> str:
    """Pins as in config.txt: three or more in a row are a range, as in 5,6,19-27."""
    ranges: list[str] = []
    for _, numbered in groupby(enumerate(sorted(set(pins))), lambda each: each[1] - each[0]):
        run = [pin for _, pin in numbered]
        ranges += [f"{run[0]}-{run[-1]}"] if len(run) > 2 else map(str, run)
    return ",".join(ranges)


def with_block(text: str, lines: Iterable[str]) -> str:
    """The text of a config.txt with the block, in place of an older one or at the end."""
    return "\n".join([without_block(text), BEGIN, "[all]", *lines, END, ""])


def without_block(text: str) -> str:
    """The text of a config.txt without the block; one without its end is kept."""
    kept = text.splitlines()
    if BEGIN in kept and END in kept[kept.index(BEGIN) :]:
        first = kept.index(BEGIN)
        del kept[first : kept.index(END, first) + 1]
    while kept and not kept[-1].strip():
        kept.pop()
    return "\n".join([*kept, ""])
