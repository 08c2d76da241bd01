"""Levels about the box: language, light, sound, time zone and buttons.

They are made each time they are entered.
"""

from typing import Final, NamedTuple

from scorer.rules.options import value_text
from scorer.session.setup.effects import Choose
from scorer.session.setup.levels import Link, ListLevel, MenuEntry, marked_list
from scorer.session.setup.time_zones import CITIES, city
from scorer.session.values.box_settings import (
    LANGUAGE,
    LAYOUT,
    TIME_ZONE,
    BoxSettings,
    Choice,
    Value,
)
from scorer.session.values.keys import PlainKey, SetupKey, TextKey
from scorer.session.values.settings import Brightness, Layout, Tally
from scorer.session.values.setup_view import MenuLine
from scorer.session.values.state import Session, SetupLevel


class MenuSetting(NamedTuple):
    """One setting: its place in the owner's file and its possible values."""

    key: SetupKey
    path: tuple[str, ...]
    values: tuple[Value, ...]


_OFF_FIRST: Final = (False, True)
BRIGHTNESS: Final = MenuSetting(
    SetupKey.BRIGHTNESS, ("light", "brightness"), tuple(map(str, Brightness))
)
DIM: Final = MenuSetting(SetupKey.DIM, ("light", "dim"), (60, 120, 300, 0))
LARGE_DIGITS: Final = MenuSetting(SetupKey.LARGE_DIGITS, ("light", "large_digits"), _OFF_FIRST)
TALLY: Final = MenuSetting(SetupKey.TALLY, ("light", "tally"), tuple(map(str, Tally)))
REMATCH: Final = MenuSetting(SetupKey.REMATCH, ("table", "rematch"), _OFF_FIRST)
OWN_WIFI: Final = MenuSetting(SetupKey.OWN_WIFI, ("table", "own_wifi"), _OFF_FIRST)
SOUND: Final = MenuSetting(SetupKey.SOUND, ("sound", "on"), (True, False))
QUIET: Final = MenuSetting(SetupKey.QUIET, ("sound", "quiet"), ("", "23:00-08:00", "00:00-08:00"))
ZONE: Final = MenuSetting(SetupKey.TIME_ZONE, TIME_ZONE, tuple(CITIES))
CONSOLE_LAYOUT: Final = MenuSetting(SetupKey.LAYOUT, LAYOUT, tuple(map(str, Layout)))
MENU_SETTINGS: Final = {
    setting.key: setting
    for setting in (
        *(BRIGHTNESS, DIM, LARGE_DIGITS, TALLY, SOUND, QUIET, ZONE),
        *(CONSOLE_LAYOUT, REMATCH, OWN_WIFI),
    )
}
LIGHT_AND_SOUND: Final = (BRIGHTNESS, DIM, LARGE_DIGITS, TALLY, SOUND, QUIET, ZONE)


def light_and_sound_level(session: Session, link: Link) -> SetupLevel:
    """Settings of light and sound."""
    has_zone = session.box.has_machine
    settings = (each for each in LIGHT_AND_SOUND if has_zone or each is not ZONE)
    entries = tuple(setting_entry(session, each.key) for each in settings)
    return ListLevel(SetupKey.LIGHT, entries, made_from=link, takes_choices=True)


def values_level(session: Session, link: Link) -> SetupLevel:
    """The values of one setting."""
    setting = _menu_setting(SetupKey(link.key), session.box)
    chosen = session.settings.value_at(setting.path)
    entries = []
    for value in setting.values:
        key, figure = setting_words(setting.key, value)
        choices = () if value == chosen else (Choice(setting.path, value),)
        line = MenuLine(key or PlainKey.VALUE, text=figure, marked=value == chosen)
        entries.append(MenuEntry(line, Choose(choices)))
    return marked_list(setting.key, tuple(entries), link)


def setting_entry(session: Session, key: SetupKey) -> MenuEntry:
    """The entry that opens a setting, with its current value."""
    current = session.settings.value_at(_menu_setting(key, session.box).path)
    value, figure = setting_words(key, current)
    line = MenuLine(key, value=value or "", figure=figure)
    return MenuEntry(line, Link(values_level, key))


def _menu_setting(key: SetupKey, box: BoxSettings) -> MenuSetting:
    """The setting ``key``."""
    return (
        MenuSetting(SetupKey.LANGUAGE, LANGUAGE, box.languages)
        if key is SetupKey.LANGUAGE
        else MENU_SETTINGS[key]
    )


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
        text = str(value) if isinstance(value, float) else value_text(value)
        suffix = text.replace(":00", "").replace("-", "_") or "none"  # of no hours
        return TextKey(f"setup.{key}.{suffix}"), ""
    return None, f"{value} s" if key is SetupKey.DIM else str(value)
