"""Build a variant from plain data: a built-in base, and what differs.

An owner writes it as TOML (``config.owner_variants`` reads the files); the header of a game holds
it as JSON on one line, so that the game replays when the file has changed or is gone.
docs/operators/variants.md lists the keys.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Annotated, Any, NamedTuple

from scorer.plain_values import (
    Count,
    Found,
    OneLine,
    Path,
    Range,
    ValueProblem,
    WrongValues,
    json_object,
    read,
    suggestion,
    wrong_value,
)
from scorer.rules import effects
from scorer.rules.actions import Action
from scorer.rules.based_on import Changes, based_on
from scorer.rules.effects import Value
from scorer.rules.options import RulesError, allowed_text, parse_value, rules_for, unknown_key
from scorer.rules.registry import built_in_ids, find_variant
from scorer.rules.rulebooks import options_of
from scorer.rules.variant import GAME, Bid, Rung, Variant

MAX_BYTES = 3000  # maximum size of a definition in a tag
MAX_CALLS = 8  # maximum calls of a ladder, and of an envido
MAX_POINTS = 99

_WHOLE_GAME = "game"
_FALTA = "falta"
_Word = Annotated[str, OneLine(21)]  # titles and words must fit the panels
_NONE: Mapping[str, Any] = {}
# Options that say nothing in a variant without these calls.
_ABOUT = {
    "envido": (
        *("falta", "half_inclusive", "envido_refused", "real_envido_again", "falta_floor"),
        *("free_envido", "falta_cap", "fold_first", "pica_cap", "flor_over_refused", "cantando"),
    ),
    "flor": (
        *("flor", "flor_vs_flor", "flor_value", "me_achico", "contraflor_refused", "resto"),
        *("resto_floor", "resto_refused_direct", "resto_refused_after_contra", "flor_announced"),
        *("flor_bids", "con_flor_envido_pays", "flor_bet_refused", "contraflor_pays"),
        *("flor_over_refused", "pica_resto_cap"),
    ),
}


class _WrittenRung(NamedTuple):
    """A table of ``[[ladder]]``."""

    call: str
    value: int | str
    word: _Word = ""

    def find_problems(self) -> Iterator[Found]:
        ladders = (ladder for variant in _built_in() for _, ladder in variant.ladders)
        yield from _call_problems(self.call, {rung.action for ladder in ladders for rung in ladder})


class _WrittenBid(NamedTuple):
    """A table of ``[[envido]]``."""

    call: str
    adds: int | str
    times: Annotated[int, Range(1, 3)] = 1
    opens: bool = True
    raises: bool = True
    word: _Word = ""

    def find_problems(self) -> Iterator[Found]:
        bids = (bid for variant in _built_in() for bid in variant.envido if bid.adds >= 0)
        yield from _call_problems(self.call, {bid.action for bid in bids})
        if not self.opens and not self.raises:
            yield "raises", "is true for a call that does not open"


class _Written(NamedTuple):
    """What an owner writes: the base, the title, and what differs."""

    based_on: str = ""
    title: Annotated[str, OneLine(24)] = ""
    source: Annotated[str, OneLine(200)] = "its owner"
    target: Value | None = None
    half: Value | None = None
    hand: Annotated[int, Range(1, MAX_POINTS)] | None = None
    players: Annotated[tuple[int, ...], Count(1, 3)] = ()
    ladder: Annotated[tuple[_WrittenRung, ...], Count(1, MAX_CALLS)] = ()
    envido: Annotated[tuple[_WrittenBid, ...], Count(1, MAX_CALLS)] = ()
    without: Annotated[tuple[str, ...], Count(1, 2)] = ()
    options: Mapping[str, Value] = _NONE
    rulebook: str = ""
    words: Mapping[str, _Word] = _NONE

    @property
    def parent(self) -> Variant:
        return find_variant(self.based_on)

    @property
    def base(self) -> int:
        """The points of a hand without truco."""
        return self.hand or self.parent.base

    @property
    def moot_options(self) -> list[str]:
        """Options of the base about calls that this variant does not have."""
        keys = [key for each in self.without for key in _ABOUT.get(each, ())]
        moot = []
        if self.ladder:
            moot += [effects.choose_ladder, effects.allow_match_rung]
        if self.envido and Action.REAL_ENVIDO not in {bid.call for bid in self.envido}:
            moot.append(effects.repeat_real_envido)
        options = self.parent.options
        return [each.key for each in options if each.effect in moot or each.key in keys]

    @property
    def defaults(self) -> Iterator[tuple[Path, str, Value]]:
        """Other defaults of options: the path, the option, and the value."""
        shorts = {"target": self.target, "buenas": self.half}
        for key, value in options_of(self.rulebook, self.based_on).items():
            if key not in self.options and shorts.get(key) is None:
                yield ("rulebook",), key, value
        for key, value in self.options.items():
            yield ("options", key), key, value
        for path, key, short in (("target", "target", self.target), ("half", "buenas", self.half)):
            if short is not None:
                yield (path,), key, short

    @property
    def _rulebook_problem(self) -> str:
        try:
            options_of(self.rulebook, self.based_on)
        except RulesError as error:
            return str(error)
        return ""

    def find_problems(self) -> Iterator[Found]:
        if not self.title:
            yield "title", "is missing: the name that panels and menus show"
        if not self.based_on:
            yield "based_on", 'is missing: write based_on = "argentine", or another variant'
        elif self.based_on not in built_in_ids():
            hint = suggestion(self.based_on, built_in_ids())
            yield "based_on", f"no variant '{self.based_on[:40]}' of this program{hint}"
        elif problem := self._rulebook_problem:
            yield "rulebook", problem
        else:
            yield from self._problems_of_calls()
            yield from self._problems_of_without()
            yield from self._problems_of_defaults()
            if not set(self.players) <= set(self.parent.players):
                known = ", ".join(map(str, self.parent.players))
                yield "players", f"wants some of {known}, as {self.based_on} is played"

    def _problems_of_calls(self) -> Iterator[Found]:
        parent, least = self.parent, self.base
        if not self.ladder and parent.ladders[0][1][0].value <= least:
            yield "hand", "is worth as much as a hand with truco; write a ladder, too"
        for at, (call, value, _) in enumerate(self.ladder):
            rises = value == _WHOLE_GAME or (isinstance(value, int) and least < value <= MAX_POINTS)
            if at and self.ladder[at - 1].value == _WHOLE_GAME:
                yield ("ladder", str(at)), "nothing is called over the whole game"
            elif not rises:
                sentence = f'wants a number from {least + 1} to {MAX_POINTS}, or "{_WHOLE_GAME}"'
                yield ("ladder", str(at), "value"), sentence
            elif call in {rung.call for rung in self.ladder[:at]}:
                yield ("ladder", str(at), "call"), f"'{call}' stands in the ladder already"
            elif isinstance(value, int):
                least = value
        if self.envido and not parent.envido:
            yield "envido", f"{parent.id} has no envido; base the variant on one that has"
        elif self.envido and parent.open_bids:
            yield "envido", f"in {parent.id} any number may be bet; its calls are fixed"
        elif self.envido and not self.envido[0].opens:
            yield ("envido", "0", "opens"), "the first call of an envido opens it"
        for at, bid in enumerate(self.envido):
            is_last = at == len(self.envido) - 1
            if (bid.adds == _FALTA) is not is_last:
                yield ("envido", str(at), "adds"), 'the last call, and no other, adds = "falta"'
            elif not is_last and not (isinstance(bid.adds, int) and 1 <= bid.adds <= MAX_POINTS):
                yield ("envido", str(at), "adds"), f"wants a number from 1 to {MAX_POINTS}"
            if bid.call in {earlier.call for earlier in self.envido[:at]}:
                sentence = f"'{bid.call}' stands here already; say times = 2"
                yield ("envido", str(at), "call"), sentence
        known = {action.value for action, _ in parent.words}
        for key in self.words.keys() - known:
            yield ("words", key), f"no such key{suggestion(key, known)}"

    def _problems_of_without(self) -> Iterator[Found]:
        parent = self.parent
        has = {"envido": bool(parent.envido), "flor": parent.flor is not None}
        for each in self.without:
            if each not in has:
                yield "without", f"'{each[:40]}' cannot be taken away{suggestion(each, has)}"
            elif not has[each]:
                yield "without", f"{parent.id} has no {each}; leave it out"
            elif parent.seating.each_alone:
                yield "without", f"{parent.id} is played with its envido; base it on another one"
        if "envido" in self.without and self.envido:
            yield "envido", 'is written although without = ["envido"]; delete one of them'

    def contradictions(self) -> Iterator[Found]:
        """What stands against each other; a stored game may have been begun with it."""
        titles = {variant.title.casefold(): variant.id for variant in _built_in()}
        title = self.title.strip()
        if title.casefold() in titles:
            taken = titles[title.casefold()]
            yield "title", f"is the title of {taken}; write one of your own, such as '{title} 2'"
        option = self.parent.option("players")
        if option is None or not self.players:
            return
        defaults = {key: (path, value) for path, key, value in self.defaults}
        path, default = defaults.get("players", (("players",), option.default))
        if default not in self.players:
            allowed = ", ".join(map(str, self.players))
            if path == ("rulebook",):
                advice = f"add {default}, or leave the rulebook out"
            elif path == ("players",):
                advice = f"write players = {self.players[0]} in [options], too"
            else:
                advice = f"write one of {allowed}"
            yield path, f"players = [{allowed}], but the game is for {default}: {advice}"

    def _problems_of_defaults(self) -> Iterator[Found]:
        without, seen = self.moot_options, set[str]()
        known = {each.key: each for each in self.parent.options if each.key not in without}
        for path, key, value in self.defaults:
            if key not in known:
                yield path, unknown_key(self.based_on, key, known)
            elif key in seen:
                yield path, "is written twice"
            elif parse_value(known[key], value) is None:
                yield path, allowed_text(known[key], value)
            seen.add(key)


def define(variant_id: str, values: Mapping[str, Any]) -> Variant:
    """The variant defined by ``values``. Raises WrongValues.

    The same definition under the same id always gives the same object.
    """
    written = read(_Written, values)
    if found := [*written.contradictions()]:
        paths = ((path if isinstance(path, tuple) else (path,), told) for path, told in found)
        raise WrongValues(ValueProblem(path, told) for path, told in paths)
    text = json.dumps(values, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    if len(text.replace("\\", "\\\\").replace('"', '\\"').encode()) > MAX_BYTES:
        raise wrong_value(f"this is longer than a header can hold, {MAX_BYTES} bytes")
    variant = read_definition(variant_id, text)
    try:
        rules_for(variant)
    except RulesError as error:
        raise WrongValues(ValueProblem(("options",), each) for each in error.problems) from None
    return variant


@lru_cache(maxsize=64)
def read_definition(variant_id: str, text: str) -> Variant:
    """The variant in a ``Definition`` tag. Raises RulesError."""
    values = json_object(text)
    if values is None:
        raise RulesError(["this is no definition of a variant"])
    try:
        written = read(_Written, values)
    except WrongValues as error:
        raise RulesError(map(str, error.problems)) from None
    words = [*written.words.items()]
    words += [(rung.call, rung.word) for rung in written.ladder if rung.word]
    words += [(bid.call, bid.word) for bid in written.envido if bid.word]
    changes: Changes = {"base": written.base, "definition": text}
    if written.players:
        changes["players"] = tuple(sorted(set(written.players)))
    if written.ladder:
        worths = (GAME if rung.value == _WHOLE_GAME else rung.value for rung in written.ladder)
        calls = (Action(rung.call) for rung in written.ladder)
        rungs = tuple(map(Rung, calls, map(int, worths)))
        changes["ladders"] = ((written.parent.ladders[0][0], rungs),)
    if "envido" in written.without:
        changes["envido"] = ()
    if "flor" in written.without:
        changes["flor"] = None
    if written.envido:
        *bids, falta = written.envido
        changes["envido"] = tuple(
            Bid(Action(call), int(adds), times, opens, raises)
            for call, adds, times, opens, raises, _ in (*bids, falta._replace(adds=0))
        )
    return based_on(
        written.based_on,
        id=variant_id,
        title=written.title.strip(),
        sources=(written.source.strip(),),
        without=written.moot_options,
        defaults={key: value for _, key, value in written.defaults},
        words={Action(call): word.strip() for call, word in words},
        **changes,
    )


def _built_in() -> Iterable[Variant]:
    return map(find_variant, built_in_ids())


def _call_problems(call: str, actions: set[Action]) -> Iterator[Found]:
    if call not in actions:
        yield "call", f"no call '{call[:40]}' here{suggestion(call, actions)}"
