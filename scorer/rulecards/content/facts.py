"""The sentences of a card: plain hand, folding, ties, and hands near the end.

Every number in them is computed by the engine. A fact is a key; user interfaces translate it.
"""

from __future__ import annotations

from collections.abc import Iterator

from scorer.rulecards.content.engine_queries import (
    deal,
    points_moved,
    refused_points,
)
from scorer.rulecards.content.model import Example, Fact
from scorer.rules.actions import Action
from scorer.rules.engine import play_steps
from scorer.rules.model import Game, Step
from scorer.rules.offer import offer
from scorer.rules.variant import MaoTruco, Rules, Tied


def facts_of(rules: Rules) -> tuple[Fact, ...]:
    """All sentences that apply to these rules, in the order of the card."""
    return (
        *_plain_hand(rules),
        *_mao(rules),
        *_cantando(rules),
        *_seats(rules),
    )


def fact(key: str, **numbers: int) -> Fact:
    """A sentence with its numbers."""
    return Fact(key, tuple(numbers.items()))


def _points_paid(game: Game, *steps: Step) -> int:
    """Points paid by the last of ``steps``, all of which must be legal."""
    end = play_steps(game, steps)
    assert end is not None, (game.rules.variant.id, steps)
    return points_moved(end)


def _plain_hand(rules: Rules) -> Iterator[Fact]:
    """A hand without calls: what it pays played and folded, and who wins it tied."""
    game = deal(rules)
    won = Step(rules.speaking_sides[0], Action.HAND_WON)
    # Some hands require a decision or declaration before play.
    is_playable = play_steps(game, (won,)) is not None
    if is_playable:
        key = "plain_pot" if rules.plain_hand_to_pot else "plain_rivals"
        key = key if rules.seating.counts_down else "plain"
        yield fact(key, points=_points_paid(game, won))
    if is_playable and not rules.seating.each_alone:
        folds = Step(rules.speaking_sides[1], Action.FOLD)
        first = _points_paid(game, folds)
        later = _points_paid(game, Step(None, Action.FIRST_TRICK_DONE), folds)
        if first == later:
            yield fact("fold", points=later)
        else:
            yield fact("fold_first", points=first, later=later)
    if rules.seating.each_alone or rules.tied is Tied.MANO:
        yield fact("tied_pair" if rules.seating.has_gallo else "tied_mano")
    else:
        yield fact(f"tied_{rules.tied}")


def _mao(rules: Rules) -> Iterator[Fact]:
    """Mão de onze, de dez, de ferro: what each decision pays."""
    special = rules.variant.special
    if special is None or rules.target <= special.margin:
        return
    there = rules.target - special.margin
    decider, rival = rules.scoring_sides
    plays = Step(decider, Action.MAO_PLAY)
    game = deal(rules, there)
    played = _points_paid(game, plays, Step(rival, Action.HAND_WON))
    yield fact(
        "mao", there=there, played=played, run=_points_paid(game, Step(decider, Action.MAO_RUN))
    )
    called = (plays, Step(decider, rules.ladder[0].action))
    if rules.mao_truco is MaoTruco.FORBIDDEN:
        yield fact("mao_truco_forbidden")
    else:
        yield fact(f"mao_truco_{rules.mao_truco}", points=_points_paid(game, *called))
    iron = _points_paid(deal(rules, there, there), Step(decider, Action.HAND_WON))
    yield fact("iron", there=there, points=iron)


def _cantando(rules: Rules) -> Iterator[Fact]:
    """Cantando and privar (Venezuela, a stone from the end)."""
    if not rules.cantando or rules.target < 3:
        return
    there = rules.target - 1
    singer, priver = rules.scoring_sides
    game = deal(rules, there)
    yield fact("cantando", there=there, points=_points_paid(game, Step(priver, Action.NO_PRIVO)))
    beaten = play_steps(game, (Step(priver, Action.PRIVO),))
    privo = None if beaten is None else offer(beaten)
    assert privo is not None
    yield fact("privo", played=privo.worth_for(game, priver), refused=privo.refused)
    yield fact("privo_must", there=rules.target - privo.refused)
    both = _points_paid(deal(rules, there, there), Step(singer, Action.ENVIDO_WON))
    yield fact("both_cantando", there=there, points=both)


def _seats(rules: Rules) -> Iterator[Fact]:
    """How six or three players play."""
    if rules.seating.has_duels:
        if rules.pica_from > 0:
            yield fact("pica", start=rules.pica_from, until=rules.pica_until)
        elif rules.pica_until < rules.target:
            yield fact("pica_until", until=rules.pica_until)
        else:
            yield fact("pica_always")
        yield fact("duels", duels=rules.duels)
        yield fact("pica_live" if rules.pica_live else "pica_end")
    if rules.seating.has_gallo:
        yield fact("gallo_fixed" if rules.gallo_fijo else "gallo_turns")
        yield fact("gallo_points")
    if rules.seating.counts_down:
        yield fact("piles", points=rules.starting_score[0], players=len(rules.scoring_sides))
        # What a first truco that both rivals refuse costs its caller in destantado.
        called = play_steps(deal(rules), (Step(rules.speaking_sides[0], rules.ladder[0].action),))
        points = None if called is None else refused_points(called)
        assert points is not None
        yield fact("agreed", points=points)


def examples_of(rules: Rules) -> tuple[Example, ...]:
    """The falta at two scores: both sides behind, and both near the end."""
    falta = next((bid for bid in rules.bids if bid.adds == 0), None)
    three = len(rules.scoring_sides) > 2
    if falta is None or three or rules.target < 8:
        return ()
    target, first = rules.target, rules.scoring_sides[0]
    examples = list[Example]()
    for scores in ((target // 3, target // 8), (target * 3 // 4, target * 2 // 3)):
        called = play_steps(deal(rules, *scores), (Step(first, falta.action),))
        pending = None if called is None else offer(called)
        assert pending is not None
        examples.append(Example(scores, (pending.accepted[0], pending.accepted[1])))
    return tuple(examples)
