"""Summarise a game by hand: calls, callers, payments and the score, as keys.

The steps come from ``session.history``. Sides are letters, as on the consoles, because names are
too long for the paper.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from scorer.i18n import Say
from scorer.phrases.gains import reason_text
from scorer.phrases.history import action_text
from scorer.rules import Action, Game, PointsReason, Side
from scorer.rules.score import scorers, shown_scores
from scorer.session.play.call_options import FLOR_CALLS
from scorer.session.values.record import Record, RecordedStep, hand_id
from scorer.session.view import history
from scorer.session.view.gains import gain_views
from scorer.session.view.view import GainView

NO_BREAK_SPACE = "\N{NO-BREAK SPACE}"
_SILENT_ACTIONS = (Action.NEW_HAND, Action.FIRST_TRICK_DONE, Action.TRICKS)
_BETS = (PointsReason.ENVIDO, PointsReason.FLOR)
_PLAIN_REASONS = (*_BETS, PointsReason.HAND, PointsReason.FOLD)


class HandSummary(NamedTuple):
    """One hand. ``game``: number in a series, from 1; ``scores``: by side, at its end.

    ``bets``: the calls up to each payment, "A truco, B quiero: A +2". A letter and its word are
    joined by a non-breaking space.
    """

    game: int
    number: int
    scores: tuple[int, ...]
    bets: tuple[str, ...]


def summarize_hands(record: Record, say: Say) -> tuple[HandSummary, ...]:
    """Every hand in which something was called or paid, in order."""
    return tuple(
        HandSummary(won + 1, number, shown_scores(steps[-1][1]), tuple(_bets(steps, say)))
        for (won, number), group in groupby(_steps(record), lambda step: hand_id(step[0].before))
        if (steps := list(group))
    )


def _steps(record: Record) -> Iterator[tuple[RecordedStep, Game]]:
    """The steps that a slip shows, each with the game after it."""
    games = (*(done.before for done in record.past), record.game)
    for done, after in zip(record.past, games[1:], strict=True):
        if _gains(done, after) or done.step.action not in _SILENT_ACTIONS:
            yield done, after


def _bets(steps: list[tuple[RecordedStep, Game]], say: Say) -> Iterator[str]:
    """The bets; corrected scores, or the mark of a corrected hand, are one more."""
    said: list[str] = []
    corrected: list[str] = []
    is_truco = False  # the newest call is one of the ladder
    for done, after in steps:
        if done.step.action is Action.CORRECT:
            corrected += (_paid_to(done, gain) for gain in _gains(done, after))
            continue
        if corrected:
            yield _corrected(corrected, say)
            corrected = []
        if word := _word(done, after, say):
            who = done.step.side
            said.append(_join("" if who is None else _letters(done.before, who), word))
        is_truco = _is_truco(done, is_truco)
        if payments := ", ".join(_payments(done, after, say, is_truco=is_truco)):
            calls = [", ".join(said)] if said else []
            yield ": ".join([*calls, payments])
            said, is_truco = [], False
    if said:
        yield ", ".join(said)
    if corrected:
        yield _corrected(corrected, say)
    elif any(done.corrects for done, _ in steps):
        yield say("why.correct")


def _corrected(payments: list[str], say: Say) -> str:
    return f"{say('why.correct')}: {', '.join(payments)}"


def _is_truco(done: RecordedStep, before: bool) -> bool:
    """Whether the newest call is one of the ladder; an answer leaves it as ``before``."""
    rules, action = done.before.rules, done.step.action
    if any(rung.action is action for rung in rules.ladder):
        return True
    is_bet = action in FLOR_CALLS or any(bid.action is action for bid in rules.bids)
    return before and not is_bet


def _word(done: RecordedStep, after: Game, say: Say) -> str:
    """The called word; else the kind of step, if no payment names it."""
    aloud = history.shouted_call(done.before.rules, done.step)
    return aloud if aloud or _gains(done, after) else action_text(say, done.step.action)


def _gains(done: RecordedStep, after: Game) -> list[GainView]:
    """What the step paid, summed by side and reason."""
    sums: dict[tuple[int, str], GainView] = {}
    for gain in gain_views(after, done.paid):
        before = sums.get((gain.side, gain.why))
        points = gain.points + (before.points if before else 0)
        sums[gain.side, gain.why] = gain._replace(points=points)
    return [gain for gain in sums.values() if gain.points]


def _payments(done: RecordedStep, after: Game, say: Say, *, is_truco: bool) -> Iterator[str]:
    """Who was paid and how much, and what for if it is not clear from the call.

    ``is_truco``: that call was a truco, so points of an envido or a flor are named, as they are
    beside those of the hand.
    """
    gains = _gains(done, after)
    called = gains[-1:] if history.shouted_call(done.before.rules, done.step) else []
    for gain in gains:
        to = _paid_to(done, gain)
        is_clear = gain in called or gain.why in _PLAIN_REASONS
        is_named = (is_truco or len(gains) > 1) and gain.why in _BETS
        if is_clear and not is_named:
            yield to
        elif gain.why == PointsReason.FOLD_ENVIDO:
            # The fold itself is among the calls.
            yield f"{to} {say('why.short.fold_envido')}"
        else:
            yield f"{to} {reason_text(say, gain.why, gain.word)}"


def _paid_to(done: RecordedStep, gain: GainView) -> str:
    sides = done.before.rules.scoring_sides
    who = sides[gain.side] if gain.side < len(sides) else _letters(done.before, Side.PAIR)
    return _join(who, f"{gain.points:+d}")


def _join(who: str, what: str) -> str:
    return f"{who}{NO_BREAK_SPACE}{what}" if who else what


def _letters(game: Game, who: Side) -> str:
    """The letter of a side; both of the pair of pata de gallo, who speak as one."""
    return "".join(scorers(game, who))
