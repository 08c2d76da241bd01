"""The entries of the root level of set-up, as a table of functions that make them.

An entry keeps its place: what is impossible now is refused with its reason. Only what the rules or
the box never have is left out. A new entry is one more function in the table.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from scorer.rules import (
    Action,
    Game,
    HandKind,
    Refusal,
    Step,
    attempt,
)
from scorer.rules.engine import play_steps
from scorer.session.setup import (
    copies_menu,
    corrections_menu,
    hall_menu,
    house_rules_menu,
    name_entry,
    owner_menu,
    preferences_menu,
    reset_menu,
)
from scorer.session.setup.effects import (
    BeginNight,
    GoBack,
    Leave,
    Lock,
    RecordSteps,
    Redeal,
    Redo,
    StartHere,
    StartTask,
)
from scorer.session.setup.levels import (
    Link,
    ListLevel,
    MenuEntries,
    MenuEntry,
    Open,
    refusable,
)
from scorer.session.values.effects import Task
from scorer.session.values.game_queries import NEW_HAND, current_hand, opening_steps
from scorer.session.values.keys import LineKey, NoticeKey, PlainKey, SetupKey
from scorer.session.values.setup_view import MenuLine
from scorer.session.values.state import Session, SetupLevel

_OTHER_KIND: Final = {
    HandKind.REDONDA: (Action.PICA, SetupKey.PICA),
    HandKind.PICA: (Action.REDONDA, SetupKey.REDONDA),
}
_SETTINGS: Final = (SetupKey.LANGUAGE, SetupKey.LAYOUT)  # shown with their values


class RootLevel(ListLevel):
    """The root level: a choice updates the values in its lines and moves no entry."""

    def refreshed(self, session: Session) -> ListLevel:
        shown = (
            *(preferences_menu.setting_entry(session, key) for key in _SETTINGS),
            *house_rules_menu.flor_entries(session),
            *house_rules_menu.target_entries(session),
        )
        by_key = {entry.line.key: entry for entry in shown}
        entries = tuple(by_key.get(entry.line.key, entry) for entry in self.entries)
        return self._replace(entries=entries)


def root_level(session: Session, key: LineKey | None = None) -> ListLevel:
    """The root level; ``key`` is selected, or what is probably wanted now.

    In a game with a score that is a correction; at other times, the target of the game. While a
    call waits for QUIERO it is the target too, so that a stray QUIERO corrects nothing.
    """
    entries = tuple(entry for make in ENTRIES for entry in make(session))
    keys = [entry.line.key for entry in entries]
    target = keys.index(house_rules_menu.TARGET)
    corrects = house_rules_menu.is_under_way(session) and not session.is_asked
    if key is not None and key in keys:
        at = keys.index(key)
    elif not corrects:
        at = target
    else:
        # The first of the lines that change points; of three single sides, the middle.
        count = len(session.rules.scoring_sides)
        at = target + (1 if count == 2 else count)
    return RootLevel(SetupKey.SETUP, entries, at, takes_choices=True)


def _go_on(session: Session) -> MenuEntries:
    return (MenuEntry(MenuLine(SetupKey.GO_ON), Leave()),)


def _redo(session: Session) -> MenuEntries:
    effect = Redo(lambda session: root_level(session, SetupKey.REDO))
    return (MenuEntry(MenuLine(SetupKey.REDO), effect),)


def _points(session: Session) -> MenuEntries:
    """The points before each press, newest first, described by the press before."""
    past = session.record.past
    starts = [at for at in range(1, len(past)) if past[at].press != past[at - 1].press]
    points = (*reversed(starts), 0) if past else ()
    entries = tuple(
        MenuEntry(MenuLine(PlainKey.POINT, number=kept), GoBack(kept)) for kept in points
    )
    effect = Open(ListLevel(SetupKey.BACK, entries)) if entries else None
    return (refusable(MenuLine(SetupKey.BACK), effect, Refusal.NOTHING_TO_UNDO),)


def _new_game(session: Session) -> MenuEntries:
    return _unlocked(session, SetupKey.NEW_GAME, house_rules_menu.new_game_level)


def _house(session: Session) -> MenuEntries:
    card = MenuEntry(MenuLine(SetupKey.CARD), Link(house_rules_menu.card_level))
    return (*_unlocked(session, SetupKey.HOUSE, house_rules_menu.house_rules_level), card)


def _names(session: Session) -> MenuEntries:
    return _unlocked(session, SetupKey.NAMES, name_entry.names_level)


def _unlocked(
    session: Session, key: SetupKey, make: Callable[[Session, Link], SetupLevel]
) -> MenuEntries:
    """The entry of a level that a locked match closes."""
    link = None if session.is_match_locked else Link(make)
    return (refusable(MenuLine(key), link, NoticeKey.MATCH_LOCKED),)


def _box(session: Session) -> MenuEntries:
    language, layout = (preferences_menu.setting_entry(session, key) for key in _SETTINGS)
    light = MenuEntry(MenuLine(SetupKey.LIGHT), Link(preferences_menu.light_and_sound_level))
    return language, light, layout


def _night(session: Session) -> MenuEntries:
    return (MenuEntry(MenuLine(SetupKey.CLEAR_NIGHT), BeginNight()),)


def _slip(session: Session) -> MenuEntries:
    has_printer = session.settings.has_printer
    return (MenuEntry(MenuLine(SetupKey.SLIP), StartTask(Task.SLIP)),) if has_printer else ()


def _backup(session: Session) -> MenuEntries:
    return _of_machine(session, SetupKey.BACKUP, Task.BACKUP)


def _selftest(session: Session) -> MenuEntries:
    return (MenuEntry(MenuLine(SetupKey.SELFTEST), StartHere(Task.SELFTEST)),)


def _redeal(session: Session) -> MenuEntries:
    game = session.game
    dealt = isinstance(attempt(game, NEW_HAND), Game)
    possible = (
        game.winner is None and not game.hand.over and (session.record.steps_in_hand or dealt)
    )
    return (refusable(MenuLine(SetupKey.REDEAL), Redeal() if possible else None),)


def _kind(session: Session) -> MenuEntries:
    """The entry that makes a hand without entries a pica or a redonda, at request."""
    kind = current_hand(session.game).hand.kind
    if kind not in _OTHER_KIND:
        return ()
    action, key = _OTHER_KIND[kind]
    steps = (*opening_steps(session.game), Step(None, action))
    possible = play_steps(session.game, steps) is not None
    return (refusable(MenuLine(key), RecordSteps(steps) if possible else None),)


def _concede(session: Session) -> MenuEntries:
    sides = enumerate(session.rules.scoring_sides)
    entries = tuple(
        MenuEntry(MenuLine(SetupKey.CONCEDE, at), RecordSteps((Step(side, Action.CONCEDE),)))
        for at, side in sides
    )
    effect = Open(ListLevel(SetupKey.END, entries)) if session.game.winner is None else None
    return (refusable(MenuLine(SetupKey.END), effect, Refusal.GAME_OVER),)


def _time(session: Session) -> MenuEntries:
    step = Step(None, Action.TIME)
    tied = attempt(session.game, step) is Refusal.TIED
    effect = None if tied else RecordSteps((step,))
    return (refusable(MenuLine(SetupKey.TIME), effect, NoticeKey.TIME_TIED),)


def _lock(session: Session) -> MenuEntries:
    return (MenuEntry(MenuLine(SetupKey.LOCK), Lock()),)


def _switch_off(session: Session) -> MenuEntries:
    return _of_machine(session, SetupKey.SWITCH_OFF, Task.SWITCH_OFF)


def _of_machine(session: Session, key: SetupKey, task: Task) -> MenuEntries:
    return (MenuEntry(MenuLine(key), StartTask(task)),) if session.box.has_machine else ()


ENTRIES: Final[tuple[Callable[[Session], MenuEntries], ...]] = (
    house_rules_menu.flor_entries,
    house_rules_menu.target_entries,
    corrections_menu.point_entries,
    corrections_menu.mano_entries,
    corrections_menu.scores_entries,
    _redo,
    _points,
    corrections_menu.fouls_entries,
    _redeal,
    _kind,
    _time,
    _new_game,
    _concede,
    _house,
    _names,
    _box,
    owner_menu.root_entries,
    _night,
    _slip,
    _backup,
    copies_menu.root_entries,
    reset_menu.root_entries,
    _selftest,
    _go_on,
    _lock,
    _switch_off,
    hall_menu.root_entries,  # the last one is one press from the first
)
