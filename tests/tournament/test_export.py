"""The file of a tournament: written, read, and written again with the same bytes."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from scorer.config.tournament_formats import built_in_formats
from scorer.tournament import define
from scorer.tournament.events import CorrectResult, StartPhase, Withdraw
from scorer.tournament.export import (
    MAX_BYTES,
    MAX_PROBLEMS,
    ExportFault,
    NoTournamentFile,
    TournamentFile,
    decode,
    describe,
    encode,
)
from tests.tournament.play import Played, built_in, coin, result_of

TEAMS = {"gaucho": 40, "jau_2020": 52, "jau_2022": 42, "lnt": 40, "acla_2025": 14}


def reread(data: bytes) -> TournamentFile:
    found = decode(data)
    assert isinstance(found, TournamentFile), found
    return found


@pytest.mark.parametrize("name", built_in_formats())
def test_a_format_is_described_as_it_was_defined(name: str) -> None:
    format_ = built_in(name)
    assert define(name, describe(format_)) == format_


@pytest.mark.parametrize("name", ["gaucho", "acla_2025", "zones_and_bracket", "swiss", "double"])
def test_a_tournament_is_the_same_after_export_and_import(name: str) -> None:
    played = Played(built_in(name), TEAMS.get(name, 12), clubs=4).draw().play(coin(7))
    data = encode(played.state.format, played.log)
    found = reread(data)
    assert found == (played.state, tuple(played.log))
    assert encode(found.state.format, found.log) == data


def test_a_tournament_that_goes_on_is_exported_too() -> None:
    played = Played(built_in("zones_and_bracket"), 8, seeds=2).draw()
    played.do(StartPhase("zonas"))
    played.play_open("zonas", coin(8))
    match_id = next(iter(played.state.results))
    turned = 1 - int(played.state.results[match_id].winner or 0)
    result = result_of(played.phase("zonas"), turned)
    played.do(CorrectResult(match_id, result, "la planilla decía otra cosa"))
    played.do(Withdraw(8, "se fueron"))
    data = encode(played.state.format, played.log)
    assert reread(data) == (played.state, tuple(played.log))
    assert "decía".encode() in data


def _key(*path: str | int, value: object) -> Callable[[dict[str, Any]], None]:
    def change(values: Any) -> None:  # noqa: ANN401
        for each in path[:-1]:
            values = values[each]
        values[path[-1]] = value

    return change


def _nested(depth: int) -> object:
    value: object = "x"
    for number in range(depth):
        value = {"a": value} if number % 2 else [value]
    return value


WRONG = [
    (_key("events", 1, "name", value=_nested(9)), "or too deep in each other"),
    (_key("events", 1, "name", value=_nested(700)), "or too deep in each other"),
    (_key("events", 1, "players", value=["x"] * 301), "has something too long"),
    (_key("events", 1, "name", value={str(n): 1 for n in range(301)}), "has something too long"),
    (_key("format", "phase", 0, "options", value=_nested(700)), "format.phase"),
    (_key("colour", value=1), "unknown key: colour"),
    (_key("truco_tournament", value=2), "version"),
    (_key("truco_tournament", value=True), "version"),
    (_key("id", value=3), "id is a text"),
    (_key("format", value=[]), "format is an object"),
    (_key("format", "colour", value=1), "colour: no such key"),
    (_key("events", value={}), "events is a list"),
    (_key("events", 0, value=3), "event 1: is no object"),
    (_key("events", 0, "colour", value=1), "event 1: Enter: colour: no such key"),
    (_key("events", 1, "name", value="team 1"), "event 2, Enter, is refused: name"),
    (_key("events", 1, "name", value="x" * 301), "event 2: is no object, or has something"),
    (_key("events", 1, "seed", value=10**9), "event 2: is no object, or has something too long"),
    (_key("events", 1, "seed", value=1.5), "event 2: Enter: seed: wants a whole number"),
    (_key("events", 1, "name", value="=1+1"), "event 2, Enter, has a text that no list"),
    (_key("events", 1, "club", value="\u202eclub"), "event 2, Enter, has a text that no list"),
]


@pytest.mark.parametrize(("change", "words"), WRONG)
def test_what_is_wrong_with_a_file_is_named(
    change: Callable[[dict[str, Any]], None], words: str
) -> None:
    played = Played(built_in("zones_and_bracket"), 2)
    values = json.loads(encode(played.state.format, played.log))
    change(values)
    found = decode(json.dumps(values).encode())
    assert isinstance(found, NoTournamentFile)
    assert words in found.text


NO_FILES = [
    (b"", "no JSON"),
    (b"[]", "of no tournament"),
    (b"{", "no JSON: JSONDecodeError (line 1)"),
    (b'{"events":[\n{"do":"En', "no JSON: JSONDecodeError (line 2)"),
    (b"[" * 100_000, "no JSON"),
    (b"[\n\xff", "no JSON: UnicodeDecodeError (line 2)"),
    (b'{"a": NaN}', "NaN"),
    (b'{"a": 1, "a": 2}', "twice"),
    (b'{"truco_tournament": 1}', "missing key: events; missing key: format; missing key: id"),
    (b" " * (MAX_BYTES + 1), "bytes"),
]


@pytest.mark.parametrize(("data", "words"), NO_FILES)
def test_bytes_that_are_no_file_are_refused(data: bytes, words: str) -> None:
    found = decode(data)
    assert isinstance(found, NoTournamentFile)
    assert words in found.text


def test_every_field_and_every_event_that_cannot_be_read_is_named() -> None:
    played = Played(built_in("zones_and_bracket"), 30)
    values = json.loads(encode(played.state.format, played.log))
    for each in values["events"]:
        each["seed"] = "one"
    found = decode(json.dumps(values).encode())
    assert isinstance(found, NoTournamentFile)
    assert [(each.fault, each.at) for each in found.problems] == [
        (ExportFault.EVENT, number) for number in range(1, MAX_PROBLEMS + 1)
    ]
    del values["format"]["title"]
    values["format"]["players"] = "two"
    found = decode(json.dumps(values).encode())
    assert isinstance(found, NoTournamentFile)
    fields = [(each.fault, each.field) for each in found.problems]
    assert fields == [
        (ExportFault.FIELD, "format.players"),
        (ExportFault.FIELD, "format.title"),
    ]
