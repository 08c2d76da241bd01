"""A button that is down when the box wakes up: shown, and deaf until it is let go."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scorer.demo.demo_table import DemoTable
from scorer.demo.script_player import ScriptPlayer
from scorer.demo.table_process import TableReport
from tests.support.in_process_table import table_in_process
from tests.table.table_process import running_table, table_on

STUCK = "QUIERO (Nosotros) trabado"
NOTICE = "botón trabado"


def _played(store: Path, *lines: str) -> list[TableReport]:
    with DemoTable(table_on(store)) as desk:
        script = ScriptPlayer(desk)
        return [script.play(number, line).report for number, line in enumerate(lines, 1)]


def _text(report: TableReport) -> str:
    return " ".join(report.text)


def test_a_stuck_button_is_shown_and_answers_nothing(tmp_path: Path) -> None:
    reports = _played(tmp_path, "B truco", "stuck A quiero", "undo", "B truco", "power cut")
    assert NOTICE not in _text(reports[3]), "held while the box is on it is only a long press"
    assert "botón trabado: QUIERO (Nosotros)" in _text(reports[-1])
    pending = reports[-1].state["pending"]
    assert isinstance(pending, dict)
    assert pending["call"] == "truco", "no QUIERO came of it"
    assert reports[-1].seq == reports[3].seq


@pytest.mark.sampled(0)
def test_the_other_buttons_count_meanwhile(tmp_path: Path) -> None:
    lines = ("stuck A quiero", "power cut", "A truco", "B quiero", "A tantos")
    last = _played(tmp_path, *lines)[-1]
    assert last.state["score"] == {"A": 2, "B": 0}
    assert NOTICE in _text(_played(tmp_path / "status", *lines[:2])[-1])


def test_let_go_it_is_a_button_again_and_its_release_was_no_press(tmp_path: Path) -> None:
    lines = ("stuck A quiero", "power cut", "B truco", "release A quiero", "wait 3", "A quiero")
    reports = _played(tmp_path, *lines)
    assert "trabado" not in _text(reports[4])
    assert reports[4].state["pending"] is not None
    assert reports[5].state["pending"] is None
    assert reports[5].state["stake"] == 2


def test_a_tray_on_all_buttons_at_power_on_scores_nothing(tmp_path: Path) -> None:
    with running_table(table_on(tmp_path)) as told:
        every = {f"{side}.{key}" for side in "AB" for key in ("envido", "flor", "tantos", "quiero")}
        told.down |= every | {"A.no_quiero", "B.no_quiero", "B.truco", "menu"}
        told.power_cut()
        told.wait(30.0)
        assert "trabado" in told.text
        told.release()
        told.wait(5.0)
        assert (told.report.seq, told.report.press) == (0, ())
        assert "trabado" not in told.text
        assert told.press("A.tantos") == "taken"


@pytest.mark.parametrize("button", ["tantos", "quiero", "envido", "no_quiero"])
def test_a_button_that_jams_in_play_is_named_and_the_others_go_on(
    button: str, tmp_path: Path
) -> None:
    with running_table(table_on(tmp_path)) as told:
        told.press("B.truco")
        told.press("A.quiero")
        told.wait(10.0)
        told.hold(f"A.{button}", duration_s=29.0)
        assert "trabado" not in told.text
        told.wait(8.0)
        label = button.replace("_", " ").upper()
        assert re.search(rf"{label} (\(Nosotros\)|Nosotros) trabado", told.text)
        seq = told.report.seq
        told.press("undo")
        told.wait(6.0)
        assert told.report.seq > seq, "UNDO counts"
        seq, score = told.report.seq, told.score
        told.release(f"A.{button}")
        told.wait(6.0)
        assert (told.report.seq, told.score) == (seq, score), "its release is no press"
        assert "trabado" not in told.text
        assert told.press(f"A.{button}") != "-", "and its next press is answered"


def test_a_question_that_a_jammed_button_asked_is_withdrawn(tmp_path: Path) -> None:
    """On a compact console QUIERO held asks for a fold, which nothing would answer."""
    with running_table(table_on(tmp_path, layout="compact")) as told:
        told.press("A.truco")
        told.press("B.quiero")
        told.press("A.tantos")
        told.wait(12.0)
        told.hold("A.quiero", duration_s=5.0)
        assert "al mazo" in told.text
        seq = told.report.seq
        told.wait(30.0)
        assert "al mazo" not in told.text
        assert "QUIERO (Nosotros) trabado" in told.text
        assert told.report.seq == seq, "nothing was folded"
        assert told.press("B.truco") == "taken"
        assert told.state["pending"]["call"] == "truco"


@pytest.mark.parametrize(("held", "points"), [(0.1, 1), (10.0, 0)])
def test_an_unanswered_question_leaves_nothing_while_its_button_is_down(
    tmp_path: Path, held: float, points: int
) -> None:
    """A win entered by the caller pays the refused price, if it is not answered."""
    with table_in_process(tmp_path) as table:
        table.press("A.truco", then=20.0)
        table.press("A.tantos", held=held, then=10.0)
        assert table.score == {"A": points, "B": 0}


def test_a_button_that_is_held_over_a_restart_is_stuck_after_half_a_minute(tmp_path: Path) -> None:
    with running_table(table_on(tmp_path)) as told:
        told.hold("A.quiero", duration_s=40.0)
        assert STUCK in told.text
