"""The file of a tournament: its format and its log, from which the state follows.

``encode`` and ``decode`` are inverse: a file that is read and written again has the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from enum import StrEnum
from typing import Any, NamedTuple

from scorer.tournament import events
from scorer.tournament.definition import FormatError, define
from scorer.tournament.events import Event, NoEvent
from scorer.tournament.fold import apply, begin
from scorer.tournament.format import CapEnding, Format, PhaseFormat, Source
from scorer.tournament.model import EventRefusal
from scorer.tournament.tournament import Tournament

VERSION = 1
MAX_BYTES = 8_000_000
MAX_EVENTS = 50_000
MAX_TEXT = 300  # characters of one text
_KEYS = ("truco_tournament", "id", "format", "events")


class TournamentFile(NamedTuple):
    """A tournament that was read: its log and its state."""

    state: Tournament
    log: tuple[Event, ...]


class NoTournamentFile(NamedTuple):
    """Why bytes are no file of a tournament, in one sentence."""

    text: str


def encode(format_: Format, log: Iterable[Event]) -> bytes:
    """The file of a tournament; one event on each line."""
    head = {"truco_tournament": VERSION, "id": format_.id, "format": describe(format_)}
    lines = ",\n".join(_dumped(events.encode(each)) for each in log)
    return f'{_dumped(head)[:-1]},"events":[\n{lines}\n]}}\n'.encode()


def decode(data: bytes) -> TournamentFile | NoTournamentFile:
    """The tournament of a file, every event of it applied in order."""
    try:
        return _read(data)
    except ValueError as error:  # also FormatError, and what json raises
        return NoTournamentFile(str(error))


def describe(format_: Format) -> dict[str, Any]:
    """The data that ``define`` reads as this format."""
    return {
        "title": format_.title,
        **({"source": format_.source} if format_.source else {}),
        "teams": list(format_.teams),
        "players": format_.players,
        "reserves": format_.reserves,
        "phase": [_phase(each) for each in format_.phases],
    }


def _phase(phase: PhaseFormat) -> dict[str, Any]:
    """The keys of a phase that differ from what a phase lacks."""
    values = {
        each.name: _plain(getattr(phase, each.name))
        for each in fields(PhaseFormat)
        if each.name not in ("options", "entrants") and getattr(phase, each.name) != each.default
    }
    if phase.options:
        values["options"] = dict(phase.options)
    if phase.entrants != (Source(),):
        values["from"] = [_source(each) for each in phase.entrants]
    if phase.legs:
        values.pop("best_of", None)
    if phase.cap_ending is not CapEnding.START:
        values.pop("cap_start", None)
    return values


def _source(source: Source) -> dict[str, Any]:
    values: dict[str, Any] = {"phase": source.phase}
    if source.losers_of:
        return {**values, "losers_of": source.losers_of, "by_entry": source.by_entry}
    if source.best:
        return {**values, "place": source.first, "best": source.best}
    return {**values, "places": [source.first, source.last]}


def _plain(value: object) -> object:
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    return value.value if isinstance(value, StrEnum) else value


def _dumped(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


# ---- reading ------------------------------------------------------------------------------------


def _read(data: bytes) -> TournamentFile:
    """The tournament. Raises ValueError with one sentence."""
    if len(data) > MAX_BYTES:
        raise ValueError(f"the file has more than {MAX_BYTES} bytes")
    try:
        values = json.loads(data.decode(), object_pairs_hook=_object, parse_constant=_no_number)
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ValueError(f"the file is no JSON: {type(error).__name__}") from None
    if not isinstance(values, dict) or "truco_tournament" not in values:
        raise ValueError("the file is of no tournament")
    if values["truco_tournament"] != VERSION or type(values["truco_tournament"]) is not int:
        raise ValueError(f"the file has a version that is not {VERSION}")
    if unknown := values.keys() - set(_KEYS):
        raise ValueError(f"unknown keys: {', '.join(sorted(unknown))}")
    if missing := set(_KEYS) - values.keys():
        raise ValueError(f"missing keys: {', '.join(sorted(missing))}")
    format_id = values["id"]
    if not isinstance(format_id, str) or not 0 < len(format_id) <= MAX_TEXT:
        raise ValueError(f"id is a text of at most {MAX_TEXT} characters")
    if not isinstance(values["format"], Mapping):
        raise ValueError("format is an object")
    try:
        format_ = define(format_id, values["format"])
    except FormatError as error:
        raise ValueError(f"format: {error}") from None
    return _replayed(begin(format_), values["events"])


def _replayed(state: Tournament, listed: object) -> TournamentFile:
    if not isinstance(listed, list) or len(listed) > MAX_EVENTS:
        raise ValueError(f"events is a list of at most {MAX_EVENTS}")
    log = []
    for number, values in enumerate(listed, 1):
        if not isinstance(values, Mapping) or not _is_bounded(values):
            raise ValueError(f"event {number} is no object, or has a text or number too long")
        event = events.parse(values)
        if isinstance(event, NoEvent):
            raise ValueError(f"event {number}: {event.text}")
        after = apply(state, event)
        if isinstance(after, EventRefusal):
            raise ValueError(f"event {number}, {values['do']}, is refused: {after.reason}")
        log.append(event)
        state = after
    return TournamentFile(state, tuple(log))


def _is_bounded(value: object) -> bool:
    if isinstance(value, str):
        return len(value) <= MAX_TEXT
    if isinstance(value, Mapping):
        return all(map(_is_bounded, value.values()))
    if isinstance(value, list):
        return len(value) <= MAX_TEXT and all(map(_is_bounded, value))
    return not isinstance(value, int) or abs(value) < 10**9


def _object(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    values = dict(pairs)
    if len(values) < len(pairs):
        raise ValueError("an object of the file has a key twice")
    return values


def _no_number(name: str) -> object:
    raise ValueError(f"{name} is no number")
