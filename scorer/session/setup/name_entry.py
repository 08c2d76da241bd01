"""Entry of team names: a list of known names, and spelling letter by letter."""

from __future__ import annotations

from typing import Final

from scorer.session.values.box_settings import NAMES, Choice
from scorer.session.values.game_draft import Draft
from scorer.session.values.levels import (
    ERASE,
    RING,
    SPACE,
    Level,
    LineKey,
    ListLevel,
    MenuLine,
    NameLevel,
    PlainKey,
    SetupAction,
    SetupCommand,
    SetupKey,
    SubmenuLink,
)
from scorer.session.values.state import Session

MAX_LETTERS: Final = 12  # letters of a name
MAX_NAMES: Final = 20  # of a list; older ones must be spelled again


def names_level(session: Session, link: SubmenuLink) -> Level:
    """Each side with its name, then the known pairs of names."""
    count = len(session.rules.scoring_sides)
    lines = (
        MenuLine(PlainKey.NAME, SubmenuLink(SetupKey.NAMING, side=at), at) for at in range(count)
    )
    pairs = [names for names in session.box.known_pairs if len(names) == count]
    known = (_pair_line(names) for names in pairs[:MAX_NAMES] if names != session.names)
    return ListLevel(SetupKey.NAMES, (*lines, *known), made_from=link)


def _pair_line(names: tuple[str, ...]) -> MenuLine:
    command = SetupCommand(SetupAction.CHOOSE, choices=(Choice(NAMES, names),))
    return MenuLine(PlainKey.KNOWN, command, text=" · ".join(names))


def name_choice_level(session: Session, link: SubmenuLink) -> Level:
    """The known names, and the entry for a new one."""
    draft, at = link.draft, link.side
    own = (draft.names if draft else session.names)[at : at + 1]
    chosen = own[0] if own else ""

    def line(key: LineKey, name: str) -> MenuLine:
        act = name_command(session, at, name, draft)
        return MenuLine(key, act, text=name, marked=name == chosen)

    known = tuple(line(PlainKey.KNOWN, name) for name in session.box.known_names[:MAX_NAMES])
    sides = (draft.rules if draft else session.rules).scoring_sides
    letters = MenuLine(SetupKey.LETTERS, NameLevel(SetupKey.LETTERS, sides[at], draft=draft))
    lines = (*known, letters, line(SetupKey.NO_NAME, ""))
    at_first = next((at for at, each in enumerate(lines) if each.marked and each.text), 0)
    return ListLevel(SetupKey.NAMING, lines, at_first, made_from=link)


def name_command(session: Session, at: int, name: str, draft: Draft | None) -> SetupCommand:
    """The command that gives ``name`` to side ``at``."""
    count = len(draft.names) if draft else len(session.rules.scoring_sides)
    names = list(draft.names if draft else (*session.names, *("",) * count)[:count])
    names[at] = name.strip()
    if draft is not None:
        return SetupCommand(SetupAction.DRAFT, draft=draft._replace(names=tuple(names)))
    return SetupCommand(SetupAction.CHOOSE, choices=(Choice(NAMES, tuple(names)),))


def turn(level: NameLevel, down: int) -> NameLevel:
    """The level with the ring turned by one letter."""
    return level._replace(at=(level.at + down) % len(RING))


def take_letter(level: NameLevel) -> NameLevel:
    """The level with the selected letter appended; a full name is unchanged."""
    if level.selected == ERASE:
        return erase_letter(level)
    letter = " " if level.selected == SPACE else level.selected
    return level._replace(text=capitalize_words(level.text + letter)[:MAX_LETTERS])


def erase_letter(level: NameLevel) -> NameLevel:
    """The level without the last letter of the name."""
    return level._replace(text=level.text[:-1])


def capitalize_words(text: str) -> str:
    """ "LOS PIBES" -> "Los Pibes"."""
    words = text.lstrip().split(" ")
    return " ".join(word[:1].upper() + word[1:].lower() for word in words)
