"""A serial port over a real pseudo-terminal: ours alone, never waited for, and what it says."""

from __future__ import annotations

import os
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


def test_what_arrives_is_read_at_once_and_as_it_is(cable: Cable, port: Port) -> None:
    everything = bytes(range(256))
    cable.send_to_table(everything)
    read = b""
    while len(read) < 256:
        read += port.read(PATIENCE)
    assert read == everything


def test_what_came_before_the_opening_is_forgotten(cable: Cable) -> None:
    cable.send_to_table(b"of yesterday\n")
    port = Port(str(cable.path))
    port.open()
    cable.send_to_table(b"of today\n")
    assert port.read(PATIENCE) == b"of today\n"
    port.close()


def test_who_waits_can_be_woken(port: Port) -> None:
    read: list[bytes] = []
    waiting = threading.Thread(target=lambda: read.append(port.read(PATIENCE)))
    waiting.start()
    port.wake()
    waiting.join(PATIENCE)
    assert read == [b""]


def test_a_port_is_ours_alone(cable: Cable, port: Port) -> None:
    error = refusal(Port(str(cable.path)))
    assert error.kind == "taken"
    assert f"{cable.path}: it is in use, by another program" in str(error)


def test_a_port_that_was_given_back_can_be_had_again(cable: Cable, port: Port) -> None:
    port.close()
    port.close()
    other = Port(str(cable.path))
    other.open()
    other.close()


def test_a_port_that_is_not_there_is_absent(tmp_path: Path) -> None:
    error = refusal(Port(str(tmp_path / "none")))
    assert (error.kind, str(error)) == (
        "absent",
        f"{tmp_path}/none: it is not there; is it plugged in?",
    )


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_what_is_no_port_is_told(tmp_path: Path, kind: str) -> None:
    path = tmp_path / kind
    path.mkdir() if kind == "folder" else path.write_text("beer")
    error = refusal(Port(str(path)))
    assert error.kind == "absent"
    assert "this is no serial port" in str(error)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may open everything")
def test_a_port_that_may_not_be_opened_is_forbidden(cable: Cable) -> None:
    cable.path.resolve().chmod(0)
    error = refusal(Port(str(cable.path)))
    assert error.kind == "forbidden"
    assert "the user must be in the group dialout" in str(error)


def test_a_port_that_is_forbidden_says_which_group(monkeypatch: pytest.MonkeyPatch) -> None:
    error = Port("/dev/ttyUSB0")._error(PermissionError(13, "Permission denied"))
    assert error.kind == "forbidden"
    assert "the user must be in the group dialout" in str(error)


def test_a_login_prompt_is_seen_before_it_eats_the_presses(tmp_path: Path) -> None:
    name = "system.slice/system-serial\\x2dgetty.slice/serial-getty@ttyS7.service"
    (tmp_path / name).mkdir(parents=True)
    assert getty_on("/dev/ttyS7", tmp_path) == "serial-getty@ttyS7"
    assert getty_on("/dev/ttyS8", tmp_path) == ""
    error = refusal(Port("/dev/ttyS7", cgroups=tmp_path))
    assert error.kind == "taken"
    assert "a login prompt is on it: systemctl disable --now serial-getty@ttyS7" in str(error)


def test_a_plug_that_is_pulled_is_told_by_reading_and_by_writing(cable: Cable, port: Port) -> None:
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
        raise AssertionError("nobody noticed")
    port.close()
    with pytest.raises(DeviceError, match="is not open"):
        port.read(0.0)


def test_writing_never_waits_and_tells_how_much_there_was_room_for(
    cable: Cable, port: Port
) -> None:
    written = 0
    # The kernel makes room once more while it hands on what was written.
    while port.wait_writable(1.0):
        written += port.write(b"x" * 1000)
    assert written > 1000, "the buffer of the port is full, and nobody has read a byte"
    assert port.write(b"x" * 1000) == 0
    read = b""
    while len(read) < written:
        read += cable.read_from_table()
    assert read == b"x" * written
    assert port.wait_writable(PATIENCE)


# ---- the newest message, whole ------------------------------------------------------------------


def test_a_slow_reader_gets_whole_messages_and_the_newest_of_those_it_missed(
    cable: Cable, port: Port
) -> None:
    latest = LatestWriter(port)
    for at in range(300):
        latest.put(b"%04d" % at + b"." * 95 + b"\n")
        latest.send()
    heard = cable.read_from_table()
    while not latest.send():
        heard += cable.read_from_table()
    heard += cable.read_from_table()
    while not heard.endswith(b"0299" + b"." * 95 + b"\n"):
        heard += cable.read_from_table()
    lines = heard.split(b"\n")[:-1]
    assert {len(line) for line in lines} == {99}
    numbers = [int(line[:4]) for line in lines]
    assert numbers == sorted(set(numbers))
    assert len(numbers) < 300, "those in between were left out"


def test_half_a_message_is_not_gone_on_with_at_the_next_opening(cable: Cable, port: Port) -> None:
    latest = LatestWriter(port)
    latest.put(b"a" * 100_000)
    assert not latest.send(), "half of it is out, and there is no room for the rest"
    latest.put(b"whole\n")
    latest.reset()
    heard = b""
    while not latest.send():
        heard += cable.read_from_table()
    while not heard.endswith(b"whole\n"):
        heard += cable.read_from_table()
    assert 0 < heard.count(b"a") < 100_000
