"""From what people chose (words, numbers, yes and no) to the ``Rules`` of a game.

It knows which values an option may take and says every wrong one in a sentence at once; what an
option means for a score is the engine's business.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from scorer.rules.model import Action, Side
from scorer.rules.variant import (
    NAMED,
    SERIES,
    Bid,
    EnvidoRefused,
    Falta,
    Finish,
    FlorPays,
    MaoTruco,
    Option,
    Resto,
    Rules,
    Rung,
    Seats,
    Tied,
    Variant,
)

Value = str | int | bool

# Values that have a name in the engine; everything else is a number or a yes.
_NAMED: dict[str, type[Any]] = {
    "finish": Finish,
    "tied": Tied,
    "falta": Falta,
    "envido_refused": EnvidoRefused,
    "flor_vs_flor": FlorPays,
    "resto": Resto,
    "mao_truco": MaoTruco,
}
_PLAIN = (
    "best_of",
    "fold_first",
    "me_achico",
    "contraflor_refused",
    "resto_refused_direct",
    "resto_refused_after_contra",
    "no_useless_raise",
    "free_envido",
    "cantando",
    "pica_from",
    "pica_until",
    "duels",
    "gallo_fijo",
)


class RulesError(ValueError):
    """The chosen rules make no game; ``problems`` has a sentence for everything that is wrong."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(self.problems))


def rules_for(variant: Variant, options: Mapping[str, Value] | None = None) -> Rules:
    """The rules of ``variant`` with ``options`` (key to value, text or already a value).

    Raises RulesError with every problem. The same choice always gives the same object.
    """
    chosen: dict[str, Value] = {}
    problems: list[str] = []
    for key, value in (options or {}).items():
        option = variant.option(key)
        if option is None:
            problems.append(_unknown_key(variant, key))
            continue
        parsed = parse_value(option, value)
        if parsed is None:
            problems.append(f"{key}={value_text(value)}: {_allowed_text(option, value)}")
        elif parsed != option.default:
            chosen[key] = parsed
    if problems:
        raise RulesError(problems)
    if chosen.get("buenas") is True and _has_half_anyway(variant, chosen):
        del chosen["buenas"]
    return _resolve(variant, tuple(sorted(chosen.items())))


def parse_value(option: Option, value: Value) -> Value | None:
    """``value`` as this option takes it, or None where it cannot."""
    known: tuple[Value, ...] = option.choices
    if known:
        # "true" and True, "3" and 3 are the same choice; 1 and True are not.
        return next((each for each in known if value_text(each) == value_text(value)), None)
    text = value_text(value)
    if not (text.isascii() and text.isdigit() and len(text) <= 4):
        return None
    if not option.low <= int(text) <= option.high:
        return None
    if option.key == "best_of" and int(text) % 2 == 0:
        return None
    return int(text)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A half sentence that offers the nearest right word, or nothing."""
    # Imported here: where every word is right no start pays for it.
    import difflib

    close = difflib.get_close_matches(word, list(known), n=1, cutoff=0.5)
    return f"; did you mean '{close[0]}'?" if close else ""


def _unknown_key(variant: Variant, key: str) -> str:
    keys = [option.key for option in variant.options]
    hint = did_you_mean(key, keys) or "."
    return f"{variant.id} has no option '{key}'{hint} It has: {', '.join(keys)}"


def _allowed_text(option: Option, value: Value) -> str:
    if option.choices:
        known = [value_text(each) for each in option.choices]
        return f"choose one of {', '.join(known)}{did_you_mean(value_text(value), known)}"
    odd = "an odd number" if option.key == "best_of" else "a number"
    return f"{odd} from {option.low} to {option.high}"


def value_text(value: Value) -> str:
    """The value as it is written in a sheet: true, 30, leader_half."""
    return str(value).lower() if isinstance(value, bool) else str(value)


@lru_cache(maxsize=512)
def _resolve(variant: Variant, chosen: tuple[tuple[str, Value], ...]) -> Rules:
    values: dict[str, Any] = {option.key: option.default for option in variant.options}
    values.update(chosen)
    target = values["target"]
    fields: dict[str, Any] = {key: values[key] for key in _PLAIN if key in values}
    fields |= {key: kind(values[key]) for key, kind in _NAMED.items() if key in values}
    if "half_inclusive" in values:
        fields["half_inclusive"] = values["half_inclusive"] == "buenas"
    if "pica_cap" in values:
        fields["pica_cap"] = None if values["pica_cap"] == "none" else values["pica_cap"]
        fields["pica_live"] = values["pica_add"] == "live"
    if "destantado_plain_hand" in values:
        fields["plain_hand_to_pot"] = values["destantado_plain_hand"] == "pot"
    alone = variant.seats is Seats.ALONE
    three = alone or variant.seats is Seats.GALLO
    sides = (Side.A, Side.B, Side.C) if three else (Side.A, Side.B)
    return Rules(
        variant=variant,
        chosen=chosen,
        scoring_sides=sides,
        speaking_sides=(Side.GALLO, Side.PAIR) if variant.seats is Seats.GALLO else sides,
        # Destantado: everybody begins with a full pile and rids himself of it.
        starting_score=(target,) * len(sides) if alone else (0,) * len(sides),
        flor=variant.flor if values.get("flor", True) else None,
        target=target,
        half=_half(target, values.get("buenas")),
        ladder=_ladder(variant, values),
        bids=_bids(variant, values),
        **fields,
    )


def _half(target: int, buenas: Value | None) -> int | None:
    """The last point of the malas; none for 9, 12, 15 and odd targets (rules.md#targets)."""
    if buenas is None or buenas is False:
        return None
    if buenas == "auto" and (target in (9, 12, 15) or target % 2):
        return None
    return target // 2 or None


def _has_half_anyway(variant: Variant, chosen: Mapping[str, Value]) -> bool:
    option = variant.option("target")
    assert option is not None
    return _half(int(chosen.get("target", option.default)), "auto") is not None


def _ladder(variant: Variant, values: Mapping[str, Value]) -> tuple[Rung, ...]:
    ladders = dict(variant.ladders)
    rungs = ladders.get(str(values.get("mineiro_ladder")), variant.ladders[0][1])
    return rungs if values.get("match_rung") else tuple(r for r in rungs if r.value != SERIES)


def _bids(variant: Variant, values: Mapping[str, Value]) -> tuple[Bid, ...]:
    bids = variant.envido
    if values.get("real_envido_again"):
        bids = tuple(bid._replace(times=2) if bid.adds == 3 else bid for bid in bids)
    if values.get("free_envido"):
        bids = (*bids[:-1], Bid(Action.ENVIDO_MAS, NAMED, times=99, opens=False), bids[-1])
    return bids
