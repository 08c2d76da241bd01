"""Removal of [wifi], which contains a password, from the settings file of a card."""

from __future__ import annotations

import re
from pathlib import Path

from scorer.config.toml_reader import ConfigError, parse_toml, read_text
from scorer.system.replace_text import replace_text

_HEADER = re.compile(r"""\s*\[\s*(?:wifi|"wifi"|'wifi')\s*\]\s*(?:#.*)?""")


class CannotRemove(Exception):
    """The section must be removed by hand; the text says why."""


def remove_network(card: Path) -> bool:
    """Remove [wifi] from the file atomically; False if it has none.

    Raises CannotRemove, and OSError.
    """
    text = read_text(card)
    try:
        values = parse_toml(text)
        if "wifi" not in values:
            return False
        shorter = _without_section(text)
        is_right = parse_toml(shorter) == {
            key: value for key, value in values.items() if key != "wifi"
        }
    except ConfigError as error:
        raise CannotRemove(f"{card}: {error}") from error
    if not is_right:
        raise CannotRemove(f"{card}: wifi is not written as [wifi]; remove it with an editor")
    replace_text(card, shorter)
    return True


def _without_section(text: str) -> str:
    """The text without [wifi]; comments after its last key belong to the next section."""
    kept: list[str] = []
    comments: list[str] = []
    is_inside = False
    for line in text.splitlines(keepends=True):
        if _HEADER.fullmatch(line.rstrip("\n")):
            is_inside, comments = True, []
        elif is_inside and not line.lstrip().startswith("["):
            comments = [*comments, line] if line.strip()[:1] in ("", "#") else []
        else:
            kept += [*comments, line]
            is_inside, comments = False, []
    return "".join([*kept, *comments])
