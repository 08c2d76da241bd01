"""Titles of formats and phases: of an organiser, or keys of the catalogue."""

from __future__ import annotations

from scorer.i18n import Say

_PREFIX = "format."  # of the titles of our own formats, which every reader has in his language


def event_title(name: str, format_title: str, category: str, say: Say) -> str:
    """The name of a tournament, or the title of its format, and its category."""
    return " · ".join(filter(None, (name or title_text(format_title, say), category)))


def title_text(title: str, say: Say) -> str:
    """The title in the language of ``say``."""
    return say(title) if title.startswith(_PREFIX) else title
