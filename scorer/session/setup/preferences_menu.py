"""Levels about the box: language, light, sound, time zone and buttons.

They are made each time they are entered.
"""

from typing import Final, NamedTuple

from scorer.rules.options import value_text
from scorer.session.setup.time_zones import CITIES, city
from scorer.session.values.box_settings import (
    LANGUAGE,
    LAYOUT,
    TIME_ZONE,
    BoxSettings,
    Choice,
    Value,
)
from scorer.session.values.levels import (
    Level,
    ListLevel,
    MenuLine,
    PlainKey,
    SetupAction,
    SetupCommand,
    SetupKey,
    SubmenuLink,
    TextKey,
)
from scorer.session.values.settings import Hours, Settings
from scorer.session.values.state import Session


class MenuSetting(NamedTuple):
    """One setting: where it is stored and its possible values."""

    key: SetupKey
    path: tuple[str, ...]
    values: tuple[Value, ...]


BRIGHTNESS: Final = MenuSetting(
    SetupKey.BRIGHTNESS, ("light", "brightness"), ("low", "medium", "high")
)
DIM: Final = MenuSetting(SetupKey.DIM, ("light", "dim"), (60, 120, 300, 0))
LARGE_DIGITS: Final = MenuSetting(SetupKey.LARGE_DIGITS, ("light", "large_digits"), (False, True))
REMATCH: Final = MenuSetting(SetupKey.REMATCH, ("table", "rematch"), (False, True))
SOUND: Final = MenuSetting(SetupKey.SOUND, ("sound", "on"), (True, False))
QUIET: Final = MenuSetting(SetupKey.QUIET, ("sound", "quiet"), ("", "23:00-08:00", "00:00-08:00"))
ZONE: Final = MenuSetting(SetupKey.TIME_ZONE, TIME_ZONE, tuple(CITIES))
CONSOLE_LAYOUT: Final = MenuSetting(SetupKey.LAYOUT, LAYOUT, ("full", "compact"))
MENU_SETTINGS: Final = {
    knob.key: knob
    for knob in (BRIGHTNESS, DIM, LARGE_DIGITS, SOUND, QUIET, ZONE, CONSOLE_LAYOUT, REMATCH)
}
LIGHT_AND_SOUND: Final = (BRIGHTNESS, DIM, LARGE_DIGITS, SOUND, QUIET, ZONE)


def light_and_sound_level(session: Session, link: SubmenuLink) -> Level:
    """Settings of light and sound."""
    lines = tuple(setting_line(session, each.key) for each in LIGHT_AND_SOUND)
    return ListLevel(SetupKey.LIGHT, lines, made_from=link)


def values_level(session: Session, link: SubmenuLink) -> Level:
    """The values of one setting."""
    turned = _menu_setting(SetupKey(link.key), session.box)
    chosen = _current_value(turned.key, session.box, session.settings)
    lines = tuple(_value_line(turned, each, chosen) for each in turned.values)
    at = next((at for at, line in enumerate(lines) if line.marked), 0)
    return ListLevel(turned.key, lines, at, made_from=link)


def setting_line(session: Session, key: SetupKey) -> MenuLine:
    """The line that opens a setting, with its current value."""
    value, figure = setting_words(key, _current_value(key, session.box, session.settings))
    return MenuLine(key, SubmenuLink(PlainKey.VALUES, key), value=value or "", figure=figure)


def changes_buttons(choices: tuple[Choice, ...]) -> bool:
    """True if ``choices`` change the meaning of the consoles' buttons."""
    return any(choice.path == LAYOUT for choice in choices)


def _value_line(setting: MenuSetting, value: Value, chosen: Value) -> MenuLine:
    key, figure = setting_words(setting.key, value)
    choices = () if value == chosen else (Choice(setting.path, value),)
    act = SetupCommand(SetupAction.CHOOSE, choices=choices)
    return MenuLine(key or PlainKey.VALUE, act, text=figure, marked=value == chosen)


def _menu_setting(key: SetupKey, box: BoxSettings) -> MenuSetting:
    """The setting ``key``."""
    return (
        MenuSetting(SetupKey.LANGUAGE, LANGUAGE, box.languages)
        if key is SetupKey.LANGUAGE
        else MENU_SETTINGS[key]
    )


def _current_value(key: SetupKey, box: BoxSettings, settings: Settings) -> Value:
    """The current value of a setting."""
    match key:
        case SetupKey.LANGUAGE:
            return box.language
        case SetupKey.SOUND:
            return box.sound
        case SetupKey.TIME_ZONE:
            return box.time_zone
        case SetupKey.BRIGHTNESS:
            return str(settings.brightness)
        case SetupKey.DIM:
            return settings.dim_after_s
        case SetupKey.LARGE_DIGITS:
            return settings.large_digits
        case SetupKey.LAYOUT:
            return str(settings.layout)
        case SetupKey.REMATCH:
            return settings.offers_rematch
        case _:
            return _hours_text(settings.quiet_hours)


def _hours_text(quiet: Hours | None) -> str:
    """Hours in the format of the configuration."""
    if quiet is None:
        return ""
    start, end = (f"{minutes // 60:02}:{minutes % 60:02}" for minutes in quiet)
    return f"{start}-{end}"


def setting_words(key: SetupKey, value: Value) -> tuple[TextKey | None, str]:
    """The catalogue key for a value, or the value itself if it has none."""
    if key is SetupKey.LANGUAGE:
        return TextKey(f"language.{value}"), ""
    if key is SetupKey.TIME_ZONE:
        return None, city(str(value))
    if isinstance(value, bool):
        return TextKey("card.yes" if value else "card.no"), ""
    if key is SetupKey.DIM:
        value = int(value)
    if value in MENU_SETTINGS[key].values:
        return TextKey(f"setup.{key}.{_key_suffix(value)}"), ""
    return None, f"{value} s" if key is SetupKey.DIM else str(value)


def _key_suffix(value: Value) -> str:
    """A value as the suffix of a key; "none" for no hours."""
    text = str(value) if isinstance(value, float) else value_text(value)
    return text.replace(":00", "").replace("-", "_") or "none"
