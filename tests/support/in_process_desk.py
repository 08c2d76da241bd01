"""``scorer run --desk`` in this process: a table for the demo without a child.

``desk_of`` stands for ``TableCommand.power_on``. It speaks the desk protocol without pipes, and a
power cut leaves the files as SIGKILL would: nothing is closed in order.
"""

from __future__ import annotations

import queue
import shutil
import signal
from collections.abc import Sequence
from contextlib import ExitStack
from tempfile import TemporaryDirectory
from typing import Any

from scorer.api.request import Request
from scorer.commands.run import read_simulator_options
from scorer.commands.simulator import DeskTable, start_server
from scorer.demo.buttons import PinEdge
from scorer.demo.table_process import (
    Ready,
    TableCommand,
    TableEnded,
    TableReport,
    merge_report,
    read_ready,
)


class _PowerCutError(BaseException):
    """Leaves the table between a commit and its picture; no handler of it may run."""


class InProcessDesk:
    """A ``RunningTable`` of the demo. Requests of its socket wait for ``answer``."""

    def __init__(self, command: TableCommand, at: float, stuck: Sequence[str] = ()) -> None:
        words = command.command(at, stuck)
        self._options = read_simulator_options(words[words.index("--desk") :])
        self._inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._stack = ExitStack()
        self.report = TableReport()

    def start(self) -> Ready:
        observer = start_server(self._options.socket, self._inbox.put, self._stack)
        self._desk = DeskTable(self._options, observer, _cut_power)
        self._stack.callback(self._desk.close)
        first = self._desk.ready()
        self.report = merge_report(self.report, first)
        return read_ready(first)

    def advance(
        self, edges: Sequence[PinEdge], until: float, cut: str | None = None
    ) -> TableReport:
        """Move the pins and advance the table to ``until``."""
        return self._ask({"edges": edges, "until": until, "cut": cut})

    def set_fault(self, panel: str, kind: str | None) -> TableReport:
        """Break the connection of a panel (``gone``) or repair it (None)."""
        return self._ask({"panel": panel, "fault": kind})

    def answer(self, timeout: float) -> None:
        """Answer the next request of the socket, which may still be on its way."""
        request = self._inbox.get(timeout=timeout)
        assert isinstance(request, Request)
        self._desk.table.handle_request(request)

    def kill(self) -> None:
        """Cut the power: the files stay as they are now, with an unmerged log."""
        store = self._options.store
        with TemporaryDirectory() as folder:
            # The index of the log is never synced, so a power cut loses it.
            kept = shutil.copytree(store, f"{folder}/kept", ignore=shutil.ignore_patterns("*-shm"))
            self.close()
            shutil.rmtree(store)
            shutil.copytree(kept, store)

    def close(self) -> None:
        """Close everything. Idempotent."""
        self._stack.close()

    def _ask(self, request: dict[str, Any]) -> TableReport:
        try:
            answer = self._desk.handle({**request, "brief": True})
        except _PowerCutError:
            raise TableEnded("the power was cut", -signal.SIGKILL, was_killed=True) from None
        self.report = merge_report(self.report, answer)
        return self.report


def desk_of(command: TableCommand, at: float, stuck: Sequence[str] = ()) -> InProcessDesk:
    """What ``TableCommand.power_on`` is patched with."""
    return InProcessDesk(command, at, stuck)


def _cut_power() -> None:
    raise _PowerCutError
