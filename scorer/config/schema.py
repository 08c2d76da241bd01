"""Sections of the owner's file with their defaults.

Frozen values that check themselves; conflicts between sections are checked by ``loader``.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from scorer.config import time_zone
from scorer.config.toml_reader import Values
from scorer.hw.options import OptionsError
from scorer.i18n import has_language, languages
from scorer.rules.notation import shorten
from scorer.session.values.settings import (
    CHORD,
    CHORD_RANGE,
    DEBOUNCE,
    DEBOUNCE_RANGE,
    HOLD,
    HOLD_RANGE,
    LAMPS,
    PAID,
    PAID_RANGE,
    RELEASE,
    RELEASE_RANGE,
    LampColour,
    parse_hours,
)

MAX_VIEWERS = 1000
_IP_ADDRESS = r"[0-9.]+|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*"
MAX_NAME_CHARS = 40  # letters; a panel shows a third of them


# Without a repr, which a dataclass compiles, the table starts sooner.
@dataclass(frozen=True, slots=True, repr=False)
class TableSection:
    """Variant, names of the sides, language."""

    variant: str = "argentine"
    language: str = "es-AR"
    layout: Literal["full", "compact"] = "full"
    names: tuple[str, ...] = ()
    lamps: tuple[str, ...] = LAMPS  # colours of A's and B's, the default names
    rematch: bool = False  # the next game is the revancha of a series
    device: str = "truco"
    time_zone: str = ""  # a name of tzdata; "" for that of the machine

    def __post_init__(self) -> None:
        problems = []
        if not has_language(self.language):
            there = ", ".join(languages())
            problems.append(f"language: no language '{shorten(self.language)}'; there are {there}")
        if len(self.lamps) != 2 or len(set(self.lamps) & set(LampColour)) != 2:
            problems.append(f"lamps: two different ones of {', '.join(LampColour)}")
        if self.time_zone and (problem := time_zone.find_problem(self.time_zone)):
            problems.append(f"time_zone: {problem}")
        for key, names in (("names", self.names), ("device", (self.device,))):
            if long := [name for name in names if len(name) > MAX_NAME_CHARS]:
                problems.append(f"{key}: {MAX_NAME_CHARS} letters at most, not {len(long[0])}")
        if problems:
            raise OptionsError(problems)


@dataclass(frozen=True, slots=True, repr=False)
class ConsolesSection:
    """The buttons. ``lines`` moves single buttons to other pins; times are seconds."""

    driver: str = "gpio"
    count: int = 2  # a third one, of four buttons, is for three who play alone
    debounce: float = DEBOUNCE
    release: float = RELEASE
    hold: float = HOLD
    chord: float = CHORD
    lines: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        ranges = {
            "debounce": DEBOUNCE_RANGE,
            "release": RELEASE_RANGE,
            "hold": HOLD_RANGE,
            "chord": CHORD_RANGE,
        }
        problems = _range_problems(self, ranges)
        if self.count not in (2, 3):
            problems.append(f"count: {self.count} consoles; there are 2, or 3")
        if problems:
            raise OptionsError(problems)


@dataclass(frozen=True, slots=True, repr=False)
class GuardsSection:
    """Seconds; 0 turns a guard off.

    ``closed``, ``paid_hand`` and ``paid_bet`` are the times of TANTOS.
    """

    slap: float = 3.0
    slap_call: float = 0.35
    echo: float = 0.8
    closed: float = 4.0
    offer: float = 1.0
    forgotten: float = 20.0
    paid_hand: float = PAID
    paid_bet: float = PAID
    trick_by_trick: bool = False

    def __post_init__(self) -> None:
        _check_seconds(self)
        if problems := _range_problems(self, {"paid_hand": PAID_RANGE, "paid_bet": PAID_RANGE}):
            raise OptionsError(problems)


@dataclass(frozen=True, slots=True, repr=False)
class LightSection:
    """Idle seconds after which the panels go dim and dark; 0 means never.

    ``shift``: seconds after which a dim picture moves by a pixel, to prevent burn-in.
    ``large_digits``: scores 28 pixels high in play, without a tally. ``pairs_page``: MENU has the
    page of the night by pair.
    """

    brightness: Literal["low", "medium", "high"] = "medium"
    dim: float = 120.0
    dark: float = 1200.0
    dark_pending: float = 7200.0
    shift: float = 60.0
    large_digits: bool = False
    pairs_page: bool = True

    def __post_init__(self) -> None:
        _check_seconds(self)


def _range_problems(
    section: ConsolesSection | GuardsSection, ranges: Mapping[str, tuple[float, float]]
) -> list[str]:
    return [
        f"{key}: {value} s is not from {low} to {high}"
        for key, (low, high) in ranges.items()
        if not low <= (value := getattr(section, key)) <= high
    ]


def _check_seconds(section: GuardsSection | LightSection) -> None:
    values = {key: getattr(section, key) for key in type(section).__slots__}
    wrong = [key for key, value in values.items() if isinstance(value, float) and value < 0]
    if wrong:
        raise OptionsError(f"{key}: seconds, 0 or more" for key in wrong)


@dataclass(frozen=True, slots=True, repr=False)
class SoundSection:
    """The buzzer's pin (BCM); ``on = false`` mutes it, ``quiet`` in a range of hours."""

    on: bool = True
    pin: int = 12
    quiet: str = ""  # "23:00-08:00", local time

    def __post_init__(self) -> None:
        if self.quiet and parse_hours(self.quiet) is None:
            raise OptionsError([f"quiet: '{shorten(self.quiet)}' is not like '23:00-08:00'"])


@dataclass(frozen=True, slots=True, repr=False)
class StoreSection:
    """The folder of the journal."""

    directory: str = "/var/lib/scorer"


@dataclass(frozen=True, slots=True, repr=False)
class SocketSection:
    """Path of the API socket; a socket passed by systemd takes precedence."""

    path: str = "/run/scorer/table.sock"


@dataclass(frozen=True, slots=True, repr=False)
class BackupSection:
    """The label of the USB stick for copies of the games; capitals do not matter."""

    label: str = "TRUCO"

    def __post_init__(self) -> None:
        # What FAT and exFAT can have as a label, and what needs no escapes in /dev/disk/by-label.
        if not re.fullmatch(r"[A-Za-z0-9_-]{1,11}", self.label):
            label = shorten(self.label)
            raise OptionsError([f"label: '{label}' is not 1 to 11 letters, digits, - or _"])


@dataclass(frozen=True, slots=True, repr=False)
class WebSection:
    """Address and limits of ``scorer web``, and the folder of the owner's pages.

    ``viewers_each``: maximum per address; phones behind a second router share one. ``hosts``: host
    names that browsers may use, besides the machine's addresses, localhost and <hostname>.local.
    ``certificate`` and ``key``: PEM files for HTTPS. ``proxies``: addresses of proxies, whose
    X-Forwarded-Proto and X-Forwarded-For are believed; browsers reach them as the first host.
    """

    address: str = "0.0.0.0"
    port: int = 8080
    hosts: tuple[str, ...] = ()
    viewers: int = 200
    viewers_each: int = 40
    pages: str = "/etc/scorer/www"
    certificate: str = ""
    key: str = ""
    proxies: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        problems = self._secure_problems()
        if not re.fullmatch(_IP_ADDRESS, self.address):
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

    def _secure_problems(self) -> list[str]:
        """Problems of the keys for HTTPS; ``web.tls`` checks the files."""
        problems = [
            f"{name}: '{shorten(path)}' is no whole path like /etc/scorer/tls/{name}.pem"
            for name, path in (("certificate", self.certificate), ("key", self.key))
            if path and not path.startswith("/")
        ]
        if self.certificate and not self.key:
            problems.append("certificate: HTTPS needs its key too")
        if self.key and not self.certificate:
            problems.append("key: HTTPS needs the certificate too")
        if wrong := [each for each in self.proxies if not re.fullmatch(_IP_ADDRESS, each)]:
            problems.append(f"proxies: '{shorten(wrong[0])}' is no address like 127.0.0.1")
        if self.proxies and not self.hosts:
            problems.append("proxies: write the name that browsers use for the proxy into hosts")
        return problems


class PanelConfig(NamedTuple):
    """A panel: its driver, that driver's options, and the side on the left."""

    driver: str
    options: Values
    side: str
