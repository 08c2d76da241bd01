"""The lit buttons of a real table: calls, guards, darkness, tests, faults."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from scorer.config.loader import parse_config
from scorer.hw.outputs.memory import MemoryLevels
from scorer.session.lit_buttons import lit_buttons
from scorer.session.values.settings import Layout, Settings
from scorer.table.button_lights import LightChip
from scorer.table.device_faults import DeviceKind, DeviceStatus
from tests.support.settings import settings_with
from tests.table.test_team_light import Lit

DIM, BRIGHT = 15, 100
CALLS = {f"{console}.{key}" for console in "AB" for key in ("truco", "envido", "tantos")}
OPENED = CALLS | {"menu"}  # of a new game


def chip(levels: MemoryLevels) -> LightChip:
    (chosen,) = parse_config("[[button_lights]]\n").button_lights
    buttons = chosen.buttons(Layout.FULL, 2)
    return LightChip(chosen.consoles, buttons, chosen.lit, chosen.dimmed, levels)


def lit_of(levels: MemoryLevels, level: int = BRIGHT) -> set[str]:
    """The buttons that are lit, all of them at ``level``."""
    shown = dict(zip(chip(levels).buttons, levels.value, strict=True))
    assert set(shown.values()) <= {0, level}
    return {button for button, at in shown.items() if at}


def table(folder: Path, levels: MemoryLevels, settings: Settings | None = None) -> Lit:
    return Lit(folder, None, settings or Settings(), (chip(levels),), target=30)


def test_a_table_lights_who_may_call_and_who_must_answer(tmp_path: Path) -> None:
    levels = MemoryLevels()
    lit = table(tmp_path, levels)
    assert lit_of(levels) == OPENED
    lit.press("A.truco", 10.0)
    lit.run(14.0)
    # A said truco: B answers, raises, or says envido first; both may say that they have won.
    answers = {"B.quiero", "B.no_quiero", "B.truco", "B.envido"}
    assert lit_of(levels) == answers | {"A.tantos", "B.tantos", "undo", "menu"}
    lit.press("B.quiero", 15.0)
    lit.run(20.0)
    assert lit_of(levels) == {"B.truco", "A.tantos", "B.tantos", "undo", "menu"}
    lit.close()


def test_a_question_lights_who_may_answer_it(tmp_path: Path) -> None:
    levels = MemoryLevels()
    lit = table(tmp_path, levels)
    lit.press("A.envido", 10.0)
    lit.press("B.truco", 12.0)
    assert lit.table.session.question is not None, "no quiero y truco?"
    lit.run(13.0)
    assert lit_of(levels) == {"B.quiero", "B.no_quiero"}
    lit.press("B.no_quiero", 14.0)
    lit.run(18.0)
    assert {"A.quiero", "A.no_quiero"}.isdisjoint(lit_of(levels))
    lit.close()


def test_a_press_is_stored_before_its_light_changes(tmp_path: Path) -> None:
    stored = list[int]()
    levels = MemoryLevels(lambda: stored.append(lit.journal.last_seq() if lit else 0))
    lit: Lit | None = None
    lit = table(tmp_path, levels)
    writes, stored[:] = levels.writes, []
    before = lit.journal.last_seq()
    lit.press("A.truco", 10.0)
    assert levels.writes > writes
    assert all(seq > before for seq in stored)
    lit.close()


def test_what_is_lit_is_always_what_the_session_that_is_shown_says(tmp_path: Path) -> None:
    levels = MemoryLevels()
    lit = table(tmp_path, levels, settings_with(blink_s=0.5))
    at = 10.0
    for line in ("A.envido", "B.quiero", "A.tantos", "B.tantos", "A.truco", "B.no_quiero", "undo"):
        lit.press(line, at)
        for _ in range(16):
            at += 0.6
            lit.run(at)
            assert lit_of(levels) == lit_buttons(lit.table.session), (line, at)
    lit.close()


def test_tantos_lights_when_its_guard_is_over_without_a_press(tmp_path: Path) -> None:
    levels = MemoryLevels()
    lit = table(tmp_path, levels)
    lit.press("A.truco", 10.0)
    lit.press("B.no_quiero", 12.0)
    lit.run(18.5)
    assert not {"A.tantos", "B.tantos"} & lit_of(levels)
    lit.run(19.2)
    assert {"A.tantos", "B.tantos"} <= lit_of(levels)
    lit.close()


def test_the_quiet_hours_and_a_dim_panel_dim_the_buttons_and_a_dark_one_ends_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "<-03>3")
    time.tzset()
    levels = MemoryLevels()
    lit = table(tmp_path / "quiet", levels, settings_with(quiet="00:00-23:59"))
    assert lit_of(levels, DIM) == OPENED
    lit.close()
    monkeypatch.undo()
    time.tzset()
    lit = table(tmp_path / "idle", levels)
    lit.run(119.0)
    assert lit_of(levels) == OPENED
    lit.run(121.0)
    assert lit_of(levels, DIM) == OPENED
    lit.run(1201.0)
    assert lit_of(levels) == set()
    lit.press("A.truco", 1202.0)
    assert lit_of(levels) == OPENED, "the press that wakes the panels does nothing else"
    lit.close()


def test_steady_buttons_write_nothing_and_wake_the_table_no_more_often(tmp_path: Path) -> None:
    fired = list[int]()
    levels = MemoryLevels()
    for name, chips in (("with", (chip(levels),)), ("without", ())):
        lit = Lit(tmp_path / name, None, settings_with(blink_s=0.5), chips, target=30)
        lit.press("A.truco", 10.0)
        lit.run(20.0)
        writes = levels.writes
        fired.append(lit.run(100.0))
        assert levels.writes == writes
        lit.close()
    assert fired[0] == fired[1]


def test_the_self_test_lights_every_button_and_reports_a_fault(tmp_path: Path) -> None:
    levels = MemoryLevels()
    lit = table(tmp_path, levels)
    report = lit.table.run_selftest(10.0)
    assert report is not None
    assert report["button_lights"] == [{"name": "AB", "fault": ""}]
    assert lit_of(levels) == set(filter(None, chip(levels).buttons))
    lit.run(11.0)
    assert lit_of(levels) == OPENED
    levels.fault = "no answer"
    report = lit.table.run_selftest(20.0)
    assert report is not None
    assert report["button_lights"] == [{"name": "AB", "fault": "no answer"}]
    lit.close()


def test_a_lost_chip_is_logged_once_and_the_table_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lit = table(tmp_path, MemoryLevels())
    for fault in ("no answer", "no answer", ""):
        lit.table.faults.report(DeviceStatus(DeviceKind.BUTTON_LIGHTS, "AB", fault))
        marks = ["button_lights AB"] if fault else []
        assert [word for word in lit.table.marks.words() if "lights" in word] == marks
    told = capsys.readouterr().err.splitlines()
    assert told == [
        "scorer run: button lights AB: no answer",
        "scorer run: button lights AB: it is there",
    ]
    lit.close()


def test_a_box_as_installed_lights_no_button(tmp_path: Path) -> None:
    lit = Lit(tmp_path, None, Settings())
    report = lit.table.run_selftest(10.0)
    assert report is not None
    assert "button_lights" not in report
    lit.close()
