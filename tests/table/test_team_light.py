"""The team light of a real table: calls, answers, the win, quiet hours, faults."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import pytest

from scorer.config.pin_map import pins_for
from scorer.display.light_frames import CELEBRATION_STEPS, COLOURS, DARK, STEP_S
from scorer.hw.outputs.memory import MemoryLight
from scorer.hw.ports import DeviceError, Edge
from scorer.hw.simulated import SimulatedHardware
from scorer.rules import Start, find_variant, new_game, rules_for
from scorer.session.values.settings import Layout, Settings
from scorer.store.journal import Journal, Stamp
from scorer.table.button_lights import LightChip
from scorer.table.hooks import AppliedSettings
from scorer.table.outputs import Devices
from scorer.table.panels import Panel, SyncRenderer
from scorer.table.table import Table
from scorer.table.team_light import RETRY_S
from scorer.table.words import WordDevice
from tests.support.settings import settings_with

YELLOW, BLUE = COLOURS["yellow"], COLOURS["sky_blue"]
MIDNIGHT = "2026-01-01T00:30:00+00:00"


class Lit:
    """A table to one point, with lights, in simulated time."""

    def __init__(
        self,
        store: Path,
        light: MemoryLight | None,
        settings: Settings,
        button_lights: Sequence[LightChip] = (),
        target: int = 1,
        words: WordDevice | None = None,
    ) -> None:
        self.hardware = SimulatedHardware(pins_for(Layout.FULL), lamps=("A", "B"))
        self._edges: list[Edge] = []
        self.hardware.inputs.open(self._edges.append)
        self.journal = Journal.open(store)
        panels = [Panel(name, show, name) for name, show in self.hardware.displays.items()]
        devices = Devices(
            self.hardware.inputs,
            panels,
            SyncRenderer(panels),
            self.hardware.lamp_drivers,
            self.hardware.buzzer,
            team_light=light,
            button_lights=button_lights,
            words=words,
        )
        rules = rules_for(find_variant("argentine"), {"target": target})
        self.table = Table(
            self.journal,
            devices,
            lambda: (new_game(Start(rules)), ()),
            stamp=lambda now: Stamp("boot", int(now * 1000), MIDNIGHT, trusted=True),
            applied=AppliedSettings(settings),
            now=0.0,
        )
        self.table.tick(0.0)

    def press(self, line: str, at: float) -> None:
        for level, when in ((0, at), (1, at + 0.1)):
            self.hardware.set_pin(line, level, when)
        edges, self._edges[:] = list(self._edges), []
        for edge in edges:
            self.table.handle_edge(edge)
        self.run(at + 0.12)

    def run(self, until: float) -> int:
        """Let every timer fire; return their number."""
        fired = 0
        while (due := self.table.deadline()) is not None and due <= until:
            self.hardware.clock.set(max(due, self.hardware.clock()))
            self.table.tick(self.hardware.clock())
            fired += 1
        self.hardware.clock.set(until)
        self.table.tick(until)
        return fired

    def close(self) -> None:
        self.hardware.inputs.close()
        self.journal.close()


@pytest.fixture
def light() -> MemoryLight:
    return MemoryLight(4)


@pytest.fixture
def lit(tmp_path: Path, light: MemoryLight) -> Iterator[Lit]:
    made = Lit(tmp_path, light, Settings())
    yield made
    made.close()


def test_the_team_that_owes_an_answer_is_lit_after_the_pattern(
    lit: Lit, light: MemoryLight
) -> None:
    assert light.frame == (DARK,) * 4
    lit.press("A.truco", 10.0)
    assert set(light.frame) == {BLUE}, "the flash of a truco"
    lit.run(10.5)
    assert set(light.frame) == {DARK}, "between the flash and the steady light"
    lit.run(12.0)
    assert set(light.frame) == {BLUE}
    lit.press("B.truco", 20.0)
    lit.run(23.0)
    assert set(light.frame) == {YELLOW}
    lit.press("A.quiero", 30.0)
    assert set(light.frame) == {DARK}


def test_a_win_is_celebrated_and_ends_dark(lit: Lit, light: MemoryLight) -> None:
    lit.press("A.tantos", 10.0)
    lit.run(11.0)
    assert set(light.frame) == {YELLOW, COLOURS["white"]}
    lit.run(10.5 + (CELEBRATION_STEPS + 1) * STEP_S)
    assert set(light.frame) == {DARK}


def test_a_win_within_the_quiet_hours_is_not_celebrated(
    tmp_path: Path, light: MemoryLight, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "<-03>3")
    time.tzset()
    lit = Lit(tmp_path, light, settings_with(quiet="00:00-23:59"))
    lit.press("A.tantos", 10.0)
    lit.run(11.0)
    assert set(light.frame) == {DARK}
    lit.close()
    monkeypatch.undo()
    time.tzset()


def test_a_steady_light_wakes_the_table_no_more_often_than_none(
    tmp_path: Path, light: MemoryLight
) -> None:
    fired = []
    for name, each in (("with", light), ("without", None)):
        lit = Lit(tmp_path / name, each, settings_with(blink_s=0.0))
        lit.press("A.truco", 10.0)
        lit.run(15.0)
        writes = light.writes
        fired.append(lit.run(900.0))
        assert light.writes == writes
        lit.close()
    assert fired[0] == fired[1]


def test_a_failed_light_is_reported_once_and_tried_again(
    lit: Lit,
    light: MemoryLight,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tries: list[float] = []

    def fail() -> None:
        tries.append(lit.hardware.clock())
        raise DeviceError("the light is lost")

    light.absent = True
    lit.press("A.truco", 10.0)
    with monkeypatch.context() as lost:
        lost.setattr(light, "open", fail)
        for at in range(11, 60):
            lit.run(float(at))
    assert min(later - before for before, later in pairwise(tries)) >= RETRY_S
    assert lit.table.view.call is not None, "the table continues"
    told = [line for line in capsys.readouterr().err.splitlines() if "team light: " in line]
    assert len(told) == len(set(told)) == 2, "the log has each of both faults once"
    assert "light" in lit.table.marks.words()
    light.absent = False
    lit.run(60.0 + RETRY_S)
    assert set(light.frame) == {BLUE}
    assert "team light: it is there" in capsys.readouterr().err


def test_the_self_test_lights_every_pixel_and_reports_a_fault(lit: Lit, light: MemoryLight) -> None:
    report = lit.table.run_selftest(10.0)
    assert report is not None
    assert report["light"] == {"fault": ""}
    assert set(light.frame) == {COLOURS["white"]}
    lit.run(11.0)
    assert set(light.frame) == {DARK}
    light.absent = True
    report = lit.table.run_selftest(20.0)
    assert report is not None
    assert "not open" in report["light"]["fault"]


def test_a_self_test_amid_an_animation_sets_no_timer_for_the_frame_it_holds(lit: Lit) -> None:
    lit.press("A.tantos", 10.0)
    lit.run(11.05)
    lit.table.run_selftest(11.05)
    lit.table.tick(11.3)
    due = lit.table.deadline()
    assert due is not None
    assert due > 11.3, "a timer in the past never lets the loop sleep"


def test_the_report_of_a_table_without_a_light_has_none(tmp_path: Path) -> None:
    lit = Lit(tmp_path, None, Settings())
    report = lit.table.run_selftest(10.0)
    assert report is not None
    assert "light" not in report
    lit.close()
