"""What is chosen on the box itself: its language, light, sound, layout, names and house rules.

Here is which values there are to choose from and which one counts now. Where a choice is kept, and
what it does to a running table, is not known here.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from scorer.rules import Rules

Value = str | int | float | bool
SavedValue = Value | tuple[str, ...] | dict[str, Value]


class Choice(NamedTuple):
    """One value of the configuration, by its path: ("table", "language"), "pt-BR"."""

    path: tuple[str, ...]
    value: SavedValue


class BoxSettings(NamedTuple):
    """What set-up must know of the box that is no setting of the consoles."""

    languages: tuple[str, ...] = ("es-AR",)
    language: str = "es-AR"
    sound: bool = True
    known_names: tuple[str, ...] = ()  # that people here have played under, the newest first
    rules: Rules | None = None  # that the next game is played by, where they were chosen here
    phones: tuple[tuple[str, str], ...] = ()  # that may press: id and name
    card_lines: int = 5  # of the lowest panel, for who turns the pages of a rule card
    card_columns: int = 24


LANGUAGE: Final = ("table", "language")
NAMES: Final = ("table", "names")
VARIANT: Final = ("table", "variant")
HOUSE: Final = ("table", "house")
LAYOUT: Final = ("table", "layout")
