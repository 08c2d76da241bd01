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
from scorer.tournament.blanked_names import without_blanked
from scorer.tournament.definition import FormatError, define
from scorer.tournament.entry_list import may_be_listed
from scorer.tournament.events import ChangeTeam, Enter, Event, NameTournament, NoEvent
from scorer.tournament.fold import apply, begin
from scorer.tournament.format import ENTRIES, CapEnding, Format, PhaseFormat, Source
from scorer.tournament.model import EventRefusal, Reason
from scorer.tournament.tournament import Tournament

VERSION = 1
MAX_BYTES = 8_000_000
MAX_EVENTS = 50_000
MAX_TEXT = 300  # characters of one text, and values of a list or object of an event
MAX_DEPTH = 8  # lists and objects of an event in each other
MAX_PROBLEMS = 20  # events that are reported at once
_KEYS = ("truco_tournament", "id", "format", "events")


class TournamentFile(NamedTuple):
    """A tournament that was read: its log and its state."""

    state: Tournament
    log: tuple[Event, ...]


class ExportFault(StrEnum):
    """What is wrong with a file, or with one place of it."""

    TOO_LONG = "too_long"
    NO_JSON = "no_json"
    NO_TOURNAMENT = "no_tournament"
    VERSION = "version"
    FIELD = "field"  # missing, unknown, or with a value that it cannot have
    EVENT = "event"  # cannot be read
    REFUSED = "refused"  # an event that is impossible after those before it


class ExportProblem(NamedTuple):
    """One problem: a sentence for a shell, and its place.

    ``at``: the line of NO_JSON, or the number of the event, from 1; 0: unknown. ``reason``: of a
    refused event; None: a text of its team is one that no list may have.
    """

    fault: ExportFault
    sentence: str
    at: int = 0
    field: str = ""
    reason: Reason | None = None


class NoTournamentFile(NamedTuple):
    """Why bytes are no file of a tournament."""

    problems: tuple[ExportProblem, ...]

    @property
    def text(self) -> str:
        return "; ".join(each.sentence for each in self.problems)


class _FileError(Exception):
    """The file has these problems."""

    def __init__(self, *problems: ExportProblem) -> None:
        super().__init__(*problems)
        self.problems = problems


def encode(format_: Format, log: Iterable[Event]) -> bytes:
    """The file of a tournament; one event on each line. It has no blanked name."""
    head = {"truco_tournament": VERSION, "id": format_.id, "format": describe(format_)}
    lines = ",\n".join(_dumped(events.encode(each)) for each in without_blanked(format_, log))
    return f'{_dumped(head)[:-1]},"events":[\n{lines}\n]}}\n'.encode()


def decode(data: bytes) -> TournamentFile | NoTournamentFile:
    """The tournament of a file, every event of it applied in order."""
    try:
        return _read(data)
    except _FileError as error:
        return NoTournamentFile(error.problems)


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
    if phase.entrants != (ENTRIES,):
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
    """The tournament. Raises _FileError."""
    values = _read_json(data)
    if not isinstance(values, dict) or "truco_tournament" not in values:
        raise _FileError(ExportProblem(ExportFault.NO_TOURNAMENT, "the file is of no tournament"))
    if values["truco_tournament"] != VERSION or type(values["truco_tournament"]) is not int:
        sentence = f"the file has a version that is not {VERSION}"
        raise _FileError(ExportProblem(ExportFault.VERSION, sentence))
    for kind, keys in (("unknown", values.keys() - set(_KEYS)), ("missing", _KEYS - values.keys())):
        if keys:
            raise _FileError(*(_field(each, f"{kind} key: {each}") for each in sorted(keys)))
    format_id = values["id"]
    if not isinstance(format_id, str) or not 0 < len(format_id) <= MAX_TEXT:
        raise _FileError(_field("id", f"id is a text of at most {MAX_TEXT} characters"))
    if not isinstance(values["format"], Mapping):
        raise _FileError(_field("format", "format is an object"))
    try:
        format_ = define(format_id, values["format"])
    except FormatError as error:
        paths = ((".".join(("format", *path)), sentence) for path, sentence in error.found)
        raise _FileError(*(_field(path, f"{path}: {text}") for path, text in paths)) from None
    if not isinstance(values["events"], list) or len(values["events"]) > MAX_EVENTS:
        raise _FileError(_field("events", f"events is a list of at most {MAX_EVENTS}"))
    return _replayed(begin(format_), _read_events(values["events"]))


def _field(path: str, sentence: str) -> ExportProblem:
    return ExportProblem(ExportFault.FIELD, sentence, field=path)


def _read_json(data: bytes) -> object:
    """The value of JSON bytes. Raises _FileError."""
    if len(data) > MAX_BYTES:
        sentence = f"the file has more than {MAX_BYTES} bytes"
        raise _FileError(ExportProblem(ExportFault.TOO_LONG, sentence))
    line = 0
    try:
        return json.loads(data.decode(), object_pairs_hook=_object, parse_constant=_no_number)
    except UnicodeDecodeError as error:
        line, why = data.count(b"\n", 0, error.start) + 1, type(error).__name__
    except json.JSONDecodeError as error:
        line, why = error.lineno, type(error).__name__
    except (RecursionError, ValueError) as error:  # ValueError: of the two functions below
        why = str(error)
    where = f" (line {line})" if line else ""
    raise _FileError(ExportProblem(ExportFault.NO_JSON, f"the file is no JSON: {why}{where}", line))


def _read_events(listed: list[object]) -> list[Event]:
    """The events of a list. Raises _FileError with those that cannot be read."""
    read: list[Event] = []
    problems: list[ExportProblem] = []
    for number, values in enumerate(listed, 1):
        event = (
            events.parse(values)
            if isinstance(values, Mapping) and _is_bounded(values)
            else NoEvent("is no object, or has something too long, or too deep in each other")
        )
        if isinstance(event, NoEvent):
            sentence = f"event {number}: {event.text}"
            problems.append(ExportProblem(ExportFault.EVENT, sentence, number))
        else:
            read.append(event)
    if problems:
        raise _FileError(*problems[:MAX_PROBLEMS])
    return read


def _replayed(state: Tournament, log: list[Event]) -> TournamentFile:
    """The tournament after these events.

    Raises _FileError with the first one that is refused: later ones may rest on it.
    """
    for number, event in enumerate(log, 1):
        name = type(event).__name__
        texts = Enter | ChangeTeam | NameTournament
        if isinstance(event, texts) and not may_be_listed(event):
            sentence = f"event {number}, {name}, has a text that no list of teams may have"
            raise _FileError(ExportProblem(ExportFault.REFUSED, sentence, number))
        after = apply(state, event)
        if isinstance(after, EventRefusal):
            sentence = f"event {number}, {name}, is refused: {after.reason}"
            raise _FileError(
                ExportProblem(ExportFault.REFUSED, sentence, number, reason=after.reason)
            )
        state = after
    return TournamentFile(state, tuple(log))


def _is_bounded(value: object, depth: int = MAX_DEPTH) -> bool:
    if isinstance(value, str):
        return len(value) <= MAX_TEXT
    if isinstance(value, Mapping | list):
        inner = value.values() if isinstance(value, Mapping) else value
        is_short = len(value) <= MAX_TEXT and depth > 0
        return is_short and all(_is_bounded(each, depth - 1) for each in inner)
    return not isinstance(value, int) or abs(value) < 10**9


def _object(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    values = dict(pairs)
    if len(values) < len(pairs):
        raise ValueError("an object of the file has a key twice")
    return values


def _no_number(name: str) -> object:
    raise ValueError(f"{name} is no number")
