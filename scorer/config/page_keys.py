"""Which values an owner changes in a browser, where they are kept."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from scorer.config.config import SECTIONS
from scorer.config.loader import validate
from scorer.config.nested_values import merge_values
from scorer.config.toml_reader import ConfigError, KeyLines, Values, find_unusable_values


class Way(StrEnum):
    """How a value is changed in a browser."""

    NOW = "now"  # a choice of the box, which the table applies at once
    BETWEEN = "between"  # a choice of the box, which the table applies between two games
    SERVICE = "service"  # in the file of the page; the services that read it are restarted
    TRIAL = "trial"  # there too, for the table; taken back unless a press confirms it
    FILE = "file"  # not at all: in the owner's file or the card's


class FixedReason(StrEnum):
    """Why a value is not changed in a browser."""

    WIRING = "wiring"  # of devices that are more than a pin: they have options of their own
    PATH = "path"  # a file of the machine
    ACCESS = "access"  # who reaches the page: a wrong one closes it
    NETWORK = "network"  # of the card, for the service that joins it
    RULES = "rules"  # its options are house rules, which are chosen one by one
    HALL = "hall"  # a hall is joined at the box; a hub has its own desk


_WAYS: Final[Mapping[str, Mapping[Way, tuple[str, ...]]]] = {
    "table": {
        Way.NOW: ("language", "lamps", "rematch", "time_zone"),
        Way.BETWEEN: ("variant", "house", "names", "layout", "device"),
    },
    "consoles": {
        Way.BETWEEN: ("debounce", "release", "hold", "chord"),
        Way.TRIAL: ("driver", "count", "lines"),
    },
    "sound": {Way.NOW: ("on", "quiet"), Way.TRIAL: ("pin",)},
    "web": {Way.SERVICE: ("port", "hosts", "viewers", "viewers_each")},
    "backup": {Way.SERVICE: ("label",)},
    "link": {
        Way.SERVICE: ("mqtt.broker", "mqtt.user", "mqtt.password", "mqtt.topic", "mqtt.discovery")
    },
    "owner": {Way.SERVICE: ("code",)},
    "voice": {Way.SERVICE: ("on", "volume", "rate", "lead_in", "device")},
}
_WHOLE: Final[Mapping[str, Way]] = {  # sections without another way
    "guards": Way.BETWEEN,
    "lamps": Way.TRIAL,
    "light": Way.NOW,
    "printer": Way.SERVICE,
}
_REASONS: Final[Mapping[str, Mapping[str, FixedReason]]] = {  # "": of the other keys of a section
    "table": {"rulebook": FixedReason.RULES},
    "store": {"": FixedReason.PATH},
    "socket": {"": FixedReason.PATH},
    "wifi": {"": FixedReason.NETWORK},
    "link": {"": FixedReason.HALL, "mqtt.certificate": FixedReason.PATH},
    "hub": {"": FixedReason.HALL},
    "web": {"": FixedReason.PATH, "address": FixedReason.ACCESS, "proxies": FixedReason.ACCESS},
    "voice": {"": FixedReason.PATH},
}
MAX_PROBLEMS: Final = 5  # sentences in an answer


def way_of(section: str, key: str) -> Way:
    """How a value is changed; an unknown one not at all."""
    if section in _WHOLE:
        return _WHOLE[section] if key in SECTIONS[section].record._fields else Way.FILE
    above = {"table": "house", "consoles": "lines"}.get(section, "")
    base = above if above and key.startswith(f"{above}.") else key
    ways = _WAYS.get(section, {})
    return next((way for way, keys in ways.items() if base in keys), Way.FILE)


def reason_of(section: str, key: str) -> FixedReason:
    """Why a value whose way is FILE is not changed in a browser."""
    found = _REASONS.get(section, {})
    return found.get(key) or found.get("", FixedReason.WIRING)


def problems_of_page(files: Values, before: Values, after: Values, section: str) -> list[str]:
    """What is wrong with a change of the page from ``before`` to ``after``.

    ``files``: the values of the owner's file and the card's. What is wrong elsewhere without the
    change is none of it.
    """
    if unusable := [why for _, why in find_unusable_values({section: after.get(section, {})})]:
        return unusable[:MAX_PROBLEMS]
    old = _sentences(merge_values(files, before))
    new = _sentences(merge_values(files, after))
    own = (f"{section}.", f"{section}:", f"{section} ")
    return [each for each in new if each not in old or each.startswith(own)][:MAX_PROBLEMS]


def _sentences(values: Values) -> list[str]:
    try:
        validate(values, KeyLines(""), has_chosen_names=True)
    except ConfigError as error:
        return [problem.sentence for problem in error.problems]
    return []
