"""The kept game of a store: refused folders, another truco, the last line."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest

from scorer.demo import command
from scorer.demo.kept_game import ChosenGame, last_line, other_game
from scorer.i18n import languages, translator
from scorer.store.journal import Journal

SAY = translator("es-AR")
STATE = {
    "variant": "argentine",
    "options": {"target": 15},
    "score": {"A": 6, "B": 0},
    "names": {"A": "Los Pibes", "B": ""},
}


def refusal(store: Path, capsys: pytest.CaptureFixture[str], language: str = "es") -> str:
    words = ["--script", "-", "--store", str(store), "--language", language]
    assert command.main(words) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    return printed.err


@pytest.mark.parametrize("language", languages())
def test_a_store_that_a_table_uses_is_refused_before_it_is_opened(
    tmp_path: Path, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "night"
    with Journal.open(store):
        before = {path: path.stat().st_mtime_ns for path in store.iterdir()}
        told = refusal(store, capsys, language)
        assert {path: path.stat().st_mtime_ns for path in store.iterdir()} == before
    expected = translator(language)("terminal.store_used", folder=store)
    assert told == f"scorer demo: {expected}\n"


def test_a_file_is_no_store(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "night"
    file.touch()
    assert f"{file} es un archivo" in refusal(file, capsys)


@pytest.mark.parametrize(
    ("chosen", "is_other"),
    [
        (ChosenGame("argentine"), False),
        (ChosenGame("argentine", "argentine"), False),
        (ChosenGame("argentine", "argentine", "target=15", ("Los Pibes", "")), False),
        (ChosenGame("argentine", "paulista"), True),
        (ChosenGame("argentine", "", "target=24"), True),
        (ChosenGame("argentine", "argentine", "", ("Los Pibes", "Ana")), True),
        (ChosenGame("argentine", "", "", ("Ana", "Rui")), True),
    ],
)
def test_a_kept_game_is_named_where_another_one_was_chosen(
    chosen: ChosenGame, is_other: bool
) -> None:
    told = other_game(chosen, STATE, ".night", SAY)
    assert ("Truco argentino" in told and ".night" in told) is is_other
    assert other_game(chosen, STATE, "", SAY) == "", "a temporary store has no other game"


def test_a_kept_game_of_an_unknown_variant_is_named_by_its_id() -> None:
    kept = {**STATE, "variant": "pampa"}
    assert other_game(ChosenGame("argentine"), kept, ".night", SAY) == ""
    assert "pampa" in other_game(ChosenGame("argentine", "paulista"), kept, ".night", SAY)


def test_without_a_store_there_is_no_game() -> None:
    chosen = ChosenGame("argentine", "paulista")
    assert other_game(chosen, {}, ".night", SAY) == last_line({}, ".n", SAY) == ""


def test_the_last_line_has_the_score_and_the_folder() -> None:
    assert last_line(STATE, ".night", SAY) == "Los Pibes 6 · B 0; queda guardado en .night"
    assert "--store" in last_line(STATE, "", SAY)


@pytest.mark.sampled(0)
def test_a_script_on_a_store_with_another_truco_says_so(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "scorer", "demo", "--language", "en", "--script", "-"]
    command += ["--store", str(tmp_path)]
    first, second = (
        subprocess.run(
            [*command, *more], input="A truco\n", text=True, capture_output=True, check=True
        )
        for more in ([], ["--variant", "paulista"])
    )
    assert first.stderr == ""
    assert second.stderr.startswith(f"scorer demo: Truco argentino, kept in {tmp_path}, goes on")


def test_a_terminal_without_utf8_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("scorer.demo.command._at_a_terminal", lambda: True)
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="iso-8859-1"))
    assert command.main(["--language", "en"]) == 2
    assert "writes iso-8859-1" in capsys.readouterr().err
