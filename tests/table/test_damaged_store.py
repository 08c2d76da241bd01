"""A damaged store is salvaged at power-on, and the panel says so."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from scorer.store import file
from tests.table.table_process import running_table, table_on


def _played(store: Path) -> list[dict[str, int]]:
    """Five hands, and the score after each."""
    with running_table(table_on(store)) as told:
        scores = [told.score]
        for side in "ABABA":
            told.press(f"{side}.tantos")
            told.wait(7.5)
            scores.append(told.score)
    return scores


@pytest.mark.sampled(0)
def test_a_word_that_the_card_has_changed_costs_what_came_after_it_and_is_said(
    tmp_path: Path,
) -> None:
    scores = _played(tmp_path)
    whole = bytearray((tmp_path / file.FILE_NAME).read_bytes())
    place = bytes(whole).rindex(b"B award") if b"B award" in whole else bytes(whole).rindex(b"B ")
    whole[place] ^= 3  # A has won that hand, says the card
    (tmp_path / file.FILE_NAME).write_bytes(whole)
    with running_table(table_on(tmp_path)) as told:
        assert told.score in scores[:-1]
        assert "daño: quedan" in told.text
        assert (tmp_path / "damaged-1.sqlite3").read_bytes() == bytes(whole)
        assert "se rescató lo guardado" in told.read_pages()
        told.wait(30.0)
        assert told.press("A.tantos") == "taken"
        score = told.score
        told.power_cut()
        assert told.score == score
        assert "daño: quedan" not in told.text, "once"


def test_a_journal_that_the_rules_refuse_is_cut_before_the_press_they_refuse(
    tmp_path: Path,
) -> None:
    scores = _played(tmp_path)
    database = sqlite3.connect(tmp_path / file.FILE_NAME)
    with database:
        database.execute("DELETE FROM journal WHERE seq = (SELECT max(seq) - 2 FROM journal)")
    database.close()
    with running_table(table_on(tmp_path)) as told:
        assert told.score in scores
        assert "daño: quedan" in told.text
        assert told.press("A.tantos") == "taken"


def test_a_store_whose_schema_is_damaged_loses_no_press(tmp_path: Path) -> None:
    scores = _played(tmp_path)
    whole = bytearray((tmp_path / file.FILE_NAME).read_bytes())
    place = bytes(whole).index(b"CREATE TABLE journal")
    whole[place + 7] ^= 1
    whole[1] ^= 4  # and the first word of the file
    (tmp_path / file.FILE_NAME).write_bytes(whole)
    with running_table(table_on(tmp_path)) as told:
        assert told.score == scores[-1]
        assert "daño: quedan" in told.text
