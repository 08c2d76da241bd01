"""``scorer export``: sheets that replay, JSON, and a table without formulas."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from scorer.cli import main
from scorer.receipts.played_game import PlayedGame
from scorer.store.archive import Archive
from tests.backup.games import UNDONE, UNFINISHED, WON, header, store_of
from tests.plain_values.test_spreadsheet import FORMULAS, formulas


def export(store: Path, folder: Path) -> int:
    return main(["export", str(folder), "--store", str(store)])


def table(folder: Path) -> list[dict[str, str]]:
    text = (folder / "games.csv").read_bytes().decode("utf-8-sig")
    return list(csv.DictReader(text.splitlines()))


def test_every_game_is_a_sheet_a_document_and_a_row(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = store_of(tmp_path / "store", WON, UNFINISHED, UNDONE)
    assert export(store, tmp_path / "games") == 0
    assert capsys.readouterr().out == f"{tmp_path / 'games'}: 3 games\n"
    stems = [f"game-0000{number}" for number in (1, 2, 3)]
    names = [f"{stem}.{kind}" for stem in stems for kind in ("json", "truco")]
    assert sorted(path.name for path in (tmp_path / "games").iterdir()) == [*names, "games.csv"]
    rows = table(tmp_path / "games")
    assert [row["state"] for row in rows] == ["won", "unfinished", "undone"]
    assert rows[0] == {
        **{"game": "1", "state": "won", "minutes": "0", "steps": "1", "hands": "1"},
        "began": "2026-05-01T21:00:00+00:00",
        "ended": "2026-05-01T21:00:00+00:00",
        **{"variant": "argentine", "target": "18", "options": "target=18", "winner": "A"},
        **{"name_A": "Los Pibes", "name_B": "La Yunta", "name_C": ""},
        **{"score_A": "18", "score_B": "0", "score_C": ""},
    }
    assert (rows[1]["minutes"], rows[1]["score_A"], rows[1]["winner"]) == ("15", "2", "")


def test_games_of_a_store_beside_are_listed_for_themselves(tmp_path: Path) -> None:
    store = store_of(tmp_path / "store", WON)
    store_of(store / "beside", UNFINISHED, UNDONE)
    assert export(store, tmp_path / "games") == 0
    assert [row["state"] for row in table(tmp_path / "games")] == ["won"]
    assert [row["state"] for row in table(tmp_path / "games" / "beside")] == [
        "unfinished",
        "undone",
    ]


def test_a_sheet_replays_and_is_the_one_whose_code_is_on_the_slip(tmp_path: Path) -> None:
    store = store_of(tmp_path / "store", UNFINISHED)
    export(store, tmp_path / "games")
    sheet = tmp_path / "games" / "game-00001.truco"
    assert main(["replay", str(sheet)]) == 0
    with Archive.open(store) as archive:
        (entered,) = archive.games()
    slip = PlayedGame(1, entered.header, entered.rows, "es-AR")  # type: ignore[arg-type]
    assert sheet.read_text() == slip.sheet


def test_the_document_has_every_press_with_who_made_it(tmp_path: Path) -> None:
    export(store_of(tmp_path / "store", UNFINISHED), tmp_path / "games")
    document = json.loads((tmp_path / "games" / "game-00001.json").read_text())
    assert [step["line"] for step in document["steps"]] == list(UNFINISHED)
    assert [step["source"] for step in document["steps"]] == ["A", "phone Ana", "phone Ana"]
    assert document["end"]["score"] == {"A": 2, "B": 0}
    assert document["names"] == {"A": "Los Pibes", "B": "La Yunta"}


@pytest.mark.parametrize("name", FORMULAS)
def test_no_separator_of_a_locale_makes_a_formula_of_a_name(name: str, tmp_path: Path) -> None:
    opens = header("Los Pibes", name)
    export(store_of(tmp_path / "store", WON, opens=opens), tmp_path / "games")
    text = (tmp_path / "games" / "games.csv").read_bytes().decode("utf-8-sig")
    assert formulas(text) == []
    assert all(line.startswith('"') and line.endswith('"') for line in text.splitlines())


def test_names_with_formulas_and_commas_arrive_in_their_columns(tmp_path: Path) -> None:
    opens = header("=1+1", 'Ñandú, "B"; C')
    export(store_of(tmp_path / "store", WON, opens=opens), tmp_path / "games")
    (row,) = table(tmp_path / "games")
    assert (row["name_A"], row["name_B"], row["winner"]) == ("'=1+1", 'Ñandú, "B"; C', "A")


@pytest.mark.parametrize("opens", ['[Variant "nowhere"]\n', "no header\n", None])
def test_a_game_that_cannot_be_replayed_is_exported_as_it_was_entered(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], opens: str | None
) -> None:
    refused = ("A quiero",)
    store = store_of(tmp_path / "store", WON)
    store_of(store, refused, opens=opens)
    assert export(store, tmp_path / "games") == 1
    assert "game 2 cannot be replayed by this version" in capsys.readouterr().err
    assert (tmp_path / "games" / "game-00002.truco").read_text().endswith("\n\nA quiero\n")
    document = json.loads((tmp_path / "games" / "game-00002.json").read_text())
    assert (document["state"], document["end"]) == ("unplayable", None)
    assert [row["state"] for row in table(tmp_path / "games")] == ["won", "unplayable"]


def test_exports_are_not_mixed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = store_of(tmp_path / "store", WON)
    (tmp_path / "games").mkdir()
    assert export(store, tmp_path / "games") == 0, "an empty folder is good"
    assert export(store, tmp_path / "games") == 1
    assert "is not empty: name a new folder" in capsys.readouterr().err
    assert export(store, tmp_path / "no" / "games") == 1
    assert export(tmp_path / "none", tmp_path / "other") == 1
    assert "has no games yet" in capsys.readouterr().err
