"""[wifi] of a configuration: network, password and regulatory country.

No message contains a password, not even an invalid one: messages go to a log and onto a panel.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from scorer.hw.options import did_you_mean

KEYS = ("name", "password", "country", "remove_after_joining")
_REMOVE = "remove_after_joining"
MAX_NAME_BYTES = 32  # bytes of an SSID (IEEE 802.11)
MIN_PASSWORD_CHARS, MAX_PASSWORD_CHARS = 8, 63  # letters of a password (IEEE 802.11i)

_PASSWORD_PATTERN = re.compile(
    rf"[ -~]{{{MIN_PASSWORD_CHARS},{MAX_PASSWORD_CHARS}}}|[0-9A-Fa-f]{{64}}"
)


class WifiNetwork(NamedTuple):
    """A network to join; without a password it is an open one."""

    name: str
    password: str = ""
    country: str = ""  # two capitals (ISO 3166), "" if already set on the system
    remove_after_joining: bool = False  # remove the section from the card once joined


def parse_network(section: Mapping[str, Any]) -> WifiNetwork:
    """Return the network of a section that has no problem."""
    return WifiNetwork(**{key: section[key] for key in KEYS if key in section})


def find_problems(section: object) -> Iterator[tuple[str, str]]:
    """Problems of a section: the key ("" for all of it) and a sentence."""
    if not isinstance(section, Mapping):
        yield "", "is a section, write it as [wifi]"
        return
    for key in section:
        if key not in KEYS:
            yield key, f"no such key, {did_you_mean(key, KEYS)}"
    if not isinstance(section.get(_REMOVE, False), bool):
        yield _REMOVE, "is true or false"
    for key in _CHECKS:
        if key in section and not isinstance(section[key], str):
            yield key, 'wants a text between quotes, as in "Bar"'
        elif sentence := _CHECKS[key](section.get(key, "")):
            yield key, sentence


def _check_name(name: str) -> str:
    if not name:
        return "is missing: the name of the network, as a phone shows it"
    length = len(name.encode("utf-8", "surrogatepass"))
    return f"{MAX_NAME_BYTES} bytes at most, not {length}" if length > MAX_NAME_BYTES else ""


def _check_password(password: str) -> str:
    if not password or _PASSWORD_PATTERN.fullmatch(password):
        return ""
    return (
        f"{MIN_PASSWORD_CHARS} to {MAX_PASSWORD_CHARS} letters without accents; "
        "an open network has none, leave the line out"
    )


def _check_country(country: str) -> str:
    return "" if re.fullmatch("(?:[A-Z]{2})?", country) else 'two capitals, as "AR" or "BR"'


_CHECKS = {"name": _check_name, "password": _check_password, "country": _check_country}
