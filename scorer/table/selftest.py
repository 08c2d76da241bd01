"""Self-test of the running table: lamps, buzzer, store, lost devices.

Lamps and buzzer stay on for half a second without blocking: ``tick`` ends the lamps, the owner of
the buzzer ends the beep. The store test commits a change without effect.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, Protocol

from scorer.api.buttons_report import buttons_report
from scorer.hw.ports import Buzzer, DeviceError, InputPresence, InputSource, Lamp
from scorer.store import health
from scorer.store.journal import Journal, StoreError
from scorer.table.panels import Panel

LAMP_TEST_S = 0.5  # seconds
# Minimum seconds between self-tests: each one beeps and writes to the card.
MIN_INTERVAL_S = 2.0

Message = dict[str, Any]


class SelfTestDevices(Protocol):
    """The devices that the self-test needs."""

    @property
    def inputs(self) -> InputSource: ...
    @property
    def panels(self) -> Sequence[Panel]: ...
    @property
    def lamps(self) -> Mapping[str, Lamp]: ...
    @property
    def buzzer(self) -> Buzzer: ...
    @property
    def consoles(self) -> Callable[[], Sequence[InputPresence]]: ...


class TestedLight(Protocol):
    """A team light, which the table's outputs control again after the test."""

    def test(self, now: float) -> str: ...


class TestedButtonLights(Protocol):
    """Lit buttons, which the table's outputs control again after the test."""

    def test(self) -> list[dict[str, str]]: ...


class TestedWords(Protocol):
    """A display of words, which the table's outputs control again after the test."""

    def test(self) -> dict[str, str]: ...


class SelfTestRun(NamedTuple):
    """The report, and when the buzzer needs its next tick."""

    report: Message
    buzzer_at: float | None


class SelfTest:
    """One self-test at a time; called in the table's thread."""

    def __init__(
        self,
        devices: SelfTestDevices,
        now: float,
        team_light: TestedLight | None = None,
        button_lights: TestedButtonLights | None = None,
        words: TestedWords | None = None,
    ) -> None:
        self._devices, self._started_at, self._team_light = devices, now, team_light
        self._button_lights, self._words = button_lights, words
        self._last_run_at: float | None = None
        self._lamps_until: float | None = None

    @property
    def holds_lamps(self) -> bool:
        """Whether the self-test controls the lamps now."""
        return self._lamps_until is not None

    def deadline(self) -> float | None:
        """When ``tick`` is due."""
        return self._lamps_until

    def start(
        self, stuck: Sequence[str], touching: Sequence[Sequence[str]], now: float
    ) -> SelfTestRun | None:
        """Test every device; return None shortly after another test."""
        if self._last_run_at is not None and now - self._last_run_at < MIN_INTERVAL_S:
            return None
        self._last_run_at, self._lamps_until = now, now + LAMP_TEST_S
        lamps = [
            {"name": name, "fault": _fault_of(partial(lamp.set, True))}
            for name, lamp in self._devices.lamps.items()
        ]
        due: list[float | None] = []
        fault = _fault_of(
            lambda: due.append(self._devices.buzzer.play(((LAMP_TEST_S, 0.05),), now))
        )
        found = {
            "uptime": round(now - self._started_at, 1),
            "buttons": _check_buttons(self._devices.inputs, stuck, touching),
            "consoles": [
                {"name": console.name, "kind": console.kind, "fault": console.why}
                for console in self._devices.consoles()
            ],
            "panels": [
                {
                    "name": panel.name,
                    "side": panel.side,
                    "size": list(panel.size),
                    "fault": panel.error,
                }
                for panel in self._devices.panels
            ],
            "lamps": lamps,
            "buzzer": {"fault": fault},
        }
        if self._team_light is not None:
            found["light"] = {"fault": self._team_light.test(now)}
        if self._button_lights is not None:
            found["button_lights"] = self._button_lights.test()
        if self._words is not None:
            found["words"] = self._words.test()
        return SelfTestRun(found, due[0] if due else None)

    def tick(self, now: float) -> bool:
        """Switch the lamps off when due; return True when the table controls them again."""
        if self._lamps_until is None or now < self._lamps_until:
            return False
        self._lamps_until = None
        for lamp in self._devices.lamps.values():
            _fault_of(partial(lamp.set, False))
        return True


def check_store(journal: Journal) -> Message:
    """Whether a press could be stored now, and the free space."""
    found: Message = {"kind": "", "fault": "", "seq": journal.last_seq()}
    try:
        journal.check_writable()
        size, free = health.disk_space(journal.directory)
    except StoreError as error:
        return {**found, "kind": error.kind, "fault": str(error)}
    return {**found, "size": size, "free": free}


def _fault_of(action: Callable[[], object]) -> str:
    """The error message of the device, or ""."""
    try:
        action()
    except DeviceError as error:
        return str(error)
    return ""


def _check_buttons(
    inputs: InputSource, stuck: Sequence[str], touching: Sequence[Sequence[str]]
) -> Message:
    try:
        levels = inputs.levels()
    except DeviceError as error:
        return buttons_report({}, stuck, touching, alive=False, fault=str(error))
    return buttons_report(levels, stuck, touching, alive=inputs.is_alive())
