"""The doctor reports faults with advice, and opens no device of a running table."""

from __future__ import annotations

import os
import re
import socket
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType

import pytest

from scorer import doctor
from scorer.api.buttons_report import buttons_report
from scorer.config.loader import parse_config
from scorer.config.schema import ChosenDriver, PanelConfig
from scorer.config.sources import resolve
from scorer.doctor import DoctorOptions, devices, machine, panel_picture, run_checks, storage
from scorer.doctor import running_table as running
from scorer.doctor.devices import DeviceIo
from scorer.doctor.findings import Finding, Level, fail, format_line
from scorer.doctor.machine import HostMachine
from scorer.doctor.press_check import PressIo
from scorer.doctor.report import report_text
from scorer.doctor.running_table import TablePresence
from scorer.hw.displays.fake_bus import FakeWire, Fault, RecordingBus
from scorer.hw.serial.lines import seal
from scorer.i18n import languages, translator
from scorer.store import file, health
from scorer.store.journal import Journal, Stamp
from scorer.system.start_attempts import StartAttempts
from tests.hw.serial.ptys import Cable
from tests.paths import ROOT
from tests.sampling import sample
from tests.support.service_process import configuration, running_service
from tests.support.simulated_service import simulated_seams
from tests.support.table_client import TableClient

STAMP = Stamp("boot", 1, "2026-01-01T00:00:00+00:00", True)
READY = "READY=1"


@pytest.fixture(autouse=True)
def _mock_pins(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """gpiozero's mock pins, reset as in a new process."""
    from gpiozero import Device

    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    before, Device.pin_factory = Device.pin_factory, None
    yield
    if Device.pin_factory is not None:
        Device.pin_factory.reset()
    Device.pin_factory = before


@pytest.fixture(autouse=True)
def _lasting_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Folders of tests may be on tmpfs, or on the overlay of a container."""
    monkeypatch.setattr(health, "volatile_file_system", lambda directory: "")


class SimulatedClock:
    """Simulated time; advances on pauses, and by a second per reading to end any wait."""

    def __init__(self) -> None:
        self.time, self.paused = 0.0, 0.0

    def now(self) -> float:
        self.time += 1.0
        return self.time

    def pause(self, seconds: float) -> None:
        self.time += seconds
        self.paused += seconds


class Wires:
    """The bus of both panels, with recorded messages and injectable faults."""

    def __init__(self) -> None:
        self.messages: dict[int, list[bytes]] = {0x3C: [], 0x3D: []}
        self.wires = {
            address: FakeWire(messages.append) for address, messages in self.messages.items()
        }

    def seams(self, panel: ChosenDriver) -> Mapping[str, object]:
        return {"bus": RecordingBus(self.wires).open}


def pi(tmp_path: Path, *nodes: str, outputs: Mapping[str, str] | None = None) -> HostMachine:
    """A machine with these device files and command outputs."""
    dev = tmp_path / "dev"
    dev.mkdir(exist_ok=True, parents=True)
    for node in nodes:
        (dev / node).touch()
    answers = outputs or {}

    def output(command: Sequence[str]) -> str | None:
        return next((answers[key] for key in answers if key in " ".join(command)), None)

    label = lambda chip: "pl061" if chip.name == "gpiochip9" else "pinctrl-bcm2711"  # noqa: E731
    return HostMachine(dev, tmp_path / "hwmon", output, lambda name: "99.0", label)


def healthy_pi(tmp_path: Path) -> HostMachine:
    """A machine without a finding of its own."""
    return pi(tmp_path, "gpiochip0", "i2c-1", outputs={"vcgencmd": "throttled=0x0\n"})


def run(
    tmp_path: Path, options: DoctorOptions, io: DeviceIo, host: HostMachine
) -> tuple[int, list[str]]:
    lines: list[str] = []
    code = run_checks(options, host, io, lines.append)
    return code, lines


def options(tmp_path: Path, more: str = "", **wanted: object) -> DoctorOptions:
    path = tmp_path / "scorer.toml"
    path.write_text(configuration(tmp_path, more), encoding="utf-8")
    return DoctorOptions(path, language="en")._replace(**wanted)  # type: ignore[arg-type]


def lines_of_level(lines: Sequence[str], level: str) -> list[str]:
    return [text for text in lines if text.startswith(level)]


def store_with_game(tmp_path: Path) -> Path:
    """Create a store with one game; return its folder."""
    store = tmp_path / "store"
    with Journal.open(store) as journal:
        journal.append(game=1, lines=[], source="menu", stamp=STAMP, opens='[Variant "argentine"]')
        journal.append(game=1, lines=["A truco"], source="A", stamp=STAMP)
    return store


# ---- no table running ---------------------------------------------------------------------------


def test_a_healthy_box_has_only_ok_findings(tmp_path: Path) -> None:
    store_with_game(tmp_path)
    host = healthy_pi(tmp_path)
    wires, clock = Wires(), SimulatedClock()
    io = DeviceIo(clock.pause, clock.now, wires.seams)
    code, lines = run(tmp_path, options(tmp_path), io, host)
    assert code == 0
    assert lines_of_level(lines, "bad") == [] == lines_of_level(lines, "look")
    things = [text[6:19].strip() for text in lines]
    assert things == [
        "settings", "table", "buttons", "panel A", "panel B", "lamp A", "lamp B", "buzzer",
        "games", "disk", "rights", "supply", "versions",
    ]  # fmt: skip
    assert clock.paused >= devices.SHOWN_TIME


def test_a_scoreboard_gets_dashes_and_a_missing_one_is_reported(tmp_path: Path) -> None:
    cable, missing = Cable(tmp_path / "there"), tmp_path / "missing"
    cable.plug()
    text = "".join(f'[[scoreboard]]\nport = "{port}"\n' for port in (cable.path, missing))
    host = pi(tmp_path, "gpiochip0", "i2c-1", outputs={"vcgencmd": "throttled=0x0\n"})
    io = DeviceIo(SimulatedClock().pause, SimulatedClock().now, Wires().seams)
    code, lines = run(tmp_path, options(tmp_path, text), io, host)
    assert code == 1
    assert os.read(cable.descriptor, 4096) == b"\n" + seal("S1 none")
    assert any("does it show dashes?" in line for line in lines_of_level(lines, "ok"))
    (lost,) = lines_of_level(lines, "bad")
    assert str(missing) in lost and "is it plugged in?" in lost
    cable.pull()


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (Fault.ABSENT, "no panel answers on I2C 1, 0x3d: look at its plug"),
        (Fault.NAK, "no panel answers on I2C 1, 0x3d"),
        (Fault.EIO, "no panel answers on I2C 1, 0x3d"),
        (Fault.TIMEOUT, "I2C 1, 0x3d hangs"),
        (Fault.NO_BUS, "I2C 1, 0x3d is not there"),
    ],
)
def test_a_failing_panel_is_reported_and_the_rest_is_checked(
    tmp_path: Path, fault: Fault, words: str
) -> None:
    wires, clock = Wires(), SimulatedClock()
    # Both panels would miss a shared bus; here each panel has its own.
    wires.wires[0x3D].set_fault(fault)

    def seams(panel: ChosenDriver) -> Mapping[str, object]:
        assert isinstance(panel, PanelConfig)
        address = 0x3D if panel.side == "B" else 0x3C
        return {"bus": RecordingBus({address: wires.wires[address]}).open}

    io = DeviceIo(clock.pause, clock.now, seams)
    code, lines = run(tmp_path, options(tmp_path), io, healthy_pi(tmp_path))
    assert code == 1
    (found,) = lines_of_level(lines, "bad")
    assert found.startswith("bad   panel B") and words in found
    assert any(text.startswith("ok    panel A") for text in lines)
    assert any(text.startswith("ok    buzzer") for text in lines)
    assert wires.messages[0x3C], "the other panel got no picture"


def test_every_device_is_closed(tmp_path: Path) -> None:
    for _ in range(2):
        clock = SimulatedClock()
        io = DeviceIo(clock.pause, clock.now, Wires().seams)
        code, lines = run(tmp_path, options(tmp_path), io, healthy_pi(tmp_path))
        assert (code, lines_of_level(lines, "bad")) == (0, [])


def test_devices_are_closed_on_an_interrupt(tmp_path: Path) -> None:
    def interrupt(seconds: float) -> None:
        raise KeyboardInterrupt

    io = DeviceIo(interrupt, SimulatedClock().now, Wires().seams)
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path, options(tmp_path), io, healthy_pi(tmp_path))
    test_every_device_is_closed(tmp_path)


def test_a_pin_in_use_is_reported(tmp_path: Path) -> None:
    clock = SimulatedClock()
    io = DeviceIo(clock.pause, clock.now, Wires().seams)
    from gpiozero import LED, Device

    Device.ensure_pin_factory()
    taken = [LED(18), LED(5)]
    code, lines = run(tmp_path, options(tmp_path), io, healthy_pi(tmp_path))
    for led in taken:
        led.close()
    assert code == 1
    assert [text[6:19].strip() for text in lines_of_level(lines, "bad")] == ["buttons", "lamp A"]


def test_a_button_that_is_down_is_a_warning(tmp_path: Path) -> None:
    found = {"lines": 14, "down": ["A.truco"], "stuck": [], "alive": True, "fault": ""}
    (finding,) = running.button_findings(found)
    assert (finding.level, "A.truco" in format_line(finding, translator("en"))) == (
        Level.WARN,
        True,
    )
    (stuck,) = running.button_findings({**found, "stuck": ["A.truco"]})
    assert stuck.level is Level.FAIL
    touching = {**found, "down": [], "touching": [["A.envido", "A.truco"]]}
    (touch,) = running.button_findings(touching)
    assert "A.envido, A.truco touch" in format_line(touch, translator("en"))
    (dead,) = running.button_findings({**found, "down": [], "alive": False})
    assert dead.key == "buttons.dead"


# ---- button by button --------------------------------------------------------------------------


def pressing(
    touching: Mapping[str, Sequence[int]] = MappingProxyType({}),
    *,
    held: Sequence[int] = (),
    pins: Mapping[str, int],
) -> Callable[[str], None]:
    """A person who presses what is asked for, and lets go.

    ``touching``: the pins that such a press pulls low instead of its own. Those in ``held`` stay.
    """
    from gpiozero import Device

    def press(button: str) -> None:
        wires = touching.get(button, (pins[button],))
        for pin in wires:
            Device.pin_factory.pin(pin).drive_low()
        for pin in wires:
            if pin not in held:
                Device.pin_factory.pin(pin).drive_high()

    return press


QUICK = PressIo(press_timeout=0.3, release_timeout=0.3)


def heard_keys(
    text: str, press: Callable[[str], None]
) -> tuple[dict[str, list[str]], list[Finding]]:
    """The findings of each button that is not right; all of them."""
    io = DeviceIo(seams=simulated_seams, press=QUICK)
    found = list(devices.check_inputs(parse_config(text), io, press, has_pins=True))
    assert found[0].key == "buttons.fine"
    wrong: dict[str, list[str]] = {}
    for finding in found[1:]:
        if finding.key != "button.heard":
            wrong.setdefault(finding.name, []).append(finding.key)
    return wrong, found[1:]


COMPACT = '[table]\nlayout = "compact"'


def test_each_button_is_awaited_in_turn() -> None:
    pins = parse_config(COMPACT).pins
    crossed = {
        "A.quiero": (),  # its wire is disconnected
        "B.truco": (pins["B.envido"],),  # swapped
        "B.envido": (pins["B.truco"],),
    }
    wrong, found = heard_keys(COMPACT, pressing(crossed, pins=pins))
    assert [finding.name for finding in found] == list(pins)
    assert wrong == {
        "A.quiero": ["button.silent"],
        "B.truco": ["button.other"],
        "B.envido": ["button.other"],
    }


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("A.truco", "A.envido"),
        ("A.quiero", "A.no_quiero"),
        ("A.truco", "B.truco"),
        ("undo", "menu"),
    ],
)
def test_two_wires_that_touch_are_named_at_both_buttons(one: str, other: str) -> None:
    pins = parse_config("").pins
    both = (pins[one], pins[other])
    wrong, found = heard_keys("", pressing({one: both, other: both}, pins=pins))
    assert [each.name for each in found] == list(pins), "each of them is asked for"
    assert wrong == {one: ["button.touch"], other: ["button.touch"]}
    line = next(format_line(each, translator("en")) for each in found if each.name == one)
    first, second = sorted((one, other))
    assert f"{first}, {second} touch: look for solder or bare wire between GPIO" in line
    assert f"GPIO {pins[first]}, GPIO {pins[second]}" in line


def test_two_hands_one_after_the_other_are_no_short_circuit() -> None:
    """A button that is pressed early answers for no other one."""
    pins = parse_config(COMPACT).pins
    press = pressing(pins=pins)

    def twice(name: str) -> None:
        press(name)
        press(name)

    assert heard_keys(COMPACT, twice)[0] == {}


def test_a_button_that_jams_is_named_before_it_is_asked_for() -> None:
    pins = parse_config(COMPACT).pins
    jammed = pins["A.envido"]
    press = pressing({"A.truco": (pins["A.truco"], jammed)}, held=[jammed], pins=pins)
    assert heard_keys(COMPACT, press)[0] == {
        "A.truco": ["button.touch"],
        "A.envido": ["button.down"],
    }
    # One that stays down after its press.
    press = pressing(held=[pins["B.tantos"]], pins=pins)
    wrong, found = heard_keys(COMPACT, press)
    assert wrong == {"B.tantos": ["button.down"]}
    assert [each.key for each in found if each.name == "B.tantos"] == [
        "button.heard",
        "button.down",
    ]


# ---- storage -----------------------------------------------------------------------------------


def store_keys(store: Path) -> list[str]:
    return [finding.key for finding in storage.check_store(store, "no-such-user")]


def test_checking_a_store_does_not_change_it(tmp_path: Path) -> None:
    assert store_keys(tmp_path / "store") == ["store.none"]
    store = store_with_game(tmp_path)
    before = (store / file.FILE_NAME).read_bytes()
    assert store_keys(store)[0] == "store.fine"
    assert (store / file.FILE_NAME).read_bytes() == before


def test_a_damaged_store_is_reported_and_salvaged(tmp_path: Path) -> None:
    store = store_with_game(tmp_path)
    path = store / file.FILE_NAME
    with closing(sqlite3.connect(path)) as database:
        # Overwrite the page of the settings; the games are not affected.
        query = "SELECT rootpage FROM sqlite_master WHERE name = 'setting'"
        (root,) = database.execute(query).fetchone()
    data = bytearray(path.read_bytes())
    data[(root - 1) * file.PAGE : root * file.PAGE] = b"\xa5" * file.PAGE
    path.write_bytes(data)
    assert store_keys(store) == ["store.damaged"]
    clock = SimulatedClock()
    io = DeviceIo(clock.pause, clock.now, Wires().seams)
    code, lines = run(tmp_path, options(tmp_path), io, healthy_pi(tmp_path))
    assert code == 1 and "--salvage" in " ".join(lines_of_level(lines, "bad"))
    salvaging = options(tmp_path, salvage=True)
    code, lines = run(tmp_path, salvaging, io, healthy_pi(tmp_path))
    assert (code, lines_of_level(lines, "bad")) == (0, [])
    with Journal.open(store) as journal:
        assert [row.line for row in journal.rows(1)] == ["A truco"]


def test_a_foreign_file_is_left_unchanged(tmp_path: Path) -> None:
    store = tmp_path / "store"
    store.mkdir()
    (store / file.FILE_NAME).write_bytes(b"beers " * 100)
    assert store_keys(store) == ["store.not_a_store"]
    assert (store / file.FILE_NAME).read_bytes() == b"beers " * 100


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_a_store_of_another_user_is_reported(tmp_path: Path) -> None:
    store = store_with_game(tmp_path)
    os.chown(store / file.FILE_NAME, 12345, -1)
    findings = list(storage.check_store(store, "root"))
    assert findings[-1].key == "store.owner"
    assert "12345" in format_line(findings[-1], translator("en"))


@pytest.mark.parametrize(
    ("free", "level"), [(0, "bad"), (9_999_999, "bad"), (10**7, "look"), (10**8, "ok")]
)
def test_little_space_on_the_disk_is_reported(free: int, level: str) -> None:
    assert storage.check_disk(free).level == level


def test_every_error_of_the_file_is_reported_with_its_line(tmp_path: Path) -> None:
    path = options(tmp_path, "[table]\nvarient = 'x'\n\n[sound]\npin = 2\n").config
    chosen = storage.read_config(path)
    lines = [finding.fields.get("line") for finding in chosen.findings]
    assert lines == [5, 8]
    assert {finding.level for finding in chosen.findings} == {Level.FAIL}


def test_a_missing_file_means_the_defaults(tmp_path: Path) -> None:
    chosen = storage.read_config(tmp_path / "none.toml")
    assert [finding.key for finding in chosen.findings] == ["config.none"]
    assert chosen.config.table.variant == "argentine"


def test_unfinished_starts_with_a_new_configuration_are_reported(tmp_path: Path) -> None:
    path, folder = tmp_path / "scorer.toml", tmp_path / "store"
    head = f'[store]\ndirectory = "{folder}"\n'
    with Journal.open(folder) as journal:
        StartAttempts(folder, head, None).finish(resolve(head, None, journal), journal)
    changed = f"{head}[sound]\non = false\n"
    path.write_text(changed, encoding="utf-8")
    assert [each.key for each in storage.read_config(path).findings] == ["config.fine"]
    with Journal.open(folder) as journal:
        StartAttempts(folder, changed, None).begin(journal)
    found = storage.read_config(path).findings
    assert [each.key for each in found] == ["config.fine", "config.unfinished"]
    assert "line 3" in format_line(found[-1], translator("en"))
    with Journal.open(folder) as journal:
        StartAttempts(folder, changed, None).finish(resolve(changed, None, journal), journal)
    assert [each.key for each in storage.read_config(path).findings] == ["config.fine"]


def test_the_file_on_the_card_is_named_where_there_is_no_other(tmp_path: Path) -> None:
    card = tmp_path / "scorer.toml"
    card.write_text('[table]\nlanguage = "pt-BR"\n')
    chosen = storage.read_config(tmp_path / "none.toml", card)
    assert [(each.key, each.fields) for each in chosen.findings] == [
        ("config.fine", {"path": card})
    ]
    assert chosen.config.table.language == "pt-BR"


def test_a_mistake_on_the_card_is_found(tmp_path: Path) -> None:
    card = tmp_path / "scorer.toml"
    card.write_text('[table]\nvariant = "klingon"\n')
    (finding,) = storage.read_config(tmp_path / "none.toml", card).findings
    assert finding.level is Level.FAIL and finding.fields["line"] == 2
    assert "klingon" in str(finding.fields["why"])


def test_a_damaged_card_is_found(tmp_path: Path) -> None:
    marker = tmp_path / "damaged"
    assert list(storage.check_card(marker)) == []
    marker.touch()
    assert [each.key for each in storage.check_card(marker)] == ["disk.damaged"]


# ---- the machine -------------------------------------------------------------------------------


def keys(findings: Iterator[Finding]) -> list[str]:
    return [finding.key for finding in findings]


def test_missing_device_files_are_reported(tmp_path: Path) -> None:
    panels = parse_config("").panels
    assert keys(machine.check_header(pi(tmp_path))) == ["pins.none"]
    assert keys(machine.check_rights(pi(tmp_path), panels)) == ["bus.none"]
    assert keys(machine.check_rights(pi(tmp_path, "gpiochip0", "i2c-1"), panels)) == ["rights.fine"]
    (found,) = machine.check_header(pi(tmp_path / "qemu", "gpiochip9", "i2c-1"))
    assert (found.key, found.fields["chips"]) == ("pins.other", "gpiochip9 [pl061]")
    # The pins exist from here on, /dev/spidev does not.
    spi = parse_config('[[panel]]\ninterface = "spi"').panels
    found, _ = machine.check_rights(pi(tmp_path), spi)
    assert (found.key, found.fields["setting"]) == ("bus.none", "dtoverlay=spi0-1cs,no_miso")


def test_a_machine_without_pins_has_one_bad_finding_and_it_is_the_first(tmp_path: Path) -> None:
    store_with_game(tmp_path)
    host = pi(tmp_path)._replace(version=lambda name: None if name == "lgpio" else "99.0")
    code, lines = run(tmp_path, options(tmp_path), DeviceIo(), host)
    assert code == 1
    assert lines_of_level(lines, "bad") == [lines[1]]
    assert "is this a Raspberry Pi?" in lines[1]
    assert "without pins" in lines[2]


def test_without_a_chosen_language_the_doctor_speaks_that_of_the_terminal(tmp_path: Path) -> None:
    for text, level_1 in (("", "configuração"), ('[table]\nlanguage = "es"\n', "configuración")):
        wish = options(tmp_path, text, language=None, terminal="pt-BR")
        _, lines = run(tmp_path, wish, DeviceIo(), pi(tmp_path))
        assert level_1 in lines[0]


@pytest.mark.parametrize(
    ("output", "found"),
    [
        ("LoadState=loaded\nActiveState=active\n", ["service.active"]),
        ("LoadState=loaded\nActiveState=failed\n", ["service.failed"]),
        ("LoadState=loaded\nActiveState=inactive\n", ["service.inactive"]),
        ("LoadState=not-found\nActiveState=inactive\n", ["service.none"]),
        (None, []),
    ],
)
def test_the_state_of_the_service_is_reported(
    tmp_path: Path, output: str | None, found: list[str]
) -> None:
    answers = {} if output is None else {"scorer.service": output}
    assert keys(machine.check_service(pi(tmp_path, outputs=answers))) == found


@pytest.mark.parametrize(
    ("output", "found"),
    [
        ("throttled=0x0", ["power.fine"]),
        ("throttled=0x50005", ["power.weak"]),
        ("throttled=0x50000", ["power.was"]),
        ("VCHI initialization failed", []),
    ],
)
def test_undervoltage_is_reported(tmp_path: Path, output: str, found: list[str]) -> None:
    assert keys(machine.check_power(pi(tmp_path, outputs={"vcgencmd": output}))) == found


def test_the_kernels_alarm_is_reported(tmp_path: Path) -> None:
    chip = tmp_path / "hwmon" / "hwmon0"
    chip.mkdir(parents=True)
    (chip / "name").write_text("rpi_volt\n")
    (chip / "in0_lcrit_alarm").write_text("1\n")
    assert keys(machine.check_power(pi(tmp_path))) == ["power.weak"]


@pytest.mark.parametrize(
    ("library", "version", "found"),
    [
        ("lgpio", "0.2.2.0", ["versions.fine"]),
        ("lgpio", "0.2.0.0", ["versions.old", "versions.fine"]),
        ("lgpio", "0.0.0.2", ["versions.old", "versions.fine"]),
        ("lgpio", None, ["versions.missing", "versions.fine"]),
        ("gpiozero", "1.6.2", ["versions.old", "versions.fine"]),
        ("gpiozero", "2.0.1.post3", ["versions.fine"]),
    ],
)
def test_old_libraries_are_reported(
    tmp_path: Path, library: str, version: str | None, found: list[str]
) -> None:
    host = pi(tmp_path, "gpiochip0")._replace(
        version=lambda name: version if name == library else "99.0"
    )
    assert keys(machine.check_versions(host)) == found


def test_a_missing_command_has_no_output() -> None:
    assert machine.run_command(["no-such-command-anywhere"]) is None


# ---- with a running table -----------------------------------------------------------------------


def test_a_file_that_is_not_there_is_a_usage_error(tmp_path: Path) -> None:
    assert doctor.main(["--config", str(tmp_path / "none.toml")]) == 2


def run_doctor(place: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "scorer", "doctor", "--config", str(place / "scorer.toml")]
    return subprocess.run([*command, *words], cwd=ROOT, capture_output=True, text=True, check=False)


def test_a_running_table_runs_its_selftest_and_continues(tmp_path: Path) -> None:
    with running_service(tmp_path, configuration(tmp_path)) as table:
        table.messages_until(READY)
        result = run_doctor(tmp_path, "--language", "en", "--buttons")
        assert result.stderr == ""  # the machine of the test itself may have findings
        lines = result.stdout.splitlines()
        assert any(text.startswith("ok    table          runs") for text in lines)
        assert any("are saved; row 0" in text for text in lines)
        assert any("systemctl stop" in text for text in lines_of_level(lines, "look"))
        with TableClient(table.path) as client:
            assert client.ask(do="step", line="A truco", seq=0)["ok"] is True
        table.messages_until("WATCHDOG=1")


def test_a_running_table_without_a_store_runs_its_selftest(tmp_path: Path) -> None:
    (tmp_path / "store").mkdir()
    (tmp_path / "store" / file.FILE_NAME).write_bytes(b"beers " * 100)
    with running_service(tmp_path, configuration(tmp_path)) as table:
        table.messages_until(READY)
        result = run_doctor(tmp_path, "--language", "en")
    assert result.returncode == 1
    assert "not Truco Scorer's" in result.stdout and "Traceback" not in result.stderr


def silent_table(path: Path) -> socket.socket:
    server = socket.socket(socket.AF_UNIX)
    server.bind(str(path))
    server.listen()
    return server


def test_devices_of_a_silent_table_are_not_opened(tmp_path: Path) -> None:
    with silent_table(tmp_path / "table.sock"):
        reply = running.request_selftest(tmp_path / "table.sock", timeout=0.2)
        assert reply.presence is TablePresence.SILENT
    parts = list(doctor._check_running_table(options(tmp_path), reply))
    assert [finding.key for finding in parts] == ["table.silent"]


def test_devices_of_a_table_with_invalid_replies_are_not_opened(tmp_path: Path) -> None:
    path = tmp_path / "table.sock"
    with silent_table(path) as server:

        def answer() -> None:
            connection, _ = server.accept()
            connection.sendall(b"[1, 2]\n")
            connection.close()

        thread = threading.Thread(target=answer)
        thread.start()
        assert running.request_selftest(path, timeout=20.0).presence is TablePresence.SILENT
        thread.join()


def test_a_stale_socket_is_no_table(tmp_path: Path) -> None:
    assert running.request_selftest(tmp_path / "none.sock").presence is TablePresence.NO
    silent_table(tmp_path / "table.sock").close()
    assert running.request_selftest(tmp_path / "table.sock").presence is TablePresence.NO


def test_devices_of_a_table_without_a_socket_are_not_opened(tmp_path: Path) -> None:
    units = {"scorer.service": "LoadState=loaded\nActiveState=active\n"}
    host = pi(tmp_path, "gpiochip0", outputs=units)

    def fail_on_open(panel: ChosenDriver) -> Mapping[str, object]:
        raise AssertionError("a device was opened")

    code, lines = run(tmp_path, options(tmp_path), DeviceIo(seams=fail_on_open), host)
    assert code == 1
    assert lines_of_level(lines, "bad")[0].startswith("bad   table")
    assert not any("device was opened" in text for text in lines)


def test_a_stopped_table_is_not_started_by_connecting(tmp_path: Path) -> None:
    units = {
        "scorer.socket": "LoadState=loaded\nActiveState=active\n",
        "scorer.service": "LoadState=loaded\nActiveState=inactive\n",
    }
    default_path = Path("/run/scorer/table.sock")
    assert doctor._would_start(default_path, pi(tmp_path, outputs=units)) is True
    assert doctor._would_start(tmp_path / "other.sock", pi(tmp_path, outputs=units)) is False
    running_table = {**units, "scorer.service": "LoadState=loaded\nActiveState=active\n"}
    assert doctor._would_start(default_path, pi(tmp_path, outputs=running_table)) is False
    assert doctor._would_start(default_path, pi(tmp_path)) is False


# ---- output -------------------------------------------------------------------------------------


def test_an_unexpected_exception_is_a_finding(tmp_path: Path) -> None:
    def seams(panel: ChosenDriver) -> Mapping[str, object]:
        raise RuntimeError("a wire\nis on fire")

    clock = SimulatedClock()
    io = DeviceIo(clock.pause, clock.now, seams)
    code, lines = run(tmp_path, options(tmp_path), io, healthy_pi(tmp_path))
    assert code == 1
    (found,) = lines_of_level(lines, "bad")
    assert "RuntimeError: a wire is on fire" in found
    assert lines[-1].startswith("ok    versions"), "the checks did not continue"


@pytest.mark.sampled(1)
@pytest.mark.parametrize("language", sample(languages(), 2))
def test_a_terminal_without_accents_causes_no_failure(tmp_path: Path, language: str) -> None:
    options(tmp_path)
    command = [sys.executable, "-m", "scorer", "doctor", "--language", language]
    result = subprocess.run(
        [*command, "--config", str(tmp_path / "scorer.toml")],
        cwd=ROOT,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=False,
    )
    assert result.stderr == b""
    assert len(result.stdout.splitlines()) > 3


@pytest.mark.parametrize("language", languages())
def test_a_finding_begins_with_its_level_and_subject(language: str) -> None:
    text = format_line(fail("panel.silent", "B", where="I2C 1, 0x3d"), translator(language))
    assert text.startswith("bad   ")
    assert "I2C 1, 0x3d" in text and "doctor." not in text and " B " in text


@pytest.mark.parametrize("size", [(128, 64), (128, 32)])
def test_the_test_picture_has_a_whole_frame_and_dots(size: tuple[int, int]) -> None:
    image = panel_picture.draw_test_picture("A", "I2C 1, 0x3c", size).image
    width, height = size
    assert (image.mode, image.size) == ("1", size)
    assert all(image.getpixel((x, y)) for x in range(width) for y in (0, height - 1))
    assert all(image.getpixel((x, y)) for x in (0, width - 1) for y in range(height))
    dots = [bool(image.getpixel((x, height * 3 // 4))) for x in range(4, width - 5)]
    assert len(dots) > 50
    assert all(one != other for one, other in pairwise(dots))


# ---- the report ---------------------------------------------------------------------------------

PRIVATE = """
table.names = ["Ana Secreta", "Beto Secreto"]
table.device = "bar-secreto"
web.hosts = ["secreto.example"]
wifi.name = "RedSecreta"
wifi.password = "muy-secreta-1"
printer.device = "tcp:192.168.1.99"
hub.name = "Club Secreto"
"""


def test_the_report_fills_the_points_of_tested_md(tmp_path: Path) -> None:
    store_with_game(tmp_path)
    root = tmp_path / "root"
    for path, text in {
        "proc/device-tree/model": "Raspberry Pi Zero 2 W Rev 1.0\0",
        "proc/meminfo": "MemTotal:         425984 kB\nMemFree: 1 kB\n",
        "etc/os-release": 'ID=debian\nPRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n',
    }.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    clock = SimulatedClock()
    io = DeviceIo(clock.pause, clock.now, Wires().seams)
    file = tmp_path / "truco-report.md"
    wish = options(tmp_path, PRIVATE, report=file, language="es-AR")
    code, lines = run(tmp_path, wish, io, healthy_pi(tmp_path)._replace(root=root))
    assert (code, lines[-1]) == (0, f"el informe está en {file}: completá lo que falta")
    text = file.read_text(encoding="utf-8")
    parts = text.split("\n## ")
    assert [part[:2] for part in parts[1:]] == [f"{point}." for point in range(1, 8)]
    assert "Raspberry Pi Zero 2 W Rev 1.0\n\n416 MB of memory" in parts[1]
    assert "Debian GNU/Linux 12 (bookworm)\n\nkernel " in parts[2]
    assert "scorer " in parts[3] and "\nok    panel A" in parts[3]
    assert "\nlayout     full" in parts[4] and "\npin        40  GPIO 21  button menu" in parts[4]
    assert "### luma_oled: side = B, controller = ssd1309" in parts[5]
    assert parts[5].count("current in its VCC wire, dark: ____") == 2
    assert "\nok    panel A" in parts[5] and "____" in parts[6] and "____" in parts[7]
    assert not re.search(r"secret[ao]|192\.168", text, re.IGNORECASE)


def test_a_report_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    store_with_game(tmp_path)
    clock = SimulatedClock()
    io = DeviceIo(clock.pause, clock.now, Wires().seams)
    wish = options(tmp_path, report=tmp_path / "none" / "truco-report.md")
    code, lines = run(tmp_path, wish, io, healthy_pi(tmp_path))
    assert code == 1
    assert lines[-1].endswith("none/truco-report.md: No such file or directory")


def test_a_machine_that_is_no_pi_leaves_blanks(tmp_path: Path) -> None:
    text = report_text(pi(tmp_path)._replace(root=tmp_path / "none"), (), ())
    assert "## 1. Board\n\nmodel: ____\n\nmemory: ____" in text
    assert "## 2. System\n\nsystem: ____" in text


@pytest.mark.parametrize("suffix", ["", ".es", ".pt"])
def test_the_points_of_the_report_are_those_of_the_page(tmp_path: Path, suffix: str) -> None:
    page = (ROOT / f"docs/makers/build/tested{suffix}.md").read_text(encoding="utf-8")
    points = re.findall(r"(?m)^(\d)\. ", page)
    assert points == re.findall(r"(?m)^## (\d)\. ", report_text(pi(tmp_path), (), ()))
    assert "sudo scorer doctor --report" in page


def test_a_muted_device_is_a_finding() -> None:
    levels = buttons_report({}, (), alive=True)
    _, found = running._input_findings({"buttons": levels, "marks": ["muted"]})
    assert "60" in format_line(found, translator("en"))
    (fine,) = running._input_findings({"buttons": levels, "marks": ["stuck"]})
    assert fine.key == "buttons.fine"
