"""What set-up offers: one table of entries, and what is behind each of them at this moment.

Only what can be done now is offered. An entry that is to come is one more function in a table. It
knows no button and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from scorer.rules import (
    Action,
    Game,
    Phase,
    Refusal,
    Side,
    Step,
    attempt,
)
from scorer.rules.destantado import pot_of
from scorer.rules.score import scorers
from scorer.rules.variant import Seats
from scorer.session import seats
from scorer.session.play import interpret, late_envido
from scorer.session.play.external_steps import entered_in_hand
from scorer.session.play.questions import play
from scorer.session.setup import first_run, house_rules_menu, pairing_menu, preferences_menu
from scorer.session.setup.box_settings import LAYOUT
from scorer.session.setup.pages import (
    Act,
    Choosing,
    Correcting,
    Counting,
    Doing,
    Level,
    Line,
    Opens,
)
from scorer.session.state import Session

Lines = tuple[Line, ...]
Entries = tuple[Callable[[Session], Lines], ...]
_LATE = "late envido"
_FOUL = "foul"


def opened(session: Session, key: str = "") -> Choosing:
    """The first level; the line ``key`` is selected where it is offered."""
    lines = _lines(session, ENTRIES)
    at = next((at for at, line in enumerate(lines) if line.key == key), 0)
    return Choosing("setup", lines, at)


def level_of(session: Session, link: Opens) -> Level:
    """The level behind a line, made from what is chosen by now."""
    return _LEVELS[link.title](session, link)


def refreshed(session: Session, level: Level) -> Level:
    """The same list with what was chosen since it was made."""
    if not isinstance(level, Choosing):
        return level
    if level.made_from is None:
        return opened_at(session, level) if level.title == "setup" else level
    made = level_of(session, level.made_from)
    assert isinstance(made, Choosing)
    return made._replace(at=min(level.at, len(made.lines) - 1))


def opened_at(session: Session, level: Choosing) -> Choosing:
    """The first level with what was chosen since; what else it offers stays as it was found."""
    knobs = {key: preferences_menu.entry(session, key) for key in _KNOBS}
    return level._replace(lines=tuple(knobs.get(line.key, line) for line in level.lines))


def needs_all(session: Session, command: Act) -> bool:
    """Must every team say yes? To go back, to leave a running game, to change who has won."""
    match command.action:
        case Doing.BACK | Doing.CLEAR_NIGHT:
            return True
        case Doing.CHOOSE:
            # Buttons change their meaning under the fingers of everybody.
            return any(choice.path == LAYOUT for choice in command.choices)
        case Doing.PLAY:
            return session.phase is not Phase.MATCH_OVER
        case Doing.RECORD:
            after = play(session.game, command.steps)
            return after is not None and after.winner is not session.game.winner
        case _:
            return False


def correction(session: Session, scores: tuple[int, ...]) -> Act:
    """What makes the scores of the game ``scores``; nothing is written for one that is right."""
    game = session.game
    each = zip(game.rules.scoring_sides, game.score, scores, strict=True)
    changed = [
        (new > old, Step(side, Action.CORRECT, new)) for side, old, new in each if old != new
    ]
    # What goes down comes first: of piles, the others grow out of what it leaves in the pot.
    steps = tuple(step for _, step in sorted(changed, key=lambda each: each[0]))
    return Act(Doing.RECORD if steps else Doing.LEAVE, steps)


def award(level: Counting, session: Session) -> Line:
    """The line that gives the points which were counted."""
    game, points = session.game, level.value
    act = Act(Doing.RECORD, _awarded(game, level.side, points), reason=level.reason)
    # Points that are given to a player of destantado leave his pile.
    signed = -points if _has_piles(game) else points
    return Line("points", act, seats.place(game, level.side), signed)


def _awarded(game: Game, to: Side, points: int) -> tuple[Step, ...]:
    """Points for a side that scores, or for both of the pair of pata de gallo."""
    return tuple(Step(side, Action.AWARD, points) for side in scorers(game, to))


def _lines(session: Session, entries: Entries) -> Lines:
    return tuple(line for entry in entries for line in entry(session))


def _list(session: Session, key: str, entries: Entries) -> Lines:
    """The line that opens a list, if there is anything in it."""
    lines = _lines(session, entries)
    return (Line(key, Choosing(key, lines)),) if lines else ()


def _running(session: Session) -> bool:
    return session.game.winner is None


def _go_on(session: Session) -> Lines:
    return (Line("go_on", Act(Doing.LEAVE)),)


def _redo(session: Session) -> Lines:
    there = session.record.redo_steps or session.has_later_game
    return (Line("redo", Act(Doing.REDO)),) if there else ()


def _points(session: Session) -> Lines:
    """The moments before each press, the newest first: each is told by the press that led to it."""
    past = session.record.past
    starts = [at for at in range(1, len(past)) if past[at].press != past[at - 1].press]
    points = (*reversed(starts), 0) if past else ()
    lines = tuple(Line("point", Act(Doing.BACK, kept_steps=keep), number=keep) for keep in points)
    return (Line("back", Choosing("back", lines)),) if lines else ()


def _scores(session: Session) -> Lines:
    if not _running(session):
        return ()
    game, rules = session.game, session.rules
    scores = tuple(seats.shown(game, at) for at in range(len(game.score)))
    least, most = (1, sum(scores) + pot_of(game)) if _has_piles(game) else (0, rules.target - 1)
    return (Line("correct", Correcting("correct", scores, most, least)),)


def _has_piles(game: Game) -> bool:
    return game.rules.seats is Seats.ALONE


def _fouls(session: Session) -> Lines:
    return _list(session, "fouls", FOULS)


def _ends(session: Session) -> Lines:
    return _list(session, "end", ENDS)


def _new_game(session: Session) -> Lines:
    return (Line("new_game", Opens("new_game")),)


def _house(session: Session) -> Lines:
    return Line("house", Opens("house")), Line("card", Opens("card"))


def _names(session: Session) -> Lines:
    return (Line("names", Opens("names")),)


def _box(session: Session) -> Lines:
    language, layout = (preferences_menu.entry(session, key) for key in _KNOBS)
    return language, Line("light", Opens("light")), layout


def _phones(session: Session) -> Lines:
    count = len(session.box.phones)
    return (Line("phones", Opens(pairing_menu.TITLE), figure=str(count) if count else ""),)


def _night(session: Session) -> Lines:
    return (Line("clear_night", Act(Doing.CLEAR_NIGHT)),)


def _slip(session: Session) -> Lines:
    return (Line("slip", Act(Doing.SLIP)),) if session.settings.has_printer else ()


def _selftest(session: Session) -> Lines:
    return (Line("selftest", Act(Doing.SELFTEST)),)


def _reversed(session: Session, action: Action) -> Lines:
    """Offered for the side that took points which it did not show the cards for."""
    return tuple(
        Line(str(action), Act(Doing.RECORD, (Step(side, action),)), seats.place(session.game, side))
        for side in session.rules.speaking_sides
        if isinstance(attempt(session.game, Step(side, action)), Game)
    )


def _envido_reversed(session: Session) -> Lines:
    return _reversed(session, Action.ENVIDO_REVERSED)


def _flor_reversed(session: Session) -> Lines:
    return _reversed(session, Action.FLOR_REVERSED)


def _award(session: Session) -> Lines:
    most, sides = session.rules.target, session.rules.scoring_sides
    return _for_whom(
        session, "award", sides, lambda side: Counting("award", side, most, reason=_FOUL)
    )


def _for_whom(
    session: Session, key: str, sides: tuple[Side, ...], level: Callable[[Side], Level]
) -> Lines:
    if not _running(session):
        return ()
    game = session.game
    lines = tuple(Line("side", level(side), seats.place(game, side)) for side in sides)
    return (Line(key, Choosing(key, lines)),)


def _redeal(session: Session) -> Lines:
    game = session.game
    dealt = isinstance(attempt(game, interpret.NEW_HAND), Game)
    possible = _running(session) and not game.hand.over and (entered_in_hand(session) or dealt)
    return (Line("redeal", Act(Doing.REDEAL)),) if possible else ()


def _late_envido(session: Session) -> Lines:
    """An envido that was said and compared in time, and that nobody entered before it was late."""
    if not late_envido.may_have_been(session.game):
        return ()
    actors = session.rules.speaking_sides
    return _for_whom(session, "late_envido", actors, lambda side: _late_for(session.game, side))


def _late_for(game: Game, side: Side) -> Level:
    """What it may have paid; where any number of stones may be bet, the number is told."""
    if game.rules.opens_with_numbers:
        return Counting("late_envido", side, game.rules.target, late_envido.LEAST_STONES, _LATE)
    lines = (
        _paying(game, side, points, words) for points, words in late_envido.payments(game, side)
    )
    return Choosing("late_envido", tuple(lines))


def _paying(game: Game, side: Side, points: int, words: str) -> Line:
    act = Act(Doing.RECORD, _awarded(game, side, points), reason=_LATE)
    return Line("late_paid" if words else "late_refused", act, number=points, word=words)


def _concede(session: Session) -> Lines:
    if not _running(session):
        return ()
    return tuple(
        Line("concede", Act(Doing.RECORD, (Step(side, Action.CONCEDE),)), at)
        for at, side in enumerate(session.rules.scoring_sides)
    )


def _time(session: Session) -> Lines:
    # Offered at equal scores too: the refusal then says why it cannot be.
    step = Step(None, Action.TIME)
    why_not = attempt(session.game, step)
    offered = isinstance(why_not, Game) or why_not is Refusal.TIED
    return (Line("time", Act(Doing.RECORD, (step,))),) if offered else ()


def _lock(session: Session) -> Lines:
    return (Line("lock", Act(Doing.LOCK)),)


def _switch_off(session: Session) -> Lines:
    return (Line("switch_off", Act(Doing.SWITCH_OFF)),)


ENTRIES: Final[Entries] = (
    _go_on,
    _redo,
    _points,
    _scores,
    _fouls,
    _ends,
    _new_game,
    _house,
    _names,
    _box,
    _phones,
    _night,
    _slip,
    _selftest,
    _lock,
    _switch_off,
)
FOULS: Final[Entries] = (_envido_reversed, _flor_reversed, _late_envido, _award, _redeal)
ENDS: Final[Entries] = (_concede, _time)

_KNOBS: Final = ("language", "layout")  # that stand in the first level with their values
_LEVELS: Final[dict[str, Callable[[Session, Opens], Level]]] = {
    "new_game": house_rules_menu.new_game,
    "variant": house_rules_menu.variants,
    "mano": house_rules_menu.mano,
    "start": house_rules_menu.start,
    "house": house_rules_menu.house_rules,
    "option": house_rules_menu.option,
    "card": house_rules_menu.card,
    "names": preferences_menu.names,
    "naming": preferences_menu.naming,
    "light": preferences_menu.light_and_sound,
    pairing_menu.TITLE: pairing_menu.listing,
    "values": preferences_menu.values,
    "first_language": first_run.language,
    "first_variant": first_run.variant,
    "first_target": first_run.target,
}
