"""The entries of set-up, as a table of functions that make their current levels.

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
    Phase,
    Refusal,
    Step,
    attempt,
)
from scorer.rules.engine import play_steps
from scorer.session.setup import (
    corrections_menu,
    first_run,
    hall_menu,
    house_rules_menu,
    name_entry,
    pairing_menu,
    preferences_menu,
)
from scorer.session.values.game_queries import (
    CONFIRMED_IN_MATCH,
    NEW_HAND,
    current_hand,
    opening_steps,
)
from scorer.session.values.levels import (
    Level,
    LineKey,
    ListLevel,
    MenuLine,
    MenuLines,
    NameLevel,
    NoticeKey,
    NumberLevel,
    PlainKey,
    PointsLevel,
    ScoresLevel,
    SetupAction,
    SetupCommand,
    SetupKey,
    SubmenuLink,
    refusable_line,
)
from scorer.session.values.state import Session

_OTHER_KIND: Final = {
    HandKind.REDONDA: (Action.PICA, SetupKey.PICA),
    HandKind.PICA: (Action.REDONDA, SetupKey.REDONDA),
}


def root_level(session: Session, key: LineKey | None = None) -> ListLevel:
    """The root level; the line ``key`` is selected if it is offered."""
    lines = tuple(line for entry in ENTRIES for line in entry(session))
    at = next((at for at, line in enumerate(lines) if line.key == key), 0)
    return ListLevel(SetupKey.SETUP, lines, at)


def make_level(session: Session, link: SubmenuLink) -> Level:
    """The level that ``link`` opens, made from the current choices."""
    return _LEVELS[link.title](session, link)


def refresh_level(session: Session, level: Level) -> Level:
    """The same list, updated with the choices made since."""
    if not isinstance(level, ListLevel):
        return level
    if level.made_from is None:
        return refresh_root(session, level) if level.title is SetupKey.SETUP else level
    made = make_level(session, level.made_from)
    assert isinstance(made, ListLevel)
    return made._replace(at=min(level.at, len(made.lines) - 1))


def refresh_root(session: Session, level: ListLevel) -> ListLevel:
    """The root level with updated values; its other lines are unchanged."""
    knobs: dict[LineKey, MenuLine] = {
        key: preferences_menu.setting_line(session, key) for key in _ROOT_SETTINGS
    }
    return level._replace(lines=tuple(knobs.get(line.key, line) for line in level.lines))


def needs_every_team(session: Session, command: SetupCommand) -> bool:
    """True if every team must confirm: to go back, leave a game or change its winner."""
    match command.action:
        case SetupAction.BACK | SetupAction.CLEAR_NIGHT:
            return True
        case SetupAction.WISH:
            return hall_menu.leaves_hall(command)
        case SetupAction.RECORD if session.is_match_locked and _is_confirmed_in_match(command):
            return True
        case SetupAction.CHOOSE:
            # The meaning of the buttons changes for all players.
            return preferences_menu.changes_buttons(command.choices)
        case SetupAction.PLAY:
            return session.phase is not Phase.MATCH_OVER
        case SetupAction.RECORD:
            after = play_steps(session.game, command.steps)
            return after is not None and after.winner is not session.game.winner
        case _:
            return False


def _is_confirmed_in_match(command: SetupCommand) -> bool:
    return any(step.action in CONFIRMED_IN_MATCH for step in command.steps)


def value_line(session: Session, level: PointsLevel | ScoresLevel) -> MenuLine:
    """The line that records the points or scores set in ``level`` in this game."""
    match level:
        case PointsLevel():
            return corrections_menu.award_line(level, session)
        case ScoresLevel(title=title, scores=scores):
            return MenuLine(title, corrections_menu.correction_command(session, scores))


def level_command(session: Session, level: ScoresLevel | NumberLevel | NameLevel) -> SetupCommand:
    """The command that applies ``level`` to the draft or the settings."""
    match level:
        case ScoresLevel(scores=scores, draft=draft):
            assert draft is not None
            return SetupCommand(SetupAction.DRAFT, draft=draft._replace(start=scores))
        case NumberLevel(key=key, value=value, draft=draft):
            return house_rules_menu.option_command(session, key, value, draft)
        case NameLevel(side=side, text=text, draft=draft):
            sides = (draft.rules if draft else session.rules).scoring_sides
            return name_entry.name_command(session, sides.index(side), text, draft)


def next_question(
    session: Session, title: LineKey, answer: SetupCommand
) -> Level | SetupCommand | None:
    """What follows the question ``title``: a level, a game, or None for this game."""
    draft = answer.draft
    follows = first_run.next_link(session, title, answer)
    if follows is not None:
        return make_level(session, follows)
    if draft is None or draft.rules is session.rules:
        return None
    return house_rules_menu.play_command(session, draft)


def _go_on(session: Session) -> MenuLines:
    return (MenuLine(SetupKey.GO_ON, SetupCommand(SetupAction.LEAVE)),)


def _redo(session: Session) -> MenuLines:
    return (MenuLine(SetupKey.REDO, SetupCommand(SetupAction.REDO)),)


def _points(session: Session) -> MenuLines:
    """The points before each press, newest first, described by the press before."""
    past = session.record.past
    starts = [at for at in range(1, len(past)) if past[at].press != past[at - 1].press]
    points = (*reversed(starts), 0) if past else ()
    lines = tuple(
        MenuLine(PlainKey.POINT, SetupCommand(SetupAction.BACK, kept_steps=keep), number=keep)
        for keep in points
    )
    return refusable_line(
        SetupKey.BACK, ListLevel(SetupKey.BACK, lines) if lines else None, Refusal.NOTHING_TO_UNDO
    )


def _new_game(session: Session) -> MenuLines:
    return _locked_line(session, SetupKey.NEW_GAME)


def _house(session: Session) -> MenuLines:
    return (
        *_locked_line(session, SetupKey.HOUSE),
        MenuLine(SetupKey.CARD, SubmenuLink(SetupKey.CARD)),
    )


def _names(session: Session) -> MenuLines:
    return _locked_line(session, SetupKey.NAMES)


def _locked_line(session: Session, key: SetupKey) -> MenuLines:
    """The line of a level that a locked match closes."""
    link = None if session.is_match_locked else SubmenuLink(key)
    return refusable_line(key, link, NoticeKey.MATCH_LOCKED)


def _box(session: Session) -> MenuLines:
    language, layout = (preferences_menu.setting_line(session, key) for key in _ROOT_SETTINGS)
    return language, MenuLine(SetupKey.LIGHT, SubmenuLink(SetupKey.LIGHT)), layout


def _phones(session: Session) -> MenuLines:
    count = len(session.box.phones)
    return (
        MenuLine(
            SetupKey.PHONES, SubmenuLink(pairing_menu.TITLE), figure=str(count) if count else ""
        ),
    )


def _night(session: Session) -> MenuLines:
    return (MenuLine(SetupKey.CLEAR_NIGHT, SetupCommand(SetupAction.CLEAR_NIGHT)),)


def _slip(session: Session) -> MenuLines:
    return (
        (MenuLine(SetupKey.SLIP, SetupCommand(SetupAction.SLIP)),)
        if session.settings.has_printer
        else ()
    )


def _backup(session: Session) -> MenuLines:
    return (MenuLine(SetupKey.BACKUP, SetupCommand(SetupAction.BACKUP)),)


def _selftest(session: Session) -> MenuLines:
    return (MenuLine(SetupKey.SELFTEST, SetupCommand(SetupAction.SELFTEST)),)


def _redeal(session: Session) -> MenuLines:
    game = session.game
    dealt = isinstance(attempt(game, NEW_HAND), Game)
    possible = (
        game.winner is None and not game.hand.over and (session.record.steps_in_hand or dealt)
    )
    return refusable_line(SetupKey.REDEAL, SetupCommand(SetupAction.REDEAL) if possible else None)


def _kind(session: Session) -> MenuLines:
    """The line that makes a hand without entries a pica or a redonda, at request."""
    kind = current_hand(session.game).hand.kind
    if kind not in _OTHER_KIND:
        return ()
    action, key = _OTHER_KIND[kind]
    steps = (*opening_steps(session.game), Step(None, action))
    possible = play_steps(session.game, steps) is not None
    return refusable_line(key, SetupCommand(SetupAction.RECORD, steps) if possible else None)


def _concede(session: Session) -> MenuLines:
    level = _concede_level(session) if session.game.winner is None else None
    return refusable_line(SetupKey.END, level, Refusal.GAME_OVER)


def _concede_level(session: Session) -> Level:
    lines = (
        MenuLine(
            SetupKey.CONCEDE, SetupCommand(SetupAction.RECORD, (Step(side, Action.CONCEDE),)), at
        )
        for at, side in enumerate(session.rules.scoring_sides)
    )
    return ListLevel(SetupKey.END, tuple(lines))


def _time(session: Session) -> MenuLines:
    step = Step(None, Action.TIME)
    tied = attempt(session.game, step) is Refusal.TIED
    command = None if tied else SetupCommand(SetupAction.RECORD, (step,))
    return refusable_line(SetupKey.TIME, command, NoticeKey.TIME_TIED)


def _lock(session: Session) -> MenuLines:
    return (MenuLine(SetupKey.LOCK, SetupCommand(SetupAction.LOCK)),)


def _switch_off(session: Session) -> MenuLines:
    return (MenuLine(SetupKey.SWITCH_OFF, SetupCommand(SetupAction.SWITCH_OFF)),)


ENTRIES: Final[tuple[Callable[[Session], MenuLines], ...]] = (
    _go_on,
    _redo,
    _points,
    corrections_menu.scores_entry,
    corrections_menu.fouls_entry,
    corrections_menu.last_hand_entry,
    _redeal,
    _kind,
    _time,
    _new_game,
    _concede,
    _house,
    _names,
    _box,
    _phones,
    hall_menu.root_lines,
    _night,
    _slip,
    _backup,
    _selftest,
    _lock,
    _switch_off,
)


def _first_variant_level(session: Session, link: SubmenuLink) -> Level:
    return first_run.variant_level(house_rules_menu.variants_level(session, link), link)


def _house_level(session: Session, link: SubmenuLink) -> Level:
    """The options of the variant, and whether the next game is a rematch."""
    level = house_rules_menu.house_rules_level(session, link)
    assert isinstance(level, ListLevel)
    rematch = preferences_menu.setting_line(session, preferences_menu.REMATCH.key)
    return level._replace(lines=(*level.lines, rematch))


_ROOT_SETTINGS: Final = (
    SetupKey.LANGUAGE,
    SetupKey.LAYOUT,
)  # shown in the root level with their values
_LEVELS: Final[dict[LineKey, Callable[[Session, SubmenuLink], Level]]] = {
    SetupKey.NEW_GAME: house_rules_menu.new_game_level,
    SetupKey.VARIANT: house_rules_menu.variants_level,
    SetupKey.MANO: house_rules_menu.mano_level,
    SetupKey.START: house_rules_menu.start_level,
    SetupKey.HOUSE: _house_level,
    PlainKey.OPTION: house_rules_menu.option_level,
    SetupKey.CARD: house_rules_menu.card_level,
    SetupKey.NAMES: name_entry.names_level,
    SetupKey.NAMING: name_entry.name_choice_level,
    SetupKey.LIGHT: preferences_menu.light_and_sound_level,
    pairing_menu.TITLE: pairing_menu.phones_level,
    hall_menu.TITLE: hall_menu.hall_level,
    PlainKey.VALUES: preferences_menu.values_level,
    SetupKey.FIRST_LANGUAGE: first_run.language_level,
    first_run.TIME_ZONE_QUESTION: first_run.time_zone_level,
    SetupKey.FIRST_VARIANT: _first_variant_level,
    SetupKey.FIRST_TARGET: first_run.target_level,
}
