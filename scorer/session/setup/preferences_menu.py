"""Lists about the box: who plays at it, its language, its light and sound, its buttons.

They are made anew each time they are entered. What a choice does is not known here.
"""

from __future__ import annotations

from scorer.session.setup import house_rules_menu
from scorer.session.setup.box_settings import (
    LIGHT_AND_SOUND,
    Choice,
    Knob,
    Value,
    current,
    knob,
    words_of,
)
from scorer.session.setup.name_entry import Spelling
from scorer.session.setup.pages import Act, Choosing, Doing, Level, Line, Opens
from scorer.session.state import Session

MOST_NAMES = 20  # of a list; older ones are spelled again


def names(session: Session, link: Opens) -> Level:
    """Each side with its name."""
    lines = tuple(
        Line("name", Opens("naming", side=at), at) for at in range(len(session.rules.scoring_sides))
    )
    return Choosing("names", lines, made_from=link)


def naming(session: Session, link: Opens) -> Level:
    """The names that are known here, and the way to a new one."""
    draft, at = link.draft, link.side
    own = (draft.names if draft else session.names)[at : at + 1]
    chosen = own[0] if own else ""

    def line(key: str, name: str) -> Line:
        act = house_rules_menu.named(session, at, name, draft)
        return Line(key, act, text=name, marked=name == chosen)

    known = tuple(line("known", name) for name in session.box.known_names[:MOST_NAMES])
    sides = (draft.rules if draft else session.rules).scoring_sides
    letters = Line("letters", Spelling("letters", sides[at], draft=draft))
    lines = (*known, letters, line("no_name", ""))
    at_first = next((at for at, each in enumerate(lines) if each.marked and each.text), 0)
    return Choosing("naming", lines, at_first, made_from=link)


def light_and_sound(session: Session, link: Opens) -> Level:
    """How bright, how long, and whether it may be heard."""
    lines = tuple(entry(session, each.key) for each in LIGHT_AND_SOUND)
    return Choosing("light", lines, made_from=link)


def values(session: Session, link: Opens) -> Level:
    """The values of one knob."""
    turned = knob(link.key, session.box)
    chosen = current(turned.key, session.box, session.settings)
    lines = tuple(_value(turned, each, chosen) for each in turned.values)
    at = next((at for at, line in enumerate(lines) if line.marked), 0)
    return Choosing(turned.key, lines, at, made_from=link)


def entry(session: Session, key: str) -> Line:
    """The line that opens a knob, with the value that counts now."""
    value, figure = words_of(key, current(key, session.box, session.settings))
    return Line(key, Opens("values", key), value=value, figure=figure)


def _value(setting: Knob, value: Value, chosen: Value) -> Line:
    key, figure = words_of(setting.key, value)
    choices = () if value == chosen else (Choice(setting.path, value),)
    act = Act(Doing.CHOOSE, choices=choices)
    return Line(key or "value", act, text=figure, marked=value == chosen)
