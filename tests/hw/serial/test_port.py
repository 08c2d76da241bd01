"""The serial port over a real pseudo-terminal.

Exclusive, non-blocking writes, errors.
"""

from __future__ import annotations

import os
import termios
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorer.hw.ports import DeviceError
from scorer.hw.serial.latest_writer import LatestWriter
from scorer.hw.serial.port import Port, getty_on
from tests.hw.serial.ptys import Cable

PATIENCE = 30.0


@pytest.fixture
def cable(tmp_path: Path) -> Iterator[Cable]:
    made = Cable(tmp_path / "port")
    made.plug()
    yield made
    made.pull()


@pytest.fixture
def port(cable: Cable) -> Iterator[Port]:
    made = Port(str(cable.path))
    made.open()
    yield made
    made.close()


def refusal(port: Port) -> DeviceError:
    with pytest.raises(DeviceError) as caught:
        port.open()
    return caught.value


def test_arriving_bytes_are_read_unchanged(cable: Cable, port: Port) -> None:
    everything = bytes(range(256))
    cable.send_to_table(everything)
    read = b""
    while len(read) < 256:
        read += port.read(PATIENCE)
    assert read == everything


def test_bytes_from_before_the_opening_are_dropped(cable: Cable) -> None:
    cable.send_to_table(b"of yesterday\n")
    port = Port(str(cable.path))
    port.open()
    cable.send_to_table(b"of today\n")
    assert port.read(PATIENCE) == b"of today\n"
    port.close()


def test_closing_does_not_reset_the_board(cable: Cable, port: Port) -> None:
    port.read(0.0)
    with cable.path.open("rb") as other:
        assert not termios.tcgetattr(other.fileno())[2] & termios.HUPCL


def test_wake_ends_a_waiting_read(port: Port) -> None:
    read: list[bytes] = []
    waiting = threading.Thread(target=lambda: read.append(port.read(PATIENCE)))
    waiting.start()
    port.wake()
    waiting.join(PATIENCE)
    assert read == [b""]


def test_a_port_is_exclusive(cable: Cable, port: Port) -> None:
    error = refusal(Port(str(cable.path)))
    assert error.kind == "taken"
    assert f"{cable.path}: it is in use, by another program" in str(error)


def test_a_closed_port_can_be_opened_again(cable: Cable, port: Port) -> None:
    port.close()
    port.close()
    other = Port(str(cable.path))
    other.open()
    other.close()


def test_a_missing_port_is_absent(tmp_path: Path) -> None:
    error = refusal(Port(str(tmp_path / "none")))
    assert (error.kind, str(error)) == (
        "absent",
        f"{tmp_path}/none: it is not there; is it plugged in?",
    )


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_a_file_or_folder_is_refused(tmp_path: Path, kind: str) -> None:
    path = tmp_path / kind
    path.mkdir() if kind == "folder" else path.write_text("beer")
    error = refusal(Port(str(path)))
    assert error.kind == "absent"
    assert "this is no serial port" in str(error)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may open everything")
def test_a_port_without_permission_is_forbidden(cable: Cable) -> None:
    cable.path.resolve().chmod(0)
    error = refusal(Port(str(cable.path)))
    assert error.kind == "forbidden"
    assert "the user must be in the group dialout" in str(error)


def test_the_forbidden_error_names_the_group(monkeypatch: pytest.MonkeyPatch) -> None:
    error = Port("/dev/ttyUSB0")._error(PermissionError(13, "Permission denied"))
    assert error.kind == "forbidden"
    assert "the user must be in the group dialout" in str(error)


def test_a_login_prompt_on_the_port_is_detected(tmp_path: Path) -> None:
    name = "system.slice/system-serial\\x2dgetty.slice/serial-getty@ttyS7.service"
    (tmp_path / name).mkdir(parents=True)
    assert getty_on("/dev/ttyS7", tmp_path) == "serial-getty@ttyS7"
    assert getty_on("/dev/ttyS8", tmp_path) == ""
    error = refusal(Port("/dev/ttyS7", cgroups=tmp_path))
    assert error.kind == "taken"
    assert "a login prompt is on it: systemctl disable --now serial-getty@ttyS7" in str(error)


def test_unplugging_is_detected_by_reads_and_writes(cable: Cable, port: Port) -> None:
    cable.pull()
    for act in (
        lambda: port.read(PATIENCE),
        lambda: port.write(b"x"),
        lambda: port.wait_writable(0.0),
    ):
        try:
            act()
        except DeviceError as error:
            assert error.kind == "absent"
            assert "unplugged" in str(error)
            break
    else:
        raise AssertionError("the loss was not detected")
    port.close()
    with pytest.raises(DeviceError, match="is not open"):
        port.read(0.0)


def test_write_never_waits_and_returns_how_much_fitted(cable: Cable, port: Port) -> None:
    written = 0
    # The kernel makes room once more while it delivers what was written.
    while port.wait_writable(1.0):
        written += port.write(b"x" * 1000)
    assert written > 1000, "the buffer of the port was never filled"
    assert port.write(b"x" * 1000) == 0
    read = b""
    while len(read) < written:
        read += cable.read_from_table()
    assert read == b"x" * written
    assert port.wait_writable(PATIENCE)


# ---- the newest message only --------------------------------------------------------------------


def test_a_slow_reader_gets_whole_messages_and_always_the_newest(cable: Cable, port: Port) -> None:
    latest = LatestWriter(port)
    for at in range(300):
        latest.put(b"%04d" % at + b"." * 95 + b"\n")
        latest.send()
    received = cable.read_from_table()
    while not latest.send():
        received += cable.read_from_table()
    received += cable.read_from_table()
    while not received.endswith(b"0299" + b"." * 95 + b"\n"):
        received += cable.read_from_table()
    lines = received.split(b"\n")[:-1]
    assert {len(line) for line in lines} == {99}
    numbers = [int(line[:4]) for line in lines]
    assert numbers == sorted(set(numbers))
    assert len(numbers) < 300, "no message was skipped"


def test_a_partly_written_message_is_dropped_on_reopening(cable: Cable, port: Port) -> None:
    latest = LatestWriter(port)
    latest.put(b"a" * 100_000)
    assert not latest.send(), "the message fitted into the buffer"
    latest.put(b"whole\n")
    latest.reset()
    received = b""
    while not latest.send():
        received += cable.read_from_table()
    while not received.endswith(b"whole\n"):
        received += cable.read_from_table()
    assert 0 < received.count(b"a") < 100_000
