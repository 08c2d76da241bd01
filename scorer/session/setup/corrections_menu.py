"""Entries that correct scores, fouls, a late envido and the last hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from scorer.rules import Action, Game, Refusal, Side, Step, attempt
from scorer.rules.destantado import pot_of
from scorer.rules.engine import play_steps
from scorer.rules.score import shown_scores
from scorer.session.setup import last_hand
from scorer.session.values import late_envido, seating
from scorer.session.values.levels import (
    Level,
    ListLevel,
    MenuLine,
    MenuLines,
    PlainKey,
    PointsLevel,
    ScoresLevel,
    SetupAction,
    SetupCommand,
    SetupKey,
    refusable_line,
)
from scorer.session.values.state import Session

_FOUL_REASON: Final = "foul"  # stored with awarded points


def correction_command(session: Session, scores: tuple[int, ...]) -> SetupCommand:
    """The command that corrects the scores to ``scores``; correct ones need no step."""
    game = session.game
    each = zip(game.rules.scoring_sides, game.score, scores, strict=True)
    changed = [
        (new > old, Step(side, Action.CORRECT, new)) for side, old, new in each if old != new
    ]
    # Decreases come first: piles grow from the points that others leave in the pot.
    steps = tuple(step for _, step in sorted(changed, key=lambda each: each[0]))
    return SetupCommand(SetupAction.RECORD if steps else SetupAction.LEAVE, steps)


def award_line(level: PointsLevel, session: Session) -> MenuLine:
    """The line that awards the entered points."""
    game, points = session.game, level.value
    act = SetupCommand(
        SetupAction.RECORD, late_envido.award_steps(game, level.side, points), reason=level.reason
    )
    # Points awarded to a player of destantado leave the pile.
    signed = -points if game.rules.seating.counts_down else points
    return MenuLine(PlainKey.POINTS, act, seating.view_index(game, level.side), signed)


def scores_entry(session: Session) -> MenuLines:
    level = _scores_level(session) if session.game.winner is None else None
    return refusable_line(SetupKey.CORRECT, level, Refusal.GAME_OVER)


def _scores_level(session: Session) -> Level:
    game, rules = session.game, session.rules
    scores = shown_scores(game)
    least, most = (
        (1, sum(scores) + pot_of(game)) if rules.seating.counts_down else (0, rules.target - 1)
    )
    return ScoresLevel(SetupKey.CORRECT, scores, most, least)


def fouls_entry(session: Session) -> MenuLines:
    open_ = session.game.winner is None or _may_reverse(session)
    lines = tuple(line for entry in _FOULS for line in entry(session))
    level = ListLevel(SetupKey.FOULS, lines) if open_ else None
    return refusable_line(SetupKey.FOULS, level, Refusal.GAME_OVER)


def _may_reverse(session: Session) -> bool:
    """True if a lie can still be entered, also after the game."""
    sides, lies = session.rules.speaking_sides, (Action.ENVIDO_REVERSED, Action.FLOR_REVERSED)
    tried = (attempt(session.game, Step(side, lie)) for side in sides for lie in lies)
    return any(isinstance(result, Game) for result in tried)


def _envido_reversed(session: Session) -> MenuLines:
    return _reversed(session, Action.ENVIDO_REVERSED, SetupKey.ENVIDO_REVERSED)


def _flor_reversed(session: Session) -> MenuLines:
    return _reversed(session, Action.FLOR_REVERSED, SetupKey.FLOR_REVERSED)


def _reversed(session: Session, action: Action, key: SetupKey) -> MenuLines:
    """The line for a side that took points without showing its cards."""
    tried = {
        side: attempt(session.game, Step(side, action)) for side in session.rules.speaking_sides
    }
    if Refusal.NOT_IN_THIS_VARIANT in tried.values():
        return ()
    commands = {
        side: SetupCommand(SetupAction.RECORD, (Step(side, action),))
        if isinstance(result, Game)
        else _reversed_late(session, side, action)
        for side, result in tried.items()
    }
    return tuple(
        MenuLine(key, command, seating.view_index(session.game, side))
        for side, command in commands.items()
        if command is not None
    ) or refusable_line(key, None, Refusal.NOTHING_TO_REVERSE)


def _reversed_late(session: Session, side: Side, action: Action) -> SetupCommand | None:
    scores = last_hand.reversed_late(session.record, side, action)
    return _late_correction(session, scores) if scores else None


def _late_envido(session: Session) -> MenuLines:
    """The line for an envido that was played in time but not entered in time."""
    if not late_envido.is_in_the_rules(session.rules):
        return ()
    if not late_envido.is_possible(session.game):
        return refusable_line(SetupKey.LATE_ENVIDO, None)
    actors = session.rules.speaking_sides
    level = _side_level(
        session, SetupKey.LATE_ENVIDO, actors, lambda side: _late_envido_level(session.game, side)
    )
    return (MenuLine(SetupKey.LATE_ENVIDO, level),)


def _late_envido_level(game: Game, side: Side) -> Level:
    """Its possible payments; with open bids the number of stones is entered."""
    if game.rules.opens_with_numbers:
        return PointsLevel(
            SetupKey.LATE_ENVIDO,
            side,
            game.rules.target,
            late_envido.MIN_OPEN_BET,
            late_envido.REASON,
        )
    lines = (
        _payment_line(game, side, points, words)
        for points, words in late_envido.possible_payments(game, side)
    )
    return ListLevel(SetupKey.LATE_ENVIDO, tuple(lines))


def _payment_line(game: Game, side: Side, points: int, words: str) -> MenuLine:
    act = SetupCommand(
        SetupAction.RECORD, late_envido.award_steps(game, side, points), reason=late_envido.REASON
    )
    return MenuLine(
        SetupKey.LATE_PAID if words else SetupKey.LATE_REFUSED, act, number=points, word=words
    )


def _award(session: Session) -> MenuLines:
    most, sides = session.rules.target, session.rules.scoring_sides
    level = _side_level(
        session,
        SetupKey.AWARD,
        sides,
        lambda side: PointsLevel(SetupKey.AWARD, side, most, reason=_FOUL_REASON),
    )
    return (MenuLine(SetupKey.AWARD, level),)


def _side_level(
    session: Session, key: SetupKey, sides: tuple[Side, ...], level: Callable[[Side], Level]
) -> ListLevel:
    game = session.game
    lines = tuple(
        MenuLine(PlainKey.SIDE, level(side), seating.view_index(game, side)) for side in sides
    )
    return ListLevel(key, lines)


def last_hand_entry(session: Session) -> MenuLines:
    """The line that gives the points that ended the last hand to the other side."""
    if len(session.rules.scoring_sides) > 2:
        return ()
    moved = last_hand.to_the_other_side(session.record)
    command = _late_correction(session, moved.scores) if moved else None
    if moved is None or command is None:
        return refusable_line(SetupKey.LAST_HAND, None)
    side = seating.view_index(session.game, moved.to)
    return (MenuLine(SetupKey.LAST_HAND, command, side, figure=f"{moved.points:+d}"),)


def _late_correction(session: Session, scores: tuple[int, ...]) -> SetupCommand | None:
    """The command that corrects what the last hand paid; None if the rules refuse it."""
    command = correction_command(session, scores)._replace(reason=last_hand.REASON)
    after = play_steps(session.game, command.steps) if session.game.winner is None else None
    return None if after is None else command


_FOULS: Final = (_envido_reversed, _flor_reversed, _late_envido, _award)
