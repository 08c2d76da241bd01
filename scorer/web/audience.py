"""Viewers that get the same phrases: one language, one side on the left."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from scorer.i18n import nearest_language

_SIDES = ("A", "B", "C")


class Audience(NamedTuple):
    """What a viewer asks for; there are few, however many viewers there are."""

    language: str = ""  # "" for the one of the table
    first: str = ""  # the viewer's side, on the left; "" for none


DEFAULT_AUDIENCE: Final = Audience()


def audience_of(query: Mapping[str, str]) -> Audience:
    """The audience that ``lang`` and ``ours`` name; an unknown side is dropped."""
    language, first = query.get("lang"), query.get("ours", "")
    return Audience(
        nearest_language(language) if language else "", first if first in _SIDES else ""
    )
