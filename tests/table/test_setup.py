"""Changes of set-up are in the journal with the menu as source, and a reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.table_client import TableClient
from tests.table.table_process import running_table, table_on


def test_a_penalty_of_set_up_is_the_menus_and_keeps_its_reason(tmp_path: Path) -> None:
    path = tmp_path / "table.sock"
    with running_table(table_on(tmp_path, socket=path)) as told:
        told.press("menu", held_s=0.9)
        for button in (*("B.tantos",) * 9, "A.quiero", "B.tantos", "B.tantos", "A.quiero"):
            told.press(button)
        for button in ("B.tantos", "B.quiero", "A.quiero"):
            told.press(button)
        told.press("A.truco")
        phone = TableClient(path)
        rows = phone.ask(do="journal", **{"from": 1}, limit=10)["rows"]
        phone.close()
    written = [(row["line"], row["source"]) for row in rows]
    assert written == [("B award 1  # foul", "menu"), ("A truco", "A")]


@pytest.mark.sampled(0)
def test_a_language_counts_at_once_and_after_a_power_cut(tmp_path: Path) -> None:
    with running_table(table_on(tmp_path)) as told:
        told.press("menu", held_s=0.9)
        for _ in range(17):
            told.press("B.tantos")
        told.press("A.quiero")
        assert "IDIOMA" in told.text
        for _ in range(3):
            told.press("B.tantos")
        told.press("A.quiero")
        assert "AJUSTES" in told.text and "Português (Brasil)" in told.text
        told.power_cut()
        told.press("A.truco")
        told.press("menu", held_s=0.9)
        assert "tentos" in told.text
        assert told.report.seq == 1, "only the truco is of the game"


@pytest.mark.sampled(0)
def test_sound_that_is_switched_off_on_the_box_is_off_for_other_programs_too(
    tmp_path: Path,
) -> None:
    path = tmp_path / "table.sock"
    with running_table(table_on(tmp_path, socket=path)) as told:
        phone = TableClient(path)
        heard = [phone.ask(do="game")["is_quiet"]]
        told.press("menu", held_s=0.9)
        for _ in range(18):
            told.press("B.tantos")
        told.press("A.quiero")
        assert "LUZ" in told.text
        for button in (*("B.tantos",) * 4, "A.quiero", "B.tantos", "A.quiero"):
            told.press(button)
        heard.append(phone.ask(do="game")["is_quiet"])
        phone.close()
    assert heard == [False, True]


def test_the_tally_that_is_chosen_reaches_the_pages_at_once_and_stays_after_a_power_cut(
    tmp_path: Path,
) -> None:
    path = tmp_path / "table.sock"
    presses = (*("B.tantos",) * 18, "A.quiero", *("B.tantos",) * 3, "A.quiero")
    with running_table(table_on(tmp_path, "gaucho", socket=path)) as told:
        with TableClient(path) as page:
            before = page.state
            told.press("menu", held_s=0.9)
            for button in (*presses, *("B.tantos",) * 2, "A.quiero"):
                told.press(button)
            after = page.look().state
        told.power_cut()
        with TableClient(path) as page:
            kept = page.state
    assert [each["tally"] for each in (before, after, kept)] == [5, 3, 3]
    assert before["seq"] == after["seq"] == 0, "it is no press of the game"


@pytest.mark.sampled(0)
def test_a_name_stands_on_the_panel_at_once_and_after_a_power_cut(tmp_path: Path) -> None:
    with running_table(table_on(tmp_path)) as told:
        told.press("menu", held_s=0.9)
        for button in (*("B.tantos",) * 16, "A.quiero", "A.quiero", "A.quiero", "undo"):
            told.press(button)
        assert "Locales" in told.text and "Nosotros" not in told.text
        told.power_cut()
        assert "Nosotros" not in told.text


@pytest.mark.sampled(0)
def test_other_buttons_want_a_table_begun_anew_and_the_score_stays(tmp_path: Path) -> None:
    with running_table(table_on(tmp_path)) as told:
        told.press("A.tantos")
        told.wait(5.0)
        told.press("menu", held_s=0.9)
        for button in ("A.no_quiero", *("B.tantos",) * 18, "A.quiero", "B.tantos", "A.quiero"):
            told.press(button)
        told.press("A.quiero")
        before = told.report.seq
        # The finger of the last yes is still there when the table begins anew.
        told.hold("B.quiero", duration_s=2.0)
        assert "trabado" not in told.text
        told.release()
        assert (told.score, told.report.seq) == ({"A": 1, "B": 0}, before)
        told.press("A.truco")
        told.hold("B.quiero", duration_s=0.2)
        assert told.state["pending"] is not None, "in compact QUIERO has a hold"
        told.release()
        assert told.state["pending"] is None


@pytest.mark.sampled(0)
def test_the_night_tells_who_has_won_and_is_cleared(tmp_path: Path) -> None:
    with running_table(table_on(tmp_path, options="target=1")) as told:
        told.press("A.tantos")
        told.wait(10.0)
        for _ in range(4):
            told.press("menu")
        assert "hoy: 1 partido" in told.text
        told.press("menu", held_s=0.9)
        for button in ("A.no_quiero", *("B.tantos",) * 21, "A.quiero"):
            told.press(button)
        assert "BORRAR LO DE HOY" in told.text
        told.press("A.quiero")
        told.press("B.quiero")
        assert "hoy: todo en cero" in told.text
        told.power_cut()
        for _ in range(4):
            told.press("menu")
        assert "todavía nada" in told.text


@pytest.mark.sampled(0)
def test_a_night_that_is_cleared_ends_the_series_also_after_a_power_cut(tmp_path: Path) -> None:
    with running_table(table_on(tmp_path, options="target=1")._replace(rematch=True)) as told:
        told.press("A.tantos")
        told.wait(10.0)
        assert told.state["next_game"] == "rematch"
        told.press("menu", held_s=0.9)
        for button in ("A.no_quiero", *("B.tantos",) * 21, "A.quiero", "A.quiero", "B.quiero"):
            told.press(button)
        told.power_cut()
        told.wait(5.0)
        assert "¿otro?" in told.text and "revancha" not in told.text
        assert "next_game" not in told.state
        told.press("A.quiero")
        told.press("B.quiero")
        assert told.state["winner"] is None and "rematches" not in told.state
