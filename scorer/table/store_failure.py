"""The table without a store: the panels show why it cannot be opened.

It implements the interface of a table for the loop. It shows no score and writes nothing to disk.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from scorer.api.backup_protocol import BackupReport
from scorer.api.handlers import answer_without_store
from scorer.api.marks import Marks
from scorer.api.print_protocol import PrintResult
from scorer.api.request import Request
from scorer.display import deferred, render
from scorer.hw.ports import DeviceError, Edge
from scorer.session.input.gestures import Gestures
from scorer.session.values.dimming import Light
from scorer.session.values.press import Gesture, GestureKind
from scorer.session.values.shown import Screen
from scorer.session.values.state import Sound, Verdict
from scorer.session.view.view import SideView, View
from scorer.table.buzzer_phrases import PHRASES
from scorer.table.hooks import TableHooks
from scorer.table.loop_commands import LoopCommand
from scorer.table.observers import (
    NullObserver,
    PressResult,
    StateObserver,
    new_press_log,
)
from scorer.table.outputs import CONTRAST, Devices
from scorer.table.panels import Panel
from scorer.table.selftest import SelfTest

if TYPE_CHECKING:
    from PIL import Image

    from scorer.display.deferred import Draw

_RETRY_INTERVAL_S = 5.0  # seconds between two looks at a store that could not be opened
_SIDES = (SideView("", "A", 0, 0), SideView("", "B", 0, 0))


def store_failure_view(kind: str) -> View:
    """What panels show without a store; ``kind`` is a StoreError's."""
    return View(Screen.STORE_FAILURE, _SIDES, 0, None, 0, (), marks=(kind,))


class StoreFailureTable:
    """Shows one message and refuses every press with a sound until the store opens."""

    def __init__(
        self,
        kind: str,
        devices: Devices,
        *,
        language: str,
        now: float,
        observer: StateObserver | None = None,
        hooks: TableHooks | None = None,
        can_recover: Callable[[], bool] = lambda: False,
    ) -> None:
        """``kind`` is a StoreError's; ``can_recover``: whether the store opens now."""
        self._can_recover, self._retry_at = can_recover, now + _RETRY_INTERVAL_S
        self.view = store_failure_view(kind)
        self.language = language
        self.seq = 0  # no row can be read
        self._kind, self._devices, self._observer = kind, devices, observer or NullObserver()
        self._observer.publish_unavailable()
        self._selftest = SelfTest(devices, now)
        self._panels_at: float | None = None
        self._buzzer_at: float | None = None
        self._gestures = Gestures(lambda _: False)
        self._images = [self._picture(panel) for panel in devices.panels]
        self.press_log = new_press_log()
        self.marks = Marks()
        self._on_command = (hooks or TableHooks()).on_command

    def _picture(self, panel: Panel) -> Image.Image | Draw:
        if panel.mode == "1":
            return render(self.view, self.language, panel.size)
        return deferred.defer_view(self.view, self.language, lambda: panel.size)

    def handle_edge(self, edge: Edge) -> None:
        self._refuse(self._gestures.feed(edge), edge.time)
        self.tick(edge.time)

    def _refuse(self, gestures: list[Gesture], now: float) -> None:
        for _ in (gesture for gesture in gestures if gesture.kind is not GestureKind.TOUCHED):
            self.press_log.append(PressResult(Verdict.REFUSED, Sound.REFUSED))
            with contextlib.suppress(DeviceError):
                self._buzzer_at = self._devices.buzzer.play(PHRASES[Sound.REFUSED], now)

    def check_devices(self, now: float) -> None:
        """Check the panels and, at intervals, whether the store can be opened."""
        self._devices.renderer.check_connections(now)
        if now >= self._retry_at:
            self._retry_at = now + _RETRY_INTERVAL_S
            if self._can_recover():
                self._on_command(LoopCommand.RESTART)

    def resync(self, now: float) -> None:
        """No-op: buttons have no meaning here."""

    def reset_lines(self, levels: Mapping[str, bool], now: float) -> None:
        """No-op: buttons have no meaning here."""
        self._refuse(self._gestures.reset_lines(levels, now), now)

    def tick(self, now: float) -> None:
        self._refuse(self._gestures.tick(now), now)
        if self._buzzer_at is not None and now >= self._buzzer_at:
            # A failed buzzer has no deadline: the loop would spin.
            self._buzzer_at = None
            with contextlib.suppress(DeviceError):
                self._buzzer_at = self._devices.buzzer.tick(now)
        self._selftest.tick(now)
        for panel, image in zip(self._devices.panels, self._images, strict=True):
            panel.set_target(image, CONTRAST[Light.ON], dark=False)
        self._panels_at = self._devices.renderer.draw(now)

    def deadline(self) -> float | None:
        moments = (
            self._panels_at,
            self._buzzer_at,
            self._gestures.deadline(),
            self._selftest.deadline(),
        )
        return min((moment for moment in moments if moment is not None), default=None)

    def show_notice(
        self,
        key: StrEnum,
        now: float,
        word: str = "",
        duration_s: float | None = None,
        *,
        number: int = 0,
    ) -> None:
        """No-op: the failure message is always shown."""

    def on_printed(self, result: PrintResult, now: float) -> None:
        """No-op: there is no screen for the result of a slip."""

    def on_backup(self, report: BackupReport, now: float) -> None:
        """No-op: there is no screen for the result of a copy."""

    def document(self) -> dict[str, Any] | None:
        """Return None: there is no score."""
        return None

    def handle_request(self, request: Request, now: float) -> None:
        answer = answer_without_store(self, request, now)
        self.tick(now)
        self._observer.reply(request.client, answer)

    def run_selftest(self, now: float) -> dict[str, Any] | None:
        """Test what works without a store."""
        selftest = self._selftest.start((), now)
        if selftest is None:
            return None
        self._buzzer_at = selftest.buzzer_at
        state = {
            "store": {"kind": self._kind, "fault": ""},
            "clients": self._observer.client_count(),
        }
        return {**selftest.report, **state, "marks": self.marks.words()}
