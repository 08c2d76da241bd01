"""MenuEntry of team names: usual and known names, and spelling by letters."""

from __future__ import annotations

from typing import Final

from scorer.plain_values.names import are_different, is_visible
from scorer.rules import Side
from scorer.rules.seating import TWO
from scorer.session.setup.effects import ChangeDraft, Choose
from scorer.session.setup.levels import (
    Effect,
    Link,
    ListLevel,
    MenuEntry,
    Open,
    Refuse,
    replace_level,
)
from scorer.session.values.box_settings import NAMES, Choice
from scorer.session.values.game_draft import Draft
from scorer.session.values.keys import LineKey, NoticeKey, PlainKey, SetupKey
from scorer.session.values.press import ButtonPress
from scorer.session.values.setup_view import MenuLine, SetupView, SpellingView
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
            if not is_visible(self.text):
                return Refuse(NoticeKey.NAME_BLANK).run(session, press)
            at = self._sides(session).index(self.side)
            return name_effect(session, at, self.text, self.draft).run(session, press)
        if letter == ERASE:
            return replace_level(session, press, self.without_last() or self)
        text = capitalize_words(self.text + (" " if letter == SPACE else letter))
        return replace_level(session, press, self._replace(text=text[:MAX_LETTERS]))

    def view(self, session: Session) -> SetupView:
        letters = tuple(RING[(self.at + step) % len(RING)] for step in range(-2, 3))
        at = self._sides(session).index(self.side)
        return SetupView(self.title, SpellingView(at, self.text, letters))

    def _sides(self, session: Session) -> tuple[Side, ...]:
        return (self.draft.rules if self.draft else session.rules).scoring_sides


def names_level(session: Session, link: Link) -> SetupLevel:
    """Each side with its name, then usual and known names for all sides."""
    count = len(session.rules.scoring_sides)
    sides = (
        MenuEntry(MenuLine(PlainKey.NAME, at), Link(name_choice_level, side=at))
        for at in range(count)
    )
    box = session.box
    unnamed = _names_entry(session, MenuLine(SetupKey.NO_NAMES), ("",) * count)
    pairs = [names for names in (*box.usual_pairs, *box.known_pairs) if len(names) == count]
    known = (
        _names_entry(session, MenuLine(PlainKey.KNOWN, text=" · ".join(names)), names)
        for names in tuple(dict.fromkeys(pairs))[:MAX_NAMES]
    )
    entries = (*sides, *((unnamed,) if count == len(TWO) else ()), *known)
    return ListLevel(SetupKey.NAMES, entries, made_from=link, takes_choices=True)


def _names_entry(session: Session, line: MenuLine, names: tuple[str, ...]) -> MenuEntry:
    """The entry that names all sides."""
    marked = names == (*session.names, *("",) * len(names))[: len(names)]
    return MenuEntry(line._replace(marked=marked), Choose((Choice(NAMES, names),)))


def name_choice_level(session: Session, link: Link) -> SetupLevel:
    """The known and the usual names, and the entry for a new one."""
    draft, at, box = link.draft, link.side, session.box
    own = (draft.names if draft else session.names)[at : at + 1]
    chosen = own[0] if own else ""
    sides = (draft.rules if draft else session.rules).scoring_sides

    def entry(key: LineKey, name: str) -> MenuEntry:
        line = MenuLine(key, text=name, marked=name == chosen)
        return MenuEntry(line, name_effect(session, at, name, draft))

    usual = (*sum(box.usual_pairs, ()), *box.colours) if len(sides) == len(TWO) else ()
    names = dict.fromkeys((*box.known_names[:MAX_NAMES], *usual))
    listed = tuple(entry(PlainKey.KNOWN, name) for name in names)
    spelling = NameLevel(SetupKey.LETTERS, sides[at], draft=draft)
    letters = MenuEntry(MenuLine(SetupKey.LETTERS), Open(spelling))
    entries = (*listed, letters, entry(SetupKey.NO_NAME, ""))
    lines = [each.line for each in listed]
    at_first = next((at for at, line in enumerate(lines) if line.marked and line.text), 0)
    return ListLevel(SetupKey.NAMING, entries, at_first, made_from=link)


def name_effect(session: Session, at: int, name: str, draft: Draft | None) -> Effect:
    """The effect that gives ``name``, or "" for none, to side ``at``.

    It is a refusal if another side has that name.
    """
    count = len(draft.names) if draft else len(session.rules.scoring_sides)
    names = list(draft.names if draft else (*session.names, *("",) * count)[:count])
    names[at] = name.strip()
    if names[at] and not are_different(names):
        return Refuse(NoticeKey.NAME_TWICE)
    if draft is not None:
        return ChangeDraft(draft._replace(names=tuple(names)))
    return Choose((Choice(NAMES, tuple(names)),))


def capitalize_words(text: str) -> str:
    """ "LOS PIBES" -> "Los Pibes"."""
    words = text.lstrip().split(" ")
    return " ".join(word[:1].upper() + word[1:].lower() for word in words)
