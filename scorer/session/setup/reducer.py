"""Presses inside set-up: QUIERO enters, NO QUIERO goes back, TANTOS of A and B go up and down.

What it leads to is written like any press. Set-up itself is of the moment: it is not journalled,
it closes when nobody presses, and what is offered in it is found elsewhere (``menu``).
"""

from __future__ import annotations

from scorer.rules import Side
from scorer.session import seats
from scorer.session.input.gestures import Gesture
from scorer.session.input.keymap import Meaning
from scorer.session.play import speaker
from scorer.session.play.external_steps import deal_again, go_back
from scorer.session.play.interpret import standing
from scorer.session.play.next_game import open_game
from scorer.session.play.reactions import accepted, book, noticed, refuse
from scorer.session.play.undo_redo import redo
from scorer.session.setup import first_run, house_rules_menu, menu, name_entry, pairing_menu
from scorer.session.setup.game_draft import Draft
from scorer.session.setup.name_entry import DONE, Spelling
from scorer.session.setup.pages import (
    Act,
    Agreeing,
    Choosing,
    Correcting,
    Counting,
    Doing,
    Level,
    Line,
    Numbering,
    Opens,
    Pairing,
    Reading,
    Setup,
)
from scorer.session.state import Moves, Press, Reaction, Session, Sound, Verdict
from scorer.session.view.view import Notice

STEERS = (Meaning.QUIERO, Meaning.NO_QUIERO, Meaning.UNDO, Meaning.PAGE, Meaning.SETUP)
_DOWN = {"A": -1, "B": 1}  # TANTOS of a console: how far down the list
# Levels that show what was chosen below them: a choice leads back to the nearest of these.
_PARENTS = ("setup", "names", "light", "house", "new_game")


def open_setup(session: Session, gesture: Gesture) -> Reaction:
    """Shows the first level."""
    session = accepted(session, Meaning.SETUP, gesture)._replace(page=None)
    return _shown(session, (menu.opened(session),))


def steer(
    session: Session, setup: Setup, meaning: Meaning, gesture: Gesture, time: str
) -> Reaction:
    """What QUIERO, NO QUIERO, UNDO and MENU do in set-up."""
    match meaning:
        case Meaning.QUIERO:
            return _enter(session, setup, gesture, time)
        case Meaning.NO_QUIERO if isinstance(setup.level, Spelling) and setup.level.text:
            shorter = name_entry.erased(setup.level)
            return _shown(accepted(session, meaning, gesture), (*setup.levels[:-1], shorter))
        case Meaning.NO_QUIERO if len(setup.levels) > 1:
            return _shown(accepted(session, meaning, gesture), setup.levels[:-1])
        case Meaning.NO_QUIERO | Meaning.UNDO if setup.is_first_run:
            return _next(session, setup, Act(Doing.NEXT, draft=_draft(setup.level)), gesture)
        case _:
            return _leave(session, meaning, gesture)


def nudge(session: Session, setup: Setup, gesture: Gesture, console: str) -> Reaction:
    """TANTOS of ``console``: up or down, as soon as it goes down."""
    session = session._replace(setup_touched_at=gesture.since)
    if console not in _DOWN or isinstance(setup.level, Agreeing | Pairing):
        return Reaction(session)
    moved = _moved(setup.level, _DOWN[console])
    session = accepted(session, Meaning.TANTOS, gesture)
    return _shown(session, (*setup.levels[:-1], moved))


def _moved(level: Level, down: int) -> Level:
    match level:
        case Choosing(lines=lines, at=at):
            return level._replace(at=(at + down) % len(lines))
        case Counting(value=value, highest=most):
            return level._replace(value=min(max(value - down, 1), most))
        case Correcting(scores=scores, at=at, lowest=least, highest=most):
            new = min(max(scores[at] - down, least), most)
            return level._replace(scores=(*scores[:at], new, *scores[at + 1 :]))
        case Numbering(value=value, lowest=least, highest=most, step=step):
            new = value - down * step
            return level._replace(value=new if least <= new <= most else value)
        case Spelling():
            return name_entry.turned(level, down)
        case Reading(pages=pages, at=at):
            return level._replace(at=min(max(at + down, 0), len(pages) - 1))
        case Agreeing() | Pairing():
            return level


def _enter(session: Session, setup: Setup, gesture: Gesture, time: str) -> Reaction:
    match menu.refreshed(session, setup.level):
        case Choosing(lines=lines, at=at):
            return _follow(session, setup, lines[at], gesture, time)
        case Counting() as counting:
            return _follow(session, setup, menu.award(counting, session), gesture, time)
        case Correcting(scores=scores, at=at) as level if at + 1 < len(scores):
            session = accepted(session, Meaning.QUIERO, gesture)
            return _shown(session, (*setup.levels[:-1], level._replace(at=at + 1)))
        case Correcting(scores=scores, draft=draft) if draft is not None:
            act = Act(Doing.DRAFT, draft=draft._replace(start=scores))
            return _do(session, setup, act, gesture, time)
        case Numbering(key=key, value=value, draft=draft):
            act = house_rules_menu.set_option(session, key, value, draft)
            return _do(session, setup, act, gesture, time)
        case Spelling() as spelled:
            return _spell(session, setup, spelled, gesture, time)
        case Reading(pages=pages, at=at) as reading:
            session = accepted(session, Meaning.QUIERO, gesture)
            further = (reading._replace(at=at + 1),) if at + 1 < len(pages) else ()
            return _shown(session, (*setup.levels[:-1], *further))
        case Correcting(title=title, scores=scores):
            line = Line(title, menu.correction(session, scores))
            return _follow(session, setup, line, gesture, time)
        case Agreeing() as agreeing:
            return _agree(session, setup, agreeing, gesture, time)
        case Pairing():
            # Nothing is to be chosen there: whoever is done goes back.
            return _shown(accepted(session, Meaning.QUIERO, gesture), setup.levels[:-1])


def _spell(
    session: Session, setup: Setup, level: Spelling, gesture: Gesture, time: str
) -> Reaction:
    """Takes the letter; when it is done, the name."""
    if level.selected != DONE:
        longer = name_entry.taken(level)
        return _shown(accepted(session, Meaning.QUIERO, gesture), (*setup.levels[:-1], longer))
    sides = (level.draft.rules if level.draft else session.rules).scoring_sides
    act = house_rules_menu.named(session, sides.index(level.side), level.text, level.draft)
    return _do(session, setup, act, gesture, time)


def _follow(session: Session, setup: Setup, line: Line, gesture: Gesture, time: str) -> Reaction:
    """To the level behind ``line``, or to what it does."""
    leads = line.leads_to
    if isinstance(leads, Act) and not menu.needs_all(session, leads):
        return _do(session, setup, leads, gesture, time)
    title = line.key if setup.level.title == "setup" else setup.level.title
    if isinstance(leads, Opens):
        level = menu.level_of(session, leads)
    else:
        level = Agreeing(title, line) if isinstance(leads, Act) else leads
    return _shown(accepted(session, Meaning.QUIERO, gesture), (*setup.levels, level))


def _agree(
    session: Session, setup: Setup, level: Agreeing, gesture: Gesture, time: str
) -> Reaction:
    """One yes a console: where two sit at it they have said it together."""
    sides = speaker.speakers(session, gesture.button)
    if not sides or sides[0] in level.confirmed:
        return refuse(session, _missing(session, level.confirmed))
    confirmed = (*level.confirmed, *sides)
    if len(confirmed) == len(session.rules.speaking_sides):
        assert isinstance(level.line.leads_to, Act)
        return _do(session, setup, level.line.leads_to, gesture, time)
    session = accepted(session, Meaning.QUIERO, gesture)
    shown = _shown(session, (*setup.levels[:-1], level._replace(confirmed=confirmed)))
    # Thirty seconds for all of them, not for each.
    until = setup.until if level.confirmed else _until(session)
    kept = shown.session._replace(setup=Setup(_levels(shown.session), until))
    return shown._replace(session=kept, sound=Sound.ACCEPT)


def _missing(session: Session, confirmed: tuple[Side, ...]) -> Notice:
    missing = next(side for side in session.rules.speaking_sides if side not in confirmed)
    return Notice("next_game", side=seats.place(standing(session.game), missing), urgent=True)


def _do(session: Session, setup: Setup, command: Act, gesture: Gesture, time: str) -> Reaction:
    """Carries it out and closes set-up; what the rules refuse leaves it open."""
    match command.action:
        case Doing.LEAVE:
            return _leave(session, Meaning.QUIERO, gesture)
        case Doing.PARENT:
            return _shown(accepted(session, Meaning.QUIERO, gesture), setup.levels[:-1])
        case Doing.CHOOSE | Doing.DRAFT:
            return _chosen(session, setup, command, gesture)
        case Doing.SELFTEST:
            shown = _shown(accepted(session, Meaning.QUIERO, gesture), setup.levels)
            return shown._replace(run_selftest=True)
        case Doing.PAIR | Doing.FORGET:
            return _about_phones(session, setup, command, gesture)
        case Doing.NEXT:
            return _next(session, setup, command, gesture)
    reaction = _done(session._replace(setup=None), command, gesture, time)
    if reaction.verdict is not Verdict.ACCEPTED:
        levels = tuple(each for each in setup.levels if not isinstance(each, Agreeing))
        kept = reaction.session._replace(setup=Setup(levels, _until(session)))
        return reaction._replace(session=kept)
    reaction = reaction._replace(source="menu", reason=command.reason)
    if reaction.new_game is not None or reaction.move is not Moves.STAY:
        return reaction
    return reaction._replace(session=_after(reaction.session, command, gesture))


def _done(session: Session, command: Act, gesture: Gesture, time: str) -> Reaction:
    match command.action:
        case Doing.REDO:
            return redo(session, gesture)
        case Doing.REDEAL:
            return deal_again(session, gesture, time)
        case Doing.BACK:
            return go_back(session, command.kept_steps, gesture)
        case Doing.PLAY:
            return _play(session, command, gesture)
        case Doing.CLEAR_NIGHT:
            session = noticed(accepted(session, Meaning.QUIERO, gesture), Notice("night_cleared"))
            return Reaction(session, Verdict.ACCEPTED, Sound.KEY, clear_night=True)
        case Doing.SLIP:
            return Reaction(
                accepted(session, Meaning.QUIERO, gesture),
                Verdict.ACCEPTED,
                Sound.KEY,
                print_slip=True,
            )
        case Doing.LOCK:
            locked = accepted(session, Meaning.QUIERO, gesture)._replace(locked=True)
            return Reaction(noticed(locked, Notice("locked")), Verdict.ACCEPTED, Sound.KEY)
        case Doing.SWITCH_OFF:
            session = accepted(session, Meaning.QUIERO, gesture)
            return Reaction(session, Verdict.ACCEPTED, Sound.KEY, switch_off=True)
        case _:
            return book(session, command.steps, Meaning.QUIERO, gesture, time)


def _chosen(session: Session, setup: Setup, command: Act, gesture: Gesture) -> Reaction:
    """Back to the list that shows what was chosen: of the box, or of the game to be."""
    if command.action is Doing.DRAFT and command.draft is None:
        return refuse(session, Notice(command.notice_key, urgent=True))
    levels = setup.levels[:-1]
    while levels[-1].title not in _PARENTS:
        levels = levels[:-1]
    parent = levels[-1]
    assert isinstance(parent, Choosing)
    if command.draft is not None and parent.made_from is not None:
        made = parent.made_from._replace(draft=command.draft)
        parent = menu.refreshed(session, parent._replace(made_from=made))
    shown = _shown(accepted(session, Meaning.QUIERO, gesture), (*levels[:-1], parent))
    if command.notice_key and session.game.winner is None:
        shown = shown._replace(session=noticed(shown.session, Notice(command.notice_key)))
    return shown._replace(choices=command.choices)


def _about_phones(session: Session, setup: Setup, command: Act, gesture: Gesture) -> Reaction:
    """Digits are wanted for a new one, or some are forgotten: then back to the list."""
    if command.action is Doing.FORGET:
        shown = _shown(accepted(session, Meaning.QUIERO, gesture), setup.levels[:-1])
        return shown._replace(phones_to_forget=command.phones)
    if len(session.box.phones) >= pairing_menu.MOST:
        return refuse(session, Notice("phones_full", urgent=True))
    return _shown(accepted(session, Meaning.QUIERO, gesture), setup.levels)._replace(
        show_pairing_code=True
    )


def _play(session: Session, command: Act, gesture: Gesture) -> Reaction:
    """The game that was put together begins."""
    assert command.draft is not None
    game = command.draft.game()
    if game is None:
        return refuse(session, Notice("start_impossible", urgent=True))
    session = accepted(session, Meaning.QUIERO, gesture)._replace(names=command.draft.names)
    return open_game(session, game, gesture.time)._replace(choices=command.choices)


def _next(session: Session, setup: Setup, command: Act, gesture: Gesture) -> Reaction:
    """The next question of a first power-on; after the last one, the game that was chosen."""
    follows = first_run.following(setup.level.title, command.draft)
    if follows is not None:
        session = accepted(session, Meaning.QUIERO, gesture)
        return _shown(session, (menu.level_of(session, follows),))._replace(choices=command.choices)
    if command.draft is None or command.draft.rules is session.rules:
        return _leave(session, Meaning.QUIERO, gesture)
    kept = command._replace(choices=house_rules_menu.kept(session, command.draft))
    return _play(session._replace(setup=None), kept, gesture)._replace(source="menu")


def _draft(level: Level) -> Draft | None:
    made = level.made_from if isinstance(level, Choosing) else None
    return made.draft if made is not None else None


def found(session: Session, lines: tuple[Line, ...]) -> Session:
    """The table with what its self-test found, where set-up still waits for it."""
    if session.setup is None:
        return session
    return _shown(session, (*session.setup.levels, Choosing("selftest", lines))).session


def _after(session: Session, command: Act, gesture: Gesture) -> Session:
    """A slap of the same QUIERO must not answer a call; who puts again wants the next one too."""
    sides = speaker.speakers(session, gesture.button)
    at = seats.place(standing(session.game), sides[0]) if sides else None
    newest = Press(gesture.button, Meaning.QUIERO, gesture.time, at)
    session = session._replace(newest_press=newest)
    if command.action is not Doing.REDO:
        return session
    return session._replace(setup=Setup((menu.opened(session, "redo"),), _until(session)))


def _leave(session: Session, meaning: Meaning, gesture: Gesture) -> Reaction:
    session = accepted(session, meaning, gesture)._replace(setup=None)
    return Reaction(session, Verdict.ACCEPTED, Sound.KEY)


def _shown(session: Session, levels: tuple[Level, ...]) -> Reaction:
    asks_first = session.setup is not None and session.setup.is_first_run
    session = session._replace(setup=Setup(levels, _until(session), asks_first))
    return Reaction(session, Verdict.ACCEPTED, Sound.KEY)


def _levels(session: Session) -> tuple[Level, ...]:
    assert session.setup is not None
    return session.setup.levels


def _until(session: Session) -> float:
    asks_first = session.setup is not None and session.setup.is_first_run
    return session.now + (first_run.PATIENCE if asks_first else session.settings.setup_s)
