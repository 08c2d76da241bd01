"""A real ``scorer demo --front`` on a free port, with an HTTP client as its page."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx

from tests.support.programs import running

PATIENCE = 60.0  # seconds for anything; a loaded machine is slow
JsonObject = dict[str, Any]


class Served(NamedTuple):
    """A running front panel: its address and the demo's process."""

    url: str
    process: subprocess.Popen[str]


class Page:
    """A page without a browser: its stream and its requests."""

    def __init__(self, client: httpx.Client, url: str, response: httpx.Response) -> None:
        self._client, self._url = client, url
        self._events = events(response)
        name, self.hello = next(self._events)
        assert name == "hello"
        self.snapshot = self.wait_for(lambda look: True)

    def wait_for(self, wanted: Callable[[JsonObject], bool]) -> JsonObject:
        """The first state from now on that satisfies ``wanted``."""
        for name, snapshot in self._events:
            if name == "look" and wanted(snapshot):
                self.snapshot = snapshot
                return snapshot
        raise AssertionError("the stream has ended")

    def wait_for_words(self, words: str) -> JsonObject:
        """Wait until the panels show these words."""
        return self.wait_for(lambda look: words in " ".join(look["panels"]["A"]["said"]))

    def move(self, *edges: tuple[float, str, bool]) -> httpx.Response:
        """Press and release buttons, at milliseconds of the page."""
        return self.send("/fingers", {"finger": self.hello["finger"], "edges": edges})

    def tap(self, *lines: str) -> None:
        """Press all of ``lines`` for a tenth of a second."""
        edges = [(0.0, line, True) for line in lines] + [(100.0, line, False) for line in lines]
        assert self.move(*edges).status_code == 204

    def get(self, path: str) -> httpx.Response:
        return self._client.get(path)

    def send(self, path: str, document: object, **headers: str) -> httpx.Response:
        """A request as the page sends it; ``headers`` override its own."""
        own = {"Origin": self._url.rstrip("/")} | headers
        return self._client.post(path, json=document, headers=own)


@contextmanager
def running_front(store: Path, *options: str) -> Iterator[Served]:
    """A demo in browser-only mode."""
    words = ["demo", "--front", "0", "--store", str(store), "--language", "es-AR", *options]
    with running(*words) as process:
        assert process.stdout is not None
        yield Served(process.stdout.readline().split()[2], process)


@contextmanager
def open_page(url: str) -> Iterator[Page]:
    """A page of the front panel at ``url``."""
    with (
        httpx.Client(base_url=url, timeout=PATIENCE) as client,
        client.stream("GET", "/looks") as response,
    ):
        yield Page(client, url, response)


def events(response: httpx.Response) -> Iterator[tuple[str, JsonObject]]:
    """The events of a stream: name and data."""
    name = ""
    for line in response.iter_lines():
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: "):
            yield name, json.loads(line.removeprefix("data: "))


def child_processes(pid: int, command: str) -> list[int]:
    """The processes that ``pid`` has started as ``scorer COMMAND``."""
    found = []
    for tasks in Path(f"/proc/{pid}/task").iterdir():
        for child in (tasks / "children").read_text().split():
            words = Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0")
            if [b"scorer", command.encode()] == words[2:4]:
                found.append(int(child))
    return found
