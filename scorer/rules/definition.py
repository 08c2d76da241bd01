"""Build a variant from plain data: a built-in base, and what differs.

An owner writes it as TOML (``config.owner_variants`` reads the files); the header of a game holds
it as JSON on one line, so that the game replays when the file has changed or is gone.
docs/operators/variants.md lists the keys.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from scorer.rules import effects
from scorer.rules.actions import Action
from scorer.rules.based_on import Changes, based_on
from scorer.rules.options import RulesError, allowed_text, did_you_mean, parse_value, unknown_key
from scorer.rules.registry import built_in_ids, find_variant
from scorer.rules.variant import GAME, Bid, Rung, Variant

MAX_BYTES = 3000  # maximum size of a definition in a tag
MAX_RUNGS = 8  # maximum calls of a ladder, and of an envido
MAX_POINTS = 99
MAX_TIMES = 3  # maximum repetitions of a bid in a hand
MAX_TITLE = 24  # characters; titles and words must fit the panels
MAX_WORD = 21
MAX_SOURCE = 200

_KEYS = (
    "based_on",
    "title",
    "source",
    "target",
    "half",
    "hand",
    "players",
    "ladder",
    "envido",
    "options",
    "words",
)
_RUNG_KEYS = ("call", "value", "word")
_BID_KEYS = ("call", "adds", "times", "opens", "raises", "word")
# Keys that set the default of an option, under a plainer name.
_SHORT = {"target": "target", "half": "buenas"}

Values = Mapping[str, Any]
Report = Callable[[str, tuple[str, ...]], None]  # sentence, path of the key


class DefinitionProblem(NamedTuple):
    """One problem of a definition, and the path of its key: ("ladder", "0", "call")."""

    path: tuple[str, ...]
    sentence: str


class DefinitionError(RulesError):
    """The data defines no variant; ``found`` has every problem with its path."""

    def __init__(self, found: Iterable[DefinitionProblem]) -> None:
        self.found = tuple(found)
        super().__init__(f"{'.'.join(p.path)}: {p.sentence}" for p in self.found)


def define(variant_id: str, values: Values) -> Variant:
    """The variant defined by ``values``. Raises DefinitionError with every problem.

    The same definition under the same id always gives the same object.
    """
    _build(variant_id, values, "")

    text = json.dumps(values, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    if len(text.replace("\\", "\\\\").replace('"', '\\"').encode()) > MAX_BYTES:
        sentence = f"this is longer than a header can hold, {MAX_BYTES} bytes"
        raise DefinitionError([DefinitionProblem((), sentence)])
    return read_definition(variant_id, text)


@lru_cache(maxsize=64)
def read_definition(variant_id: str, text: str) -> Variant:
    """The variant in a ``Definition`` tag. Raises RulesError."""

    try:
        values = json.loads(text)
    except (ValueError, RecursionError):
        raise RulesError(["this is no definition of a variant"]) from None
    if not isinstance(values, dict):
        raise RulesError(["this is no definition of a variant"])
    return _build(variant_id, values, text)


def _build(variant_id: str, values: Values, text: str) -> Variant:
    found: list[DefinitionProblem] = []

    def report(sentence: str, path: tuple[str, ...]) -> None:
        found.append(DefinitionProblem(path, sentence))

    parent = _parent(values, report)
    _check_keys(values, _KEYS, (), report)
    title = _text(values, "title", MAX_TITLE, (), report)
    if "title" not in values:
        report("is missing: the name that panels and menus show", ("title",))
    if parent is None:
        raise DefinitionError(found)
    source = _text(values, "source", MAX_SOURCE, (), report) or "its owner"
    changes, words = _changes(parent, values, report)
    changes["definition"] = text
    without = _moot_options(parent, changes)
    defaults = _defaults(parent, values, without, report)
    if found:
        raise DefinitionError(found)
    return based_on(
        parent.id,
        id=variant_id,
        title=title,
        sources=(source,),
        without=without,
        defaults=defaults,
        words=words,
        **changes,
    )


def _parent(values: Values, report: Report) -> Variant | None:
    if "based_on" not in values:
        report('is missing: write based_on = "argentine", or another variant', ("based_on",))
        return None
    name = values["based_on"]
    if name not in built_in_ids():
        known = built_in_ids()
        hint = did_you_mean(str(name), known) or f"; there are: {', '.join(known)}"
        report(f"no variant '{str(name)[:40]}' of this program{hint}", ("based_on",))
        return None
    return find_variant(name)


def _check_keys(
    values: Values, known: tuple[str, ...], path: tuple[str, ...], report: Report
) -> None:
    for key in values:
        if key not in known:
            hint = did_you_mean(key, known) or f"; known are {', '.join(known)}"
            report(f"no such key{hint}", (*path, key))


def _text(values: Values, key: str, most: int, path: tuple[str, ...], report: Report) -> str:
    text = values.get(key, "")
    if key not in values:
        return ""
    if not isinstance(text, str) or not text.strip() or not text.isprintable() or len(text) > most:
        report(f"wants a text of 1 to {most} letters", (*path, key))
        return ""
    return text.strip()


def _number(
    values: Values, key: str, default: int, most: int, *, path: tuple[str, ...], report: Report
) -> int:
    number = values.get(key, default)
    if type(number) is not int or not 1 <= number <= most:
        report(f"wants a number from 1 to {most}", (*path, key))
        return default
    return number


def _changes(parent: Variant, values: Values, report: Report) -> tuple[Changes, dict[Action, str]]:
    """The fields that differ, and the words of all calls."""
    changes: Changes = {}
    words = _words(parent, values, report)
    changes["base"] = _number(values, "hand", parent.base, MAX_POINTS, path=(), report=report)
    if "players" in values:
        changes["players"] = _players(parent, values["players"], report)
    if "ladder" in values:
        rungs = _ladder(values["ladder"], changes["base"], words, report)
        changes["ladders"] = ((parent.ladders[0][0], rungs),)
    elif parent.ladders[0][1][0].value <= changes["base"]:
        report("is worth as much as a hand with truco; write a ladder, too", ("hand",))
    if "envido" in values:
        changes["envido"] = _envido(parent, values["envido"], words, report)
    return changes, words


def _players(parent: Variant, value: object, report: Report) -> tuple[int, ...]:
    players = tuple(value) if isinstance(value, list) else ()
    if not players or not all(type(n) is int and n in parent.players for n in players):
        told = ", ".join(map(str, parent.players))
        report(f"wants a list of some of {told}, as {parent.id} is played", ("players",))
        return parent.players
    return tuple(sorted(set(players)))


def _words(parent: Variant, values: Values, report: Report) -> dict[Action, str]:
    written = values.get("words", {})
    if not isinstance(written, Mapping):
        report("is a section, write it as [words]", ("words",))
        return {}
    known = {action.value: action for action, _ in parent.words}
    _check_keys(written, tuple(known), ("words",), report)
    return {
        known[key]: _text(written, key, MAX_WORD, ("words",), report)
        for key in written
        if key in known
    }


def _tables(value: object, key: str, report: Report) -> list[Values]:
    """The tables of [[key]]; if they are invalid, reports that and returns none."""
    if not isinstance(value, list) or not all(isinstance(each, Mapping) for each in value):
        report(f"write each call under a heading of its own, [[{key}]]", (key,))
        return []
    if not 1 <= len(value) <= MAX_RUNGS:
        report(f"wants 1 to {MAX_RUNGS} calls", (key,))
        return []
    return value


def _call(
    written: Values, known: Mapping[str, Action], path: tuple[str, ...], report: Report
) -> Action | None:
    name = written.get("call")
    if name is None:
        report("is missing", (*path, "call"))
    elif not isinstance(name, str) or name not in known:
        hint = did_you_mean(str(name), known) or f"; there are: {', '.join(known)}"
        report(f"no call '{str(name)[:40]}' here{hint}", (*path, "call"))
    else:
        return known[name]
    return None


def _ladder(value: object, base: int, words: dict[Action, str], report: Report) -> tuple[Rung, ...]:
    ladders = [ladder for variant in _built_in() for _, ladder in variant.ladders]
    known = {rung.action.value: rung.action for ladder in ladders for rung in ladder}
    rungs: list[Rung] = []
    least = base
    for at, written in enumerate(_tables(value, "ladder", report)):
        path = ("ladder", str(at))
        _check_keys(written, _RUNG_KEYS, path, report)
        action = _call(written, known, path, report)
        worth = GAME if written.get("value") == "game" else written.get("value")
        if rungs and rungs[-1].value == GAME:
            report("nothing is called over the whole game", path)
        elif type(worth) is not int or (worth != GAME and not least < worth <= MAX_POINTS):
            report(f'wants a number from {least + 1} to {MAX_POINTS}, or "game"', (*path, "value"))
        elif action is not None and any(rung.action is action for rung in rungs):
            report(f"'{action}' stands in the ladder already", (*path, "call"))
        elif action is not None:
            rungs.append(Rung(action, worth))
            least = worth
            if word := _text(written, "word", MAX_WORD, path, report):
                words[action] = word
    return tuple(rungs)


def _envido(
    parent: Variant, value: object, words: dict[Action, str], report: Report
) -> tuple[Bid, ...]:
    if not parent.envido:
        report(f"{parent.id} has no envido; base the variant on one that has", ("envido",))
        return ()
    if parent.open_bids:
        report(f"in {parent.id} any number may be bet; its calls are fixed", ("envido",))
        return ()
    known = {b.action.value: b.action for v in _built_in() for b in v.envido if b.adds >= 0}
    bids: list[Bid] = []
    tables = _tables(value, "envido", report)
    for at, written in enumerate(tables):
        path = ("envido", str(at))
        _check_keys(written, _BID_KEYS, path, report)
        action = _call(written, known, path, report)
        is_falta = written.get("adds") == "falta"
        if is_falta != (at == len(tables) - 1):
            report('the last call, and no other, adds = "falta"', (*path, "adds"))
        if action is not None and any(bid.action is action for bid in bids):
            report(f"'{action}' stands here already; say times = 2", (*path, "call"))
        adds = 0 if is_falta else _number(written, "adds", 0, MAX_POINTS, path=path, report=report)
        times = _number(written, "times", 1, MAX_TIMES, path=path, report=report)
        opens, raises = written.get("opens", True), written.get("raises", True)
        if type(opens) is not bool or type(raises) is not bool or not (opens or raises):
            report("opens and raises are true or false, and one of them is true", path)
        if action is not None:
            bids.append(Bid(action, adds, times, opens is True, raises is True))
            if word := _text(written, "word", MAX_WORD, path, report):
                words[action] = word
    if bids and not bids[0].opens:
        report("the first call of an envido opens it", ("envido", "0", "opens"))
    return tuple(bids)


def _built_in() -> Iterable[Variant]:
    return map(find_variant, built_in_ids())


def _moot_options(parent: Variant, changes: Changes) -> tuple[str, ...]:
    """Options about calls that this variant removes."""
    moot = []
    if "ladders" in changes:
        moot += [effects.choose_ladder, effects.allow_match_rung]
    if "envido" in changes and Action.REAL_ENVIDO not in {b.action for b in changes["envido"]}:
        moot.append(effects.repeat_real_envido)
    return tuple(option.key for option in parent.options if option.effect in moot)


def _defaults(
    parent: Variant, values: Values, without: tuple[str, ...], report: Report
) -> dict[str, str | int | bool]:
    written = values.get("options", {})
    if not isinstance(written, Mapping):
        report("is a section, write it as [options]", ("options",))
        return {}
    chosen: dict[tuple[str, ...], tuple[str, Any]] = {
        ("options", key): (key, value) for key, value in written.items()
    }
    chosen |= {(short,): (key, values[short]) for short, key in _SHORT.items() if short in values}
    known = [option.key for option in parent.options if option.key not in without]
    defaults: dict[str, str | int | bool] = {}
    for path, (key, value) in chosen.items():
        option = parent.option(key) if key in known else None
        if option is None:
            report(unknown_key(parent.id, key, known), path)
        elif key in defaults:
            report("is written twice", path)
        elif not isinstance(value, str | int | bool) or parse_value(option, value) is None:
            told = value if isinstance(value, str | int | bool) else ""
            report(allowed_text(option, told), path)
        else:
            defaults[key] = value
    return defaults
