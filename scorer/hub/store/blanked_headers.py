"""Headers of games, and what stays of one whose names were blanked.

They are read as lines: a game by rules that this hub does not know has names, too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from scorer.rules.sheet import header_text

_TAG = re.compile(r'^\[(\w+) "((?:[^"\\]|\\.)*)"\]$', re.MULTILINE)
_ESCAPED = re.compile(r"\\(.)")
_NAMES = ("NameA", "NameB", "NameC")
_MASK = "Blanked"  # the tag with the mask of the header as it was


def tag_in(header: str, tag: str) -> str:
    """The value of a tag, such as Hall; "" without it."""
    found = (value for name, value in _TAG.findall(header) if name == tag)
    return _ESCAPED.sub(r"\1", next(found, ""))


def names_in(header: str) -> dict[str, str]:
    """The names of the sides by their tags."""
    return {tag: name for tag in _NAMES if (name := tag_in(header, tag))}


def with_names(header: str, names: Mapping[str, str]) -> str:
    """The header with these names in place of those of their tags; "": without a name."""

    def renamed(line: re.Match[str]) -> str:
        tag = line[1]
        if tag not in names:
            return line[0]
        return header_text([(tag, names[tag])]).rstrip("\n") if names[tag] else ""

    return re.sub(r"\n+", "\n", _TAG.sub(renamed, header)).lstrip("\n")


def with_mask(header: str, mask: str) -> str:
    """The header with the mask of what it was first."""
    return header if mask_in(header) else header.rstrip("\n") + "\n" + header_text([(_MASK, mask)])


def mask_in(header: str) -> str:
    """The mask of a header that was blanked; "" of another one."""
    return tag_in(header, _MASK)


def without_mask(header: str) -> str:
    """The header as it is exported."""
    return header.replace(header_text([(_MASK, mask_in(header))]), "")
