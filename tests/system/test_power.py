"""Undervoltage, shutdown and power-off.

logind is replaced by a test service on a private bus: a real D-Bus daemon and real messages.
"""

from __future__ import annotations

import os
import queue
import select
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from jeepney import (
    DBusAddress,
    HeaderFields,
    Message,
    MessageType,
    message_bus,
    new_error,
    new_method_return,
    new_signal,
)
from jeepney.io.blocking import DBusConnection, open_dbus_connection

from scorer.system import logind
from scorer.system.logind import LOGIN, MANAGER, PATH, Logind, PowerCallbacks
from scorer.system.power import ALARM_HOLD_S, PowerControl, SupplyMonitor, has_event
from tests.support.private_bus import private_bus

PATIENCE = 30.0  # seconds until a test fails; normally nothing waits that long


# ---- the power supply ---------------------------------------------------------------------------


def chip(root: Path, number: int, name: str, alarm: str | None) -> Path:
    folder = root / f"hwmon{number}"
    folder.mkdir(parents=True)
    (folder / "name").write_text(f"{name}\n")
    if alarm is not None:
        (folder / "in0_lcrit_alarm").write_text(f"{alarm}\n")
    return folder


@pytest.mark.parametrize(
    ("chips", "weak"),
    [
        ([], False),
        ([("rpi_volt", "0")], False),
        ([("rpi_volt", "1")], True),
        ([("cpu_thermal", "1")], False),
        ([("cpu_thermal", None), ("rpi_volt", "1")], True),
        ([("cpu_thermal", "1"), ("rpi_volt", "0")], False),
        ([("rpi_volt", None)], False),
        ([("rpi_volt", "")], False),
    ],
)
def test_the_alarm_of_the_right_chip_counts(
    tmp_path: Path, chips: list[tuple[str, str | None]], weak: bool
) -> None:
    for number, (name, alarm) in enumerate(chips):
        chip(tmp_path, number, name, alarm)
    assert SupplyMonitor(tmp_path).has_undervoltage(100.0) is weak


def test_a_machine_without_hwmon_has_no_undervoltage(tmp_path: Path) -> None:
    assert SupplyMonitor(tmp_path / "none").has_undervoltage(0.0) is False


def test_a_dip_counts_for_a_minute(tmp_path: Path) -> None:
    folder = chip(tmp_path, 2, "rpi_volt", "0")
    supply = SupplyMonitor(tmp_path)
    assert not supply.has_undervoltage(100.0)
    (folder / "in0_lcrit_alarm").write_text("1\n")
    assert supply.has_undervoltage(107.0)
    (folder / "in0_lcrit_alarm").write_text("0\n")
    assert supply.has_undervoltage(107.0 + ALARM_HOLD_S - 1)
    assert not supply.has_undervoltage(107.0 + ALARM_HOLD_S)


def test_a_dip_between_two_readings_counts(tmp_path: Path) -> None:
    chip(tmp_path, 2, "rpi_volt", "0")
    events: list[int] = []
    supply = SupplyMonitor(tmp_path, lambda descriptor: bool(events))
    assert not supply.has_undervoltage(100.0)
    assert not supply.has_undervoltage(107.0)
    events.append(1)
    assert supply.has_undervoltage(114.0)
    events.clear()
    assert supply.has_undervoltage(114.0 + ALARM_HOLD_S - 1)
    assert not supply.has_undervoltage(114.0 + ALARM_HOLD_S)
    supply.close()


@pytest.fixture
def group() -> Iterator[Path]:
    """A new cgroup: the kernel reports changes of its events like those of hwmon."""
    for root in (Path("/sys/fs/cgroup"), Path("/sys/fs/cgroup/unified")):
        folder = root / f"scorer-test-{os.getpid()}"
        if (root / "cgroup.controllers").exists() and os.access(root / "cgroup.procs", os.W_OK):
            folder.mkdir()
            yield folder
            folder.rmdir()
            return
    pytest.skip("needs a writable cgroup of version 2")


def test_the_kernel_reports_a_change_that_is_over(group: Path) -> None:
    attribute = group / "cgroup.events"
    with attribute.open("rb", buffering=0) as events:
        quiet = events.read()
        assert not has_event(events.fileno())
        with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as member:
            home = group.parent / "cgroup.procs"
            (group / "cgroup.procs").write_text(str(member.pid))
            home.write_text(str(member.pid))
            assert attribute.read_bytes() == quiet
            assert has_event(events.fileno())
            events.seek(0)
            assert events.read() == quiet
            assert not has_event(events.fileno())
            member.communicate()


def test_a_renumbered_chip_is_found_again(tmp_path: Path) -> None:
    folder = chip(tmp_path, 1, "rpi_volt", "0")
    supply = SupplyMonitor(tmp_path)
    assert not supply.has_undervoltage(0.0)
    shutil.rmtree(folder)
    assert not supply.has_undervoltage(7.0)
    chip(tmp_path, 3, "rpi_volt", "1")
    assert supply.has_undervoltage(14.0)


# ---- logind -------------------------------------------------------------------------------------


class Login1:
    """A fake logind. ``calls``: the method calls received, in order."""

    def __init__(self, address: str, *, refuses: tuple[str, ...] = (), absent: int = 0) -> None:
        """``absent``: the number of calls answered as if there were no logind."""
        self.calls: queue.SimpleQueue[tuple[str, tuple[Any, ...]]] = queue.SimpleQueue()
        self.client = ""  # the last caller
        self._refuses, self._absent = refuses, absent
        self._locks: list[int] = []
        self._connection = open_dbus_connection(address, enable_fds=True)
        ask(self._connection, message_bus.RequestName(LOGIN))
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def next_call(self) -> tuple[str, tuple[Any, ...]]:
        return self.calls.get(timeout=PATIENCE)

    def send_signal(self, down: bool) -> None:
        self._connection.send(prepare(down))

    def lock_is_held(self) -> bool:
        return not select.select(self._locks[-1:], [], [], 0)[0]

    def lock_comes_back(self) -> bool:
        return bool(select.select(self._locks[-1:], [], [], PATIENCE)[0])

    def close(self) -> None:
        logind._shut_down_socket(self._connection)
        self._thread.join(timeout=PATIENCE)
        self._connection.close()
        for lock in self._locks:
            os.close(lock)

    def _serve(self) -> None:
        while True:
            try:
                message = self._connection.receive()
            except OSError:
                return
            if message.header.message_type is MessageType.method_call:
                self._answer(message)

    def _answer(self, message: Message) -> None:
        fields = message.header.fields
        name = fields[HeaderFields.member]
        self.client = fields[HeaderFields.sender]
        if self._absent:
            self._absent -= 1
            missing = "org.freedesktop.DBus.Error.ServiceUnknown"
            self._connection.send(new_error(message, missing, "s", ("not yet",)))
        elif name in self._refuses:
            denied = "org.freedesktop.DBus.Error.AccessDenied"
            self._connection.send(new_error(message, denied, "s", ("no",)))
        elif name == "Inhibit":
            mine, theirs = os.pipe()
            self._locks.append(mine)
            self._connection.send(new_method_return(message, "h", (theirs,)))
            os.close(theirs)
        else:
            self._connection.send(new_method_return(message))
        self.calls.put((name, message.body))


def ask(connection: DBusConnection, message: Message) -> Message:
    return connection.send_and_get_reply(message, timeout=PATIENCE)


def prepare(down: bool) -> Message:
    return new_signal(DBusAddress(PATH, interface=MANAGER), "PrepareForShutdown", "b", (down,))


class PowerEvents:
    """Records the callbacks of a Logind."""

    def __init__(self) -> None:
        self.received: queue.SimpleQueue[str] = queue.SimpleQueue()
        down, stays = (lambda: self.received.put("down")), (lambda: self.received.put("stays on"))
        self.callbacks = PowerCallbacks(down, stays)

    def next(self) -> str:
        return self.received.get(timeout=PATIENCE)


@pytest.fixture
def address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setattr(logind, "PAUSES", (0.01,))
    with private_bus(tmp_path / "bus") as where:
        yield where


@contextmanager
def listening(address: str) -> Iterator[tuple[Logind, PowerEvents]]:
    events = PowerEvents()
    listener = Logind(events.callbacks, address)
    listener.start()
    try:
        yield listener, events
    finally:
        listener.close()


@contextmanager
def fake_logind(address: str, *, refuses: tuple[str, ...] = ()) -> Iterator[Login1]:
    login = Login1(address, refuses=refuses)
    try:
        yield login
    finally:
        login.close()


def test_the_shutdown_is_delayed_until_close(address: str) -> None:
    with fake_logind(address) as login, listening(address) as (listener, events):
        assert login.next_call() == (
            "Inhibit",
            ("shutdown", "Truco Scorer", "the panel says goodbye", "delay"),
        )
        login.send_signal(True)
        assert events.next() == "down"
        assert login.lock_is_held()
        listener.close()
        assert login.lock_comes_back()


def test_a_cancelled_shutdown_is_not_reported(address: str) -> None:
    with fake_logind(address) as login, listening(address) as (listener, events):
        login.next_call()
        login.send_signal(False)
        login.send_signal(True)
        assert events.next() == "down"
        listener.close()
        assert events.received.empty(), "a cancelled shutdown was reported"


def test_signals_of_other_senders_are_ignored(address: str) -> None:
    with (
        fake_logind(address) as login,
        listening(address) as (listener, events),
        open_dbus_connection(address) as stranger,
    ):
        login.next_call()
        for receiver in (None, login.client):
            forged = prepare(True)
            if receiver is not None:
                forged.header.fields[HeaderFields.destination] = receiver
            stranger.send(forged)
        ask(stranger, message_bus.GetId())  # a round trip: the forged signals were delivered
        login.send_signal(True)
        assert events.next() == "down"
        listener.close()
        assert events.received.empty(), "a forged signal was reported"


def test_a_shutdown_is_reported_without_a_delay_lock(address: str) -> None:
    with (
        fake_logind(address, refuses=("Inhibit",)) as login,
        listening(address) as (_, events),
    ):
        login.next_call()
        login.send_signal(True)
        assert events.next() == "down"


def test_a_new_lock_is_taken_after_a_restart_of_logind(address: str) -> None:
    with listening(address) as (_, events):
        with fake_logind(address) as login:
            assert login.next_call()[0] == "Inhibit"
        with fake_logind(address) as login:
            assert login.next_call()[0] == "Inhibit"
            login.send_signal(True)
            assert events.next() == "down"


def test_the_lock_is_requested_again_until_logind_is_running(address: str) -> None:
    login = Login1(address, absent=2)
    with listening(address):
        assert [login.next_call()[0] for _ in range(3)] == ["Inhibit"] * 3
        assert login.lock_is_held()
    login.close()


def test_a_bus_that_starts_later_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logind, "PAUSES", (0.01,))
    with (
        listening(f"unix:path={tmp_path / 'bus'}") as (_, events),
        private_bus(tmp_path / "bus") as address,
        fake_logind(address) as login,
    ):
        login.next_call()
        login.send_signal(True)
        assert events.next() == "down"


def test_power_off_is_requested_without_a_password(address: str) -> None:
    events = PowerEvents()
    with fake_logind(address) as login:
        PowerControl(SupplyMonitor(), Logind(events.callbacks, address)).switch_off()
        assert login.next_call() == ("PowerOff", (False,))
        assert events.received.empty()


def test_a_refused_power_off_is_reported(address: str) -> None:
    events = PowerEvents()
    with fake_logind(address, refuses=("PowerOff",)):
        Logind(events.callbacks, address).switch_off()
        assert events.next() == "stays on"


def test_without_a_bus_power_off_is_denied_without_errors(tmp_path: Path) -> None:
    events = PowerEvents()
    listener = Logind(events.callbacks, f"unix:path={tmp_path / 'none'}")
    listener.start()
    listener.switch_off()
    assert events.next() == "stays on"
    listener.close()
    listener.close()


def test_without_the_library_power_off_is_denied_without_errors(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "jeepney"]:
        monkeypatch.setitem(sys.modules, name, None)
    events = PowerEvents()
    listener = Logind(events.callbacks)
    listener.start()
    listener.switch_off()
    assert events.next() == "stays on"
    listener.close()
    assert "cannot switch off" in capsys.readouterr().err


def test_a_listener_that_never_started_can_be_closed() -> None:
    Logind(PowerEvents().callbacks).close()


@pytest.mark.sampled(0)
@pytest.mark.slow
def test_the_table_exits_cleanly_on_a_shutdown(address: str, tmp_path: Path) -> None:
    file = tmp_path / "scorer.toml"
    store, socket = tmp_path / "store", tmp_path / "table.sock"
    file.write_text(f'[store]\ndirectory = "{store}"\n[socket]\npath = "{socket}"\n')
    words = [sys.executable, "-m", "tests.support.simulated_service", "--config", str(file)]
    environment = {**os.environ, "DBUS_SYSTEM_BUS_ADDRESS": address}
    with fake_logind(address) as login, subprocess.Popen(words, env=environment) as table:
        try:
            assert login.next_call()[0] == "Inhibit"
            login.send_signal(True)
            assert login.lock_comes_back()
            assert table.wait(timeout=PATIENCE) == 0
        finally:
            table.kill()
    assert any(store.iterdir()), "the store was not created"
