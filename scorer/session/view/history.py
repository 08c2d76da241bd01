"""History of a game as lines: side, entry, payment and the score after it."""

from __future__ import annotations

from scorer.rules import Action, Game, Rules, Step
from scorer.rules.score import shown_scores
from scorer.session.values import seating
from scorer.session.values.game_queries import call_text
from scorer.session.values.record import Record, RecordedStep
from scorer.session.values.rule_changes import played_rules
from scorer.session.view.gains import gain_views
from scorer.session.view.view import GainView, HistoryLine

_HISTORY = 40  # lines; a page shows fewer
_HIDDEN = (Action.NEW_HAND, Action.FIRST_TRICK_DONE)


def history_lines(record: Record) -> tuple[HistoryLine, ...]:
    """The newest history lines of this game, oldest first.

    A correction of hands has one more line, below the steps that it played anew.
    """
    past, lines, corrects = record.past, list(_opening_lines(record)), False
    games = (*(done.before for done in past), record.game)
    for at in range(max(0, len(past) - _HISTORY), len(past)):
        done, after = past[at], games[at + 1]
        corrects = done.corrects or (corrects and done.press == past[at - 1].press)
        if done.step.action not in _HIDDEN:
            lines += step_lines(done, after)
        is_last = at + 1 == len(past) or past[at + 1].press != done.press
        if corrects and is_last:
            scores = shown_scores(after)
            hand = done.before.hand_number
            lines.append(HistoryLine(hand, None, "", Action.CORRECT, 0, scores, done.time))
    return tuple(lines[-_HISTORY:])


def _opening_lines(record: Record) -> tuple[HistoryLine, ...]:
    """The rules of a continued game, such as one with changed rules."""
    start = record.start
    if start.score == start.rules.starting_score:
        return ()
    rules = played_rules(start.rules)
    # A line is short: what is not played is left out.
    rules = rules._replace(has_flor=rules.has_flor or None)
    return (history_point(record, 0)._replace(change=rules),)


def history_point(record: Record, kept_steps: int) -> HistoryLine:
    """The point after ``kept_steps`` steps, described by the press that led to it."""
    if not kept_steps:
        scores = shown_scores(record.start)
        return HistoryLine(record.start.hand_number, None, "", "start", 0, scores, "")
    past = record.past
    last = next(
        (at for at in range(kept_steps, 0, -1) if past[at - 1].step.action not in _HIDDEN),
        kept_steps,
    )
    # A press that only dealt is described as such, not as the press before it.
    at = last if past[last - 1].press == past[kept_steps - 1].press else kept_steps
    games = (*(done.before for done in past), record.game)
    line = step_lines(past[at - 1], games[at])[-1]
    return line._replace(scores=shown_scores(games[kept_steps]))


def step_lines(done: RecordedStep, after: Game) -> tuple[HistoryLine, ...]:
    """The history lines of a step, one per side that it pays, given the game after it."""
    gains: dict[int, list[GainView]] = {}
    for gain in gain_views(after, done.paid):
        gains.setdefault(gain.side, []).append(gain)
    hand, scores = done.before.hand_number, shown_scores(after)
    if not gains:
        side = None if done.step.side is None else seating.view_index(done.before, done.step.side)
        word = shouted_call(after.rules, done.step)
        return (HistoryLine(hand, side, word, done.step.action, 0, scores, done.time),)
    return tuple(
        HistoryLine(
            hand,
            side,
            paid[-1].word,
            paid[-1].why,
            sum(gain.points for gain in paid),
            scores,
            done.time,
        )
        for side, paid in gains.items()
    )


def shouted_call(rules: Rules, step: Step) -> str:
    """The spoken word of a step; "" if it is not spoken."""
    is_said = any(each is step.action for each, _ in rules.variant.words)
    return call_text(rules, step.action, step.amount) if is_said else ""
