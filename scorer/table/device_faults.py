"""The supervisor of all devices: reports in one way that one is lost or back.

A driver, its thread or a guest passes a ``DeviceStatus``. Each change is one line in the log, a
mark (``api.marks``) and a part of the status of the service. Other services report their own
devices: scorer-print the printer, whose failures are marks too, and scorer-voice the sound.
"""

import sys
from collections.abc import Callable, Mapping
from enum import Enum
from typing import NamedTuple

from scorer.api.marks import CONSOLE_FAULTS, Mark, Marks


class DeviceKind(Enum):
    """The devices of a table that can be lost, and their words in the log."""

    BUTTONS = "buttons"
    BUTTON = "button"  # one of them stays down
    CONSOLE = "console"  # on a cable or over Wi-Fi: a button box or a keypad
    BATTERY = "battery of console"
    PANEL = "panel"
    SCOREBOARD = "scoreboard"
    TEAM_LIGHT = "team light"
    BUTTON_LIGHTS = "button lights"
    WORDS = "display of words"
    LAMP = "lamp"
    BUZZER = "buzzer"


class DeviceStatus(NamedTuple):
    """A device was lost or found.

    ``name`` tells it from others of its kind, ``side`` is the console or side that marks name.
    ``fault`` is a sentence for the operator, "" if it works; ``cause`` is a DeviceError.kind.
    """

    kind: DeviceKind
    name: str = ""
    fault: str = ""
    cause: str = ""
    side: str = ""


class ClosedOutput(NamedTuple):
    """A lamp or the buzzer, opened by ``open``, which raises DeviceError."""

    kind: DeviceKind
    side: str  # of a lamp
    open: Callable[[], None]


class Telling(NamedTuple):
    """How the loss of a device is reported.

    ``takes_presses``: without it buttons are missing. ``is_announced``: the log says that it is
    there at the start, too.
    """

    mark: Callable[[DeviceStatus], str]
    takes_presses: bool = False
    is_announced: bool = False
    back: str = "it is there"


def _console_mark(status: DeviceStatus) -> str:
    # Any other cause counts as the first one.
    cause = status.cause if status.cause in CONSOLE_FAULTS else CONSOLE_FAULTS[0]
    return f"console_{cause} {status.side}"


TELLINGS: Mapping[DeviceKind, Telling] = {
    DeviceKind.BUTTONS: Telling(
        lambda _: Mark.BUTTONS, takes_presses=True, back="they can be read"
    ),
    DeviceKind.BUTTON: Telling(lambda status: f"{Mark.STUCK} {status.name}", back="it is up"),
    DeviceKind.CONSOLE: Telling(_console_mark, takes_presses=True, is_announced=True),
    DeviceKind.BATTERY: Telling(
        lambda status: f"{Mark.BOX_BATTERY} {status.side}", back="it is charged"
    ),
    DeviceKind.PANEL: Telling(lambda status: f"{Mark.PANEL} {status.side}"),
    DeviceKind.SCOREBOARD: Telling(lambda _: Mark.BOARD, is_announced=True),
    DeviceKind.TEAM_LIGHT: Telling(lambda _: Mark.LIGHT),
    DeviceKind.BUTTON_LIGHTS: Telling(lambda status: f"{Mark.BUTTON_LIGHTS} {status.name}"),
    DeviceKind.WORDS: Telling(lambda _: Mark.WORDS),
    DeviceKind.LAMP: Telling(lambda status: f"{Mark.LAMP} {status.side}"),
    DeviceKind.BUZZER: Telling(lambda _: Mark.BUZZER),
}

STATUS_FINE = "keeping the score"
STATUS_BUTTONS_MISSING = "serving, but buttons are missing"


class DeviceFaults:
    """The lost devices of one table; called in its thread."""

    def __init__(self, marks: Marks) -> None:
        self._marks = marks
        # The reports of the present loss, the newest last. Empty: it works.
        self._reports: dict[tuple[DeviceKind, str], list[DeviceStatus]] = {}

    def report(self, status: DeviceStatus) -> bool:
        """Report a change; return whether the device was lost before.

        Each sentence of a loss is logged once, although they may alternate.
        """
        telling, key = TELLINGS[status.kind], (status.kind, status.name)
        is_first = key not in self._reports
        reports = self._reports.setdefault(key, [])
        was_lost = bool(reports)
        if not status.fault:
            reports.clear()
            if was_lost or (is_first and telling.is_announced):
                self._log(status, telling.back)
        elif status.fault not in [each.fault for each in reports]:
            reports.append(status)
            self._log(status, status.fault)
        self._marks.set_lost_devices(TELLINGS[lost.kind].mark(lost) for lost in self._lost)
        return was_lost

    @property
    def _lost(self) -> list[DeviceStatus]:
        """The newest report of each lost device."""
        return [reports[-1] for reports in self._reports.values() if reports]

    def _log(self, status: DeviceStatus, sentence: str) -> None:
        sys.stderr.write(f"scorer run: {_title(status)}: {sentence}\n")

    @property
    def status(self) -> str:
        """The status of the service: what is lost, and why."""
        faults = [f"{_title(lost)}: {lost.fault}" for lost in self._lost]
        if not faults:
            return STATUS_FINE
        if any(TELLINGS[lost.kind].takes_presses for lost in self._lost):
            return f"{STATUS_BUTTONS_MISSING}: {'; '.join(faults)}"
        return f"{STATUS_FINE}; {'; '.join(faults)}"


def _title(status: DeviceStatus) -> str:
    return f"{status.kind.value} {status.name}".strip()
