"""What simulated players press: legal calls, answers and winners.

They read the state of their table alone, and play any truco of two sides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final

from scorer.rules import Action, Phase

State = Mapping[str, Any]
_SIDES: Final = ("A", "B")
_YES: Final = (Action.QUIERO, Action.PRIVO, Action.MAO_PLAY)
_NO: Final = (
    *(Action.NO_QUIERO, Action.NO_FLOR, Action.ME_ACHICO),
    *(Action.MAO_RUN, Action.NO_PRIVO),
)
_WON: Final = (Action.ENVIDO_WON, Action.FLOR_WON, Action.HAND_WON)
_LADDER: Final = (
    *(Action.TRUCO, Action.RETRUCO, Action.VALE_CUATRO, Action.SEIS, Action.NOVE),
    *(Action.DEZ, Action.DOZE, Action.TRUC, Action.RETRUC, Action.QUATRE_VAL),
    *(Action.VALE_NUEVE, Action.VALE_JUEGO, Action.JOC_FORA),
)
# The button of each kind of word. One tap of ENVIDO is the lowest call of the truco.
_BUTTONS: Final[Sequence[tuple[Sequence[Action], str]]] = (
    (_YES, "quiero"),
    (_NO, "no_quiero"),
    (_LADDER, "truco"),
    ((Action.ENVIDO, Action.ENVIT), "envido"),
    (_WON, "tantos"),
)
_RAISE = 0.15  # of the answers to a bet
_ACCEPT = 0.55
# What a hand begins with, and how often: nothing at all is the winner of a silent hand.
_OPENINGS: Final = {"truco": 0.45, "envido": 0.3, "tantos": 0.25}


def next_presses(state: State, chance: Random) -> list[str]:
    """The buttons that are pressed next, such as ``A.truco``; empty: none."""
    match = state.get("match") or {}
    match match.get("phase"):
        case "offered" | "ended":
            return _both(chance)
        case "accepted" | "playing":
            return _play(state, chance)
        case _:
            return []


def _both(chance: Random) -> list[str]:
    """QUIERO of both teams, in either order."""
    return [f"{side}.quiero" for side in chance.sample(_SIDES, 2)]


def _play(state: State, chance: Random) -> list[str]:
    if state["phase"] in (Phase.GAME_OVER, Phase.MATCH_OVER):
        return _both(chance)
    if state["phase"] == Phase.HAND_OVER:
        # The first press of a hand deals it.
        (opening,) = chance.choices([*_OPENINGS], [*_OPENINGS.values()])
        return [f"{chance.choice(_SIDES)}.{opening}"]
    legal = [
        (str(side), button)
        for side, action in state["legal"]
        for actions, button in _BUTTONS
        if side in _SIDES and action in actions
    ]
    answers = [each for each in legal if each[1] in ("quiero", "no_quiero")]
    winners = [each for each in legal if each[1] == "tantos"]
    calls = [each for each in legal if each[1] in ("truco", "envido")]
    if answers:
        side, button = _answer(answers, calls, chance)
    elif winners and (not calls or chance.random() < 0.6):
        side, button = chance.choice(winners)
    elif calls:
        side, button = chance.choice(calls)
    else:
        return []
    return [f"{side}.{button}"]


def _answer(
    answers: Sequence[tuple[str, str]], calls: Sequence[tuple[str, str]], chance: Random
) -> tuple[str, str]:
    side = answers[0][0]
    raises = [each for each in calls if each == (side, "truco")]
    drawn = chance.random()
    if raises and drawn < _RAISE:
        return raises[0]
    wanted = "quiero" if drawn < _RAISE + _ACCEPT else "no_quiero"
    return next((each for each in answers if each[1] == wanted), answers[0])
