"""Chromium 79, the browser of televisions of 2019; skipped without one.

It is driven over its pipe: playwright does not drive a browser of that age. ``make old-chromium``
installs it.
"""

from __future__ import annotations

import base64
import fcntl
import itertools
import json
import os
import select
import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import pytest

from tests.paths import ROOT

FOLDER = ROOT / "build/old-chromium"
PATIENCE = 60.0  # seconds for anything; a loaded machine takes its time
_FIRST = 10  # number of a file of this process that is none of the two of the browser
_OPTIONS = ("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars")


class OldPage:
    """A page; ``errors``: what its console and its scripts have reported."""

    def __init__(self, pipe: _Pipe, session: str) -> None:
        self._pipe, self._session = pipe, session
        self.errors: list[str] = []
        pipe.listeners[session] = self._note
        for domain in ("Page", "Runtime", "Log"):
            self._send(f"{domain}.enable")

    def _send(self, method: str, **values: object) -> Any:  # noqa: ANN401 - of the protocol
        return self._pipe.send(method, self._session, **values)

    def _note(self, method: str, values: Any) -> None:  # noqa: ANN401 - of the protocol
        if method == "Runtime.exceptionThrown":
            found = values["exceptionDetails"]
            self.errors.append(found.get("exception", {}).get("description") or found["text"])
        elif method == "Log.entryAdded" and values["entry"]["level"] == "error":
            self.errors.append(f"{values['entry']['text']} {values['entry'].get('url', '')}")
        elif method == "Runtime.consoleAPICalled" and values["type"] in ("error", "assert"):
            self.errors.append(str(values["args"]))

    def resize(self, width: int, height: int) -> None:
        """Give the page a window of this size in pixels."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self._send("Emulation.setDeviceMetricsOverride", **size)

    def forbid_scripts(self) -> None:
        """Run no script of the pages that are opened from now on."""
        self._send("Emulation.setScriptExecutionDisabled", value=True)

    def goto(self, address: str) -> None:
        answer = self._send("Page.navigate", url=address)
        assert "errorText" not in answer, answer

    def evaluate(self, expression: str) -> Any:  # noqa: ANN401 - of the page
        """The value of an expression, or what its promise is resolved to."""
        options = {"returnByValue": True, "awaitPromise": True}
        answer = self._send("Runtime.evaluate", expression=expression, **options)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def wait_for(self, condition: str) -> None:
        """Wait until an expression is true; also over the end of a page."""
        until = time.monotonic() + PATIENCE
        while not self.evaluate(f"Boolean(document.body && ({condition}))"):
            assert time.monotonic() < until, f"{condition}: {self.text}"
            self._pipe.read(0.05)

    @property
    def text(self) -> str:
        """What is seen of the page as text."""
        return str(self.evaluate("document.body ? document.body.innerText : ''"))

    def screenshot(self) -> bytes:
        """The window as a PNG."""
        return base64.b64decode(self._send("Page.captureScreenshot")["data"])


class _Pipe:
    """Messages of the protocol of the browser's tools, each followed by a zero byte."""

    def __init__(self, reading: int, writing: int) -> None:
        self._reading, self._writing = reading, writing
        self._ids = itertools.count(1)
        self._pending = b""
        self._answers: dict[int, Any] = {}
        self.listeners: dict[str, Any] = {}

    def send(self, method: str, session: str = "", **values: object) -> Any:  # noqa: ANN401
        """The answer to a command."""
        number = next(self._ids)
        message = {"id": number, "method": method, "params": values}
        if session:
            message["sessionId"] = session
        os.write(self._writing, json.dumps(message).encode() + b"\0")
        until = time.monotonic() + PATIENCE
        while number not in self._answers:
            assert time.monotonic() < until, f"{method} is not answered"
            self.read(1.0)
        answer = self._answers.pop(number)
        assert "error" not in answer, (method, answer)
        return answer["result"]

    def read(self, seconds: float) -> None:
        """Take what arrives; waits ``seconds`` for it."""
        if not select.select([self._reading], [], [], seconds)[0]:
            return
        data = os.read(self._reading, 1 << 16)
        assert data, "the browser has ended"
        *messages, self._pending = (self._pending + data).split(b"\0")
        for each in messages:
            message = json.loads(each)
            if "id" in message:
                self._answers[message["id"]] = message
            elif (session := message.get("sessionId", "")) in self.listeners:
                self.listeners[session](message["method"], message["params"])


class OldBrowser(NamedTuple):
    """The running browser."""

    pipe: _Pipe

    @property
    def version(self) -> str:
        """Such as ``HeadlessChrome/79.0.3945.0``."""
        return str(self.pipe.send("Browser.getVersion")["product"])

    @contextmanager
    def page(self, width: int = 1920, height: int = 1080) -> Iterator[OldPage]:
        """A page that shows nothing yet. What goes wrong in it fails the test."""
        target = self.pipe.send("Target.createTarget", url="about:blank")["targetId"]
        attached = self.pipe.send("Target.attachToTarget", targetId=target, flatten=True)
        page = OldPage(self.pipe, attached["sessionId"])
        page.resize(width, height)
        yield page
        self.pipe.send("Target.closeTarget", targetId=target)
        assert page.errors == []


def is_installed() -> bool:
    """Whether there is one here."""
    return (FOLDER / "ready").is_file()


@contextmanager
def old_chromium() -> Iterator[OldBrowser]:
    """The browser without a window."""
    if not is_installed():
        pytest.skip("there is no Chromium 79 here: make old-chromium")
    (from_us, to_browser), (from_browser, to_us) = os.pipe(), os.pipe()
    ends = [fcntl.fcntl(each, fcntl.F_DUPFD_CLOEXEC, _FIRST) for each in (from_us, to_us)]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        program = str(FOLDER / "chromium")
        words = [program, *_OPTIONS, "--remote-debugging-pipe", f"--user-data-dir={profile}"]
        process = os.posix_spawn(
            program,
            words,
            {**os.environ, "LD_LIBRARY_PATH": str(FOLDER / "aws/lib")},
            file_actions=[
                (os.POSIX_SPAWN_DUP2, ends[0], 3),
                (os.POSIX_SPAWN_DUP2, ends[1], 4),
                (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
            ],
            setsid=True,
        )
        for each in (from_us, to_us, *ends):
            os.close(each)
        try:
            yield OldBrowser(_Pipe(from_browser, to_browser))
        finally:
            os.killpg(process, signal.SIGKILL)
            os.waitpid(process, 0)
            os.close(to_browser)
            os.close(from_browser)
