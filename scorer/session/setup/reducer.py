"""Reducer of presses in set-up.

QUIERO enters, NO QUIERO goes back, TANTOS of A and B move up and down. Resulting steps are recorded
like any press. Set-up itself is transient: it is not journalled and closes without input. Its
entries are made in ``menu``.
"""

from __future__ import annotations

from typing import Final

from scorer.session.input.keymap import sides_of
from scorer.session.play.next_game import missing_notice, open_game
from scorer.session.play.reactions import accept_press, accepted_press, record_steps, refuse
from scorer.session.play.undo_redo import go_back_to, redeal, redo
from scorer.session.setup import menu, name_entry, pairing_menu
from scorer.session.values.effects import ClearNight, ForgetPhones, Task
from scorer.session.values.keys import NoticeKey
from scorer.session.values.levels import (
    DONE,
    FIRST_RUN_TIMEOUT_S,
    JOIN_TIMEOUT_S,
    AgreementLevel,
    CardLevel,
    JoinLevel,
    Level,
    ListLevel,
    MenuLine,
    NameLevel,
    NumberLevel,
    PairingLevel,
    PointsLevel,
    ScoresLevel,
    Setup,
    SetupAction,
    SetupCommand,
    SetupKey,
    SubmenuLink,
)
from scorer.session.values.press import ButtonMeaning, ButtonPress
from scorer.session.values.shown import Notice
from scorer.session.values.state import GameMove, Reaction, Session, Sound, Verdict

_DOWN: Final = {"A": -1, "B": 1}  # lines down the list for TANTOS of a console
# Levels that show choices made below them: a choice returns to the nearest of these.
_RETURN_LEVELS: Final = (
    SetupKey.SETUP,
    SetupKey.NAMES,
    SetupKey.LIGHT,
    SetupKey.HOUSE,
    SetupKey.NEW_GAME,
)


def open_setup(session: Session, press: ButtonPress) -> Reaction:
    """Shows the root level."""
    session = accept_press(session, press._replace(meaning=ButtonMeaning.SETUP))._replace(page=None)
    return _show_levels(session, (menu.root_level(session),))


def navigate(session: Session, setup: Setup, press: ButtonPress) -> Reaction:
    """Handles QUIERO, NO QUIERO, UNDO and MENU in set-up."""
    match press.meaning:
        case ButtonMeaning.QUIERO:
            return _enter(session, setup, press)
        case ButtonMeaning.NO_QUIERO if isinstance(setup.level, NameLevel) and setup.level.text:
            shorter = name_entry.erase_letter(setup.level)
            return _show_levels(accept_press(session, press), (*setup.levels[:-1], shorter))
        case ButtonMeaning.NO_QUIERO if len(setup.levels) > 1:
            return _show_levels(accept_press(session, press), setup.levels[:-1])
        case ButtonMeaning.NO_QUIERO | ButtonMeaning.UNDO if setup.is_first_run:
            draft = setup.level.draft if isinstance(setup.level, ListLevel) else None
            skip = SetupCommand(SetupAction.NEXT, draft=draft)
            return _next_question(session, setup, skip, press)
        case _:
            return _close(session, press)


def adjust(session: Session, setup: Setup, press: ButtonPress, console: str) -> Reaction:
    """Handles TANTOS of ``console`` on touch: up or down."""
    session = session._replace(setup_touched_at=press.gesture.since)
    if console not in _DOWN or isinstance(setup.level, AgreementLevel | PairingLevel | JoinLevel):
        return Reaction(session)
    moved = _adjusted_level(setup.level, _DOWN[console])
    session = accept_press(session, press)
    return _show_levels(session, (*setup.levels[:-1], moved))


def _adjusted_level(level: Level, down: int) -> Level:
    match level:
        case ListLevel(lines=lines, at=at):
            return level._replace(at=(at + down) % len(lines))
        case PointsLevel(value=value, highest=most):
            return level._replace(value=min(max(value - down, 1), most))
        case ScoresLevel(scores=scores, at=at, lowest=least, highest=most):
            new = min(max(scores[at] - down, least), most)
            return level._replace(scores=(*scores[:at], new, *scores[at + 1 :]))
        case NumberLevel(value=value, lowest=least, highest=most, step=step):
            new = value - down * step
            return level._replace(value=new if least <= new <= most else value)
        case NameLevel():
            return name_entry.turn(level, down)
        case CardLevel(pages=pages, at=at):
            return level._replace(at=min(max(at + down, 0), len(pages) - 1))
        case AgreementLevel() | PairingLevel() | JoinLevel():
            return level


def _enter(session: Session, setup: Setup, press: ButtonPress) -> Reaction:
    match menu.refresh_level(session, setup.level):
        case ListLevel(lines=lines, at=at):
            return _follow(session, setup, lines[at], press)
        case ScoresLevel(scores=scores, at=at) as level if at + 1 < len(scores):
            session = accept_press(session, press)
            return _show_levels(session, (*setup.levels[:-1], level._replace(at=at + 1)))
        case NameLevel(selected=selected) as spelled if selected != DONE:
            longer = name_entry.take_letter(spelled)
            return _show_levels(accept_press(session, press), (*setup.levels[:-1], longer))
        case PointsLevel() | ScoresLevel(draft=None) as level:
            return _follow(session, setup, menu.value_line(session, level), press)
        case ScoresLevel() | NumberLevel() | NameLevel() as level:
            return _run_command(session, setup, menu.level_command(session, level), press)
        case CardLevel(pages=pages, at=at) as reading:
            session = accept_press(session, press)
            further = (reading._replace(at=at + 1),) if at + 1 < len(pages) else ()
            return _show_levels(session, (*setup.levels[:-1], *further))
        case AgreementLevel() as agreeing:
            return _confirm(session, setup, agreeing, press)
        case PairingLevel():
            # A pairing code offers nothing to choose: QUIERO goes back.
            return _show_levels(accept_press(session, press), setup.levels[:-1])
        case JoinLevel():
            return refuse(session, Notice(NoticeKey.HALL_COMPARE, urgent=True))


def _follow(session: Session, setup: Setup, line: MenuLine, press: ButtonPress) -> Reaction:
    """Opens the level behind ``line`` or runs its command."""
    leads = line.leads_to
    if isinstance(leads, SetupCommand) and not menu.needs_every_team(session, leads):
        return _run_command(session, setup, leads, press)
    title = line.key if setup.level.title is SetupKey.SETUP else setup.level.title
    if isinstance(leads, SubmenuLink):
        level = menu.make_level(session, leads)
    else:
        level = AgreementLevel(title, line) if isinstance(leads, SetupCommand) else leads
    return _show_levels(accept_press(session, press), (*setup.levels, level))


def _confirm(session: Session, setup: Setup, level: AgreementLevel, press: ButtonPress) -> Reaction:
    """Counts one yes per console, also for all sides that share it."""
    sides = sides_of(press.gesture.button, session.rules, session.settings.consoles)
    if not sides or sides[0] in level.confirmed:
        return refuse(session, missing_notice(session, level.confirmed, urgent=True))
    confirmed = (*level.confirmed, *sides)
    if len(confirmed) == len(session.rules.speaking_sides):
        assert isinstance(level.line.leads_to, SetupCommand)
        return _run_command(session, setup, level.line.leads_to, press)
    session = accept_press(session, press)
    shown = _show_levels(session, (*setup.levels[:-1], level._replace(confirmed=confirmed)))
    # Thirty seconds in total, not for each.
    until = setup.until if level.confirmed else _close_time(session)
    kept = shown.session._replace(setup=Setup(_levels(shown.session), until))
    return shown._replace(session=kept, sound=Sound.ACCEPT)


def _run_command(
    session: Session, setup: Setup, command: SetupCommand, press: ButtonPress
) -> Reaction:
    """Runs ``command`` and closes set-up; a refusal of the rules leaves it open."""
    match command.action:
        case SetupAction.LEAVE:
            return _close(session, press)
        case SetupAction.REFUSE:
            assert command.notice_key is not None
            return refuse(session, Notice(command.notice_key, urgent=True))
        case SetupAction.PARENT:
            return _show_levels(accept_press(session, press), setup.levels[:-1])
        case SetupAction.CHOOSE | SetupAction.DRAFT:
            return _apply_choice(session, setup, command, press)
        case SetupAction.SELFTEST:
            shown = _show_levels(accept_press(session, press), setup.levels)
            return shown._replace(effects=(Task.SELFTEST,))
        case SetupAction.PAIR | SetupAction.FORGET:
            return _change_phones(session, setup, command, press)
        case SetupAction.WISH:
            return _make_wish(session, setup, command, press)
        case SetupAction.NEXT:
            return _next_question(session, setup, command, press)
    reaction = _perform(session._replace(setup=None), command, press)
    if reaction.verdict is not Verdict.ACCEPTED:
        levels = tuple(each for each in setup.levels if not isinstance(each, AgreementLevel))
        kept = reaction.session._replace(setup=Setup(levels, _close_time(session)))
        return reaction._replace(session=kept)
    reaction = reaction._replace(source="menu", reason=command.reason)
    if reaction.new_game is not None or reaction.move is not GameMove.STAY:
        return reaction
    return reaction._replace(session=_after_command(reaction.session, command, press))


def _perform(session: Session, command: SetupCommand, press: ButtonPress) -> Reaction:
    match command.action:
        case SetupAction.REDO:
            return redo(session, press)
        case SetupAction.REDEAL:
            return redeal(session, press)
        case SetupAction.BACK:
            return go_back_to(session, command.kept_steps, press)
        case SetupAction.PLAY:
            return _start_game(session, command, press)
        case SetupAction.CLEAR_NIGHT:
            session = accept_press(session, press).with_notice(Notice(NoticeKey.NIGHT_CLEARED))
            is_over = session.game.winner is not None
            session, cleared = session._replace(ends_series=is_over), ClearNight(is_over)
            return Reaction(session, Verdict.ACCEPTED, Sound.KEY, stored_effects=(cleared,))
        case SetupAction.SLIP:
            return _start_task(session, Task.SLIP, press)
        case SetupAction.BACKUP:
            return _start_task(session, Task.BACKUP, press)
        case SetupAction.LOCK:
            locked = accept_press(session, press)._replace(locked=True)
            return Reaction(
                locked.with_notice(Notice(NoticeKey.LOCKED)), Verdict.ACCEPTED, Sound.KEY
            )
        case SetupAction.SWITCH_OFF:
            return _start_task(session, Task.SWITCH_OFF, press)
        case _:
            return record_steps(session, command.steps, press)


def _start_task(session: Session, task: Task, press: ButtonPress) -> Reaction:
    session = accept_press(session, press)
    return Reaction(session, Verdict.ACCEPTED, Sound.KEY, effects=(task,))


def _apply_choice(
    session: Session, setup: Setup, command: SetupCommand, press: ButtonPress
) -> Reaction:
    """Returns to the list that shows the choice, of the box or of the draft."""
    if command.action is SetupAction.DRAFT and command.draft is None:
        assert command.notice_key is not None
        return refuse(session, Notice(command.notice_key, urgent=True))
    levels = setup.levels[:-1]
    while levels[-1].title not in _RETURN_LEVELS:
        levels = levels[:-1]
    parent = levels[-1]
    assert isinstance(parent, ListLevel)
    if command.draft is not None and parent.made_from is not None:
        made = parent.made_from._replace(draft=command.draft)
        parent = menu.refresh_level(session, parent._replace(made_from=made))
    shown = _show_levels(accept_press(session, press), (*levels[:-1], parent))
    if command.notice_key and session.game.winner is None:
        shown = shown._replace(session=shown.session.with_notice(Notice(command.notice_key)))
    return shown._replace(choices=command.choices)


def _change_phones(
    session: Session, setup: Setup, command: SetupCommand, press: ButtonPress
) -> Reaction:
    """Requests a pairing code, or unpairs phones and returns to the list."""
    if command.action is SetupAction.FORGET:
        shown = _show_levels(accept_press(session, press), setup.levels[:-1])
        return shown._replace(stored_effects=(ForgetPhones(command.phones),))
    if len(session.box.phones) >= pairing_menu.MAX_PHONES:
        return refuse(session, Notice(NoticeKey.PHONES_FULL, urgent=True))
    shown = _show_levels(accept_press(session, press), setup.levels)
    return shown._replace(effects=(Task.PAIRING_CODE,))


def _make_wish(
    session: Session, setup: Setup, command: SetupCommand, press: ButtonPress
) -> Reaction:
    """Passes a wish to the link; opens its level, or returns with its notice."""
    level = command.opens
    if isinstance(level, SubmenuLink):
        level = menu.make_level(session, level)
    levels = setup.levels[:-1] if level is None else (*setup.levels, level)
    shown = _show_levels(accept_press(session, press), levels).session
    if isinstance(level, JoinLevel):
        shown = shown._replace(setup=Setup(levels, session.now + JOIN_TIMEOUT_S))
    if command.notice_key:
        shown = shown.with_notice(Notice(command.notice_key))
    assert command.wish is not None
    return Reaction(shown, Verdict.ACCEPTED, Sound.KEY, effects=(command.wish,))


def _start_game(session: Session, command: SetupCommand, press: ButtonPress) -> Reaction:
    """Starts the drafted game."""
    assert command.draft is not None
    game = command.draft.game()
    if game is None:
        return refuse(session, Notice(NoticeKey.START_IMPOSSIBLE, urgent=True))
    session = accept_press(session, press)._replace(names=command.draft.names)
    return open_game(session, game, press)._replace(choices=command.choices)


def _next_question(
    session: Session, setup: Setup, command: SetupCommand, press: ButtonPress
) -> Reaction:
    """Asks the next question of the first power-on, or starts the chosen game."""
    press = press._replace(meaning=ButtonMeaning.QUIERO)
    match menu.next_question(session, setup.level.title, command):
        case None:
            return _close(session, press)
        case SetupCommand() as play:
            reaction = _start_game(session._replace(setup=None), play, press)
            return reaction._replace(source="menu")
        case level:
            shown = _show_levels(accept_press(session, press), (level,))
            return shown._replace(choices=command.choices)


def show_selftest(session: Session, lines: tuple[MenuLine, ...]) -> Session:
    """The session with the results of the self-test, if set-up still waits for them."""
    if session.setup is None:
        return session
    return _show_levels(
        session, (*session.setup.levels, ListLevel(SetupKey.SELFTEST, lines))
    ).session


def _after_command(session: Session, command: SetupCommand, press: ButtonPress) -> Session:
    """Guards against a repeated QUIERO; after a redo, keeps set-up open."""
    newest = accepted_press(session, press._replace(meaning=ButtonMeaning.QUIERO))
    session = session._replace(newest_press=newest._replace(taps=1))
    if command.action is not SetupAction.REDO:
        return session
    return session._replace(
        setup=Setup((menu.root_level(session, SetupKey.REDO),), _close_time(session))
    )


def _close(session: Session, press: ButtonPress) -> Reaction:
    session = accept_press(session, press)._replace(setup=None)
    return Reaction(session, Verdict.ACCEPTED, Sound.KEY)


def _show_levels(session: Session, levels: tuple[Level, ...]) -> Reaction:
    asks_first = session.setup is not None and session.setup.is_first_run
    session = session._replace(setup=Setup(levels, _close_time(session), asks_first))
    return Reaction(session, Verdict.ACCEPTED, Sound.KEY)


def _levels(session: Session) -> tuple[Level, ...]:
    assert session.setup is not None
    return session.setup.levels


def _close_time(session: Session) -> float:
    asks_first = session.setup is not None and session.setup.is_first_run
    return session.now + (FIRST_RUN_TIMEOUT_S if asks_first else session.settings.setup_s)
