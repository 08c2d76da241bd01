"""What set-up offers and saves, besides the sections of the owner's file.

Holds the available values and the current ones; storing and applying them happens elsewhere.
"""

from typing import Final, NamedTuple

from scorer.rules import Rules

Value = str | int | float | bool
SavedValue = Value | tuple[str, ...] | dict[str, Value]


class Choice(NamedTuple):
    """One configuration value by its path: ("table", "language"), "pt-BR"."""

    path: tuple[str, ...]
    value: SavedValue | None  # None: it is taken back


class StickCopy(NamedTuple):
    """A copy of games on a USB stick: the name of its file, the number of its games."""

    name: str
    games: int


class PairedPhone(NamedTuple):
    """A phone that may press. ``unused_days``: since its last use; None: not known."""

    id: str
    name: str
    unused_days: int | None = None


class BoxSettings(NamedTuple):
    """Settings of the box that set-up needs, besides those of the consoles."""

    languages: tuple[str, ...] = ("es-AR",)
    asks_time_zone: bool = False  # neither chosen nor set on the machine
    known_names: tuple[str, ...] = ()  # team names used before, newest first
    known_pairs: tuple[tuple[str, ...], ...] = ()  # names that played against each other
    usual_pairs: tuple[tuple[str, str], ...] = ()  # names for two teams, in the language
    colours: tuple[str, ...] = ()  # names after the colours of lamps, in the language
    rules: Rules | None = None  # of the next game, if chosen on the box
    phones: tuple[PairedPhone, ...] = ()
    owners: tuple[PairedPhone, ...] = ()  # those with the right to the settings
    has_machine: bool = True  # of its own: with a time zone, phones, copies and a switch
    has_hub: bool = False  # the hub of a hall runs on it
    has_owner_code: bool = False  # for a factory reset, and the right to the settings
    radio_boxes: tuple[str, ...] = ()  # names of the button boxes over Wi-Fi
    card_lines: int = 5  # lines of the lowest panel, for paging rule cards
    card_columns: int = 24


LANGUAGE: Final = ("table", "language")
TIME_ZONE: Final = ("table", "time_zone")
NAMES: Final = ("table", "names")
VARIANT: Final = ("table", "variant")
HOUSE: Final = ("table", "house")
LAYOUT: Final = ("table", "layout")


def rules_choices(rules: Rules) -> tuple[Choice, ...]:
    """The choices to save so that later games and nights start with these rules."""
    return (Choice(VARIANT, rules.variant.id), Choice(HOUSE, dict(rules.chosen)))
