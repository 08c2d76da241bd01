"""The names of the sides: those known here, and a new one letter by letter."""

from __future__ import annotations

from typing import Final

from scorer.session.box_settings import NAMES, Choice
from scorer.session.setup.game_draft import Draft
from scorer.session.setup.levels import (
    ERASE,
    RING,
    SPACE,
    Level,
    ListLevel,
    MenuLine,
    NameLevel,
    SetupAction,
    SetupCommand,
    SubmenuLink,
)
from scorer.session.state import Session

MAX_LETTERS: Final = 12  # letters of a name
MAX_NAMES: Final = 20  # of a list; older ones are spelled again


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
        act = name_command(session, at, name, draft)
        return MenuLine(key, act, text=name, marked=name == chosen)

    known = tuple(line("known", name) for name in session.box.known_names[:MAX_NAMES])
    sides = (draft.rules if draft else session.rules).scoring_sides
    letters = MenuLine("letters", NameLevel("letters", sides[at], draft=draft))
    lines = (*known, letters, line("no_name", ""))
    at_first = next((at for at, each in enumerate(lines) if each.marked and each.text), 0)
    return ListLevel("naming", lines, at_first, made_from=link)


def name_command(session: Session, at: int, name: str, draft: Draft | None) -> SetupCommand:
    """What giving ``name`` to side ``at`` does."""
    count = len(draft.names) if draft else len(session.rules.scoring_sides)
    names = list(draft.names if draft else (*session.names, *("",) * count)[:count])
    names[at] = name.strip()
    if draft is not None:
        return SetupCommand(SetupAction.DRAFT, draft=draft._replace(names=tuple(names)))
    return SetupCommand(SetupAction.CHOOSE, choices=(Choice(NAMES, tuple(names)),))


def turn(level: NameLevel, down: int) -> NameLevel:
    """The ring turned by one letter."""
    return level._replace(at=(level.at + down) % len(RING))


def take_letter(level: NameLevel) -> NameLevel:
    """With the letter that the ring stands at; a name that is full takes no more.

    The ring goes home then: every letter is as far as it looks, and "done" is one turn up.
    """
    if level.selected == ERASE:
        return erase_letter(level)
    letter = " " if level.selected == SPACE else level.selected
    return level._replace(text=capitalize_words(level.text + letter)[:MAX_LETTERS], at=0)


def erase_letter(level: NameLevel) -> NameLevel:
    """Without its last letter."""
    return level._replace(text=level.text[:-1])


def capitalize_words(text: str) -> str:
    """ "LOS PIBES" as it is written: "Los Pibes"."""
    words = text.lstrip().split(" ")
    return " ".join(word[:1].upper() + word[1:].lower() for word in words)
