"""Levels of set-up: their stack, lists, and the agreement of all teams.

Set-up is a stack of levels (``Setup.levels``); the last one is on the panels. TANTOS of A and B
*adjust* it, QUIERO *enters* it, NO QUIERO goes one level back, and UNDO closes set-up. A level is
an immutable object that does this for itself: ``adjust`` returns it moved, ``enter`` returns the
reaction to QUIERO, ``view`` describes it for the panels. Nothing outside asks which level it is, so
a new kind of level is one more class in the module of its menu.

Most levels are lists. An *entry* of a list has a *line*, which is what panels draw, and an
*effect*, which is what QUIERO does on it: open a level, choose a value, record steps, start a task
of the table. An effect is an object too (``effects``); ``run`` returns its reaction. Nothing is
stored here: a reaction carries its steps, choices and effects to the table, which stores them and
then adopts the session, so a power cut leaves either all of a press or nothing.

An entry keeps its place: an effect that is impossible now becomes ``Refuse`` with its reason, and
only what the rules or the box never have is left out.

**Choices.** A list of values is opened by a ``Link``, which makes it from the current choices. The
list keeps that link, so that it is made again whenever it is drawn or entered, and its lines show
what has been chosen since. Choosing returns to the nearest list below that ``takes_choices``. A
value for the next game changes a *draft* instead, which travels from link to link and replaces
nothing until its game is started.

**Agreement.** Some effects concern every team: to go back, to leave a game, to change its winner or
the buttons. Their entry opens an ``AgreementLevel`` in place of running the effect. It counts one
QUIERO per console, for all sides that share it, and runs the effect with the last one; NO QUIERO of
any console returns to the list. The time for it is that of the level, not of each QUIERO. A
correction of a hand (``last_hands_menu``) asks only the sides that it takes points from.

**First run.** A new box shows its questions (``first_run``) as a stack of one level: entering an
answer shows the next question in its place, NO QUIERO skips it, and after the last one the drafted
game starts. All other buttons show how to go on.

Set-up is transient: it is not journalled, and it closes at ``Setup.until``.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Final

from scorer.plain_values.value import Value
from scorer.rules import Side
from scorer.session.input.keymap import sides_of
from scorer.session.play.next_game import missing_notice
from scorer.session.play.reactions import accept_press, refuse
from scorer.session.values import seating
from scorer.session.values.game_draft import Draft
from scorer.session.values.game_queries import current_hand
from scorer.session.values.keys import LineKey, NoticeKey, SetupKey
from scorer.session.values.press import ButtonPress
from scorer.session.values.setup_view import AgreementView, ListView, MenuLine, SetupView
from scorer.session.values.shown import Notice
from scorer.session.values.state import Reaction, Session, Setup, SetupLevel, Sound, Verdict

FIRST_RUN_TIMEOUT_S: Final = 300.0  # seconds until a question of the first run times out
_LINES_AROUND: Final = 6  # lines of a list on either side of the selected one; a panel shows fewer


def levels_of(session: Session) -> tuple[SetupLevel, ...]:
    """The stack of the open set-up."""
    assert session.setup is not None
    return session.setup.levels


def close_time(session: Session) -> float:
    """When set-up closes without a press."""
    asks_first = session.setup is not None and session.setup.is_first_run
    return session.now + (FIRST_RUN_TIMEOUT_S if asks_first else session.settings.setup_s)


def with_levels(session: Session, levels: tuple[SetupLevel, ...]) -> Session:
    """The session with this stack of levels."""
    asks_first = session.setup is not None and session.setup.is_first_run
    return session._replace(setup=Setup(levels, close_time(session), asks_first))


def show_levels(session: Session, press: ButtonPress, levels: tuple[SetupLevel, ...]) -> Reaction:
    """Accepts ``press`` and shows this stack of levels."""
    session = with_levels(accept_press(session, press), levels)
    return Reaction(session, Verdict.ACCEPTED, Sound.KEY)


def replace_level(session: Session, press: ButtonPress, level: SetupLevel) -> Reaction:
    """Shows ``level`` in place of the current one."""
    return show_levels(session, press, (*levels_of(session)[:-1], level))


def open_level(session: Session, press: ButtonPress, level: SetupLevel) -> Reaction:
    """Shows ``level`` above the current one."""
    return show_levels(session, press, (*levels_of(session), level))


def leave_level(session: Session, press: ButtonPress) -> Reaction:
    """Shows the level below the current one."""
    return show_levels(session, press, levels_of(session)[:-1])


def close(session: Session, press: ButtonPress) -> Reaction:
    """Closes set-up."""
    session = accept_press(session, press)._replace(setup=None)
    return Reaction(session, Verdict.ACCEPTED, Sound.KEY)


class Effect(Value):
    """What QUIERO does on an entry."""

    def run(self, session: Session, press: ButtonPress) -> Reaction:
        """The reaction to QUIERO."""
        raise NotImplementedError

    def needs_every_team(self, session: Session) -> bool:
        """True if every team must confirm: to go back, leave a game or change its winner."""
        return False


class Refuse(Effect):
    """An effect that is impossible now; the notice says why."""

    key: StrEnum = NoticeKey.NOT_NOW

    def run(self, session: Session, press: ButtonPress) -> Reaction:
        return refuse(session, Notice(self.key, urgent=True))


class RefuseWith(Effect):
    """An effect that is impossible now, for a reason with a side or a number."""

    notice: Notice

    def run(self, session: Session, press: ButtonPress) -> Reaction:
        return refuse(session, self.notice)


class Open(Effect):
    """Opens a level."""

    level: SetupLevel

    def run(self, session: Session, press: ButtonPress) -> Reaction:
        return open_level(session, press, self.level)


class Link(Effect):
    """Opens a level that ``make`` makes from the current choices."""

    make: Callable[[Session, Link], SetupLevel]
    key: str = ""  # of the value chosen in it
    side: int = 0
    draft: Draft | None = None

    def run(self, session: Session, press: ButtonPress) -> Reaction:
        return open_level(session, press, self.make(session, self))


class MenuEntry(Value):
    """One entry of a list: the line that is drawn, and the effect of QUIERO."""

    line: MenuLine
    effect: Effect


MenuEntries = tuple[MenuEntry, ...]


def follow(session: Session, press: ButtonPress, entry: MenuEntry) -> Reaction:
    """Runs the effect of ``entry``, once every team has agreed if it must."""
    if not entry.effect.needs_every_team(session):
        return entry.effect.run(session, press)
    above = levels_of(session)[-1].title
    title = entry.line.key if above is SetupKey.SETUP else above
    return open_level(session, press, AgreementLevel(title, entry))


class ListLevel(SetupLevel):
    """A list, never empty."""

    entries: MenuEntries
    at: int = 0
    made_from: Link | None = None  # to make it again after a choice
    takes_choices: bool = False  # a choice in a level above returns to this list

    @property
    def lines(self) -> tuple[MenuLine, ...]:
        """The lines of all entries."""
        return tuple(entry.line for entry in self.entries)

    @property
    def draft(self) -> Draft | None:
        return None if self.made_from is None else self.made_from.draft

    def adjust(self, down: int) -> SetupLevel:
        return self._replace(at=(self.at + down) % len(self.entries))

    def refreshed(self, session: Session) -> ListLevel:
        if self.made_from is None:
            return self
        made = self.made_from.make(session, self.made_from)
        assert isinstance(made, ListLevel)
        return made._replace(at=min(self.at, len(made.entries) - 1))

    def after_choice(self, session: Session, draft: Draft | None) -> ListLevel | None:
        if not self.takes_choices or draft is None or self.made_from is None:
            return self if self.takes_choices else None
        made_from = self.made_from._replace(draft=draft)
        return self._replace(made_from=made_from).refreshed(session)

    def enter(self, session: Session, press: ButtonPress) -> Reaction:
        level = self.refreshed(session)
        return follow(session, press, level.entries[level.at])

    def view(self, session: Session) -> SetupView:
        level = self.refreshed(session)
        lines, at = level.lines, level.at
        first, end = max(0, at - _LINES_AROUND), min(len(lines), at + _LINES_AROUND + 1)
        shown = ListView(lines[first:end], at - first, first, len(lines) - end)
        return SetupView(self.title, shown)


def marked_list(title: LineKey, entries: MenuEntries, link: Link) -> ListLevel:
    """The list of values that ``link`` opens, at the current choice."""
    at = next((at for at, entry in enumerate(entries) if entry.line.marked), 0)
    return ListLevel(title, entries, at, made_from=link)


def refusable(
    line: MenuLine, effect: Effect | None, why_not: StrEnum = NoticeKey.NOT_NOW
) -> MenuEntry:
    """The entry ``line``; without ``effect`` it is refused with ``why_not``."""
    return MenuEntry(line, effect or Refuse(why_not))


class AgreementLevel(SetupLevel):
    """An entry that takes effect once every console in use has confirmed."""

    entry: MenuEntry
    confirmed: tuple[Side, ...] = ()
    of: tuple[Side, ...] = ()  # the sides that are asked; empty for all

    def enter(self, session: Session, press: ButtonPress) -> Reaction:
        """Counts one yes per console, also for all sides that share it."""
        sides = sides_of(press.gesture.button, session.rules, session.settings.consoles.count)
        missing = self.missing(session)
        if not set(sides).intersection(missing):
            others = (side for side in session.rules.speaking_sides if side not in missing)
            return refuse(session, missing_notice(session, tuple(others), urgent=True))
        confirmed = (*self.confirmed, *sides)
        if set(missing) <= set(sides):
            return self.entry.effect.run(session, press)
        shown = replace_level(session, press, self._replace(confirmed=confirmed))
        # Thirty seconds in total, not for each.
        assert session.setup is not None
        until = session.setup.until if self.confirmed else close_time(session)
        kept = shown.session._replace(setup=Setup(levels_of(shown.session), until))
        return shown._replace(session=kept, sound=Sound.ACCEPT)

    def missing(self, session: Session) -> tuple[Side, ...]:
        """The speaking sides that have yet to confirm."""
        asked = self.of or session.rules.speaking_sides
        return tuple(side for side in asked if side not in self.confirmed)

    def view(self, session: Session) -> SetupView:
        # Once a hand is over, the consoles belong to the sides of the next one.
        now = current_hand(session.game)
        missing = tuple(seating.view_index(now, side) for side in self.missing(session))
        return SetupView(self.title, AgreementView(self.entry.line, missing))
