"""Read a format from plain data, and report every problem at once.

A format is one TOML file; docs/reference/tournament.md lists the keys. ``scorer.config`` reads the
file, and checks the variants and their options.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from enum import StrEnum
from typing import Any, NamedTuple

from scorer.tournament.format import (
    CapEnding,
    Criterion,
    Format,
    Pairing,
    PhaseFormat,
    PhaseKind,
    Source,
)

MAX_TEAMS = 1000
MAX_PHASES = 12
_ID = re.compile(r"[a-z][a-z0-9_]{0,19}")

Values = Mapping[str, Any]
Path = tuple[str, ...]


class FormatProblem(NamedTuple):
    """One problem, and the path of its key: ("phase", "0", "kind")."""

    path: Path
    sentence: str


class FormatError(ValueError):
    """The data is no format; ``found`` has every problem."""

    def __init__(self, found: Iterable[FormatProblem]) -> None:
        self.found = tuple(found)
        super().__init__("; ".join(f"{'.'.join(path)}: {text}" for path, text in self.found))


def define(format_id: str, values: Values) -> Format:
    """The format defined by ``values``. Raises FormatError with every problem."""
    found: list[FormatProblem] = []
    top = _read(values, _FORMAT_KEYS, (), found)
    common = _read(_table(values, "every_phase", found), _PHASE_KEYS, ("every_phase",), found)
    phases: list[PhaseFormat] = []
    listed = values.get("phase")
    if not isinstance(listed, list) or not 1 <= len(listed) <= MAX_PHASES:
        found.append(FormatProblem(("phase",), f"is a list of 1 to {MAX_PHASES} phases"))
        listed = []
    for at, each in enumerate(listed):
        path = ("phase", str(at))
        if not isinstance(each, Mapping):
            found.append(FormatProblem(path, "is a table"))
        elif phase := _phase(common, each, path, phases, found):
            phases.append(phase)
    players = top.get("players", 2)
    least, most = top.get("teams", (2, MAX_TEAMS))
    if found:
        raise FormatError(found)
    return Format(
        id=format_id,
        title=top["title"],
        source=top.get("source", ""),
        teams=(least, most),
        players=players,
        reserves=top.get("reserves", 0),
        phases=tuple(phases),
    )


def default_tiebreaks(pairing: Pairing, *, draws: bool) -> tuple[Criterion, ...]:
    """The tie-breaks of a phase that lists none."""
    first = (Criterion.SCORE,) if draws else (Criterion.WINS,)
    swiss = (Criterion.BUCHHOLZ_CUT, Criterion.BUCHHOLZ, Criterion.SONNEBORN_BERGER)
    return (
        *first,
        *(swiss if pairing is Pairing.SWISS else ()),
        Criterion.MET,
        Criterion.GAMES_DIFFERENCE,
        Criterion.POINTS_DIFFERENCE,
        Criterion.POINTS_FOR,
        Criterion.WALKOVERS,
        Criterion.DRAW,
    )


# ---- one phase ----------------------------------------------------------------------------------


def _phase(
    common: Values,
    values: Values,
    path: Path,
    before: list[PhaseFormat],
    found: list[FormatProblem],
) -> PhaseFormat | None:
    """The phase in ``values``, or None; its problems are added to ``found``."""
    known = len(found)
    own = _read(values, _PHASE_KEYS, path, found)
    read = {**common, **own}

    def report(key: str, sentence: str) -> None:
        found.append(FormatProblem((*path, key), sentence))

    for key in ("id", "kind", "variant", "target"):
        if key not in values and key not in common:
            report(key, "is missing")
    if len(found) > known:
        return None
    for key in own:
        if read["kind"] not in _ONLY.get(key, (read["kind"],)):
            report(key, f"is no key of a phase of kind {read['kind']}")
    if "from" in read:
        read["entrants"] = read.pop("from")
    read.setdefault(
        "tiebreaks",
        default_tiebreaks(read.get("pairing", Pairing.DRAWN), draws=read.get("draws", False)),
    )
    phase = PhaseFormat(**{key: value for key, value in read.items() if key in _PHASE_FIELDS})
    for key, sentence in _contradictions(phase, own, before):
        report(key, sentence)
    return phase if len(found) == known else None


def _contradictions(
    phase: PhaseFormat, own: Values, before: list[PhaseFormat]
) -> Iterable[tuple[str, str]]:
    """What the keys of a phase, each readable, say against each other."""
    names = {each.id: each for each in before}
    if phase.id in names:
        yield "id", f"'{phase.id}' is another phase"
    if phase.best_of % 2 == 0:
        yield "best_of", "is an odd number"
    if "legs" in own and "best_of" in own:
        yield "legs", "stands instead of best_of; give one of them"
    if phase.draws and (phase.kind in (PhaseKind.BRACKET, PhaseKind.DOUBLE) or not phase.legs):
        yield "draws", "are possible in zones and rounds, in matches of legs"
    if phase.score != tuple(sorted(phase.score, reverse=True)) or phase.score[0] == phase.score[2]:
        yield "score", "is that of a win, a draw and a defeat; a win counts most"
    if "cap_start" in own and phase.cap_ending is not CapEnding.START:
        yield "cap_start", 'needs cap_ending = "start"'
    if phase.cap_ending is CapEnding.START and not 0 < phase.cap_start < phase.target:
        yield "cap_start", f"is a number from 1 to {phase.target - 1}"
    if phase.tiebreaks[-1:] != (Criterion.DRAW,) or len(set(phase.tiebreaks)) < len(
        phase.tiebreaks
    ):
        yield "tiebreaks", "names each criterion once, and draw as the last one"
    elif Criterion.PLAYOFF in phase.tiebreaks:
        if phase.kind not in (PhaseKind.ZONES, PhaseKind.ROUNDS):
            yield "tiebreaks", "has playoff in zones and rounds only"
        elif phase.tiebreaks[-2] is not Criterion.PLAYOFF:
            yield "tiebreaks", "has playoff directly before draw"
    if phase.kind is PhaseKind.ROUNDS and not phase.rounds:
        yield "rounds", "is missing"
    if phase.third_place and phase.survivors > 1:
        yield "third_place", "needs a final; survivors is 1"
    if phase.redraw and (phase.third_place or phase.survivors > 1):
        yield "redraw", "has neither third_place nor survivors"
    for at, source in enumerate(phase.entrants):
        if sentence := _wrong_source(source, names):
            yield f"from.{at}", sentence
    if not before and any(source.phase for source in phase.entrants):
        yield "from", "of the first phase is left out: all entries"


def _wrong_source(source: Source, before: Mapping[str, PhaseFormat]) -> str:
    if not source.phase:
        return "" if not before else "names a phase before this one"
    origin = before.get(source.phase)
    if origin is None:
        return f"'{source.phase}' is no phase before this one; choose of {', '.join(before)}"
    if source.losers_of and (origin.kind is not PhaseKind.BRACKET or origin.redraw):
        return "losers_of needs a bracket without redraw"
    if source.best and (origin.kind is not PhaseKind.ZONES or source.first != source.last):
        return "best needs one place of zones, such as place = 3"
    if source.last and source.last < source.first:
        return "places are the first and the last"
    return ""


# ---- reading of keys ----------------------------------------------------------------------------

_Reader = Callable[[object], Any]  # raises ValueError with a sentence


def _read(
    values: Values, keys: Mapping[str, _Reader], path: Path, found: list[FormatProblem]
) -> dict[str, Any]:
    """The valid keys; every other one is a problem."""
    read: dict[str, Any] = {}
    for key, value in values.items():
        if key not in keys:
            sentence = f"is no key here; choose of {', '.join(keys)}"
            found.append(FormatProblem((*path, key), sentence))
            continue
        try:
            read[key] = keys[key](value)
        except ValueError as error:
            found.append(FormatProblem((*path, key), str(error)))
    if keys is _FORMAT_KEYS and "title" not in values:
        found.append(FormatProblem(("title",), "is missing"))
    return read


def _table(values: Values, key: str, found: list[FormatProblem]) -> Values:
    table = values.get(key, {})
    if isinstance(table, Mapping):
        return table
    found.append(FormatProblem((key,), "is a table"))
    return {}


def _number(least: int, most: int) -> _Reader:
    def read(value: object) -> int:
        if type(value) is not int or not least <= value <= most:
            raise ValueError(f"is a number from {least} to {most}")
        return value

    return read


def _numbers(count: int, most: int) -> _Reader:
    def read(value: object) -> tuple[int, ...]:
        if not isinstance(value, list) or len(value) != count:
            raise ValueError(f"is a list of {count} numbers")
        return tuple(_number(0, most)(each) for each in value)

    return read


def _text(most: int) -> _Reader:
    def read(value: object) -> str:
        if not isinstance(value, str) or not 0 < len(value) <= most:
            raise ValueError(f"is a text of at most {most} characters")
        return value

    return read


def _yes_or_no(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError("is true or false")
    return value


def _one_of(choices: type[StrEnum]) -> _Reader:
    def read(value: object) -> StrEnum:
        if not isinstance(value, str) or value not in list(choices):
            raise ValueError(f"is one of {', '.join(choices)}")
        return choices(value)

    return read


def _id(value: object) -> str:
    if not isinstance(value, str) or not _ID.fullmatch(value):
        raise ValueError("is a word of small letters, digits and _, at most 20 characters")
    return value


def _criteria(value: object) -> tuple[Criterion, ...]:
    if not isinstance(value, list):
        raise ValueError("is a list of criteria")
    read = _one_of(Criterion)
    return tuple(read(each) for each in value)


def _options(value: object) -> tuple[tuple[str, str | int | bool], ...]:
    if not isinstance(value, Mapping) or not all(
        isinstance(each, str | int) for each in value.values()
    ):
        raise ValueError("is a table of house rules: option = value")
    return tuple(sorted(value.items()))


def _range(value: object) -> tuple[int, int]:
    least, most = _numbers(2, MAX_TEAMS)(value)
    if not 2 <= least <= most:
        raise ValueError("is the fewest and the most teams, from 2 on")
    return least, most


def _sources(value: object) -> tuple[Source, ...]:
    if not isinstance(value, list) or not value:
        raise ValueError("is a list of tables")
    return tuple(_source(each) for each in value)


def _source(value: object) -> Source:
    if not isinstance(value, Mapping) or "phase" not in value:
        raise ValueError("has phase, and places, place and best, or losers_of")
    found: list[FormatProblem] = []
    read = _read(value, _SOURCE_KEYS, (), found)
    if found:
        raise ValueError("; ".join(f"{path[-1]} {sentence}" for path, sentence in found))
    if len({"places", "place", "losers_of"} & read.keys()) > 1:
        raise ValueError("has one of places, place and losers_of")
    first, last = read.get("places", (1, 0))
    if place := read.get("place"):
        first = last = place
    return Source(
        read["phase"],
        first,
        last,
        read.get("best", 0),
        read.get("losers_of", 0),
        read.get("by_entry", False),
    )


def _places(value: object) -> tuple[int, int]:
    first, last = _numbers(2, MAX_TEAMS)(value)
    if first < 1:
        raise ValueError("are the first and the last place, from 1; last 0: all others")
    return first, last


_SOURCE_KEYS: Mapping[str, _Reader] = {
    "phase": _id,
    "places": _places,
    "place": _number(1, MAX_TEAMS),
    "best": _number(1, MAX_TEAMS),
    "losers_of": _number(1, 10),
    "by_entry": _yes_or_no,
}
_FORMAT_KEYS: Mapping[str, _Reader] = {
    "title": _text(60),
    "source": _text(200),
    "teams": _range,
    "players": _number(1, 3),
    "reserves": _number(0, 3),
    "every_phase": lambda value: value,
    "phase": lambda value: value,
}
_PHASE_KEYS: Mapping[str, _Reader] = {
    "id": _id,
    "kind": _one_of(PhaseKind),
    "title": _text(40),
    "variant": _id,
    "options": _options,
    "target": _number(1, 99),
    "best_of": _number(1, 9),
    "legs": _number(2, 9),
    "draws": _yes_or_no,
    "cap": _number(0, 600),
    "cap_ending": _one_of(CapEnding),
    "cap_start": _number(1, 98),
    "tolerance": _number(0, 120),
    "walkover_points": _yes_or_no,
    "score": _numbers(3, 9),
    "tiebreaks": _criteria,
    "from": _sources,
    "drawn": _yes_or_no,
    "apart": _yes_or_no,
    "zones": _number(1, 100),
    "zone_size": _number(2, 40),
    "twice": _yes_or_no,
    "survivors": _number(1, 64),
    "third_place": _yes_or_no,
    "redraw": _yes_or_no,
    "rounds": _number(1, 40),
    "pairing": _one_of(Pairing),
    "second_final": _yes_or_no,
}
_ONLY: Mapping[str, tuple[PhaseKind, ...]] = {
    "zones": (PhaseKind.ZONES,),
    "zone_size": (PhaseKind.ZONES,),
    "twice": (PhaseKind.ZONES,),
    "survivors": (PhaseKind.BRACKET,),
    "third_place": (PhaseKind.BRACKET,),
    "redraw": (PhaseKind.BRACKET,),
    "rounds": (PhaseKind.ROUNDS,),
    "pairing": (PhaseKind.ROUNDS,),
    "second_final": (PhaseKind.DOUBLE,),
    "drawn": (PhaseKind.ZONES, PhaseKind.BRACKET, PhaseKind.DOUBLE),
}
_PHASE_FIELDS = frozenset(field.name for field in fields(PhaseFormat))
