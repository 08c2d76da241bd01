"""Pins and drivers on trial: without a press on them they are taken back.

An owner changes wiring in a browser, and the table starts anew with it, in the same process. Only
that process uses it: any other one, such as the next after a crash, a watchdog or a power cut,
reads the wiring before the trial, and has the file put right. So whatever the new wiring does to
the table, a start takes it back; no clock and no service has to be right for that.
"""

import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from scorer.api.settings_protocol import SettingsChange, TrialReport
from scorer.config.config import NO_PINS
from scorer.config.page_file import PageSettings, Trial, read_page
from scorer.session.play.timers import show_notice
from scorer.session.values.effects import Effect
from scorer.session.values.keys import NoticeKey
from scorer.session.values.press import Gesture, GestureKind
from scorer.session.values.shown import Notice
from scorer.session.values.state import Session
from scorer.table.guest import Guest, ServiceReport
from scorer.table.loop_commands import LoopCommand

TRIAL_S: Final = 60.0  # from the start of the table with the new wiring
RESULT_S: Final = 10.0  # how long its end is shown
_PRESSES = (GestureKind.PRESS, GestureKind.HOLD, GestureKind.CHORD)


class RunningTrial(NamedTuple):
    """The trial of this start of the table; ``ends_at``: monotonic seconds.

    ``buttons``: those that confirm it, of which one is on a changed pin; None: every one that is
    not in a box of its own. ``is_plugged``: no button is on a pin, those of boxes confirm it.
    """

    section: str
    ends_at: float
    buttons: frozenset[str] | None = None
    is_plugged: bool = False


class TrialLedger:
    """The trials of this process, from one start of its table to the next."""

    def __init__(self, folder: Path, now: Callable[[], float] = time.monotonic) -> None:
        self._folder, self._now = folder, now
        self._over = self._began = ""
        self._ends_at = 0.0
        self._before: Mapping[str, Any] = {}  # the wiring that the newest trial replaces
        self.running: RunningTrial | None = None
        self.taken_back = ""  # the section of a trial that the file still has
        self.news = ""  # "kept" or "back": how a trial has ended that no table has told

    def read_first(self) -> PageSettings:
        """The settings at the start of the process, which ends every trial."""
        page = read_page(self._folder)
        if page.trial is not None:
            self._over, self.taken_back, self.news = page.trial.id, page.trial.section, "back"
            self._before = page.trial.before
            sys.stderr.write(f"scorer run: [{page.trial.section}] was on trial: it is as before\n")
        return page

    def read_again(self) -> PageSettings:
        """The settings at a start of the table in this process, with what is on trial now."""
        page = read_page(self._folder, with_trial=True)
        trial = page.trial
        if trial is None:
            if self.taken_back and page.values.get(self.taken_back, {}) != self._before:
                # The file was written all the same: the answer to that was lost.
                self.news = "kept"
            self.running, self.taken_back = None, ""
            return page
        if trial.id == self._over:
            self.running = None
            return read_page(self._folder)
        if trial.id != self._began:
            # It replaces one that the file still had.
            self._began, self._ends_at = trial.id, self._now() + TRIAL_S
            self.taken_back = self.news = ""
            self._before = trial.before
        values = page.values.get(trial.section, {})
        buttons = _changed_buttons(trial, values)
        is_plugged = trial.section == "consoles" and values.get("driver") == NO_PINS
        self.running = RunningTrial(trial.section, self._ends_at, buttons, is_plugged)
        return page

    def end(self) -> None:
        """A running trial is over: the next start of the table has the wiring before it."""
        if self.running is None:
            return
        self._over, self.taken_back, self.news = self._began, self.running.section, "back"
        self.running = None

    def keep(self) -> None:
        """The wiring is confirmed."""
        self.running = None


class WiringTrial(Guest):
    """Shows the trial, waits for the press, and has the file written."""

    handles = frozenset((TrialReport,))

    def __init__(
        self,
        ledger: TrialLedger | None,
        request: Callable[[SettingsChange], bool],
        on_command: Callable[[LoopCommand], object],
    ) -> None:
        """``request`` returns at once, False while another change is being kept."""
        self._ledger, self._request, self._on_command = ledger, request, on_command
        self._is_confirming = False
        self._wanted: SettingsChange | None = None  # to be requested as soon as it can be
        self.result = ""  # "kept" or "back": how the newest trial ended
        if ledger is not None:
            self.result, ledger.news = ledger.news, ""
            if ledger.taken_back:
                self._wanted = SettingsChange(ledger.taken_back, {}, (), "undo")
        self._tells = bool(self.result)

    @property
    def running(self) -> RunningTrial | None:
        """The trial that waits for a press."""
        return None if self._ledger is None else self._ledger.running

    def takes(self, gesture: Gesture, device: str) -> bool:
        """Whether a gesture is one of a trial, and no press of the game.

        ``device``: the box or other device of its button, "" on the header.
        """
        trial = self.running
        if trial is None:
            return False
        is_of_box = device not in ("", "consoles") and not trial.is_plugged
        is_wanted = not is_of_box if trial.buttons is None else gesture.button in trial.buttons
        if gesture.kind in _PRESSES and is_wanted and not self._is_confirming:
            self._is_confirming = True
            self._wanted = SettingsChange(trial.section, {}, (), "keep")
        return True

    def handle(self, effect: Effect | ServiceReport, session: Session, now: float) -> Session:
        assert isinstance(effect, TrialReport)
        if effect.how == "undo":
            # What is still in the file is ignored by this process, and by the next one.
            if effect.ok and self._ledger is not None:
                self._ledger.taken_back = ""
            return session
        if self.running is None or self._ledger is None:
            return session
        if not effect.ok:
            self._take_back()
            return session
        self._ledger.keep()
        self.result = "kept"
        return show_notice(session, Notice(NoticeKey.WIRING_KEPT, urgent=True), now, RESULT_S)

    def refresh(self, session: Session, now: float) -> Session:
        trial = self.running
        if self._tells:
            self._tells = False
            key = NoticeKey.WIRING_KEPT if self.result == "kept" else NoticeKey.WIRING_BACK
            return show_notice(session, Notice(key, urgent=True), now, RESULT_S)
        if trial is None or session.notice is not None:
            return session
        notice = Notice(NoticeKey.WIRING_TRIAL, urgent=True)
        return show_notice(session, notice, now, max(0.0, trial.ends_at - now))

    def tick(self, session: Session, now: float) -> Session:
        if self._wanted is not None and self._request(self._wanted):
            self._wanted = None
        trial = self.running
        if trial is not None and now >= trial.ends_at and not self._is_confirming:
            self._take_back()
        return session

    def deadline(self) -> float | None:
        trial = self.running
        return None if trial is None or self._is_confirming else trial.ends_at

    def _take_back(self) -> None:
        assert self._ledger is not None
        self._ledger.end()
        self._on_command(LoopCommand.RESTART)


def _changed_buttons(trial: Trial, values: Mapping[str, Any]) -> frozenset[str] | None:
    """The buttons of the changed pins; None if more than pins of buttons has changed."""
    before, lines = trial.before.get("lines", {}), values.get("lines", {})
    others = ({**trial.before, "lines": {}}, {**values, "lines": {}})
    if trial.section != "consoles" or others[0] != others[1]:
        return None
    return frozenset(name for name in {*before, *lines} if before.get(name) != lines.get(name))
