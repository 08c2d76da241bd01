"""A real ``scorer web`` on a free port with a real table, and its HTTP clients."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx

from tests.support.programs import running

PATIENCE = 20.0  # seconds for anything; a loaded machine takes its time
Report = dict[str, Any]


class Web(NamedTuple):
    """A server that runs: where it is, and its process."""

    url: str
    process: subprocess.Popen[str]

    @property
    def port(self) -> int:
        return int(self.url.rstrip("/").rpartition(":")[2])


class Event(NamedTuple):
    """One server-sent event."""

    name: str
    id: str
    data: Any


@contextmanager
def web(socket: Path, folder: Path, settings: str = "", port: int = 0) -> Iterator[Web]:
    """A server of the table at ``socket``, on any port (0) or on a given one.

    ``settings`` are lines of its file.
    """
    config = folder / "web.toml"
    config.write_text(settings, encoding="utf-8")
    words = ["web", "--config", str(config), "--card", str(folder / "none.toml")]
    words += ["--socket", str(socket), "--listen", f"127.0.0.1:{port}"]
    with running(*words) as process:
        assert process.stdout is not None
        yield Web(process.stdout.readline().split()[-1], process)


def events(response: httpx.Response) -> Iterator[Event]:
    """The events of a stream, comments and ``retry`` left out."""
    fields: dict[str, str] = {}
    for line in response.iter_lines():
        if line:
            name, _, value = line.partition(": ")
            fields[name] = value
        elif "data" in fields:
            data = json.loads(fields["data"])
            yield Event(fields.get("event", "message"), fields.get("id", ""), data)
            fields = {}
        else:
            fields = {}


def first_event(stream: Iterator[Event], wanted: Callable[[Event], bool]) -> Event:
    for event in stream:
        if wanted(event):
            return event
    raise AssertionError("the stream has ended")


def retried(ask: Callable[[], str], wanted: str) -> bool:
    """Whether the answer contains the wanted text in time."""
    return any(wanted in ask() for _ in range(20_000))
