"""UNDO and TRUCO of console A held at power-on: default settings, same score."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorer.demo.demo_table import DemoTable
from scorer.demo.script_player import ScriptPlayer
from tests.support.state_documents import lasting
from tests.table.table_process import TableDriver, running_table, table_on

SAFE = ("undo", "A.truco")


def _played(told: TableDriver) -> None:
    """Two points for Nosotros, and a pending retruco."""
    told.press("A.envido")
    told.press("B.quiero")
    told.press("A.tantos")
    told.press("A.truco")
    told.wait(4.0)


def _held_through_a_cut(told: TableDriver, *buttons: str, seconds: float) -> None:
    told.down |= set(buttons)
    told.power_cut()
    told.wait(seconds)


def test_held_for_three_seconds_the_panel_says_so_and_the_score_stays(tmp_path: Path) -> None:
    with running_table(table_on(tmp_path)) as told:
        _played(told)
        before, seq = told.state, told.report.seq
        _held_through_a_cut(told, *SAFE, seconds=2.9)
        assert "modo seguro" not in told.text
        told.wait(0.2)
        assert "modo seguro" in told.text, "while the fingers are still there"
        assert (lasting(told.state), told.report.seq) == (lasting(before), seq)


def test_a_script_can_do_it_too(tmp_path: Path) -> None:
    with DemoTable(table_on(tmp_path)) as desk:
        script = ScriptPlayer(desk)
        lines = ("A tantos", "stuck undo", "stuck A truco", "power cut", "wait 4")
        answer = [script.play(number, line) for number, line in enumerate(lines, 1)][-1]
        assert "modo seguro" in " ".join(answer.report.text)
        assert answer.report.state["score"] == {"A": 1, "B": 0}


def test_language_and_layout_are_those_of_a_new_box(tmp_path: Path) -> None:
    odd = table_on(tmp_path, layout="compact")._replace(language="pt-BR")
    with running_table(odd) as told:
        told.press("A.truco")
        # In compact QUIERO has a hold, and so it acts when it is let go.
        told.hold("B.quiero", duration_s=0.2)
        assert told.state["pending"] is not None
        told.release()
        assert told.state["pending"] is None
        _held_through_a_cut(told, *SAFE, seconds=4.0)
        assert "modo seguro" in told.text
        told.release()
        told.press("B.truco")
        told.hold("A.quiero", duration_s=0.2)
        assert told.state["pending"] is None, "in full it acts at once"
        told.release()
        told.press("B.quiero")
        assert "nada que responder" in told.text, "in the language of a new box"


def test_it_is_done_once_however_long_they_are_held(tmp_path: Path) -> None:
    with running_table(table_on(tmp_path)) as told:
        _played(told)
        _held_through_a_cut(told, *SAFE, seconds=3.5)
        told.wait(25.0)
        assert "modo seguro" not in told.text, "the notice is over and has not come again"
        assert told.press("B.quiero") == "taken"
        assert " trabado" in told.text, "it is graver"
        told.release()
        told.wait(30.0)
        assert " trabado" not in told.text


def test_the_panel_goes_on_saying_so_when_the_fingers_have_gone(tmp_path: Path) -> None:
    with running_table(table_on(tmp_path)) as told:
        _held_through_a_cut(told, *SAFE, seconds=4.0)
        told.release()
        told.wait(30.0)
        assert "modo seguro" in told.text
        told.power_cut()
        told.wait(30.0)
        assert "modo seguro" not in told.text, "the next power-on is an ordinary one"


def test_every_button_means_what_it_means_in_safe_mode(tmp_path: Path) -> None:
    with running_table(table_on(tmp_path)) as told:
        _held_through_a_cut(told, *SAFE, seconds=4.0)
        told.release()
        assert [told.press(line) for line in ("A.truco", "B.quiero", "A.tantos")] == ["taken"] * 3
        assert told.score == {"A": 2, "B": 0}
        told.press("undo")
        assert told.score == {"A": 0, "B": 0}


@pytest.mark.sampled(1)
@pytest.mark.parametrize("buttons", [("undo",), ("A.truco",), ("undo", "B.truco")])
def test_no_other_buttons_do_it(tmp_path: Path, buttons: tuple[str, ...]) -> None:
    with running_table(table_on(tmp_path)) as told:
        _held_through_a_cut(told, *buttons, seconds=10.0)
        assert "modo seguro" not in told.text


def test_let_go_too_early_it_is_not_done(tmp_path: Path) -> None:
    with running_table(table_on(tmp_path)) as told:
        _held_through_a_cut(told, *SAFE, seconds=2.5)
        told.release("undo", duration_s=10.0)
        assert "modo seguro" not in told.text


def test_pressed_after_power_on_they_mean_what_they_say(tmp_path: Path) -> None:
    with running_table(table_on(tmp_path)) as told:
        told.hold(*SAFE, duration_s=5.0)
        assert "modo seguro" not in told.text
        assert told.state["pending"]["call"] == "truco"
