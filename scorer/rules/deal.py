"""Deal the first hand, the next hand or game, a redeal; set the mano."""

from __future__ import annotations

from scorer.rules.actions import Action, Side
from scorer.rules.model import (
    Envido,
    Flor,
    Game,
    Hand,
    HandKind,
    Refusal,
    Special,
    Start,
    Status,
    Step,
    Truco,
)
from scorer.rules.variant import Rules


def new_game(start: Start) -> Game:
    """Deal the first hand of a game.

    Raises ValueError for a mano that does not play, a number of scores that the sides do not have,
    a score at or past the target, or a series that is over.
    """
    rules, sides = start.rules, start.rules.scoring_sides
    score = rules.starting_score if start.score is None else start.score
    if len(score) != len(sides):
        raise ValueError(f"{len(score)} scores for the {len(sides)} sides of {rules.variant.id}")
    if wrong := [points for points in score if not may_start_at(rules, points)]:
        raise ValueError(f"a game to {rules.target} cannot start at {wrong[0]}")
    if rules.seating.counts_down and sum(score) > piles_total(rules):
        raise ValueError(f"the piles hold {sum(score)}; all there is are {piles_total(rules)}")
    gallo, mano = start.gallo, start.mano or sides[0]
    if rules.seating.has_gallo:
        gallo = gallo or sides[0]
        mano = rules.seating.next_side(gallo)
    if mano not in sides:
        raise ValueError(f"{mano} cannot be mano in {rules.variant.id}")
    games = start.games or (0,) * len(sides)
    if max(games) >= games_to_win(rules.best_of):
        raise ValueError(f"a series of {rules.best_of} games is over at {games}")
    kind = start.kind or first_hand_kind(rules)
    start = start._replace(score=score, mano=mano, gallo=gallo, kind=kind, games=games)
    return Game(start, rules, score, score, 1, mano, deal_hand(rules, score, kind), gallo=gallo)


def start_from(game: Game) -> Start:
    """The start of a game that goes on at the score and seats of ``game``."""
    return game.start._replace(
        score=game.score, mano=game.mano, gallo=game.gallo, kind=game.hand.kind
    )


def taken_up(game: Game) -> Game:
    """The start of a game that goes on from here at another table.

    The hand in play is dealt anew, with the points of it that are paid. Raises ValueError if the
    series is over.
    """
    if game.winner is not None:
        game = _next_game(game)
    elif game.hand.over:
        game = _next_hand(game)
    match = game.match and game.match._replace(agreed=(), contested=())
    return new_game(start_from(game)._replace(kind=None, match=match))


def under_rules(game: Game, rules: Rules) -> Game | None:
    """The fresh hand of ``game`` under other rules, as the first one of a stored game.

    All else of its start stays. None if a game of ``rules`` cannot have this score, or these sides.
    """
    if rules.seating is not game.rules.seating:
        return None
    try:
        return new_game(start_from(game)._replace(rules=rules))
    except ValueError:
        return None


def changed_deal(game: Game) -> Game | None:
    """The deal that brings a chosen change into force (rules.md#rule-change).

    None: the same rules go on, as none is chosen or due, or a score has reached the new target.
    """
    change, is_won = game.change, game.winner is not None
    if change is None or not (is_won or game.hand.over) or is_match_over(game):
        return None
    if change.from_game and not is_won:
        return None
    plain = game._replace(change=None)
    if is_won:
        dealt = _next_game(plain)
        start = change.rules.starting_score
        return under_rules(dealt._replace(score=start), change.rules)
    dealt = _next_hand(plain)
    kind = _next_kind(plain._replace(rules=change.rules))
    return under_rules(dealt._replace(hand=dealt.hand._replace(kind=kind)), change.rules)


def may_start_at(rules: Rules, points: int) -> bool:
    """True if a side may start at ``points``; a destantado pile may have any height."""
    return points in rules.seating.start_scores(rules.target)


def piles_total(rules: Rules) -> int:
    """The constant sum of all piles and the pot in destantado."""
    return rules.seating.piles_total(rules.target)


def first_hand_kind(rules: Rules) -> HandKind:
    """Six players begin with a full hand, not with duels (UTN)."""
    return HandKind.REDONDA if rules.seating.has_duels else HandKind.NORMAL


def deal_hand(rules: Rules, score: tuple[int, ...], kind: HandKind) -> Hand:
    """A new hand; its special status depends only on the score at the deal."""
    hand = Hand(Truco(), Envido(), Flor(), kind)
    if kind is HandKind.PICA:
        return hand._replace(duels=((),))
    if rules.cantando:
        return _deal_cantando(rules, score, hand)
    special = rules.variant.special
    if special is None:
        return hand
    there = _sides_within(rules, score, special.margin)
    if not there:
        return hand
    if len(there) > 1:
        return hand._replace(special=Special.IRON)
    return hand._replace(special=Special.DECIDING, decider=there[0])


def _deal_cantando(rules: Rules, score: tuple[int, ...], hand: Hand) -> Hand:
    """A side that is a point from the end declares its envite: rules.md#cantando."""
    there = _sides_within(rules, score, 1)
    if not there:
        return hand
    if len(there) == 1:
        return hand._replace(special=Special.CANTANDO, decider=there[0])
    return hand._replace(special=Special.BOTH_CANTANDO, envido=Envido(status=Status.ACCEPTED))


def _sides_within(rules: Rules, score: tuple[int, ...], margin: int) -> list[Side]:
    sides = zip(rules.scoring_sides, score, strict=True)
    return [side for side, points in sides if points >= rules.target - margin]


def is_fresh(game: Game) -> bool:
    """True if nothing has been entered in this hand."""
    return game.hand == deal_hand(game.rules, game.score_at_deal, game.hand.kind)


def new_hand(game: Game, step: Step) -> Game | Refusal:
    """Deal the next hand, or redeal one in which nothing was entered.

    Source: rules.md#new-hand.
    """
    changed = changed_deal(game)
    if changed is not None:
        return changed
    if game.winner is not None:
        return _next_game(game)
    if game.hand.over:
        return _next_hand(game)
    if is_fresh(game):
        # Same mano, kind and number; penalty points stay.
        return game._replace(last_credits=())
    hand = game.hand
    if Status.ACCEPTED in (hand.envido.status, hand.flor.status):
        return Refusal.WINNER_FIRST
    if hand.truco.pending or Status.PENDING in (hand.envido.status, hand.flor.status):
        return Refusal.ANSWER_FIRST
    return Refusal.NOT_OVER


def choose_kind(game: Game, step: Step) -> Game | Refusal:
    """Make a fresh hand a pica or a redonda: rules.md#pica-request."""
    if not game.rules.seating.has_duels:
        return Refusal.NOT_IN_THIS_VARIANT
    if not is_fresh(game):
        return Refusal.TOO_LATE
    kind = HandKind(step.action.value)
    return game._replace(hand=deal_hand(game.rules, game.score_at_deal, kind))


def set_mano(game: Game, step: Step) -> Game | Refusal:
    """Make ``step.side`` the mano of the whole current hand (rules.md#mano-right)."""
    assert step.side is not None
    # The mano follows the gallo.
    is_possible = not game.rules.seating.has_gallo and step.side in game.rules.scoring_sides
    return game._replace(mano=step.side) if is_possible else Refusal.NOT_IN_THIS_VARIANT


def _next_hand(game: Game) -> Game:
    gallo, mano = _next_seats(game)
    return game._replace(
        score_at_deal=game.score,
        payments=(),
        hand_number=game.hand_number + 1,
        mano=mano,
        gallo=gallo,
        hand=deal_hand(game.rules, game.score, _next_kind(game)),
    )


def _next_game(game: Game) -> Game:
    gallo, mano = _next_seats(game)
    start = game.start._replace(
        score=None, mano=mano, gallo=gallo, kind=None, games=games_won(game)
    )
    return new_game(start)._replace(change=game.change)


def _next_kind(game: Game) -> HandKind:
    """Duels follow every full hand while the scores allow them (rules.md#pica_pica)."""
    rules, best = game.rules, max(game.score)
    if game.hand.kind is not HandKind.REDONDA:
        return first_hand_kind(rules)
    return HandKind.PICA if rules.pica_from <= best <= rules.pica_until else HandKind.REDONDA


def _next_seats(game: Game) -> tuple[Side | None, Side]:
    """The gallo and the mano of the next hand; the deal rotates (rules.md#mano)."""
    seating, gallo = game.rules.seating, next_gallo(game)
    if seating.each_alone:
        # Destantado: the winner of the tricks leads the next hand.
        return None, game.hand.tricks_won_by or game.mano
    return gallo, seating.next_side(gallo or game.mano)


def next_gallo(game: Game) -> Side | None:
    """Who plays alone in the next hand or game; None where no side does."""
    if game.gallo is None or game.rules.gallo_fijo:
        return game.gallo
    return game.rules.seating.next_side(game.gallo)


def next_dealer(game: Game) -> Side | None:
    """The side that deals next; None where the winner of the hand decides it.

    Until something is entered in a hand that is the deal of this hand.
    """
    seating = game.rules.seating
    if is_fresh(game):
        return seating.sides_from(game.mano)[-1]
    if seating.each_alone and not game.hand.over:
        return None
    return seating.sides_from(_next_seats(game)[1])[-1]


def games_won(game: Game) -> tuple[int, ...]:
    """Games of the series per side, including one that was just won.

    A game in which the time of a match was over has no winner.
    """
    if game.winner is None or is_timed(game):
        return game.games
    won = games_to_win(game.rules.best_of)
    return tuple(
        (won if game.wins_series else count + 1) if side is game.winner else count
        for side, count in zip(game.rules.scoring_sides, game.games, strict=True)
    )


def games_to_win(best_of: int) -> int:
    """Number of games that wins the series: k+1 of 2k+1."""
    return best_of // 2 + 1


def is_match_over(game: Game) -> bool:
    if game.winner is None:
        return False
    return is_timed(game) or max(games_won(game)) >= games_to_win(game.rules.best_of)


def is_timed(game: Game) -> bool:
    """True once the time of a match of a tournament has ended it."""
    return game.match is not None and game.match.is_timed


ACTIONS = {Action.NEW_HAND: new_hand}
KINDS = {Action.PICA: choose_kind, Action.REDONDA: choose_kind}
