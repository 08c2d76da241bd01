"""Titles of tournaments and phases: of an organiser, or keys of the catalogue."""

from __future__ import annotations

from scorer.i18n import Say
from scorer.tournament.model import Names

_PREFIX = "format."  # of the titles of our own formats, which every reader has in his language


def event_title(name: str, format_title: str, category: str, say: Say) -> str:
    """The name of a tournament, or the title of its format, and its category."""
    return " · ".join(filter(None, (name or title_text(format_title, say), category)))


def event_heading(names: Names, format_title: str, say: Say) -> str:
    """Title and day of a tournament."""
    title = event_title(names.name, format_title, names.category, say)
    return " · ".join(filter(None, (title, date_text(names.date, say))))


def date_text(date: str, say: Say) -> str:
    """A day such as ``2026-11-28`` in numbers; "" without one."""
    year, _, day = date.partition("-")
    month, _, day = day.partition("-")
    return say("phrase.date", day=day, month=month, year=year) if day else ""


def title_text(title: str, say: Say) -> str:
    """The title in the language of ``say``."""
    return say(title) if title.startswith(_PREFIX) else title
