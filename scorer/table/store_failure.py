"""The table that cannot score: its store cannot be opened, and the panels say why.

It stands in for a table in front of whoever turns the loop. Nothing is judged, nothing is shown as
a score, and nothing of what the disk holds is touched.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from scorer.api.handlers import busy
from scorer.api.replies import refused
from scorer.api.server import Request
from scorer.display import render
from scorer.display.tv import worker
from scorer.hw.ports import DeviceError, Edge
from scorer.session.input.gestures import Gesture, Gestures, Kind
from scorer.session.state import Sound, Verdict
from scorer.session.view.dimming import Light
from scorer.session.view.view import Screen, SideView, View
from scorer.table.buzzer_phrases import PHRASES
from scorer.table.loop_commands import Order
from scorer.table.observers import Nobody, Outside, Printed, Seen, nothing_seen
from scorer.table.outputs import CONTRAST, Devices
from scorer.table.panels import Panel
from scorer.table.selftest import SelfTest

if TYPE_CHECKING:
    from PIL import Image

    from scorer.display.tv.worker import Draw

_NO_STORE = "the store cannot be opened; look at the panel"
_PAUSE = 5.0  # seconds between two looks at a store that could not be opened
_SIDES = (SideView("", "A", 0, 0, ""), SideView("", "B", 0, 0, ""))


class TroubleTable:
    """Shows one sentence; every press is refused with a sound, until the store can be had."""

    def __init__(
        self,
        kind: str,
        devices: Devices,
        *,
        language: str,
        now: float,
        outside: Outside | None = None,
        again: Callable[[], bool] = lambda: False,
    ) -> None:
        """``kind`` is a StoreError's; ``again``: can a table be had now?"""
        self._again, self._again_at = again, now + _PAUSE
        self.view = View(Screen.TROUBLE, _SIDES, 0, None, 0, (), marks=(kind,))
        self.language = language
        self._kind, self._devices, self._outside = kind, devices, outside or Nobody()
        self._outside.publish_nothing()
        self._selftest = SelfTest(devices, now)
        self._due: float | None = None
        self._buzzer_due: float | None = None
        self._gestures = Gestures(lambda _: False)
        self._images = [self._picture(panel) for panel in devices.panels]
        self.seen = nothing_seen()
        self.stored: Callable[[], None] = lambda: None
        self.marks: set[str] = set()
        self.order: Callable[[Order], object] = lambda _: None

    def _picture(self, panel: Panel) -> Image.Image | Draw:
        if panel.mode == "1":
            return render(self.view, self.language, panel.size)
        return worker.picture(self.view, self.language, lambda: panel.size)

    def edge(self, edge: Edge) -> None:
        self._refuse(self._gestures.feed(edge), edge.time)
        self.tick(edge.time)

    def _refuse(self, gestures: list[Gesture], now: float) -> None:
        for _ in (gesture for gesture in gestures if gesture.kind is not Kind.TOUCHED):
            self.seen.append(Seen(Verdict.REFUSED, Sound.REFUSED))
            with contextlib.suppress(DeviceError):
                self._buzzer_due = self._devices.buzzer.play(PHRASES[Sound.REFUSED], now)

    def probe(self, now: float) -> None:
        """Looks after the panels, and now and then whether the store can be had."""
        self._devices.drawing.probe(now)
        if now >= self._again_at:
            self._again_at = now + _PAUSE
            if self._again():
                self.order(Order.ANEW)

    def resync(self, now: float) -> None:
        """No button means anything here."""

    def renew(self, levels: Mapping[str, bool], now: float) -> None:
        """Nor does one that has come or gone."""
        self._refuse(self._gestures.renew(levels, now), now)

    def tick(self, now: float) -> None:
        self._refuse(self._gestures.tick(now), now)
        if self._buzzer_due is not None and now >= self._buzzer_due:
            # Nothing is due of a buzzer that fails: the loop would turn for it without a pause.
            self._buzzer_due = None
            with contextlib.suppress(DeviceError):
                self._buzzer_due = self._devices.buzzer.tick(now)
        self._selftest.tick(now)
        for panel, image in zip(self._devices.panels, self._images, strict=True):
            panel.want(image, CONTRAST[Light.ON], dark=False)
        self._due = self._devices.drawing.draw(now)

    def deadline(self) -> float | None:
        moments = (
            self._due,
            self._buzzer_due,
            self._gestures.deadline(),
            self._selftest.deadline(),
        )
        return min((moment for moment in moments if moment is not None), default=None)

    def tell(self, key: str, now: float, word: str = "", lasts: float | None = None) -> None:
        """There is one thing to say here, and it stands there already."""

    def printed(self, done: Printed, now: float) -> None:
        """A slip that was wanted while there was a score; there is no place to say it."""

    def document(self) -> dict[str, Any] | None:
        """There is no score to tell."""
        return None

    def request(self, request: Request, now: float) -> None:
        wish = request.message.get("do")
        told = self._tried(now) if wish == "selftest" else refused("STORE", _NO_STORE)
        self.tick(now)
        self._outside.reply(request.client, {"id": request.message.get("id"), **told})

    def _tried(self, now: float) -> dict[str, Any]:
        """What can still be tried without a store."""
        tried = self._selftest.begin((), now)
        if tried is None:
            return busy()
        self._buzzer_due = tried.buzzer_due
        told = {"store": {"kind": self._kind, "fault": ""}, "clients": self._outside.clients()}
        return {"ok": True, **tried.found, **told, "marks": sorted(self.marks)}
