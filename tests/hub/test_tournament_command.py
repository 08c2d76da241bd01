"""The commands on the file of a tournament, as they are typed."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorer.hub.command import FILE_COMMANDS, main
from scorer.tournament.events import PairRound, StartPhase
from scorer.tournament.export import encode
from tests.tournament.play import Played, built_in, coin


@pytest.fixture
def file(tmp_path: Path) -> Path:
    played = Played(built_in("zones_and_bracket"), 8).draw().play(coin(5))
    path = tmp_path / "tournament.json"
    path.write_bytes(encode(played.state.format, played.log))
    return path


def test_the_draw_is_repeated(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tournament", "draw", str(file)]) == 0
    played = Played(built_in("zones_and_bracket"), 8).draw()
    played.do(StartPhase("zonas"))
    zone = ", ".join(f"team {team}" for team in played.state.stages["zonas"].zones[0])
    printed = capsys.readouterr().out
    assert f"zonas: zone 1: {zone}\n" in printed
    assert "llave-R1-M1: team " in printed


def test_a_round_that_was_not_drawn_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    played = Played(built_in("swiss"), 8).draw()
    played.do(StartPhase("suizo"))
    played.do(PairRound("suizo"))
    path = tmp_path / "swiss.json"
    path.write_bytes(encode(played.state.format, played.log))
    assert main(["tournament", "draw", str(path)]) == 0
    *before, paired = played.log
    assert isinstance(paired, PairRound)
    (a, b), (c, d), *rest = paired.pairs
    path.write_bytes(
        encode(played.state.format, [*before, paired._replace(pairs=((a, d), (c, b), *rest))])
    )
    assert main(["tournament", "draw", str(path)]) == 1
    assert capsys.readouterr().err == "scorer hub: not as drawn: suizo round 1\n"


def test_an_order_that_was_not_drawn_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    played = Played(built_in("zones_and_bracket"), 8).draw()
    played.do(StartPhase("zonas"))
    *before, start = played.log
    assert isinstance(start, StartPhase)
    first, second = start.groups
    swapped = ((second[0], *first[1:]), (first[0], *second[1:]))
    path = tmp_path / "zones.json"
    path.write_bytes(encode(played.state.format, [*before, start._replace(groups=swapped)]))
    assert main(["tournament", "draw", str(path)]) == 1
    assert capsys.readouterr().err == "scorer hub: not as drawn: zonas start\n"


def test_paper_and_tables_are_written(file: Path) -> None:
    page = file.with_name("paper.html")
    assert main(["tournament", "paper", str(file), "--pages", "brackets", "--out", str(page)]) == 0
    assert "<bdi>R1-M1" in page.read_text(encoding="utf-8")
    assert main(["tournament", "tables", str(file), "--out", str(file.parent / "csv")]) == 0
    assert {each.name for each in (file.parent / "csv").iterdir()} == {
        "teams.csv",
        "matches.csv",
        "standings-zonas.csv",
        "standings-llave.csv",
        "final-order.csv",
    }


LISTS = [
    ("\n".join(f"Equipo {at}" for at in range(8)), 0, "llave: 4 teams, 4 matches"),
    ("Los Pibes\nLos Pibes", 1, "2: "),
    ("Los Pibes\nLas Brujas", 1, "6"),
]


@pytest.mark.parametrize(("text", "code", "words"), LISTS)
def test_a_list_is_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, code: int, words: str
) -> None:
    path = tmp_path / "teams.csv"
    path.write_text(text, encoding="utf-8")
    assert main(["tournament", "entries", str(path), "--format", "zones_and_bracket"]) == code
    assert words in capsys.readouterr().out


def test_the_first_teams_of_a_list_are_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "teams.csv"
    path.write_text('"Los Ñatos";"Pérez, Juan";Eva Sol;Norte\nLa Yunta;Caio;Dora;Norte\n', "utf-8")
    assert main(["tournament", "entries", str(path), "--format", "double"]) == 1, "two teams"
    assert capsys.readouterr().out.splitlines()[-4:] == [
        "Los primeros equipos, como se leen:",
        "equipo | jugadores | club",
        "Los Ñatos | Pérez, Juan · Eva Sol | Norte",
        "La Yunta | Caio · Dora | Norte",
    ]


@pytest.mark.parametrize("command", FILE_COMMANDS)
def test_a_file_that_is_wrong_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    path = tmp_path / "wrong.json"
    path.write_bytes(b"\xff{")
    extra = ["--format", "swiss"] if command == "entries" else []
    assert main(["tournament", command, str(path), *extra]) == 1
    # Any bytes are a list of teams in some encoding, whose lines are named.
    printed = capsys.readouterr()
    assert printed.err.startswith("scorer hub: ") or command == "entries"
    assert main(["tournament", command, str(path) + "x", *extra]) == 1
