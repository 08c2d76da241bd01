"""The sides, consoles and winners of each seating; no other module compares kinds."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from scorer.rules.actions import Side
from scorer.rules.seating import SEATINGS, Seats
from tests.paths import ROOT

A, B, C, GALLO, PAIR = Side.A, Side.B, Side.C, Side.GALLO, Side.PAIR
PACKAGE = ROOT / "scorer"


def nodes() -> Iterator[tuple[str, ast.AST]]:
    """Every node of the modules that mention seats, with the path of its module."""
    for file in PACKAGE.rglob("*.py"):
        source = file.read_text(encoding="utf-8")
        if "seats" in source.lower():
            for node in ast.walk(ast.parse(source)):
                yield file.relative_to(PACKAGE).as_posix(), node


def test_only_the_seatings_and_the_variants_name_a_kind_of_table() -> None:
    kinds = {f"Seats.{seats.name}" for seats in Seats}
    naming = {
        (module, ast.unparse(node))
        for module, node in nodes()
        if isinstance(node, ast.Attribute) and ast.unparse(node) in kinds
    }
    tables = {each for each in naming if each[0].startswith("rules/variants/")}
    # The class of a variant holds the default.
    others = {module for module, _ in naming - tables}
    assert others == {"rules/seating.py", "rules/variant.py"}
    assert {kind for _, kind in tables} == kinds - {"Seats.TEAMS"}


def test_no_module_compares_kinds_of_tables() -> None:
    comparing = {
        module
        for module, node in nodes()
        if isinstance(node, ast.Compare | ast.Match) and ".seats " in ast.unparse(node) + " "
    }
    assert comparing == set()


@pytest.mark.parametrize(
    ("seats", "wired", "consoles"),
    [
        (Seats.TEAMS, 2, [(A,), (B,)]),
        (Seats.TEAMS, 3, [(A,), (B,)]),
        (Seats.DUELS, 3, [(A,), (B,)]),
        (Seats.GALLO, 2, [(GALLO,), (PAIR,)]),
        (Seats.GALLO, 3, [(GALLO,), (PAIR,)]),
        (Seats.ALONE, 2, [(A,), (B, C)]),
        (Seats.ALONE, 3, [(A,), (B,), (C,)]),
    ],
)
def test_every_speaking_side_has_one_console(
    seats: Seats, wired: int, consoles: list[tuple[Side, ...]]
) -> None:
    seating = SEATINGS[seats]
    assert [seating.sides_at(at, wired) for at in range(seating.console_count(wired))] == consoles


@pytest.mark.parametrize(
    ("seats", "score", "gallo", "winner"),
    [
        (Seats.TEAMS, (29, 30), None, B),
        (Seats.TEAMS, (31, 30), None, A),
        (Seats.TEAMS, (30, 30), None, None),
        (Seats.GALLO, (30, 30, 3), C, B),
        (Seats.GALLO, (30, 30, 3), A, None),
        (Seats.GALLO, (30, 3, 31), A, C),
        (Seats.ALONE, (30, 1, 31), None, None),
        (Seats.ALONE, (44, 46, 0), None, C),
    ],
)  # fmt: skip
def test_the_side_at_the_target_has_won(
    seats: Seats, score: tuple[int, ...], gallo: Side | None, winner: Side | None
) -> None:
    """B is mano: of a pair that arrives together B is the nearer one to it."""
    assert SEATINGS[seats].side_at_target(score, 30, B, gallo) is winner


def test_each_camp_of_pata_de_gallo_speaks_for_its_own_scores() -> None:
    seating = SEATINGS[Seats.GALLO]
    for gallo in seating.scoring_sides:
        camps = [seating.scorers_of(side, gallo) for side in seating.speaking_sides]
        assert sorted(side for camp in camps for side in camp) == list(seating.scoring_sides)
        for speaker, camp in zip(seating.speaking_sides, camps, strict=True):
            assert {seating.speaker_of(side, gallo) for side in camp} == {speaker}
