"""The team light of a table: shows the scene of the session, frame by frame.

A failed light is reported and opened again later; the table does not depend on it. Imported only by
a table that has one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from scorer.display.light_frames import Frame, frame_at, next_frame_s
from scorer.hw.ports import DeviceError
from scorer.session.values.state import Session
from scorer.session.view.build_light_scene import light_scene_of
from scorer.session.view.light_scene import LightScene
from scorer.table.device_faults import DeviceKind, DeviceStatus

if TYPE_CHECKING:
    from scorer.hw.outputs.colour_light import ColourLight

RETRY_S = 5.0  # seconds until a failed light is tried again
_ENDED_S = 60.0  # seconds ago: the beginning of a scene whose animation is over


class TeamLight:
    """The light of one table; called in the table's thread."""

    def __init__(
        self,
        light: ColourLight,
        is_quiet: Callable[[float], bool],
        report: Callable[[DeviceStatus], object],
    ) -> None:
        """``is_quiet``: whether a time is within the quiet hours, without a celebration."""
        self._light, self._is_quiet, self._report_status = light, is_quiet, report
        self._scene: LightScene | None = None
        self._began_at = 0.0
        self._celebrates = False
        self._shown: Frame | None = None
        self._is_open = False
        self._retry_at = float("-inf")
        self._next_at: float | None = None
        self.fault = ""

    def deadline(self) -> float | None:
        """When ``show`` is needed next if nothing else happens, or None."""
        return self._next_at

    def show(self, session: Session, now: float) -> None:
        """Show ``session``; a frame is written only if it has changed."""
        scene = light_scene_of(session)
        if scene != self._scene:
            self._begin(scene, now)
        elapsed = now - self._began_at
        count = self._light.pixel_count
        frame = frame_at(scene, elapsed, count, celebrates=self._celebrates)
        if frame != self._shown:
            self._write(frame, now)
        after = next_frame_s(scene, elapsed, count, celebrates=self._celebrates)
        # A failed light is tried again with the periodic work, without a timer of its own.
        self._next_at = None if after is None or self.fault else self._began_at + after

    def test(self, now: float) -> str:
        """Light every pixel in white until the next ``show``; return why it fails, or ""."""
        self._retry_at = now
        self._write(((255, 255, 255),) * self._light.pixel_count, now)
        self._shown = None
        return self.fault

    def _begin(self, scene: LightScene, now: float) -> None:
        """Animate a new call or a win; nothing that was there at the start."""
        before, self._scene = self._scene, scene
        if before is None:
            self._began_at = now - _ENDED_S
        elif scene.winner and not before.winner:
            self._began_at, self._celebrates = now, not self._is_quiet(now)
        elif not scene.winner and (scene.call, scene.calls) != (before.call, before.calls):
            self._began_at = now
        elif not scene.winner and before.winner:
            self._began_at = now - _ENDED_S

    def _write(self, frame: Frame, now: float) -> None:
        if now < self._retry_at:
            return
        try:
            if not self._is_open:
                self._light.open()
            self._light.show(frame)
        except DeviceError as error:
            self._is_open, self._shown, self._retry_at = False, None, now + RETRY_S
            self._report(str(error))
        else:
            self._is_open, self._shown = True, frame
            self._report("")

    def _report(self, fault: str) -> None:
        self.fault = fault
        self._report_status(DeviceStatus(DeviceKind.TEAM_LIGHT, fault=fault))
