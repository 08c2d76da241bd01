"""Legal actions by phase, written row by row from rules.md#phases.

An independent check of legality, without reasons and points. Steps that are legal nearly always
(penalties, corrections, the mano, surrender, reversals) are not in the table.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from scorer.rules import Action, Game, Phase, Side, Special, Status, phase_of
from scorer.rules.model import HandKind
from scorer.rules.seating import Seats
from tests.rules.call_order import next_envidos, next_flores

Word = tuple[Side | None, Action]

# The variants whose actions are all in the table below.
VARIANTS = frozenset(
    (
        "argentine",
        "argentine_flor",
        "paulista",
        "mineiro",
        "gaucho",
        "br_general",
        "pata_gallo",
        "destantado",
        "uruguayan",
        "venezuelan",
        "valencian",
        "pica_pica",
        "uruguayan_six",
    )
)
NOT_IN_TABLE = frozenset(
    (
        Action.AWARD,
        Action.CORRECT,
        Action.MANO,
        Action.CONCEDE,
        Action.TIME,
        Action.ENVIDO_REVERSED,
        Action.FLOR_REVERSED,
    )
)


def possible_words(game: Game) -> frozenset[Word]:
    """Every action the table allows in the phase of ``game``, with its side."""
    rows = _ROWS if game.rules.variant.seats is not Seats.ALONE else _ROWS_ALONE
    return frozenset(rows[phase_of(game)](game))


def _playing(game: Game) -> Iterator[Word]:
    yield from product(game.rules.speaking_sides, _bets(game))
    yield from _trick_words(game)
    if _nothing_entered(game):
        yield from _redeal(game)


def _redeal(game: Game) -> Iterator[Word]:
    """The hand again (rules.md#new-hand), of either kind (rules.md#pica-request)."""
    yield (None, Action.NEW_HAND)
    if game.rules.variant.seats is Seats.DUELS:
        yield from ((None, Action.PICA), (None, Action.REDONDA))


def _trick_words(game: Game) -> Iterator[Word]:
    yield from _calls(game, _may_call(game))
    yield from product(game.rules.speaking_sides, (Action.HAND_WON, Action.FOLD))
    yield from ((None, Action.ALL_TIED), (None, Action.TRICKS))
    if game.hand.first_trick:
        yield (None, Action.FIRST_TRICK_DONE)


def _pending_truco(game: Game) -> Iterator[Word]:
    hand, other = game.hand, _others(game, game.hand.truco.caller)
    yield from product(other, (Action.QUIERO, Action.NO_QUIERO, Action.FOLD))
    yield from _calls(game, other)
    if hand.envido.status is Status.ACCEPTED:
        yield from _envido_winner_words(game)
    elif hand.flor.status is Status.ACCEPTED:
        # In Uruguay announced flores suspend no truco: rules.md#uruguayan-contest.
        yield from _flor_winner_words(game)
    else:
        # In Venezuela the partner of the caller bids and sings too: rules.md#venezuelan-envite.
        yield from product(game.rules.speaking_sides if _is_late(game) else other, _bets(game))


def _pending_envido(game: Game) -> Iterator[Word]:
    other = _others(game, game.hand.envido.caller)
    yield from product(other, (Action.QUIERO, Action.NO_QUIERO, Action.FOLD))
    yield from product(other, next_envidos(game))
    if game.rules.flor is not None:
        yield from product(game.rules.speaking_sides, (Action.FLOR,))


def _awaiting_envido(game: Game) -> Iterator[Word]:
    yield from _envido_winner_words(game)
    if _tricks_may_go_on(game):
        yield from _trick_words(game)
    if game.hand.special is Special.BOTH_CANTANDO:
        yield from _redeal(game)


def _envido_winner_words(game: Game) -> Iterator[Word]:
    yield from product(game.rules.speaking_sides, (Action.ENVIDO_WON,))
    if _flor_open(game) and game.hand.deferred_award is None:
        yield from product(game.rules.speaking_sides, (Action.FLOR,))


def _tricks_may_go_on(game: Game) -> bool:
    """Tricks go on until won, except with both on 23 (rules.md#venezuelan-late)."""
    both = game.hand.special is Special.BOTH_CANTANDO
    late = (_is_late(game) and not both) or _is_contest(game)
    return late and game.hand.deferred_award is None


def _is_contest(game: Game) -> bool:
    """Uruguay: both sides announced, nothing is bet (rules.md#uruguayan-contest)."""
    bets = game.rules.flor_announced == "bets" and not game.hand.flor.raises
    return bets and game.hand.flor.status is Status.ACCEPTED


def _pending_flor(game: Game) -> Iterator[Word]:
    other = _others(game, game.hand.flor.caller)
    yield from product(other, (Action.NO_QUIERO, Action.ME_ACHICO, Action.FOLD))
    yield from product(other, next_flores(game))
    if game.hand.flor.raises:
        yield from product(other, (Action.QUIERO,))
    else:
        yield from _another_flor(game)
        yield from product(other, (Action.NO_FLOR,))


def _awaiting_flor(game: Game) -> Iterator[Word]:
    yield from _flor_winner_words(game)
    if _tricks_may_go_on(game):
        yield from _trick_words(game)


def _flor_winner_words(game: Game) -> Iterator[Word]:
    yield from product(game.rules.speaking_sides, (Action.FLOR_WON,))
    if game.hand.flor.raises or game.hand.deferred_award is not None:
        return
    if _is_contest(game):
        if game.hand.first_trick:
            yield from _another_flor(game)
            yield from product(game.rules.speaking_sides, next_flores(game))
        return
    yield from _another_flor(game)
    if _is_late(game):
        yield from product(game.rules.speaking_sides, (Action.FLOR_ENVIDA,))


def _cantando(game: Game) -> Iterator[Word]:
    yield from product(_others(game, game.hand.decider), (Action.PRIVO, Action.NO_PRIVO))
    yield from _redeal(game)


def _pending_privo(game: Game) -> Iterator[Word]:
    yield (game.hand.decider, Action.QUIERO)
    (priver,) = _others(game, game.hand.decider)
    if _stands_at(game, priver) < game.rules.target - 2:  # VEP 86
        yield (game.hand.decider, Action.NO_QUIERO)


def _mao_decision(game: Game) -> Iterator[Word]:
    yield from product((game.hand.decider,), (Action.MAO_PLAY, Action.MAO_RUN))
    yield from _redeal(game)


def _between_hands(game: Game) -> Iterator[Word]:
    yield (None, Action.NEW_HAND)


def _nothing(game: Game) -> Iterator[Word]:
    yield from ()


_ROWS = {
    Phase.PLAYING: _playing,
    Phase.PENDING_TRUCO: _pending_truco,
    Phase.PENDING_ENVIDO: _pending_envido,
    Phase.AWAITING_ENVIDO: _awaiting_envido,
    Phase.PENDING_FLOR: _pending_flor,
    Phase.AWAITING_FLOR: _awaiting_flor,
    Phase.MAO_DECISION: _mao_decision,
    Phase.CANTANDO: _cantando,
    Phase.PENDING_PRIVO: _pending_privo,
    Phase.HAND_OVER: _between_hands,
    Phase.GAME_OVER: _between_hands,
    Phase.MATCH_OVER: _nothing,
}


# Destantado (rules.md#destantado): three players, two of whom answer every call.


def _playing_alone(game: Game) -> Iterator[Word]:
    here, truco = _in_hand(game), game.hand.truco
    if truco.rung < len(game.rules.ladder):
        callers = [side for side in here if not truco.rung or side is not truco.caller]
        yield from product(callers, (game.rules.ladder[truco.rung].action,))
    if _envido_open(game):
        yield from product(here, next_envidos(game))
    yield from product(here, (Action.HAND_WON, Action.FOLD))
    yield (None, Action.ALL_TIED)
    if game.hand.first_trick:
        yield (None, Action.FIRST_TRICK_DONE)
    if _nothing_entered(game) and not game.hand.bets:
        yield (None, Action.NEW_HAND)


def _pending_truco_alone(game: Game) -> Iterator[Word]:
    asked, at = game.hand.bets[1].asked, game.hand.truco.rung
    yield from product(asked, _ANSWERS_ALONE)
    yield from product(asked, (rung.action for rung in game.rules.ladder[at + 1 : at + 2]))
    if not at and _envido_open(game):
        yield from product(asked, next_envidos(game))


def _pending_envido_alone(game: Game) -> Iterator[Word]:
    asked = game.hand.bets[0].asked
    yield from product(asked, _ANSWERS_ALONE)
    yield from product(asked, next_envidos(game))


def _awaiting_envido_alone(game: Game) -> Iterator[Word]:
    wanted = (side for side in game.rules.scoring_sides if side not in game.hand.bets[0].out)
    yield from product(wanted, (Action.ENVIDO_WON,))


def _in_hand(game: Game) -> tuple[Side, ...]:
    """Players who have neither refused the truco nor folded."""
    out = game.hand.bets[1].out if game.hand.bets else ()
    return tuple(side for side in game.rules.scoring_sides if side not in out)


_ANSWERS_ALONE = (Action.QUIERO, Action.NO_QUIERO, Action.FOLD)
_ROWS_ALONE = {
    Phase.PLAYING: _playing_alone,
    Phase.PENDING_TRUCO: _pending_truco_alone,
    Phase.PENDING_ENVIDO: _pending_envido_alone,
    Phase.AWAITING_ENVIDO: _awaiting_envido_alone,
    Phase.HAND_OVER: _between_hands,
    Phase.GAME_OVER: _between_hands,
    Phase.MATCH_OVER: _nothing,
}


def _others(game: Game, side: Side | None) -> tuple[Side, ...]:
    return tuple(each for each in game.rules.speaking_sides if each is not side)


def _is_late(game: Game) -> bool:
    """Venezuela: bets are opened and compared later: rules.md#venezuelan-late."""
    return game.rules.variant.id == "venezuelan"


def _no_bet_settled(game: Game) -> bool:
    """True if the hand may still have an envido or flor; a sung hand has its own."""
    hand = game.hand
    settled = Status.CLOSED in (hand.envido.status, hand.flor.status)
    return not settled and hand.special is Special.NONE and hand.privo_by is None


def _envido_open(game: Game) -> bool:
    """True if an envido may still be opened (rules.md#window)."""
    hand = game.hand
    in_time = hand.first_trick and (hand.truco.rung == 0 or _is_late(game))
    return bool(game.rules.bids) and in_time and _no_bet_settled(game)


def _flor_open(game: Game) -> bool:
    """True if a first flor may still be announced (rules.md#flor-window)."""
    in_time = game.hand.first_trick or _is_late(game)
    return game.rules.flor is not None and in_time and _no_bet_settled(game)


def _bets(game: Game) -> Iterator[Action]:
    if _envido_open(game):
        yield from next_envidos(game)
    if _flor_open(game):
        yield Action.FLOR


def _another_flor(game: Game) -> Iterator[Word]:
    announced = zip(game.rules.speaking_sides, game.hand.flor.announced, strict=True)
    return ((side, Action.FLOR) for side, flores in announced if flores < _players(game, side))


def _players(game: Game, side: Side) -> int:
    """Players of a side, and so its maximum of flores: rules.md#flor-count."""
    if game.hand.kind is HandKind.PICA or side is Side.GALLO:
        return 1
    if side is Side.PAIR:
        return 2
    each = game.rules.players // 2
    return min(each, game.rules.duels) if game.rules.variant.seats is Seats.DUELS else each


def _may_call(game: Game) -> tuple[Side, ...]:
    """Either side first; then the one that accepted."""
    if game.hand.truco.rung == 0:
        return game.rules.speaking_sides
    return _others(game, game.hand.truco.caller)


def _calls(game: Game, sides: tuple[Side, ...]) -> Iterator[Word]:
    """The next call by ``sides``; in a special hand at most a penalized truco."""
    truco, rules, special = game.hand.truco, game.rules, game.hand.special
    if special is Special.PLAYED and rules.mao_truco != "forbidden":
        yield from product(sides, (rules.ladder[0].action,))
    at = truco.rung + (1 if truco.pending else 0)
    if special is Special.NONE and at < len(rules.ladder):
        worth = (rules.base, *(rung.value for rung in rules.ladder))[at]
        for side in sides:
            if not (rules.no_useless_raise and _stands_at(game, side) + worth >= rules.target):
                yield (side, rules.ladder[at].action)


def _stands_at(game: Game, side: Side) -> int:
    return game.score[game.rules.scoring_sides.index(side)]


def _nothing_entered(game: Game) -> bool:
    hand = game.hand
    idle = hand.envido.status is hand.flor.status is Status.IDLE
    untouched = hand.truco.rung == 0 and hand.first_trick and not hand.tricks
    first_duel = len(hand.duels) < 2  # a finished duel counts as entered (rules.md#new-hand)
    return idle and untouched and first_duel and hand.special is not Special.PLAYED
