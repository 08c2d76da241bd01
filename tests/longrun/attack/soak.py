"""An evening with two hundred strangers, beside the same minutes without them."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import httpx

from tests.longrun.attack.checks import Checks
from tests.longrun.attack.guests import Phones, run_first
from tests.longrun.attack.rig import Rig, running
from tests.longrun.attack.strangers import COUNT
from tests.web.server_process import PATIENCE

BUTTON_RATIO, PRESS_RATIO = 1.3, 2.0  # of the slowest with strangers and without
SLOWEST = 0.99  # the share of presses that are faster than "the slowest"
QUICK_SLOWEST = 0.9  # of a few presses, where one is more than a hundredth
MINUTES = 3  # with them, and as many without
TRIES = 3  # of all minutes, until the ratios are good; all together count
_ENDED_SECONDS = 40.0  # until the connections of strangers that have gone are closed


def spend_evening(checks: Checks, share: int) -> None:
    """Phones and buttons press, two screens watch, strangers come and go."""
    seconds, minutes = 60.0 / (share * 2 if share > 1 else 1), MINUTES if share == 1 else 1
    with run_first(), running() as rig, ExitStack() as stack:
        evening = _Evening(rig, stack)
        evening.measure(3.0)
        # The process that replays keeps its two descriptors.
        with rig.client("127.0.7.3") as guest:
            checks.check(guest.get("/api/v1/shared").status_code == 200, "no game is shared")
        calm, busy = _Times(), _Times()
        part = SLOWEST if share == 1 else QUICK_SLOWEST
        open_before = _descriptors(rig)
        for _ in range(TRIES):
            for _ in range(minutes):
                calm.add(evening.measure(seconds))
                with _strangers(rig.port):
                    busy.add(evening.measure(seconds))
            button, press = busy.ratios(calm, part)
            if button <= BUTTON_RATIO and press <= PRESS_RATIO:
                break
        checks.check(button <= BUTTON_RATIO, f"the slowest button takes {button:.2f} times as long")
        checks.check(press <= PRESS_RATIO, f"the slowest press takes {press:.2f} times as long")
        end = time.monotonic() + _ENDED_SECONDS
        while (left := _descriptors(rig)) > open_before and time.monotonic() < end:
            time.sleep(0.2)
        checks.check(left <= open_before, f"{left} descriptors are open, {open_before} before")
        checks.check(min(evening.events) > 0, "television or overlay had no event")
        log = rig.log.read_text("utf-8")
        checks.check(not log, f"in the log: {log[-500:]}")
        checks.note = (
            f"{COUNT} strangers, p{100 * part:.0f} of a button {button:.2f} times as long, of a"
            f" phone's press {press:.2f}; without them {1000 * _slowest(calm.buttons, part):.0f}"
            f" and {1000 * _slowest(calm.presses, part):.0f} ms of {len(calm.buttons)} each; load"
            f" {os.getloadavg()[0]:.0f}"
        )


class _Times:
    """Seconds of buttons and of presses of phones."""

    def __init__(self) -> None:
        self.buttons, self.presses = list[float](), list[float]()

    def add(self, other: _Times) -> None:
        self.buttons += other.buttons
        self.presses += other.presses

    def ratios(self, calm: _Times, part: float) -> tuple[float, float]:
        """How many times as long the slowest of each kind take."""
        return (
            _slowest(self.buttons, part) / _slowest(calm.buttons, part),
            _slowest(self.presses, part) / _slowest(calm.presses, part),
        )


def _slowest(times: list[float], part: float) -> float:
    """The seconds that this part of all stays below."""
    return sorted(times)[int(part * len(times))]


class _Evening:
    """Those who play and watch; ``events``: that each of the latter had."""

    def __init__(self, rig: Rig, stack: ExitStack) -> None:
        self._rig, self._phones = rig, Phones(rig, stack)
        self.events, self._pressed = [0, 0], 0
        for number, query in enumerate(("?lang=es-AR", "?ours=B")):
            viewer = stack.enter_context(closing(rig.client(f"127.0.7.{number + 1}")))
            watching = threading.Thread(target=self._watch, args=(viewer, number, query))
            watching.daemon = True
            watching.start()

    def measure(self, seconds: float) -> _Times:
        """Press by buttons and phones."""
        found, end = _Times(), time.monotonic() + seconds
        while time.monotonic() < end:
            found.presses += self._phones.times(1)
            begin = time.perf_counter()
            # Seven seconds of the table: phones may press again after an UNDO.
            self._rig.table.press("undo" if self._pressed % 2 else "A.truco", duration_s=7.0)
            found.buttons.append(time.perf_counter() - begin)
            self._pressed += 1
        return found

    def _watch(self, viewer: httpx.Client, number: int, query: str) -> None:
        try:
            with viewer.stream("GET", f"/events{query}") as stream:
                for line in stream.iter_lines():
                    self.events[number] += line.startswith("data")
        except httpx.HTTPError:
            return  # the evening is over


@contextmanager
def _strangers(port: int) -> Iterator[None]:
    words = [sys.executable, "-m", "tests.longrun.attack.strangers", str(port)]
    coming = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    assert coming.stdout is not None
    with coming.stdout as begun:
        begun.readline()
        try:
            yield
        finally:
            coming.kill()
            coming.wait(PATIENCE)


def _descriptors(rig: Rig) -> int:
    """Open ones of the web server."""
    return sum(1 for _ in Path(f"/proc/{rig.web.pid}/fd").iterdir())
