"""Build the ``Rules`` of a game from chosen option values.

Validates the values and reports all problems at once, one sentence each. The engine and ``effects``
define what an option does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from scorer.plain_values import did_you_mean, suggestion
from scorer.rules.contradictions import contradictions_of
from scorer.rules.effects import Value as Value
from scorer.rules.effects import half_of
from scorer.rules.variant import Option, Rules, Variant


class RulesError(ValueError):
    """The chosen options are invalid; ``problems`` has one sentence per problem."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(self.problems))


def rules_for(
    variant: Variant, options: Mapping[str, Value] | None = None, *, of_stored_game: bool = False
) -> Rules:
    """The rules of ``variant`` with ``options`` (key to value, as text or typed).

    Raises RulesError with every problem; a stored game may have options that contradict each other.
    The same choice always gives the same object.
    """
    chosen: dict[str, Value] = {}
    problems: list[str] = []
    for key, value in (options or {}).items():
        option = variant.option(key)
        if option is None:
            known = [each.key for each in variant.options]
            problems.append(unknown_key(variant.id, key, known))
            continue
        parsed = parse_value(option, value)
        if parsed is None:
            problems.append(f"{key}={value_text(value)}: {allowed_text(option, value)}")
        elif parsed != option.default or option.follows:
            chosen[key] = parsed
    if problems:
        raise RulesError(problems)
    if chosen.get("buenas") is True and _has_half_anyway(variant, chosen):
        del chosen["buenas"]
    rules = _resolve(variant, tuple(sorted(chosen.items())))
    if not of_stored_game and (problems := [*contradictions_of(rules)]):
        raise RulesError(problems)
    return rules


def value_of(rules: Rules, option: Option) -> Value:
    """The value of ``option`` in ``rules``."""
    if option.follows:
        value: Value = getattr(rules, option.key)
        return value
    return dict(rules.chosen).get(option.key, option.default)


def parse_value(option: Option, value: Value) -> Value | None:
    """``value`` converted to the type of this option, or None if not allowed."""
    known: tuple[Value, ...] = option.choices
    if known:
        # "true" and True, "3" and 3 are the same choice; 1 and True are not.
        return next((each for each in known if value_text(each) == value_text(value)), None)
    text = value_text(value)
    if not (text.isascii() and text.isdigit() and len(text) <= 4):
        return None
    if not option.low <= int(text) <= option.high:
        return None
    if (int(text) - option.low) % option.step:
        return None
    return int(text)


def unknown_key(variant: str, key: str, known: Iterable[str]) -> str:
    """The sentence for an option that ``variant`` does not have."""
    return f"{variant} has no option '{key}'{suggestion(key, known)}"


def allowed_text(option: Option, value: Value) -> str:
    """Half a sentence that lists the allowed values, with the nearest one."""
    if option.choices:
        known = [value_text(each) for each in option.choices]
        return f"choose one of {', '.join(known)}{did_you_mean(value_text(value), known)}"
    odd = "an odd number" if option.step == 2 else "a number"
    return f"{odd} from {option.low} to {option.high}"


def value_text(value: Value) -> str:
    """The value as written in a sheet: true, 30, leader_half."""
    return str(value).lower() if isinstance(value, bool) else str(value)


@lru_cache(maxsize=512)
def _resolve(variant: Variant, chosen: tuple[tuple[str, Value], ...]) -> Rules:
    values = dict(chosen)
    fields: dict[str, Any] = {
        "variant": variant,
        "chosen": chosen,
        "ladder": variant.ladders[0][1],
        "bids": variant.envido,
        "flor": variant.flor,
        "half": None,
    }
    for option in variant.options:
        value = values.get(option.key, None if option.follows else option.default)
        fields |= option.effect(fields, value) if option.effect else {option.key: value}
    return Rules(
        seating=variant.seating,
        starting_score=variant.seating.starting_score(fields["target"]),
        **fields,
    )


def _has_half_anyway(variant: Variant, chosen: Mapping[str, Value]) -> bool:
    option = variant.option("target")
    assert option is not None
    return half_of(int(chosen.get("target", option.default)), "auto") is not None
