"""Pairs renamed after their games: stored, undone, refused for opponents."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from scorer.records.game_log import GameLog
from scorer.records.pair_names import RenameFault, with_pair_name
from scorer.store.journal import Journal, Stamp

GAMES = (("Los Pibes", "La Yunta"), ("LOS PIBES", "Ñandú"), ("", "Ñandu"))
STAMP = Stamp("one", 0, "2026-11-21T21:00:00+00:00", True)


def header(names: tuple[str, str]) -> str:
    tags = (f'[Name{side} "{name}"]\n' for side, name in zip("AB", names, strict=True) if name)
    return f'[Variant "argentine"]\n[Options "target=15"]\n{"".join(tags)}'


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    """An evening whose games B wins."""
    with Journal.open(tmp_path) as opened:
        for game, names in enumerate(GAMES, 1):
            text = header(names)
            opened.append(game=game, lines=[], source="menu", stamp=STAMP, opens=text)
            opened.append(game=game, lines=["A concede"], source="A", stamp=STAMP)
        yield opened


def log_of(journal: Journal) -> GameLog:
    log = GameLog(journal, lambda now: STAMP)
    log.resume()
    return log


def won(log: GameLog) -> dict[str, int]:
    return {row.name or row.key: row.won for row in log.standings().rows}


OWN = {"Ñandu": 2, "La Yunta": 1, "LOS PIBES": 0, "A": 0}


@pytest.mark.parametrize(
    ("pair", "name", "shown", "names"),
    [
        ("la yunta", "Tauras", "tauras", {"Ñandu": 2, "Tauras": 1, "LOS PIBES": 0, "A": 0}),
        ("A", "Ana", "ana", {"Ñandu": 2, "La Yunta": 1, "LOS PIBES": 0, "Ana": 0}),
        ("la yunta", "ÑANDÚ", "nandu", {"Ñandu": 3, "LOS PIBES": 0, "A": 0}),
    ],
)
def test_a_new_name_is_stored_and_undone(
    journal: Journal, pair: str, name: str, shown: str, names: dict[str, int]
) -> None:
    log = log_of(journal)
    assert won(log) == OWN
    assert log.rename_pair(pair, name) is None
    assert won(log) == won(log_of(journal)) == names
    assert log.rename_pair(shown, "") is None
    assert won(log) == won(log_of(journal)) == OWN


@pytest.mark.parametrize(
    ("pair", "name", "fault"),
    [
        ("nobody", "Los Tauras", RenameFault.UNKNOWN),
        ("La Yunta", "Los Tauras", RenameFault.UNKNOWN),
        ("la yunta", "\u0301", RenameFault.UNREADABLE),
        ("la yunta", "los píbes", RenameFault.OPPONENTS),
    ],
)
def test_a_wrong_name_is_refused_and_changes_nothing(
    journal: Journal, pair: str, name: str, fault: RenameFault
) -> None:
    log = log_of(journal)
    assert log.rename_pair(pair, name) is fault
    assert (log.pair_names(), won(log)) == ({}, OWN)


def test_the_names_end_with_their_evening(journal: Journal) -> None:
    log = log_of(journal)
    log.rename_pair("nandu", "Los Tauras")
    log.clear_evening(over=False)
    assert (log.pair_names(), won(log)) == ({}, {"Ñandu": 1, "A": 0})


@pytest.mark.parametrize("kept", ["", "[]", "{", '{"first": 1}', '{"first": 1, "names": [1]}'])
def test_damaged_names_are_none(journal: Journal, kept: str) -> None:
    journal.set_setting("night_names", kept)
    assert log_of(journal).pair_names() == {}


@pytest.mark.parametrize(
    ("names", "pair", "name", "after"),
    [
        ({}, "a", "B", {"a": "B"}),
        ({"a": "B"}, "b", "C", {"a": "C", "b": "C"}),
        ({"a": "C", "b": "C"}, "c", "", {}),
        ({"a": "C", "d": "E"}, "c", "", {"d": "E"}),
    ],
)
def test_every_name_of_the_games_has_its_own_entry(
    names: dict[str, str], pair: str, name: str, after: dict[str, str]
) -> None:
    kept = with_pair_name(names, pair, name)
    assert {key: new for key, new in kept.items() if key != pair or key in after} == after
