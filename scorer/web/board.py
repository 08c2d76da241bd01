"""What a page shows of a game beyond the state document: its ladder, its call, the hand to come.

Everything is found by asking the rules, by playing an answer where need be; the words are those
that are shouted at the table. It knows no socket, no HTTP and no language of the interface.
"""

from __future__ import annotations

from typing import Any

from scorer.rules import GAME, Action, Game, Special, stake_of
from scorer.rules.score import mano_of
from scorer.rules.truco import value_at
from scorer.rules.variant import SERIES
from scorer.session.game_queries import current_hand
from scorer.session.view.call_view import rung_state
from scorer.session.view.history import paid_call
from scorer.web.call import call_document

JsonObject = dict[str, Any]

_SPECIALS = {
    Special.DECIDING: "mao",
    Special.PLAYED: "mao",
    Special.IRON: "iron",
    Special.CANTANDO: "singing",
    Special.PRIVO: "singing",
    Special.BOTH_CANTANDO: "both_singing",
}


def board_document(game: Game) -> JsonObject:
    """The board of ``game`` as JSON-ready values; only ever added to, like the state document.

    Points are numbers, ``"game"`` or ``"series"``; sides are ``A``, ``B``, ``C``, ``gallo``,
    ``pair``.
    """
    variant, dealt = game.rules.variant, current_hand(game)
    return {
        "title": variant.title,
        "seats": variant.seats.value,
        "duels": game.rules.duels,
        "accept": variant.word(Action.QUIERO),
        "refuse": variant.word(Action.NO_QUIERO),
        "ladder": ladder(game),
        "special": special(game),
        "call": call_document(game),
        "gains": gains(game),
        "next": None if dealt is game else _next_hand(dealt),
    }


def ladder(game: Game) -> list[JsonObject]:
    """The rungs from the plain hand up: word, value, and past, current, called or ahead."""
    rules = game.rules
    words = ("", *(rules.variant.word(rung.action) for rung in rules.ladder))
    return [
        {"word": word, "value": points(value_at(rules, rung)), "state": rung_state(game, rung)}
        for rung, word in enumerate(words)
    ]


def special(game: Game) -> JsonObject | None:
    """Mão de onze, de dez, de ferro; cantando: what it is, of whom, at which score, for how much.

    ``number`` is the score that gives the hand its name.
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
    """All that was won in a hand that is over; in play what the newest step paid."""
    paid = game.last_credits
    if game.winner is not None or game.hand.over:
        every = (*game.payments, *game.hand.duels)
        paid = tuple(credit for payment in every for credit in payment) or game.last_credits
    return [
        {"to": each.to, "points": each.points, "why": each.why, "word": paid_call(game, each.why)}
        for each in paid
    ]


def points(value: int) -> int | str:
    """A value as the outside reads it."""
    return {GAME: "game", SERIES: "series"}.get(value, value)


def _next_hand(dealt: Game) -> JsonObject:
    """The hand that comes, shown while the one before is still being looked at."""
    deciding = dealt.hand.special is Special.DECIDING
    return {
        "mano": mano_of(dealt),
        "kind": dealt.hand.kind,
        "gallo": dealt.gallo,
        "special": special(dealt),
        "call": call_document(dealt) if deciding else None,
    }
