"""History of a game as lines: side, entry, payment and the score after it."""

from __future__ import annotations

from scorer.rules import Action, Credit, Game, PointsReason, Rules, Step
from scorer.rules.score import booked_payments, shown_scores
from scorer.session import seating
from scorer.session.game_queries import call_text, word_of
from scorer.session.record import Record, RecordedStep
from scorer.session.view.call_view import newest_word
from scorer.session.view.view import CallFamily, HistoryLine

_HISTORY = 40  # lines; a page shows fewer
_HIDDEN = (Action.NEW_HAND, Action.FIRST_TRICK_DONE)
_ENVIDO_PAYS = (PointsReason.ENVIDO, PointsReason.ENVIDO_REFUSED)
_FLOR_PAYS = (PointsReason.FLOR, PointsReason.FLOR_REFUSED)
_FOLD_PAYS = (PointsReason.FOLD, PointsReason.FOLD_ENVIDO)


def history_lines(record: Record) -> tuple[HistoryLine, ...]:
    """The newest history lines of this game, oldest first."""
    past = record.past
    if not past:
        return ()
    afters = (*(done.before for done in past[1:]), record.game)
    lines = [
        history_line(done, after)
        for done, after in list(zip(past, afters, strict=True))[-_HISTORY:]
        if done.step.action not in _HIDDEN
    ]
    return tuple(lines)


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
    return history_line(past[at - 1], games[at])._replace(scores=shown_scores(games[kept_steps]))


def history_line(done: RecordedStep, after: Game) -> HistoryLine:
    """The history line of a step, given the game after it."""
    rules, step = after.rules, done.step
    scores = shown_scores(after)
    # A surrender pays nothing: it is listed for the side that gives up, not for the winner.
    if after.last_credits and step.action is not Action.CONCEDE:
        at, credit = seating.indexed_credits(after, after.last_credits)[-1]
        points = sum(each.points for each in after.last_credits if each.to is credit.to)
        if rules.seating.counts_down:
            # Points passed on are listed for the side that shed them.
            at, points = seating.largest_gain(after, after.last_credits) or (at, points)
        word = paid_call(after, credit)
        return HistoryLine(done.before.hand_number, at, word, credit.why, points, scores, done.time)
    side = None if step.side is None else seating.view_index(done.before, step.side)
    word = shouted_call(rules, step)
    return HistoryLine(done.before.hand_number, side, word, step.action, 0, scores, done.time)


def hand_credits(game: Game) -> tuple[Credit, ...]:
    """The credits of a finished hand, without corrections made during it."""
    return tuple(
        credit
        for payment in booked_payments(game)
        for credit in payment
        if credit.why is not PointsReason.CORRECT or credit in game.last_credits
    )


def paid_call(game: Game, credit: Credit) -> str:
    """The call that ``credit`` paid for, or "".

    Of a fold it is its word, of an ended duel the first call.
    """
    hand, rules, why = game.hand, game.rules, credit.why
    if hand.duels and credit not in hand.duels[-1]:
        return _first_call(rules, why)
    if why in _ENVIDO_PAYS and hand.envido.chain:
        return newest_word(game, CallFamily.ENVIDO)
    if why in _FLOR_PAYS:
        return newest_word(game, CallFamily.FLOR)
    if why is PointsReason.TRUCO_REFUSED and hand.truco.rung < len(rules.ladder):
        return newest_word(game, CallFamily.TRUCO)
    if why in _FOLD_PAYS:
        return word_of(rules, Action.FOLD)
    if why is PointsReason.HAND and hand.truco.rung:
        return word_of(rules, rules.ladder[hand.truco.rung - 1].action)
    return ""


def _first_call(rules: Rules, why: PointsReason) -> str:
    """The call that opens the bet which is paid with this reason, or ""."""
    if why in _ENVIDO_PAYS and rules.bids:
        return word_of(rules, rules.bids[0].action)
    if why in _FLOR_PAYS:
        return word_of(rules, Action.FLOR)
    return word_of(rules, rules.ladder[0].action) if why is PointsReason.TRUCO_REFUSED else ""


def shouted_call(rules: Rules, step: Step) -> str:
    """The spoken word of a step; "" if it is not spoken."""
    is_said = any(each is step.action for each, _ in rules.variant.words)
    return call_text(rules, step.action, step.amount) if is_said else ""
