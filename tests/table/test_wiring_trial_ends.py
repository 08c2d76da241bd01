"""How a trial of wiring ends if something else fails: a real keeper and files."""

from __future__ import annotations

import json
import queue
from collections.abc import Callable
from pathlib import Path

import pytest
from gpiozero import Device

from scorer.api.settings_protocol import SettingsChange, TrialReport
from scorer.commands.settings import SettingsKeeper
from scorer.config.page_file import PageSettings, read_page
from scorer.session.values.press import Gesture, GestureKind
from scorer.table import service
from scorer.table.loop_commands import LoopCommand
from scorer.table.main_loop import InboxItem
from scorer.table.wiring_trial import TRIAL_S, TrialLedger, WiringTrial
from tests.support.service_process import configuration
from tests.support.simulated_service import SimulatedPower, simulated_seams

MOVED = SettingsChange("consoles", {"lines.A.truco": 8}, ())


class Box:
    """The ledger of a process, the trial of its table, and the real service."""

    def __init__(self, folder: Path) -> None:
        self.owner, self.page, self.clock = folder / "own.toml", folder / "page", 100.0
        self.page.mkdir()
        self.keeper = SettingsKeeper(self.owner, folder / "card", self.page)
        self.asked: list[SettingsChange] = []
        self.commands: list[LoopCommand] = []
        self.power_on()

    def power_on(self) -> PageSettings:
        self.ledger = TrialLedger(self.page, lambda: self.clock)
        page = self.ledger.read_first()
        self._open()
        return page

    def restart(self) -> PageSettings:
        page = self.ledger.read_again()
        self._open()
        return page

    def _open(self) -> None:
        self.asked.clear()
        self.trial = WiringTrial(self.ledger, self._request, self.commands.append)

    def _request(self, change: SettingsChange) -> bool:
        self.asked.append(change)
        return True

    def keep(self, change: SettingsChange) -> bool:
        """What the service answers."""
        return bool(self.keeper.answer(json.dumps(change._asdict()).encode())["ok"])

    def work(self, *, is_heard: bool = True) -> None:
        """What the trial requests is done; ``is_heard``: its answer comes back."""
        self.tick()
        for change in self.asked:
            done = self.keep(change)
            assert change.trial
            report = TrialReport(change.trial, done and is_heard)
            if not report.ok or report.how == "undo":
                self.trial.handle(report, None, self.clock)  # type: ignore[arg-type]
        self.asked.clear()

    def tick(self) -> None:
        self.trial.tick(None, self.clock)  # type: ignore[arg-type]

    def press(self, button: str, device: str = "") -> None:
        gesture = Gesture(GestureKind.PRESS, button, self.clock, self.clock - 0.1)
        self.trial.takes(gesture, device)


@pytest.fixture
def box(tmp_path: Path) -> Box:
    return Box(tmp_path)


def test_safe_mode_ends_a_trial_and_no_press_of_its_usual_pins_confirms_it(box: Box) -> None:
    assert box.keep(MOVED)
    box.restart()
    box.ledger.end()  # what the service does before safe mode
    box._open()
    box.press("A.truco")
    box.work()
    assert box.trial.result == "back"
    assert read_page(box.page, with_trial=True) == PageSettings()


def test_the_end_of_an_old_trial_that_was_not_written_ends_no_newer_one(box: Box) -> None:
    assert box.keep(MOVED)
    box.power_on()
    box.tick()  # the service is not there: the file still has the old trial
    assert box.keep(SettingsChange("consoles", {"lines.A.truco": 7}, ()))
    box.restart()
    assert (box.trial.result, box.trial.running is not None) == ("", True)
    box.tick()
    assert box.asked == []
    box.press("A.truco")
    box.tick()
    assert [each.trial for each in box.asked] == ["keep"]
    assert box.keep(box.asked[0])
    assert read_page(box.page).values == {"consoles": {"lines": {"A.truco": 7}}}


def test_an_end_that_no_service_writes_is_shown_once(box: Box) -> None:
    assert box.keep(MOVED)
    box.power_on()
    assert box.trial.result == "back"
    box.restart()
    assert box.trial.result == ""
    box.work()
    assert read_page(box.page, with_trial=True) == PageSettings()


def test_wiring_that_is_kept_is_reported_so_although_the_answer_was_lost(box: Box) -> None:
    assert box.keep(MOVED)
    box.restart()
    box.press("A.truco")
    box.work(is_heard=False)
    assert box.commands == [LoopCommand.RESTART]
    assert box.restart().values == {"consoles": {"lines": {"A.truco": 8}}}
    assert box.trial.result == "kept"


def test_consoles_that_are_all_plugged_in_are_confirmed_at_a_box(box: Box) -> None:
    box.owner.write_text(
        "".join(
            f'[[box]]\ndriver = "box"\nconsole = "{side}"\nport = "/dev/ttyUSB{at}"\n'
            for at, side in enumerate("AB")
        )
    )
    assert box.keep(SettingsChange("consoles", {"driver": "none"}, ()))
    box.restart()
    box.press("A.truco", "A")
    box.tick()
    assert [each.trial for each in box.asked] == ["keep"]


def test_a_press_of_a_box_confirms_no_pin(box: Box) -> None:
    assert box.keep(MOVED)
    box.restart()
    box.press("B.truco", "B")
    box.press("A.envido")
    box.clock += TRIAL_S
    box.tick()
    assert box.asked == []
    assert box.commands == [LoopCommand.RESTART]


# ---- the service of the table, on mock pins ------------------------------------------------------

USUAL, TRIED = 5, 8  # pins of A.truco


class Starts(queue.SimpleQueue[InboxItem]):
    """What ends each table of a process; notes the pins that it has opened."""

    def __init__(self, *steps: Callable[[], LoopCommand]) -> None:
        super().__init__()
        self._steps = list(steps)
        self.pins: list[set[int]] = []

    def get(self, *, timeout: float | None = None) -> InboxItem:  # type: ignore[override]
        factory = Device.pin_factory
        assert factory is not None
        held = [info for info, users in factory._reservations.items() if any(u() for u in users)]
        opened = {pin for pin in (USUAL, TRIED) if any(pin in info.names for info in held)}
        self.pins.append(opened)
        return self._steps.pop(0)()


@pytest.fixture
def starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[set[int]]]:
    """Runs a process of the table: the pins of A.truco of each of its tables."""
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    file, page = tmp_path / "scorer.toml", tmp_path / "page"
    file.write_text(configuration(tmp_path, ""), encoding="utf-8")

    def run(*steps: Callable[[], LoopCommand]) -> list[set[int]]:
        inbox = Starts(*steps)
        platform = service.Platform(simulated_seams, lambda inbox, _: SimulatedPower(inbox.put))
        service.serve(file, None, inbox, platform=platform, page_folder=page)
        return inbox.pins

    return run


def test_only_the_process_that_tries_the_wiring_opens_its_pins(
    box: Box, starts: Callable[..., list[set[int]]]
) -> None:
    def try_out() -> LoopCommand:
        assert box.keep(MOVED)
        return LoopCommand.RESTART

    def command(which: LoopCommand) -> Callable[[], LoopCommand]:
        return lambda: which

    restart, stop = command(LoopCommand.RESTART), command(LoopCommand.STOP)
    assert starts(try_out, restart, stop) == [{USUAL}, {TRIED}, {TRIED}]
    assert starts(restart, stop) == [{USUAL}, {USUAL}]
    safe = command(LoopCommand.SAFE_MODE)
    assert starts(try_out, safe, restart, stop) == [{USUAL}, {TRIED}, {USUAL}, {USUAL}]
