"""Settings chosen on the box: language, light, sound, layout, names, house rules.

Holds the available values and the current ones; storing and applying them happens elsewhere.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from scorer.rules import Rules

Value = str | int | float | bool
SavedValue = Value | tuple[str, ...] | dict[str, Value]


class Choice(NamedTuple):
    """One configuration value by its path: ("table", "language"), "pt-BR"."""

    path: tuple[str, ...]
    value: SavedValue


class BoxSettings(NamedTuple):
    """Settings of the box that set-up needs, besides those of the consoles."""

    languages: tuple[str, ...] = ("es-AR",)
    language: str = "es-AR"
    sound: bool = True
    known_names: tuple[str, ...] = ()  # team names used before, newest first
    known_pairs: tuple[tuple[str, ...], ...] = ()  # names that played against each other
    rules: Rules | None = None  # of the next game, if chosen on the box
    phones: tuple[tuple[str, str], ...] = ()  # paired phones: id and name
    card_lines: int = 5  # lines of the lowest panel, for paging rule cards
    card_columns: int = 24


LANGUAGE: Final = ("table", "language")
NAMES: Final = ("table", "names")
VARIANT: Final = ("table", "variant")
HOUSE: Final = ("table", "house")
LAYOUT: Final = ("table", "layout")
