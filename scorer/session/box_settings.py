"""What is chosen on the box itself: its language, light, sound, layout, names and house rules.

Here is which values there are to choose from and which one counts now. Where a choice is kept, and
what it does to a running table, is not known here.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from scorer.rules import Rules
from scorer.rules.options import value_text
from scorer.session.settings import Hours, Settings

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


class MenuSetting(NamedTuple):
    """One thing to choose, where it is kept and the values there are."""

    key: str
    path: tuple[str, ...]
    values: tuple[Value, ...]


LANGUAGE: Final = ("table", "language")
NAMES: Final = ("table", "names")
VARIANT: Final = ("table", "variant")
HOUSE: Final = ("table", "house")
LAYOUT: Final = ("table", "layout")

BRIGHTNESS: Final = MenuSetting("brightness", ("light", "brightness"), ("low", "medium", "high"))
DIM: Final = MenuSetting("dim", ("light", "dim"), (60, 120, 300, 0))
LARGE_DIGITS: Final = MenuSetting("large_digits", ("light", "large_digits"), (False, True))
SOUND: Final = MenuSetting("sound", ("sound", "on"), (True, False))
QUIET: Final = MenuSetting("quiet", ("sound", "quiet"), ("", "23:00-08:00", "00:00-08:00"))
CONSOLE_LAYOUT: Final = MenuSetting("layout", LAYOUT, ("full", "compact"))
MENU_SETTINGS: Final = {
    knob.key: knob for knob in (BRIGHTNESS, DIM, LARGE_DIGITS, SOUND, QUIET, CONSOLE_LAYOUT)
}
LIGHT_AND_SOUND: Final = (BRIGHTNESS, DIM, LARGE_DIGITS, SOUND, QUIET)


def menu_setting(key: str, box: BoxSettings) -> MenuSetting:
    """What may be chosen under ``key``."""
    return (
        MenuSetting("language", LANGUAGE, box.languages)
        if key == "language"
        else MENU_SETTINGS[key]
    )


def current_value(key: str, box: BoxSettings, settings: Settings) -> Value:
    """The value of a knob that counts now."""
    match key:
        case "language":
            return box.language
        case "sound":
            return box.sound
        case "brightness":
            return str(settings.brightness)
        case "dim":
            return settings.dim_after_s
        case "large_digits":
            return settings.large_digits
        case "layout":
            return str(settings.layout)
        case _:
            return _hours_text(settings.quiet_hours)


def _hours_text(quiet: Hours | None) -> str:
    """Hours as they are written in a configuration."""
    if quiet is None:
        return ""
    start, end = (f"{minutes // 60:02}:{minutes % 60:02}" for minutes in quiet)
    return f"{start}-{end}"


def setting_words(key: str, value: Value) -> tuple[str, str]:
    """The key of the words for a value, or the value as it is where there are none."""
    if key == "language":
        return f"language.{value}", ""
    if isinstance(value, bool):
        return ("card.yes" if value else "card.no"), ""
    if key == "dim":
        value = int(value)
    if value in MENU_SETTINGS[key].values:
        return f"setup.{key}.{_key_suffix(value)}", ""
    return "", f"{value} s" if key == "dim" else str(value)


def _key_suffix(value: Value) -> str:
    """A value as the end of a key; no hours at all are "none"."""
    text = str(value) if isinstance(value, float) else value_text(value)
    return text.replace(":00", "").replace("-", "_") or "none"


def rules_choices(rules: Rules) -> tuple[Choice, ...]:
    """What must be kept so that the following nights begin with these rules."""
    return (Choice(VARIANT, rules.variant.id), Choice(HOUSE, dict(rules.chosen)))
