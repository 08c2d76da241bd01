"""Effects of options that do more than set the field of ``Rules`` of their name.

An effect takes the fields that are known so far and the chosen value, and returns the fields that
it sets. Options take effect in the order in which their variant lists them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scorer.rules.actions import Action
from scorer.rules.variant import NAMED, SERIES, Bid

Fields = Mapping[str, Any]
Value = str | int | bool


def half_of(target: int, buenas: Value) -> int | None:
    """Last point of the malas; None for 9, 12, 15 and odd targets.

    Source: rules.md#targets.
    """
    if buenas is False or (buenas == "auto" and (target in (9, 12, 15) or target % 2)):
        return None
    return target // 2 or None


def set_half(fields: Fields, value: Value) -> Fields:
    """``buenas``: whether the game has halves."""
    return {"half": half_of(fields["target"], value)}


def set_half_inclusive(_: Fields, value: Value) -> Fields:
    """``half_inclusive``: to which half a score on the half belongs."""
    return {"half_inclusive": value == "buenas"}


def choose_flor(fields: Fields, value: Value) -> Fields:
    """``flor``: whether the flor of the variant is played."""
    return {"flor": fields["flor"] if value else None}


def repeat_real_envido(fields: Fields, value: Value) -> Fields:
    """``real_envido_again``: whether a real envido answers a real envido."""
    times = 2 if value else 1
    return {
        "bids": tuple(
            bid._replace(times=times) if bid.action is Action.REAL_ENVIDO else bid
            for bid in fields["bids"]
        )
    }


def allow_any_envido(fields: Fields, value: Value) -> Fields:
    """``free_envido``: an envido of any number of stones, below the falta."""
    if not value:
        return {"free_envido": False}
    *bids, falta = fields["bids"]
    named = Bid(Action.ENVIDO_MAS, NAMED, times=99, opens=False)
    return {"free_envido": True, "bids": (*bids, named, falta)}


def choose_ladder(fields: Fields, value: Value) -> Fields:
    """``mineiro_ladder``: one of the ladders of the variant, by its name."""
    return {"ladder": dict(fields["variant"].ladders)[value]}


def allow_match_rung(fields: Fields, value: Value) -> Fields:
    """``match_rung``: whether the call worth the whole series is legal."""
    return {"ladder": tuple(r for r in fields["ladder"] if value or r.value != SERIES)}


def set_pica_cap(_: Fields, value: Value) -> Fields:
    """``pica_cap``: the maximum that an envido pays in a duel."""
    return {"pica_cap": None if value == "none" else value}


def set_pica_resto_cap(_: Fields, value: Value) -> Fields:
    """``pica_resto_cap``: the maximum that a contraflor al resto pays in a duel."""
    return {"pica_resto_cap": None if value == "none" else value}


def end_duels_at_half(fields: Fields, value: Value | None) -> Fields:
    """``pica_until``: by default the last point below half of the target."""
    return {"pica_until": max(0, fields["target"] // 2 - 1) if value is None else value}


def end_duels_at_target(fields: Fields, value: Value | None) -> Fields:
    """``pica_until``: by default the target, so that hands of duels have no end."""
    return {"pica_until": fields["target"] if value is None else value}


def make_duels(fields: Fields, value: Value | None) -> Fields:
    """``duels``: by default one for each player of a side."""
    return {"duels": fields["players"] // 2 if value is None else value}


def set_pica_live(_: Fields, value: Value) -> Fields:
    """``pica_add``: whether points of a duel count before all duels are over."""
    return {"pica_live": value == "live"}


def set_plain_hand(_: Fields, value: Value) -> Fields:
    """``destantado_plain_hand``: who gets the point of a hand without truco."""
    return {"plain_hand_to_pot": value == "pot"}
