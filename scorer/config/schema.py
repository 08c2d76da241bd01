"""What may stand in each section of the owner's file, and what a box does where nothing is said.

Frozen values that check themselves, one by one: whether two of them go together is not known here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from scorer.hw.options import OptionsError
from scorer.rules.notation import shorten
from scorer.session.settings import (
    CHORD,
    CHORD_RANGE,
    DEBOUNCE,
    DEBOUNCE_RANGE,
    HOLD,
    HOLD_RANGE,
    parse_hours,
)

MAX_VIEWERS = 1000
MAX_NAME_CHARS = 40  # letters; a panel shows a third of them


@dataclass(frozen=True, slots=True)
class TableSection:
    """Which truco, who plays and how the box speaks."""

    variant: str = "argentine"
    language: str = "es-AR"
    layout: Literal["full", "compact"] = "full"
    names: tuple[str, ...] = ()
    device: str = "truco"

    def __post_init__(self) -> None:
        if long := [name for name in (*self.names, self.device) if len(name) > MAX_NAME_CHARS]:
            key = "device" if long == [self.device] else "names"
            raise OptionsError([f"{key}: {MAX_NAME_CHARS} letters at most, not {len(long[0])}"])


@dataclass(frozen=True, slots=True)
class ConsolesSection:
    """The buttons. ``lines`` moves single buttons to other pins; times are seconds."""

    driver: str = "gpio"
    count: int = 2  # a third one, of four buttons, is for three who play alone
    debounce: float = DEBOUNCE
    hold: float = HOLD
    chord: float = CHORD
    lines: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        ranges = {"debounce": DEBOUNCE_RANGE, "hold": HOLD_RANGE, "chord": CHORD_RANGE}
        for key, (low, high) in ranges.items():
            value = getattr(self, key)
            if not low <= value <= high:
                raise OptionsError([f"{key}: {value} s is not from {low} to {high}"])
        if self.count not in (2, 3):
            raise OptionsError([f"count: {self.count} consoles; there are 2, or 3"])


@dataclass(frozen=True, slots=True)
class GuardsSection:
    """Seconds; 0 turns a guard off."""

    slap: float = 3.0
    slap_call: float = 0.8
    echo: float = 0.5
    closed: float = 4.0
    trick_by_trick: bool = False


@dataclass(frozen=True, slots=True)
class LightSection:
    """Seconds alone after which the panels go dim and dark; 0 is never.

    ``shift``: seconds after which a dim picture moves by a pixel, so that none burns in.
    ``large_digits``: scores 28 pixels high in play, and no tally beside them.
    """

    brightness: Literal["low", "medium", "high"] = "medium"
    dim: float = 120.0
    dark: float = 1200.0
    dark_pending: float = 7200.0
    shift: float = 60.0
    large_digits: bool = False


@dataclass(frozen=True, slots=True)
class SoundSection:
    """The buzzer's pin (BCM); ``on = false`` keeps it quiet, ``quiet`` from one hour to another."""

    on: bool = True
    pin: int = 12
    quiet: str = ""  # "23:00-08:00", by the clock of the machine

    def __post_init__(self) -> None:
        if self.quiet and parse_hours(self.quiet) is None:
            raise OptionsError([f"quiet: '{shorten(self.quiet)}' is not like '23:00-08:00'"])


@dataclass(frozen=True, slots=True)
class StoreSection:
    """The folder of the journal."""

    directory: str = "/var/lib/scorer"


@dataclass(frozen=True, slots=True)
class SocketSection:
    """Where programs beside the table find it; systemd's own socket is used where it gives one."""

    path: str = "/run/scorer/table.sock"


@dataclass(frozen=True, slots=True)
class WebSection:
    """Where ``scorer web`` listens, for how many at a time, and the folder of a bar's own pages.

    ``viewers_each``: how many of them may have one address, as all phones behind a second router
    do; ``hosts``: names under which browsers may ask for it, besides its addresses, localhost and
    <hostname>.local.
    """

    address: str = "0.0.0.0"
    port: int = 8080
    hosts: tuple[str, ...] = ()
    viewers: int = 200
    viewers_each: int = 40
    pages: str = "/etc/scorer/www"

    def __post_init__(self) -> None:
        problems = []
        if not re.fullmatch(r"[0-9.]+|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*", self.address):
            problems.append(f"address: '{shorten(self.address)}' is not like 0.0.0.0 or ::")
        if not 1 <= self.port <= 65535:
            problems.append(f"port: {self.port} is not from 1 to 65535")
        if not 1 <= self.viewers <= MAX_VIEWERS:
            problems.append(f"viewers: {self.viewers} is not from 1 to {MAX_VIEWERS}")
        if not 1 <= self.viewers_each <= MAX_VIEWERS:
            problems.append(f"viewers_each: {self.viewers_each} is not from 1 to {MAX_VIEWERS}")
        if wrong := [host for host in self.hosts if not re.fullmatch(r"[A-Za-z0-9.-]+", host)]:
            problems.append(
                f"hosts: '{wrong[0]}' is no name like truco.example.org, without a port"
            )
        if problems:
            raise OptionsError(problems)
