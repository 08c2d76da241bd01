"""The last hands of a game, and the corrections that the rules allow for each.

A correction plays its hand anew with other steps, and then everything entered after it. What the
rules refuse could not have been and is not offered; the score that it leads to is the one that they
compute. In a pica hand each duel counts as a hand.
"""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import takewhile
from typing import Final, NamedTuple

from scorer.rules import Action, Game, PointsReason, Side, Status, Step, attempt
from scorer.rules.engine import play_steps
from scorer.rules.hand import trick_result
from scorer.rules.score import score_of, standing
from scorer.rules.variant import NAMED
from scorer.session.values import seating
from scorer.session.values.game_queries import word_of
from scorer.session.values.record import UNDO, Record, RecordedStep, hand_id
from scorer.session.values.shown import HandPayment

HANDS: Final = 3  # that can be corrected
_ENVIDO_PAYS: Final = (PointsReason.ENVIDO, PointsReason.ENVIDO_REFUSED, PointsReason.FOLD_ENVIDO)
_FLOR_PAYS: Final = (PointsReason.FLOR, PointsReason.FLOR_REFUSED)
_TRICKS_WON: Final = (Action.HAND_WON, Action.ALL_TIED, Action.TRICKS)
_ANSWERS: Final = (Action.QUIERO, Action.NO_QUIERO)
_ENVIDO, _FLOR, _TRUCO, _NO_BET = "envido", "flor", "truco", ""

Steps = tuple[Step, ...]


def shown_standing(game: Game) -> tuple[int, ...]:
    """The scores as they are displayed, with the points of a pica hand in play."""
    seating_rules, target = game.rules.seating, game.rules.target
    return tuple(seating_rules.capped(points, target) for points in standing(game))


class HandChange(StrEnum):
    """What a correction changes in its hand."""

    WON_BY = "won_by"  # another side won the tricks, or its call was refused
    BET_WON_BY = "bet_won_by"  # another side won the envido or the flor
    WANTED = "wanted"  # a refused bet was accepted, and won by the side that was paid for it
    REFUSED = "refused"  # an accepted bet was refused
    RUNG = "rung"  # the truco or the envido ended one call higher or lower


class EndedHand(NamedTuple):
    """A hand or duel that ended, with the steps ``start`` to ``end`` of the record."""

    start: int
    end: int
    payments: tuple[HandPayment, ...]


class HandCorrection(NamedTuple):
    """A correction: the steps that record it, and the scores it leads to.

    ``word``: the bet, "" for the hand itself. ``side``: the view index of the side that wins it.
    """

    change: HandChange
    word: str
    side: int | None
    steps: Steps
    scores: tuple[int, ...]
    changes_winner: bool  # of the game

    @property
    def key(self) -> str:
        """Names the correction among those of its hand: ``won_by:1:``."""
        return f"{self.change}:{'' if self.side is None else self.side}:{self.word}"


class _Change(NamedTuple):
    """Another course of a hand."""

    change: HandChange
    bet: str
    side: Side | None
    steps: Steps


def last_hands(record: Record) -> tuple[EndedHand, ...]:
    """The last hands that ended in this game of the series, the newest first."""
    games = (*(done.before for done in record.past), record.game)
    found: list[tuple[int, int]] = []
    start = 0
    for at, done in enumerate(record.past):
        before, after = games[at], games[at + 1]
        if done.step.action is Action.NEW_HAND:
            start = at
        if not _ends_hand(before, after):
            continue
        if found and found[-1][0] == start:
            found.pop()  # a game that a lie had won went on
        found.append((start, at + 1))
        if not after.hand.over and after.winner is None:
            start = at + 1  # the next duel
    current = [span for span in found if games[span[1]].games == record.game.games]
    # What each bet of a hand paid, in order.
    return tuple(
        EndedHand(
            *span,
            tuple(
                HandPayment(_paid_word(done, credit.why), credit.points, at)
                for done in record.past[slice(*span)]
                for at, credit in seating.indexed_credits(done.before, done.paid)
                if credit.points and credit.why not in (PointsReason.AWARD, PointsReason.CORRECT)
            ),
        )
        for span in current[: -HANDS - 1 : -1]
    )


def _ends_hand(before: Game, after: Game) -> bool:
    """True if a step ended a hand, a duel, or the game by points."""
    if after.conceded_to is not None:
        return False
    if before.hand.over or before.winner is not None:
        return False
    return after.hand.over or after.winner is not None or _duel(after) > _duel(before) > 0


def _duel(game: Game) -> int:
    return len(game.hand.duels)


def _paid_word(done: RecordedStep, why: PointsReason) -> str:
    """The bet that a step was paid for, in the variant's words; "" for none."""
    rules, now = done.before.rules, done.before.hand
    if why in _ENVIDO_PAYS and rules.bids:
        return word_of(rules, (now.envido.chain or (rules.bids[0].action,))[-1])
    if why in _FLOR_PAYS:
        return word_of(rules, (now.flor.raises or (Action.FLOR,))[-1])
    rung = now.truco.rung + (why is PointsReason.TRUCO_REFUSED)
    return word_of(rules, rules.ladder[rung - 1].action) if rung else ""


def corrections_of(record: Record, hand: EndedHand) -> tuple[HandCorrection, ...]:
    """The corrections of a hand that the rules allow and that change the score."""
    found: dict[str, HandCorrection] = {}
    played = record.past[hand.start : hand.end]
    entered = tuple(done.step for done in record.past[hand.start :])
    # The hand that the first step belongs to, with its gallo.
    first = played[0].before
    after = attempt(first, Step(None, Action.NEW_HAND)) if first.hand.over else first
    dealt = after if isinstance(after, Game) else first
    for changed in _changes(played):
        anew = _play_anew(record, hand, changed.steps)
        if anew is None:
            continue
        steps, game = anew
        changes_winner = game.winner is not record.game.winner
        if standing(game) == standing(record.game) and not changes_winner:
            continue
        pairs = zip(entered, steps, strict=False)
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        correction = HandCorrection(
            changed.change,
            changed.bet,
            None if changed.side is None else seating.view_index(dealt, changed.side),
            (*(UNDO,) * (len(entered) - same), *steps[same:]),
            shown_standing(game),
            changes_winner,
        )
        found.setdefault(correction.key, correction)
    return tuple(found.values())


def _play_anew(record: Record, hand: EndedHand, changed: Steps) -> tuple[Steps, Game] | None:
    """The steps from a hand on with another course of it, and the game after."""
    before = record.past[hand.start].before
    ended, was = play_steps(before, changed), record.past[hand.end - 1].before
    if ended is None or ended.games != record.game.games:
        return None
    if not (ended.hand.over or ended.winner is not None or _duel(ended) > _duel(was)):
        return None
    later = record.past[hand.end :]
    followed = _play_after(ended, later)
    if followed is None and hand == last_hands(record)[0]:
        # What was entered of the hand in play could not have been: it is dealt anew.
        is_deal = [done.step.action is Action.NEW_HAND for done in later]
        followed = _play_after(ended, later[: is_deal.index(True)] if any(is_deal) else ())
    if followed is None:
        return None
    steps, game = followed
    return (*changed, *steps), game


def _play_after(game: Game, later: Sequence[RecordedStep]) -> tuple[Steps, Game] | None:
    """Plays later steps again; a corrected score keeps the difference that it made."""
    steps: list[Step] = []
    for done in later:
        step, then = done.step, done.before
        if (hand_id(game), _duel(game)) != (hand_id(then), _duel(then)):
            return None
        if step.action is Action.CORRECT:
            assert step.side is not None and step.amount is not None
            amount = step.amount + score_of(game, step.side) - score_of(then, step.side)
            if amount < 0:
                return None
            step = step._replace(amount=amount)
        after = attempt(game, step)
        if not isinstance(after, Game):
            return None
        steps.append(step)
        game = after
    return tuple(steps), game


def _changes(played: Sequence[RecordedStep]) -> Iterator[_Change]:
    """Other courses of a hand, the likeliest mistakes first, legal or not."""
    bets = tuple(_bet_of(done) for done in played)
    yield from _won_by_another(played, bets)
    for bet in (_ENVIDO, _FLOR):
        yield from _bet_won_by_another(played, bets, bet)
    yield from _answered_otherwise(played, bets, _TRUCO)
    yield from _rungs(played, bets)
    yield from _answered_otherwise(played, bets, _ENVIDO)
    yield from _other_bids(played, bets)


def _bet_of(done: RecordedStep) -> str:
    """The bet that a step belongs to."""
    rules, now, action = done.before.rules, done.before.hand, done.step.action
    if action in _ANSWERS:
        if now.flor.status is Status.PENDING:
            return _FLOR
        return _ENVIDO if now.envido.status is Status.PENDING else _TRUCO
    if action is Action.ENVIDO_WON or any(action is bid.action for bid in rules.bids):
        return _ENVIDO
    if action in (Action.ME_ACHICO, Action.NO_FLOR) or "flor" in action.value:
        return _FLOR
    return _TRUCO if any(action is rung.action for rung in rules.ladder) else _NO_BET


def _own_steps(played: Sequence[RecordedStep]) -> list[Step]:
    return [done.step for done in played]


def _last(found: Iterator[int]) -> int | None:
    return max(found, default=None)


def _end_of(played: Sequence[RecordedStep], *actions: Action) -> int | None:
    """The last step with one of these actions."""
    return _last(at for at, done in enumerate(played) if done.step.action in actions)


def _trick_end(played: Sequence[RecordedStep]) -> int | None:
    """The step that decided the tricks; a list of the first of them decides nothing."""
    return _last(
        at
        for at, done in enumerate(played)
        if done.step.action in _TRICKS_WON
        and (done.step.action is not Action.TRICKS or trick_result(done.step.tricks)[0])
    )


def _others(done: RecordedStep) -> Iterator[Side]:
    """The speaking sides other than that of a step."""
    return (side for side in done.before.rules.speaking_sides if side is not done.step.side)


def _sides_swapped(
    played: Sequence[RecordedStep], bets: Sequence[str], bet: str, also: Sequence[Action] = ()
) -> Steps:
    """The hand with the steps of a bet said by the other of two sides."""
    return tuple(
        done.step._replace(side=done.before.rules.rival_of(done.step.side))
        if done.step.side is not None and (each == bet or done.step.action in also)
        else done.step
        for done, each in zip(played, bets, strict=True)
    )


def _won_by_another(played: Sequence[RecordedStep], bets: Sequence[str]) -> Iterator[_Change]:
    steps, change = _own_steps(played), HandChange.WON_BY
    won, fold = _trick_end(played), _end_of(played, Action.FOLD)
    for at in (won,) if won is not None else ():
        for side in _others(played[at]):
            anew = (*steps[:at], Step(side, Action.HAND_WON), *steps[at + 1 :])
            yield _Change(change, "", side, anew)
    if won is not None or played[0].before.rules.seating.each_alone:
        return
    paid = [credit for done in played for credit in done.paid]
    winner = next((side for side in _speakers(played) if _is_paid(played[-1], side)), None)
    if winner is None or not paid:
        return
    other = played[-1].before.rules.rival_of(winner)
    for at in (fold,) if fold is not None else ():
        anew = (*steps[:at], Step(winner, Action.FOLD), *steps[at + 1 :])
        yield _Change(change, "", other, anew)
    yield _Change(change, "", other, _sides_swapped(played, bets, _TRUCO, (Action.FOLD,)))


def _speakers(played: Sequence[RecordedStep]) -> tuple[Side, ...]:
    return played[-1].before.rules.speaking_sides


def _is_paid(done: RecordedStep, side: Side) -> bool:
    scoring = done.before.rules.seating.scorers_of(side, done.before.gallo)
    return any(credit.points and credit.to in scoring for credit in done.paid)


def _bet_won_by_another(
    played: Sequence[RecordedStep], bets: Sequence[str], bet: str
) -> Iterator[_Change]:
    """The envido or the flor was another side's."""
    rules, steps, change = played[0].before.rules, _own_steps(played), HandChange.BET_WON_BY
    if bet not in bets:
        return
    word = word_of(rules, Action.FLOR if bet == _FLOR else rules.bids[0].action)
    won = _end_of(played, Action.FLOR_WON if bet == _FLOR else Action.ENVIDO_WON)
    if won is not None:
        for side in _others(played[won]):
            anew = (*steps[:won], steps[won]._replace(side=side), *steps[won + 1 :])
            yield _Change(change, word, side, anew)
    if rules.seating.each_alone:
        return
    paying = [done for done, each in zip(played, bets, strict=True) if each == bet and done.paid]
    for winner in _speakers(played):
        if paying and _is_paid(paying[-1], winner):
            other = rules.rival_of(winner)
            yield _Change(change, word, other, _sides_swapped(played, bets, bet))


def _answered_otherwise(
    played: Sequence[RecordedStep], bets: Sequence[str], bet: str
) -> Iterator[_Change]:
    """The last call of a bet was refused, or accepted after all."""
    steps, rules = _own_steps(played), played[0].before.rules
    ran = _end_of(played, Action.MAO_RUN)
    if bet == _TRUCO and ran is not None:
        side = steps[ran].side
        assert side is not None
        word = word_of(rules, Action.MAO_PLAY)
        anew = (Step(side, Action.MAO_PLAY), Step(rules.rival_of(side), Action.HAND_WON))
        yield _Change(HandChange.RUNG, word, None, (*steps[:ran], *anew))
    at = _last(
        at for at, done in enumerate(played) if bets[at] == bet and done.step.action in _ANSWERS
    )
    folded = _end_of(played, Action.FOLD)
    if bet == _TRUCO and folded is not None and played[folded].before.hand.truco.pending:
        at = folded  # to fold is to refuse
    if at is None or rules.seating.each_alone:
        return
    now, side = played[at].before.hand, steps[at].side
    assert side is not None
    # A prive calls truco without a caller in the truco.
    caller = (now.truco.caller if bet == _TRUCO else now.envido.caller) or rules.rival_of(side)
    action = rules.ladder[now.truco.rung].action if bet == _TRUCO else now.envido.chain[-1]
    word, won = word_of(rules, action), Action.HAND_WON if bet == _TRUCO else Action.ENVIDO_WON
    if steps[at].action is not Action.QUIERO:
        anew = (Step(side, Action.QUIERO), Step(caller, won))
        yield _Change(HandChange.WANTED, word, None, (*steps[:at], *anew, *steps[at + 1 :]))
        return
    refused = (*steps[:at], Step(side, Action.NO_QUIERO))
    # The winner of a bet that was compared at the end is still entered.
    wins = (Action.FLOR_WON, Action.ENVIDO_WON) if bet == _TRUCO else ()
    kept = [step for step in steps[at + 1 :] if step.action in wins]
    if bet == _ENVIDO:
        kept = [step for step in steps[at + 1 :] if step.action is not Action.ENVIDO_WON]
    yield _Change(HandChange.REFUSED, word, None, (*refused, *kept))


def _rungs(played: Sequence[RecordedStep], bets: Sequence[str]) -> Iterator[_Change]:
    """The truco ended one call higher, or one lower."""
    rules, steps = played[0].before.rules, tuple(_own_steps(played))
    end = _last(at for at in (_trick_end(played), _end_of(played, Action.FOLD)) if at is not None)
    if end is None or rules.seating.each_alone or played[end].before.hand.truco.pending:
        return
    rung = played[end].before.hand.truco.rung
    if rung < len(rules.ladder):
        call = rules.ladder[rung].action
        for side in rules.speaking_sides:
            raised = (Step(side, call), Step(rules.rival_of(side), Action.QUIERO))
            anew = (*steps[:end], *raised, *steps[end:])
            yield _Change(HandChange.RUNG, word_of(rules, call), None, anew)
    if not rung:
        return
    called = _end_of(played, rules.ladder[rung - 1].action)
    accepted = _last(
        at
        for at, done in enumerate(played)
        if bets[at] == _TRUCO and done.step.action is Action.QUIERO
    )
    if called is None or accepted is None or accepted < called:
        return
    word = word_of(rules, rules.ladder[rung - 2].action) if rung > 1 else ""
    rest = (*steps[called + 1 : accepted], *steps[accepted + 1 :])
    plain = (Step(steps[called].side, Action.QUIERO),)  # to the call that was raised
    for instead in (plain, ()):
        yield _Change(HandChange.RUNG, word, None, (*steps[:called], *instead, *rest))


def _other_bids(played: Sequence[RecordedStep], bets: Sequence[str]) -> Iterator[_Change]:
    """The last call of the envido was the next one of the table, or the one before."""
    rules, steps = played[0].before.rules, tuple(_own_steps(played))
    actions = [bid.action for bid in rules.bids]
    at = _end_of(played, *actions)
    if at is None or steps[at].amount is not None:
        return
    index = actions.index(steps[at].action)
    for other in (index + 1, index - 1):
        if 0 <= other < len(actions) and rules.bids[other].adds != NAMED:
            bid = steps[at]._replace(action=actions[other])
            anew = (*steps[:at], bid, *steps[at + 1 :])
            yield _Change(HandChange.RUNG, word_of(rules, bid.action), None, anew)
