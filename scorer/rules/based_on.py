"""``based_on``: derive a variant from another one, listing only what differs."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypedDict, Unpack

from scorer.rules.actions import Action
from scorer.rules.effects import Value
from scorer.rules.options import RulesError, allowed_text, parse_value, unknown_key, value_text
from scorer.rules.registry import find_variant
from scorer.rules.seating import Seats
from scorer.rules.variant import Bid, FlorStyle, Option, Rung, SpecialHand, Variant


class Changes(TypedDict, total=False):
    """Fields of a variant that a derived one may change."""

    base: int
    ladders: tuple[tuple[str, tuple[Rung, ...]], ...]
    envido: tuple[Bid, ...]
    flor: FlorStyle | None
    special: SpecialHand | None
    seats: Seats
    players: tuple[int, ...]
    deck: str
    definition: str


def based_on(
    parent: str,
    *,
    id: str,
    title: str,
    sources: tuple[str, ...],
    options: Sequence[Option] = (),
    without: Collection[str] = (),
    defaults: Mapping[str, Value] | None = None,
    words: Mapping[Action, str] | None = None,
    **changes: Unpack[Changes],
) -> Variant:
    """Derive a variant from ``parent`` with another id, title and ``changes``.

    ``options`` replace those of the same key where they stand. A new one is inserted before the
    option that follows it in ``options``, or at the end. ``without`` names options that it does
    not have, ``defaults`` other defaults by key. ``words`` are laid over those of ``parent``.
    Raises RulesError, with every problem, for a parent, an option or a value that does not exist.
    """
    known = find_variant(parent)
    kept = [option for option in known.options if option.key not in without]
    merged = tuple(_merge_options(kept, options))
    return replace(
        known,
        id=id,
        title=title,
        sources=sources,
        options=_with_defaults(id, merged, defaults or {}),
        words=tuple((dict(known.words) | dict(words or {})).items()),
        **changes,
    )


def _merge_options(kept: Sequence[Option], own: Sequence[Option]) -> Iterator[Option]:
    replaced = {option.key: option for option in own}
    keys = {option.key for option in kept}
    # New options are collected until the next known one, and inserted before it.
    before: dict[str, list[Option]] = {}
    waiting: list[Option] = []
    for option in own:
        if option.key in keys:
            before[option.key], waiting = waiting, []
        else:
            waiting.append(option)
    for option in kept:
        yield from before.get(option.key, ())
        yield replaced.get(option.key, option)
    yield from waiting


def _with_defaults(
    id: str, options: tuple[Option, ...], defaults: Mapping[str, Value]
) -> tuple[Option, ...]:
    by_key = {option.key: option for option in options}
    problems = []
    for key, value in defaults.items():
        if key not in by_key:
            problems.append(unknown_key(id, key, by_key))
        elif (parsed := parse_value(by_key[key], value)) is None:
            problems.append(f"{key}={value_text(value)}: {allowed_text(by_key[key], value)}")
        else:
            by_key[key] = by_key[key]._replace(default=parsed, follows=False)
    if problems:
        raise RulesError(problems)
    return tuple(by_key.values())
