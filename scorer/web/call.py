"""The bet that waits: whose it is, who owes an answer, what either one pays and leads to.

Nothing is reckoned here a second time: an answer is played through the rules and looked at. It
knows no socket, no HTTP and no language of the interface.
"""

from __future__ import annotations

from typing import Any

from scorer.rules import Action, Game, Phase, Side, Step, attempt, phase_of
from scorer.rules import envido as envidos
from scorer.rules import flor as flores
from scorer.rules.cantando import UNBEATEN_WORTH
from scorer.rules.destantado import chain_worth
from scorer.rules.document import pending_call, suspended_call
from scorer.rules.variant import Seats
from scorer.session.game_queries import side_of_pending_call, sides_to_answer
from scorer.session.seating import shown_score
from scorer.session.view.call_view import newest_word

JsonObject = dict[str, Any]

_PENDING = {
    Phase.PENDING_ENVIDO: "envido",
    Phase.PENDING_TRUCO: "truco",
    Phase.PENDING_FLOR: "flor",
    Phase.CANTANDO: "singing",
    Phase.PENDING_PRIVO: "truco",
}
_WAITING = {Phase.AWAITING_ENVIDO: "envido", Phase.AWAITING_FLOR: "flor"}
_WON = {
    "flor": Action.FLOR_WON,
    "envido": Action.ENVIDO_WON,
    "truco": Action.HAND_WON,
    "mao": Action.HAND_WON,
    "singing": Action.HAND_WON,
}


def call_document(game: Game) -> JsonObject | None:
    """The call of ``game`` as JSON-ready values, None where nothing waits.

    ``no_quiero`` is None where the bet was accepted and its winner is wanted. ``scores`` of a
    quiero are those if either side wins it, ``score`` of a no those that it leads to; both are None
    where they are not certain yet.
    """
    phase = phase_of(game)
    if phase in _PENDING:
        return _pending(game, _PENDING[phase])
    if phase in _WAITING:
        return _awaiting_winner(game, _WAITING[phase])
    return _mao_decision(game) if phase is Phase.MAO_DECISION else None


def _pending(game: Game, family: str) -> JsonObject:
    owes, told = sides_to_answer(game), pending_call(game)
    yes, no = _answers(game, family)
    word = game.rules.variant.word
    return {
        "word": word(Action.PRIVO) if _is_privo(game) else newest_word(game, family),
        "family": family,
        "by": side_of_pending_call(game),
        "owes": list(owes),
        "quiero": {
            "word": word(yes),
            "points": None if told is None else told["quiero"],
            **_if_accepted(game, _try_step(game, Step(owes[0], yes)), family),
        },
        "no_quiero": {
            "word": word(no),
            "points": UNBEATEN_WORTH if told is None else told["no_quiero"],
            "to": side_of_pending_call(game),
            **_outcome(game, _try_step(game, Step(owes[0], no))),
        },
        "suspended": _suspended(game),
    }


def _is_privo(game: Game) -> bool:
    return phase_of(game) in (Phase.CANTANDO, Phase.PENDING_PRIVO)


def _answers(game: Game, family: str) -> tuple[Action, Action]:
    """The two steps that whoever owes an answer may take."""
    if family == "singing":
        return Action.PRIVO, Action.NO_PRIVO
    if family == "flor" and not game.hand.flor.raises:
        return Action.FLOR, Action.NO_FLOR
    return Action.QUIERO, Action.NO_QUIERO


def _awaiting_winner(game: Game, family: str) -> JsonObject:
    """An accepted bet: who won it, and what does it pay then?"""
    each = {side: _worth(game, family, side) for side in game.rules.speaking_sides}
    values = set(each.values())
    return {
        "word": newest_word(game, family),
        "family": family,
        "by": (game.hand.flor if family == "flor" else game.hand.envido).caller,
        "owes": [],
        "quiero": {
            "word": "",
            "points": values.pop() if len(values) == 1 else each,
            **_if_accepted(game, game, family),
        },
        "no_quiero": None,
        "suspended": _suspended(game),
    }


def _worth(game: Game, family: str, side: Side) -> int:
    if family == "flor":
        return flores.accepted_worth(game, side)
    if game.rules.seats is Seats.ALONE:
        return chain_worth(game.hand.envido.amounts)
    return envidos.accepted_worth(game, side)


def _mao_decision(game: Game) -> JsonObject:
    """Mão de onze, de dez: play it or run?"""
    decider, hand = game.hand.decider, game.rules.variant.special
    assert decider is not None and hand is not None
    word = game.rules.variant.word
    return {
        "word": "",
        "family": "mao",
        "by": decider,
        "owes": [decider],
        "quiero": {
            "word": word(Action.MAO_PLAY),
            "points": hand.worth,
            **_if_accepted(game, _try_step(game, Step(decider, Action.MAO_PLAY)), "mao"),
        },
        "no_quiero": {
            "word": word(Action.MAO_RUN),
            "points": hand.run,
            "to": game.rules.rival_of(decider),
            **_outcome(game, _try_step(game, Step(decider, Action.MAO_RUN))),
        },
        "suspended": "",
    }


def _suspended(game: Game) -> str:
    return newest_word(game, "truco") if suspended_call(game) is not None else ""


def _if_accepted(before: Game, agreed: Game | None, family: str) -> JsonObject:
    """Once a bet is accepted: the scores if a side wins it, and whether that could end the game."""
    rules = before.rules
    won = (
        {}
        if agreed is None
        else {s: _try_step(agreed, Step(s, _WON[family])) for s in rules.speaking_sides}
    )
    outcomes = {side: _outcome(before, after) for side, after in won.items()}
    scores = {side: told["score"] for side, told in outcomes.items()}
    # Three play: who else is paid depends on more than one answer.
    certain = rules.speaking_sides == rules.scoring_sides and bool(scores) and all(scores.values())
    return {
        "wins": any(told["wins"] for told in outcomes.values()),
        "scores": scores if certain and rules.seats is not Seats.ALONE else None,
    }


def _outcome(before: Game, after: Game | None) -> JsonObject:
    """The scores that a step leads to; None where it books nothing yet."""
    if after is None or after.score == before.score:
        return {"score": None, "wins": False}
    score = {side: shown_score(after, at) for at, side in enumerate(after.rules.scoring_sides)}
    return {"score": score, "wins": after.winner is not None}


def _try_step(game: Game, step: Step) -> Game | None:
    result = attempt(game, step)
    return result if isinstance(result, Game) else None
