"""The name that Avahi publishes, read from a socket that answers like Avahi."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from pathlib import Path

import pytest

from scorer.serving import avahi
from scorer.serving.avahi import base_name, published_name


def listening(path: Path) -> socket.socket:
    """A socket that accepts nothing by itself."""
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(path))
    listener.listen()
    return listener


@pytest.mark.parametrize(
    ("answer", "name"),
    [
        (b"+ 2 0 truco-2.local\n", "truco-2.local"),
        (b"+ -1 1 truco.local\n", "truco.local"),
        (b"-15 Timeout reached\n", ""),
        (b"+ 2 0 tru\x1bco.local\n", ""),
        (b"+ 2 0 \xff\n", ""),
        (b"+" * 100_000, ""),
        (b"", ""),
    ],
)
def test_the_answer_of_avahi_is_read(tmp_path: Path, answer: bytes, name: str) -> None:
    asked: list[bytes] = []

    def serve() -> None:
        caller, _ = listener.accept()
        with caller, contextlib.suppress(OSError):
            asked.append(caller.recv(100))
            caller.sendall(answer)

    with listening(tmp_path / "socket") as listener:
        thread = threading.Thread(target=serve)
        thread.start()
        assert asyncio.run(published_name("192.168.1.7", tmp_path / "socket")) == name
        thread.join()
    assert asked == [b"RESOLVE-ADDRESS 192.168.1.7\n"]


def test_without_avahi_or_its_answer_there_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(avahi, "NAME_TIMEOUT", 0.01)
    with listening(tmp_path / "socket"):
        assert asyncio.run(published_name("192.168.1.7", tmp_path / "socket")) == ""
    assert asyncio.run(published_name("192.168.1.7", tmp_path / "none")) == ""


def test_the_number_of_a_second_machine_is_no_part_of_its_name() -> None:
    names = ("truco.local", "truco-2.local", "truco-x.local", "truco-2.example")
    assert [base_name(name) for name in names] == [
        "truco.local",
        "truco.local",
        "truco-x.local",
        "truco-2.example",
    ]
