"""Lists of teams: every line is reported before a team enters."""

from __future__ import annotations

import pytest

from scorer.tournament.entry_list import MAX_CHARS, read_entries
from scorer.tournament.events import Enter
from scorer.tournament.pasted_list import EntryFault, LineReport
from tests.tournament.play import Played, built_in, format_of

FAULTS = [
    # text, faults with their lines
    ("Los Pibes\nlos  pibes", [(2, "duplicate")]),
    ("\n\nLos Pibes\n\n;;\n", []),
    ("=1+1", [(1, "formula")]),
    ("Los Pibes\n@SUM(A1)\n+54 9\n-x", [(2, "formula"), (3, "formula"), (4, "formula")]),
    ("Los Pibes;-;-", []),
    ("Los\x07Pibes", [(1, "control")]),
    ("Los\u202ePibes", [(1, "control")]),
    ("x" * 40, []),
    ("x" * 41, [(1, "too_long")]),
    (";Ana;Luis", [(1, "no_name")]),
    ("\u0301;Ana;Luis", [(1, "no_name")]),
    ("\u200d;Ana;Luis", [(1, "no_name")]),
    ("\u3164;Ana;Luis", [(1, "no_name")]),
    ("Los Pibes;Ana", [(1, "players")]),
    ("Los Pibes;" + ";".join(f"p{at}" for at in range(12)), [(1, "columns")]),
    ("equipo;" + ";".join(f"jugador {at}" for at in range(12)) + "\nLos Pibes;"
     + ";".join(f"p{at}" for at in range(12)), [(2, "players")]),
    ("equipo;suplente;suplente\nLos Pibes;Ana;Luis", [(2, "reserves")]),
    ("equipo;siembra\nLos Pibes;primero", [(2, "seed")]),
    ("A;Ana;Luis\nB;Eva;ana", [(2, "player_twice")]),
    ("A;Ana;Ana", [(1, "player_twice")]),
    ("x" * (MAX_CHARS + 1), [(1, "too_long_list")]),
    ('"Los Pibes\nLa Yunta', []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "faults"), FAULTS)
def test_a_fault_is_reported_with_its_line(text: str, faults: list[tuple[int, str]]) -> None:
    found = read_entries(text, Played(format_of({}, reserves=1)).state)
    assert [(each.line, each.fault.value) for each in found.errors] == faults


SIMILAR = [
    ("Los Pibes", "Los Pives", True),
    ("La Peña", "La Pena", True),
    ("Los Pibes", "Lso Pibes", True),
    ("Los Pibes", "Los Pibess", True),
    ("Los Pibes", "Las Brujas", False),
    ("Los Pibes 1", "Los Pibes 2", False),
    ("Sur", "Sul", False),
    ("الفرسان", "الفرسار", True),
]


@pytest.mark.parametrize(("one", "other", "is_asked"), SIMILAR)
def test_a_name_like_another_one_is_a_question(one: str, other: str, is_asked: bool) -> None:
    found = read_entries(f"{one}\n{other}", Played(format_of({})).state)
    assert [each.name for each in found.entries] == [one, other]
    assert [(each.line, each.other, each.other_text) for each in found.questions] == (
        [(2, 1, one)] if is_asked else []
    )


def test_a_name_is_compared_with_the_teams_that_have_entered() -> None:
    played = Played(format_of({}))
    played.do(Enter("Los Pibes"))
    found = read_entries("Los Pives\nLOS PIBES", played.state)
    assert [(each.line, each.other, each.other_text) for each in found.questions] == [
        (1, 0, "Los Pibes")
    ]
    assert [(each.line, each.fault) for each in found.errors] == [(2, EntryFault.DUPLICATE)]


@pytest.mark.parametrize("separator", ["\t", ";", ","])
def test_columns_have_names_or_the_order_of_the_format(separator: str) -> None:
    state = Played(format_of({}, reserves=1)).state
    team = Enter("Los Pibes", ("Ana", "Luis"), ("Eva",), "Club Sur", 3)
    ordered = separator.join(["Los Pibes", "Ana", "Luis", "Eva", "Club Sur", "3"])
    named = separator.join(["Clube", "Time", "Jogador 1", "Jogador 2", "Reserva", "Cabeça"])
    other = separator.join(["Club Sur", "Los Pibes", "Ana", "Luis", "Eva", "3"])
    for text in (ordered, f"\ufeff{named}\r\n{other}\r\n"):
        assert read_entries(text, state)[:3] == ((team,), (), ())


@pytest.mark.parametrize("first", ["Equipo 1", "Equipo Sur", "Club Sur", "Time do Zé;Ana;Luis"])
def test_a_team_in_the_first_line_is_no_header(first: str) -> None:
    found = read_entries(f"{first}\nLos Pibes", Played(format_of({})).state)
    assert [each.name for each in found.entries] == [first.partition(";")[0], "Los Pibes"]


def test_a_quoted_cell_may_have_the_separator() -> None:
    found = read_entries('"Pibes, Los",Ana,Luis', Played(format_of({})).state)
    assert found.entries == (Enter("Pibes, Los", ("Ana", "Luis")),)


def test_teams_beyond_the_most_of_the_format_are_one_error() -> None:
    text = "\n".join(f"Equipo {at}" for at in range(1, 301))
    found = read_entries(text, Played(built_in("zones_and_bracket")).state)
    assert (len(found.entries), found.questions) == (256, ())
    assert found.errors == (LineReport(257, EntryFault.FULL, limit=256),)
    assert len(read_entries(text, Played(format_of({})).state).entries) == 300


def test_every_team_of_a_list_enters() -> None:
    played = Played(built_in("zones_and_bracket"), 2)
    text = "\n".join(text for text, _ in FAULTS if len(text) < MAX_CHARS)
    for entry in read_entries(text, played.state).entries:
        played.do(entry)
    assert len(played.state.teams) > 4
