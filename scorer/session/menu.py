"""What set-up offers: one table of entries, and what is behind each of them at this moment.

Only what can be done now is offered. An entry that is to come is one more function in a table. It
knows no button and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from scorer.rules import (
    Action,
    Game,
    Phase,
    Refusal,
    Side,
    Status,
    Step,
    attempt,
    new_game,
)
from scorer.rules.envido import window_open
from scorer.session import meanings, telling
from scorer.session.intents import entered_in_hand
from scorer.session.levels import Act, Choosing, Correcting, Counting, Doing, Level, Line
from scorer.session.questions import pays, play
from scorer.session.state import Session

Lines = tuple[Line, ...]
Entries = tuple[Callable[[Session], Lines], ...]
_LATE = "late envido"
_FOUL = "foul"
_LONGEST_CHAIN = 3  # calls of an envido that was not entered in time


def opened(session: Session, key: str = "") -> Choosing:
    """The first level; the line ``key`` is selected where it is offered."""
    lines = _lines(session, ENTRIES)
    at = next((at for at, line in enumerate(lines) if line.key == key), 0)
    return Choosing("setup", lines, at)


def needs_all(session: Session, act: Act) -> bool:
    """Must every team say yes? To go back, to leave a running game, to change who has won."""
    match act.doing:
        case Doing.BACK:
            return True
        case Doing.OPEN:
            return session.phase is not Phase.MATCH_OVER
        case Doing.BOOK:
            after = play(session.game, act.steps)
            return after is not None and after.winner is not session.game.winner
        case _:
            return False


def correction(session: Session, scores: tuple[int, ...]) -> Act:
    """What makes the scores of the game ``scores``; nothing is written for one that is right."""
    game = session.game
    each = zip(game.rules.sides, game.score, scores, strict=True)
    steps = tuple(Step(side, Action.CORRECT, new) for side, old, new in each if old != new)
    return Act(Doing.BOOK if steps else Doing.LEAVE, steps)


def award(counting: Counting, session: Session) -> Line:
    """The line that gives the points which were counted."""
    step = Step(counting.side, Action.AWARD, counting.value)
    act = Act(Doing.BOOK, (step,), reason=counting.reason)
    return Line("points", act, session.rules.sides.index(counting.side), counting.value)


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
    there = session.record.next_again or session.later
    return (Line("redo", Act(Doing.REDO)),) if there else ()


def _points(session: Session) -> Lines:
    """The moments before each press, the newest first: each is told by the press that led to it."""
    past = session.record.past
    starts = [at for at in range(1, len(past)) if past[at].press != past[at - 1].press]
    points = (*reversed(starts), 0) if past else ()
    lines = tuple(Line("point", Act(Doing.BACK, keep=keep), number=keep) for keep in points)
    return (Line("back", Choosing("back", lines)),) if lines else ()


def _scores(session: Session) -> Lines:
    if not _running(session):
        return ()
    game = session.game
    return (Line("correct", Correcting("correct", game.score, game.rules.target - 1)),)


def _fouls(session: Session) -> Lines:
    return _list(session, "fouls", FOULS)


def _ends(session: Session) -> Lines:
    return _list(session, "end", ENDS)


def _new_game(session: Session) -> Lines:
    return (Line("new_game", Act(Doing.OPEN)),)


def _reversed(session: Session, action: Action) -> Lines:
    """Offered for the side that took points which it did not show the cards for."""
    return tuple(
        Line(str(action), Act(Doing.BOOK, (Step(side, action),)), at)
        for at, side in enumerate(session.rules.actors)
        if isinstance(attempt(session.game, Step(side, action)), Game)
    )


def _envido_reversed(session: Session) -> Lines:
    return _reversed(session, Action.ENVIDO_REVERSED)


def _flor_reversed(session: Session) -> Lines:
    return _reversed(session, Action.FLOR_REVERSED)


def _award(session: Session) -> Lines:
    most = session.rules.target
    return _for_a_side(session, "award", lambda side: Counting("award", side, most, reason=_FOUL))


def _for_a_side(session: Session, key: str, level: Callable[[Side], Level]) -> Lines:
    if not _running(session):
        return ()
    lines = tuple(Line("side", level(side), at) for at, side in enumerate(session.rules.sides))
    return (Line(key, Choosing(key, lines)),)


def _redeal(session: Session) -> Lines:
    game = session.game
    dealt = isinstance(attempt(game, meanings.NEW_HAND), Game)
    possible = _running(session) and not game.hand.over and (entered_in_hand(session) or dealt)
    return (Line("redeal", Act(Doing.REDEAL)),) if possible else ()


def _late_envido(session: Session) -> Lines:
    """An envido that was said and compared in time, and that nobody entered before it was late."""
    game = session.game
    bets = (game.hand.envido.status, game.hand.flor.status)
    shut = game.hand.over or not window_open(game)
    if not shut or not game.rules.bids or any(status is not Status.IDLE for status in bets):
        return ()
    return _for_a_side(session, "late_envido", lambda side: _late_for(game, side))


def _late_for(game: Game, side: Side) -> Choosing:
    lines = (_paying(side, points, words) for points, words in _payments(game, side))
    return Choosing("late_envido", tuple(lines))


def _paying(side: Side, points: int, words: str) -> Line:
    act = Act(Doing.BOOK, (Step(side, Action.AWARD, points),), reason=_LATE)
    return Line("late_paid" if words else "late_refused", act, number=points, word=words)


def _payments(game: Game, side: Side) -> Iterator[tuple[int, str]]:
    """What an envido may have paid ``side`` at this score: points, and the calls that lead to it.

    The rules are asked, in a hand that has just been dealt. The one that was refused comes last.
    """
    rules = game.rules
    fresh = new_game(rules, dict(zip(rules.sides, game.score, strict=True)))
    told: dict[int, str] = {}
    for chain in _chains(fresh):
        answers = (
            Step(_speaker(fresh, chain), Action.QUIERO),
            Step(side, Action.ENVIDO_WON),
        )
        paid = pays(fresh, (*chain, *answers))
        if paid is not None:
            words = ", ".join(telling.word_of(rules, step.action) for step in chain)
            told.setdefault(paid[1], words)
    yield from sorted(told.items())
    first = Step(rules.actors[0], rules.bids[0].action)
    refused = pays(fresh, (first, Step(rules.actors[1], Action.NO_QUIERO)))
    if refused is not None:
        yield refused[1], ""


def _chains(fresh: Game) -> Iterator[tuple[Step, ...]]:
    """Every way to call an envido, the shortest first."""
    chains: list[tuple[Step, ...]] = [()]
    for _ in range(_LONGEST_CHAIN):
        longer = [
            (*chain, Step(_speaker(fresh, chain), bid.action))
            for chain in chains
            for bid in fresh.rules.bids
        ]
        chains = [chain for chain in longer if play(fresh, chain) is not None]
        yield from chains


def _speaker(game: Game, chain: tuple[Step, ...]) -> Side:
    """Who speaks after ``chain``: the two sides take turns."""
    return game.rules.actors[len(chain) % 2]


def _concede(session: Session) -> Lines:
    if not _running(session):
        return ()
    return tuple(
        Line("concede", Act(Doing.BOOK, (Step(side, Action.CONCEDE),)), at)
        for at, side in enumerate(session.rules.sides)
    )


def _time(session: Session) -> Lines:
    # Offered at equal scores too: the refusal then says why it cannot be.
    step = Step(None, Action.TIME)
    why_not = attempt(session.game, step)
    offered = isinstance(why_not, Game) or why_not is Refusal.TIED
    return (Line("time", Act(Doing.BOOK, (step,))),) if offered else ()


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
    _lock,
    _switch_off,
)
FOULS: Final[Entries] = (_envido_reversed, _flor_reversed, _late_envido, _award, _redeal)
ENDS: Final[Entries] = (_concede, _time)
