"""The socket of ``scorer radio``, its keys and its log."""

from __future__ import annotations

import json
import os
import socket
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Self

import pytest

from scorer.radio.keys import KeyFileError, read_keys, write_keys
from scorer.radio.packets import PacketKind, make_packet, split_packet
from scorer.radio.service import MAX_READERS
from tests.hw.serial.button_box_model import FakeBox
from tests.paths import ROOT
from tests.radio.radio_process import RadioProcess, running_radio
from tests.support.programs import PATIENCE

KEY, START = "ab" * 32, b"start001"


@pytest.fixture
def radio(tmp_path: Path) -> Iterator[RadioProcess]:
    with running_radio(tmp_path) as running:
        yield running
        assert "Traceback" not in running.log.read_text(encoding="utf-8")


class Peer:
    """A box on loopback that sends when it is asked to."""

    def __init__(self, radio: RadioProcess, key: str = KEY, start: bytes = START) -> None:
        self.udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.udp.settimeout(PATIENCE)
        self.udp.connect(radio.address)
        self.key, self.start, self.nonce = bytes.fromhex(key), start, b""
        self.hellos = self.lines = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.udp.close()

    def hello(self) -> None:
        """Ask for the nonce, until an answer comes."""
        self.hellos += 1
        self.udp.send(make_packet(self.key, PacketKind.HELLO, "norte", self.start, self.hellos))
        answer = split_packet(self.udp.recv(1000))
        assert answer is not None
        self.nonce = answer.body

    def say(self, line: bytes) -> bytes:
        """Send a line; its packet."""
        self.lines += 1
        head = (self.key, PacketKind.LINE, "norte", self.start, self.lines)
        packet = make_packet(*head, body=line.strip(b"\n"), nonce=self.nonce)
        self.udp.send(packet)
        return packet


def test_every_reader_of_a_box_gets_its_lines(radio: RadioProcess) -> None:
    """The doctor reads beside the table."""
    assert radio.ask(do="key", box="norte", key=KEY) == {"ok": True}
    line = FakeBox(lambda line: None).line()
    with (
        Peer(radio) as peer,
        radio.open(do="lines", box="norte") as (_, one),
        radio.open(do="lines", box="norte") as (_, other),
    ):
        peer.hello()
        packet = peer.say(line)
        assert (one.recv(1000), other.recv(1000)) == (line, line)
        # A copy is not passed on: the next that arrives is the next line.
        peer.udp.send(packet)
        peer.say(line)
        assert one.recv(1000) == line
    assert radio.ask(do="list")["boxes"] == [
        {"box": "norte", "heard": True, "address": "127.0.0.1", "battery": None}
    ]


def test_the_oldest_of_too_many_readers_is_disconnected(radio: RadioProcess) -> None:
    radio.ask(do="key", box="norte", key=KEY)
    readers = [radio.open(do="lines", box="norte") for _ in range(MAX_READERS + 1)]
    opened = [reader.__enter__()[1] for reader in readers]
    assert opened[0].recv(10) == b""
    for reader in readers:
        reader.__exit__(None, None, None)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("request_line", "text"),
    [
        ({"do": "lines", "box": "sur"}, "it has no key: scorer radio key sur"),
        ({"do": "lines", "box": "../key"}, "the name of a box wants 1 to 8 of the letters"),
        ({"do": "key", "box": "sur", "key": "ab"}, "a key has 64 hexadecimal digits"),
        ({"do": "forget", "box": "sur"}, "there is no box sur"),
        ({"do": "dance", "box": "sur"}, "do is one of lines, key, forget, list"),
        ({"box": "sur"}, "one JSON object a line"),
        ([], "one JSON object a line"),
    ],
)
def test_a_wrong_request_is_answered_with_what_to_write(
    radio: RadioProcess, request_line: object, text: str
) -> None:
    with socket.socket(socket.AF_UNIX) as to:
        to.settimeout(PATIENCE)
        to.connect(str(radio.path))
        to.sendall(json.dumps(request_line).encode() + b"\n")
        answer = json.loads(to.recv(1000))
    assert answer["ok"] is False
    assert answer["text"].startswith(text)


def test_a_key_survives_a_restart_in_a_file_of_its_owner_alone(radio: RadioProcess) -> None:
    radio.ask(do="key", box="norte", key=KEY)
    radio.ask(do="key", box="sur", key=KEY)
    file = radio.folder / "keys.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    radio.restart()
    assert [each["box"] for each in radio.ask(do="list")["boxes"]] == ["norte", "sur"]
    assert radio.ask(do="forget", box="norte") == {"ok": True}
    assert list(json.loads(file.read_text())) == ["sur"]
    assert KEY not in radio.log.read_text(encoding="utf-8")


def test_forgetting_a_box_ends_its_readers(radio: RadioProcess) -> None:
    radio.ask(do="key", box="norte", key=KEY)
    with radio.open(do="lines", box="norte") as (_, reader):
        radio.ask(do="forget", box="norte")
        assert reader.recv(10) == b""


def test_a_wrong_key_is_logged_once(radio: RadioProcess) -> None:
    radio.ask(do="key", box="norte", key=KEY)
    with Peer(radio) as peer, Peer(radio, "cd" * 32) as stranger:
        for at in range(20):
            stranger.udp.send(
                make_packet(stranger.key, PacketKind.HELLO, "norte", stranger.start, at)
            )
        peer.hello()
        radio.wait_for_log("box norte: dropped from 127.0.0.1: another key")
        assert radio.log.read_text(encoding="utf-8").count("another key") == 1


def test_keys_are_written_whole_or_not_at_all(tmp_path: Path) -> None:
    file = tmp_path / "keys.json"
    write_keys(file, {"norte": b"k" * 32})
    assert read_keys(file) == {"norte": b"k" * 32}
    with pytest.raises(KeyFileError, match="cannot be written"):
        write_keys(tmp_path / "nowhere" / "keys.json", {})
    assert read_keys(file) == {"norte": b"k" * 32}
    assert read_keys(tmp_path / "none.json") == {}


@pytest.mark.parametrize(
    "text", ["", "[]", '{"norte": 5}', '{"NORTE": "ab"}', '{"norte": "secret"}']
)
def test_a_wrong_file_of_keys_is_named_without_its_keys(tmp_path: Path, text: str) -> None:
    file = tmp_path / "keys.json"
    file.write_text(text)
    with pytest.raises(KeyFileError) as error:
        read_keys(file)
    assert str(file) in str(error.value)
    assert "secret" not in str(error.value)


def test_the_times_and_limits_of_the_reference_are_those_of_the_program() -> None:
    page = (ROOT / "docs" / "reference" / "radio-protocol.md").read_text(encoding="utf-8")
    assert f"at most {MAX_READERS} readers" in page
    assert "7747" in page
    assert os.access(ROOT / "firmware" / "box" / "radio.py", os.R_OK)
