"""Lists about the box: who plays at it, its language, its light and sound, its buttons.

They are made anew each time they are entered. What a choice does is not known here.
"""

from __future__ import annotations

from scorer.session.box_settings import (
    LIGHT_AND_SOUND,
    Choice,
    MenuSetting,
    Value,
    current_value,
    menu_setting,
    setting_words,
)
from scorer.session.setup import house_rules_menu
from scorer.session.setup.levels import (
    Level,
    ListLevel,
    MenuLine,
    SetupAction,
    SetupCommand,
    SubmenuLink,
)
from scorer.session.setup.name_entry import NameLevel
from scorer.session.state import Session

MAX_NAMES = 20  # of a list; older ones are spelled again


def names_level(session: Session, link: SubmenuLink) -> Level:
    """Each side with its name."""
    lines = tuple(
        MenuLine("name", SubmenuLink("naming", side=at), at)
        for at in range(len(session.rules.scoring_sides))
    )
    return ListLevel("names", lines, made_from=link)


def name_choice_level(session: Session, link: SubmenuLink) -> Level:
    """The names that are known here, and the way to a new one."""
    draft, at = link.draft, link.side
    own = (draft.names if draft else session.names)[at : at + 1]
    chosen = own[0] if own else ""

    def line(key: str, name: str) -> MenuLine:
        act = house_rules_menu.name_command(session, at, name, draft)
        return MenuLine(key, act, text=name, marked=name == chosen)

    known = tuple(line("known", name) for name in session.box.known_names[:MAX_NAMES])
    sides = (draft.rules if draft else session.rules).scoring_sides
    letters = MenuLine("letters", NameLevel("letters", sides[at], draft=draft))
    lines = (*known, letters, line("no_name", ""))
    at_first = next((at for at, each in enumerate(lines) if each.marked and each.text), 0)
    return ListLevel("naming", lines, at_first, made_from=link)


def light_and_sound_level(session: Session, link: SubmenuLink) -> Level:
    """How bright, how long, and whether it may be heard."""
    lines = tuple(setting_line(session, each.key) for each in LIGHT_AND_SOUND)
    return ListLevel("light", lines, made_from=link)


def values_level(session: Session, link: SubmenuLink) -> Level:
    """The values of one knob."""
    turned = menu_setting(link.key, session.box)
    chosen = current_value(turned.key, session.box, session.settings)
    lines = tuple(_value_line(turned, each, chosen) for each in turned.values)
    at = next((at for at, line in enumerate(lines) if line.marked), 0)
    return ListLevel(turned.key, lines, at, made_from=link)


def setting_line(session: Session, key: str) -> MenuLine:
    """The line that opens a knob, with the value that counts now."""
    value, figure = setting_words(key, current_value(key, session.box, session.settings))
    return MenuLine(key, SubmenuLink("values", key), value=value, figure=figure)


def _value_line(setting: MenuSetting, value: Value, chosen: Value) -> MenuLine:
    key, figure = setting_words(setting.key, value)
    choices = () if value == chosen else (Choice(setting.path, value),)
    act = SetupCommand(SetupAction.CHOOSE, choices=choices)
    return MenuLine(key or "value", act, text=figure, marked=value == chosen)
