"""The data of a game beyond the state document: ladder, call, next hand.

Words are those of the game; phrases of the interface are made in ``report_phrases``.
"""

from __future__ import annotations

from typing import Any

from scorer.rules import GAME, Action, Game, Side, Special, stake_of
from scorer.rules.score import mano_of, speaker_of
from scorer.rules.truco import value_at
from scorer.rules.variant import SERIES
from scorer.session.values.game_queries import current_hand
from scorer.session.view.call_view import call_view, rung_state
from scorer.session.view.gains import paid_call, shown_credits
from scorer.session.view.view import CallFamily, CallView, SpecialKind, WorthView

JsonObject = dict[str, Any]

_SPECIALS = {
    Special.DECIDING: SpecialKind.MAO,
    Special.PLAYED: SpecialKind.MAO,
    Special.IRON: SpecialKind.IRON,
    Special.CANTANDO: SpecialKind.SINGING,
    Special.PRIVO: SpecialKind.SINGING,
    Special.BOTH_CANTANDO: SpecialKind.BOTH_SINGING,
}


def board_document(game: Game) -> JsonObject:
    """The board of ``game`` as JSON-ready values; keys are only ever added.

    Points are numbers, ``"game"`` or ``"series"``; sides are ``A``, ``B``, ``C``, ``gallo``,
    ``pair``.
    """
    variant, dealt = game.rules.variant, current_hand(game)
    return {
        "title": variant.title,
        "seats": variant.seats.value,
        "duels": game.rules.duels,
        "hand_kind": game.hand.kind,
        "mano": mano_of(game),
        "gallo": game.gallo,
        "accept": variant.word(Action.QUIERO),
        "refuse": variant.word(Action.NO_QUIERO),
        "ladder": ladder(game),
        "special": special(game),
        "call": call_document(game, call_view(game)),
        "gains": gains(game),
        "next": None if dealt is game else _next_hand(dealt),
    }


def ladder(game: Game) -> list[JsonObject]:
    """The rungs upwards: word, value, and past, current, called or ahead."""
    rules = game.rules
    words = ("", *(rules.variant.word(rung.action) for rung in rules.ladder))
    return [
        {"word": word, "value": points(value_at(rules, rung)), "state": rung_state(game, rung)}
        for rung, word in enumerate(words)
    ]


def special(game: Game) -> JsonObject | None:
    """Mão de onze, de dez, de ferro; cantando: kind, side, score and points.

    ``number`` is the score that names the hand.
    """
    kind = _SPECIALS.get(game.hand.special)
    if kind is None:
        return None
    return {
        "kind": kind,
        "number": max(game.score_at_deal),
        "worth": points(stake_of(game)),
        "decider": game.hand.decider,
        "deciding": game.hand.special is Special.DECIDING,
    }


def gains(game: Game) -> list[JsonObject]:
    """What was won in a finished hand; during play what the newest press paid."""
    return [
        {"to": each.to, "points": each.points, "why": each.why, "word": paid_call(game, each)}
        for each in shown_credits(game)
        if each.points
    ]


def points(value: int) -> int | str:
    """A value in JSON."""
    return {GAME: "game", SERIES: "series"}.get(value, value)


def _next_hand(dealt: Game) -> JsonObject:
    """The next hand, shown while the result of the last one is displayed."""
    deciding = dealt.hand.special is Special.DECIDING
    return {
        "mano": mano_of(dealt),
        "kind": dealt.hand.kind,
        "gallo": dealt.gallo,
        "special": special(dealt),
        "call": call_document(dealt, call_view(dealt)) if deciding else None,
    }


def call_document(game: Game, call: CallView | None) -> JsonObject | None:
    """``call``, a call of ``game``, as JSON-ready values.

    ``no_quiero`` is None once the bet is accepted and its winner is needed. ``scores`` of a quiero
    are those if either side wins it, ``score`` of a no is the resulting one; both are None while
    uncertain.
    """
    if call is None:
        return None
    # Both sides sing: no call was made, and the better envido ends the game.
    is_uncalled = call.family is CallFamily.ENVIDO and game.hand.envido.caller is None
    by = None if is_uncalled else _speaker(game, call.by)
    rivals = [side for side in game.rules.speaking_sides if side != by]
    return {
        "word": call.word,
        "family": CallFamily.TRUCO if call.family is CallFamily.PRIVO else call.family,
        "by": by,
        "owes": [_speaker(game, at) for at in call.owed],
        "quiero": {
            "word": call.yes,
            "points": _worth_points(game, call.quiero),
            "wins": call.quiero.wins,
            "scores": _scores_if_won(game, call.quiero),
        },
        "no_quiero": None
        if not call.no
        else {
            "word": call.no,
            "points": points(call.no_quiero.points[0]),
            # The side with mão de onze decides on it; every other call is refused to its caller.
            "to": rivals[0] if call.family is CallFamily.MAO else by,
            "score": _scores(game, _booked_scores(game, call.no_quiero)),
            "wins": call.no_quiero.wins,
        },
        "suspended": call.suspended,
    }


def _speaker(game: Game, at: int) -> Side:
    """The key of a side of a view; of pata de gallo a camp."""
    sides = game.rules.scoring_sides
    return speaker_of(game, sides[at]) if at < len(sides) else Side.PAIR


def _worth_points(game: Game, worth: WorthView) -> object:
    """One value, or one per speaking side if it depends on the winner."""
    values = [points(value) for value in worth.points]
    if len(values) == 1:
        return values[0]
    return dict(zip(game.rules.speaking_sides, values, strict=True))


def _scores_if_won(game: Game, worth: WorthView) -> object:
    if worth.if_won is None:
        return None
    each = (_scores(game, scores) for scores in worth.if_won)
    return dict(zip(game.rules.speaking_sides, each, strict=True))


def _booked_scores(game: Game, worth: WorthView) -> tuple[int, ...] | None:
    """The scores after an answer, None if it books nothing yet."""
    return None if worth.scores == game.score else worth.scores


def _scores(game: Game, scores: tuple[int, ...] | None) -> dict[Side, int] | None:
    return None if scores is None else dict(zip(game.rules.scoring_sides, scores, strict=True))
