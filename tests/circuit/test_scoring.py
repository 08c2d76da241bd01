"""The rules of a season, each by an example: docs/reference/season.md."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorer.circuit.formula import Formula, FormulaError
from tests.circuit.few_evenings import evening, made, ranking, season_text, team


def points(text: str) -> str:
    return f"[points]\n{text}\n"


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ("places = [10, 6]", [10, 6, 0]),
        ('formula = "teams - place + 1"', [3, 2, 1]),
        ('formula = "max(2, 100 / place)"', [100, 50, 33]),
        ("win = 3", [6, 3, 0]),
        ("taking_part = 1\nwinner = 5", [6, 1, 1]),
        ("places = [10, 6]\nwin = 1\ntaking_part = 1", [13, 8, 1]),
    ],
)
def test_an_evening_gives_points(tmp_path: Path, rules: str, expected: list[int]) -> None:
    played = evening(1, ["Uno", "Dos", "Tres"], [(1, 2), (1, 3), (2, 3)])
    document = made(tmp_path, [played], season_text(points=points(rules)))
    found = {row["name"]: row["points"] for row in document["tables"][0]["rows"]}
    assert [found[name] for name in ("Uno", "Dos", "Tres")] == expected


def test_a_team_that_has_withdrawn_has_the_points_of_its_wins_alone(tmp_path: Path) -> None:
    played = evening(1, [team("Uno", gone=True), "Dos"], [(1, 2)])
    rules = points("places = [10, 6]\nwin = 1\ntaking_part = 2\nwinner = 4")
    document = made(tmp_path, [played], season_text(points=rules))
    assert ranking(document) == [(1, "Dos", 8), (2, "Uno", 1)]
    assert [each["points"] for each in document["evenings"][0]["teams"]] == [1, 8]


def test_the_best_evenings_count_and_the_earlier_one_of_equal_ones(tmp_path: Path) -> None:
    evenings = [
        evening(1, ["Uno", "Dos"]),
        evening(2, ["Dos", "Uno"]),
        evening(3, ["Dos", "Uno"]),
    ]
    document = made(tmp_path, evenings, season_text("[counting]\nbest = 2\n"))
    assert ranking(document) == [(1, "Dos", 20), (2, "Uno", 16)]
    [_, row] = document["tables"][0]["rows"]
    assert [each["counts"] for each in row["evenings"]] == [True, True, False]


def test_discards_leave_out_the_worst_evenings_of_all_that_there_were(tmp_path: Path) -> None:
    evenings = [
        evening(1, ["Uno", "Dos"]),
        evening(2, ["Dos", "Uno"]),
        evening(3, ["Tres", "Uno"]),  # the second team was not there
    ]
    document = made(tmp_path, evenings, season_text("[counting]\ndiscards = 1\nties = []\n"))
    assert ranking(document) == [(1, "Dos", 16), (1, "Uno", 16), (3, "Tres", 10)]


def test_the_first_evening_counts_whatever_is_discarded(tmp_path: Path) -> None:
    document = made(tmp_path, [evening(1, ["Uno"])], season_text("[counting]\ndiscards = 3\n"))
    assert ranking(document) == [(1, "Uno", 10)]


def test_with_too_few_evenings_there_is_no_rank(tmp_path: Path) -> None:
    evenings = [evening(1, ["Uno", "Dos"]), evening(2, ["Tres", "Dos"])]
    text = season_text("[counting]\nleast_evenings = 2\n[final]\nqualified = 2\n")
    document = made(tmp_path, evenings, text)
    assert ranking(document) == [(1, "Dos", 12), (None, "Tres", 10), (None, "Uno", 10)]
    assert [row["is_qualified"] for row in document["tables"][0]["rows"]] == [True, False, False]


@pytest.mark.parametrize(
    ("ties", "order"),
    [
        # Both have 16 points; "Uno" has more wins, "Dos" has beaten it.
        ('["wins"]', [(1, "Uno"), (2, "Dos")]),
        ('["direct"]', [(1, "Dos"), (2, "Uno")]),
        ('["firsts", "direct", "wins"]', [(1, "Dos"), (2, "Uno")]),
        ("[]", [(1, "Dos"), (1, "Uno")]),
    ],
)
def test_ties_decide_in_their_order(
    tmp_path: Path, ties: str, order: list[tuple[int, str]]
) -> None:
    evenings = [
        evening(1, ["Uno", "Dos", "Tres"], [(1, 3), (1, 3), (2, 1)]),
        evening(2, ["Dos", "Uno"]),
    ]
    document = made(tmp_path, evenings, season_text(f"[counting]\nties = {ties}\n"))
    assert [(rank, name) for rank, name, _ in ranking(document)[:2]] == order


def test_more_first_places_decide(tmp_path: Path) -> None:
    evenings = [evening(1, ["Uno", "Dos"]), evening(2, ["Tres", "Cuatro", "Dos"])]
    rules = points("places = [10, 6, 4]")
    text = season_text('[counting]\nties = ["firsts"]\n', points=rules)
    assert ranking(made(tmp_path, evenings, text))[:3] == [
        (1, "Tres", 10), (1, "Uno", 10), (3, "Dos", 10),
    ]  # fmt: skip


def test_persons_have_the_points_of_their_teams(tmp_path: Path) -> None:
    evenings = [
        evening(1, [team("A", "Ana Ruiz", "Luis Paz"), team("B", "Eva Sosa", "Raúl Vega")]),
        evening(2, [team("C", "Eva Sosa", "Ana Ruiz"), "Sin nombres"]),
    ]
    document = made(tmp_path, evenings, season_text(season='ranked = "persons"\n'))
    assert ranking(document) == [
        (1, "Ana Ruiz", 20), (2, "Eva Sosa", 16), (3, "Luis Paz", 10), (4, "Raúl Vega", 6),
    ]  # fmt: skip
    assert (tmp_path / "site/es/index.html").read_text("utf-8").count("person-") == 4


def test_a_pair_with_another_partner_is_another_pair(tmp_path: Path) -> None:
    evenings = [
        evening(1, [team("Los Ñatos", "Ana Ruiz", "Luis Paz")]),
        evening(2, [team("Los Ñatos", "Ana Ruiz", "Eva Sosa")]),
    ]
    document = made(tmp_path, evenings)
    assert ranking(document) == [(1, "Los Ñatos", 10), (1, "Los Ñatos", 10)]


def test_each_category_has_a_table(tmp_path: Path) -> None:
    evenings = [
        evening(1, ["Uno", "Dos"], category="Primera"),
        evening(2, ["Tres", "Uno"], category="segunda"),
    ]
    text = season_text(season='categories = ["Primera", "Segunda"]\n')
    document = made(tmp_path, evenings, text)
    assert [each["category"] for each in document["tables"]] == ["Primera", "Segunda"]
    assert ranking(document, 0) == [(1, "Uno", 10), (2, "Dos", 6)]
    assert ranking(document, 1) == [(1, "Tres", 10), (2, "Uno", 6)]
    assert {each.name for each in (tmp_path / "site").glob("table-*.csv")} == {
        "table-1.csv",
        "table-2.csv",
    }


def test_of_a_club_the_best_teams_of_each_evening_count(tmp_path: Path) -> None:
    teams = [team(name, club=club) for name, club in (
        ("Uno", "Sur"), ("Dos", "Sur"), ("Tres", "Sur"), ("Cuatro", "Norte")
    )]  # fmt: skip
    text = season_text("[clubs]\nbest = 2\n")
    document = made(tmp_path, [evening(1, teams), evening(2, teams[::-1])], text)
    assert [(each["rank"], each["name"], each["points"]) for each in document["clubs"]] == [
        (1, "Sur", 16 + 10), (2, "Norte", 2 + 10),
    ]  # fmt: skip


def test_the_best_team_of_a_club_is_that_with_the_most_points_not_with_the_best_place(
    tmp_path: Path,
) -> None:
    teams = [team("Uno", club="Sur"), team("Dos", club="Sur"), team("Tres")]
    text = season_text("[clubs]\nbest = 1\n", points=points("win = 5"))
    document = made(tmp_path, [evening(1, teams, [(2, 3), (2, 1), (1, 3)])], text)
    assert [each["points"] for each in document["clubs"]] == [10]


# ---- formulas -----------------------------------------------------------------------------------


def test_a_formula_calculates_with_whole_numbers() -> None:
    assert Formula("2 * (teams - place) + -1 + 2").points(3, 8) == 11
    assert Formula("min(teams, 20) // place").points(3, 64) == 6


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("teams - place", None),
        ("10 - place", "gives -1 points for place 11 of 11; write max(0, ...)"),
        ("100 / (place - 1)", "divides by 0 for place 1 of 1"),
        ("__import__('os')", "has '__import__('os')', which no formula has"),
        ("teams ** place", "which no formula has; write it like max(1, teams - place + 1)"),
        ("points", "has 'points', which no formula has"),
        ("1.5 * place", "has '1.5', which no formula has"),
        ("True", "which no formula has"),
        ("max(place)", "which no formula has"),
        ("teams * teams * teams * place", "write max(0, ...) or min(1000000, ...)"),
        ("teams +", "cannot be read; write it like"),
        ("(" * 60, "cannot be read"),
        ("1" * 101, "is longer than 100 characters"),
        ("lambda: 1", "which no formula has"),
    ],
)
def test_what_is_no_formula_is_said(text: str, sentence: str | None) -> None:
    if sentence is None:
        Formula(text)
        return
    with pytest.raises(FormulaError) as error:
        Formula(text)
    assert sentence in str(error.value)
