"""MenuEntry of team names: a list of known names, and spelling letter by letter."""

from __future__ import annotations

from typing import Final

from scorer.rules import Side
from scorer.session.setup.effects import ChangeDraft, Choose
from scorer.session.setup.levels import (
    Effect,
    Link,
    ListLevel,
    MenuEntry,
    Open,
    replace_level,
)
from scorer.session.values.box_settings import NAMES, Choice
from scorer.session.values.game_draft import Draft
from scorer.session.values.keys import LineKey, PlainKey, SetupKey
from scorer.session.values.press import ButtonPress
from scorer.session.values.setup_view import MenuLine, SetupView
from scorer.session.values.state import Reaction, Session, SetupLevel

MAX_LETTERS: Final = 12  # letters of a name
MAX_NAMES: Final = 20  # of a list; older ones must be spelled again


ERASE, DONE, SPACE = "erase", "done", "space"
# The common commands are one or two turns up from the first letter.
LETTERS: Final = "ABCDEFGHIJKLMNÑOPQRSTUVWXYZÁÉÍÓÚÇÃÕÂÊÔ0123456789"
RING: Final[tuple[str, ...]] = (*LETTERS, SPACE, ERASE, DONE)


class NameLevel(SetupLevel):
    """A partly spelled name and the position of the ring of letters."""

    side: Side
    at: int = 0
    text: str = ""
    draft: Draft | None = None

    def adjust(self, down: int) -> SetupLevel:
        return self._replace(at=(self.at + down) % len(RING))

    def without_last(self) -> SetupLevel | None:
        return self._replace(text=self.text[:-1]) if self.text else None

    def enter(self, session: Session, press: ButtonPress) -> Reaction:
        """Appends the selected letter; a full name is unchanged."""
        letter = RING[self.at]
        if letter == DONE:
            at = self._sides(session).index(self.side)
            return name_effect(session, at, self.text, self.draft).run(session, press)
        if letter == ERASE:
            return replace_level(session, press, self.without_last() or self)
        text = capitalize_words(self.text + (" " if letter == SPACE else letter))
        return replace_level(session, press, self._replace(text=text[:MAX_LETTERS]))

    def view(self, session: Session) -> SetupView:
        letters = tuple(RING[(self.at + step) % len(RING)] for step in range(-2, 3))
        at = self._sides(session).index(self.side)
        return SetupView(self.title, side=at, letters=letters, text=self.text)

    def _sides(self, session: Session) -> tuple[Side, ...]:
        return (self.draft.rules if self.draft else session.rules).scoring_sides


def names_level(session: Session, link: Link) -> SetupLevel:
    """Each side with its name, then the known pairs of names."""
    count = len(session.rules.scoring_sides)
    sides = (
        MenuEntry(MenuLine(PlainKey.NAME, at), Link(name_choice_level, side=at))
        for at in range(count)
    )
    pairs = [names for names in session.box.known_pairs if len(names) == count]
    known = (_pair_entry(names) for names in pairs[:MAX_NAMES] if names != session.names)
    entries = (*sides, *known)
    return ListLevel(SetupKey.NAMES, entries, made_from=link, takes_choices=True)


def _pair_entry(names: tuple[str, ...]) -> MenuEntry:
    line = MenuLine(PlainKey.KNOWN, text=" · ".join(names))
    return MenuEntry(line, Choose((Choice(NAMES, names),)))


def name_choice_level(session: Session, link: Link) -> SetupLevel:
    """The known names, and the entry for a new one."""
    draft, at = link.draft, link.side
    own = (draft.names if draft else session.names)[at : at + 1]
    chosen = own[0] if own else ""

    def entry(key: LineKey, name: str) -> MenuEntry:
        line = MenuLine(key, text=name, marked=name == chosen)
        return MenuEntry(line, name_effect(session, at, name, draft))

    known = tuple(entry(PlainKey.KNOWN, name) for name in session.box.known_names[:MAX_NAMES])
    sides = (draft.rules if draft else session.rules).scoring_sides
    spelling = NameLevel(SetupKey.LETTERS, sides[at], draft=draft)
    letters = MenuEntry(MenuLine(SetupKey.LETTERS), Open(spelling))
    entries = (*known, letters, entry(SetupKey.NO_NAME, ""))
    lines = [each.line for each in known]
    at_first = next((at for at, line in enumerate(lines) if line.marked and line.text), 0)
    return ListLevel(SetupKey.NAMING, entries, at_first, made_from=link)


def name_effect(session: Session, at: int, name: str, draft: Draft | None) -> Effect:
    """The effect that gives ``name`` to side ``at``."""
    count = len(draft.names) if draft else len(session.rules.scoring_sides)
    names = list(draft.names if draft else (*session.names, *("",) * count)[:count])
    names[at] = name.strip()
    if draft is not None:
        return ChangeDraft(draft._replace(names=tuple(names)))
    return Choose((Choice(NAMES, tuple(names)),))


def capitalize_words(text: str) -> str:
    """ "LOS PIBES" -> "Los Pibes"."""
    words = text.lstrip().split(" ")
    return " ".join(word[:1].upper() + word[1:].lower() for word in words)
