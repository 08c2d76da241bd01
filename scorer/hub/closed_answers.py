"""Answers about closed tournaments, folded beside the thread of the store.

Visitors get finished bytes. Folding a tournament takes as long as hundreds of rows: it has a thread
and a connection of its own, a tenth of a processor, and two a second in all. The desk reads closed
tournaments through the thread of the store.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from scorer.hub.match_place import HallTournament
from scorer.hub.store.database import Database
from scorer.hub.tournaments import ClosedTournament, read_closed
from scorer.serving.finished import FinishedAnswers, WorkShare
from scorer.serving.json_responses import json_file
from scorer.serving.static_files import CachedFile
from scorer.tournament import Reader

Json = dict[str, Any]
# Of the time, three quarters of which are pauses: the threads of rows need the interpreter.
_SHARE, _BURST, _READS_A_SECOND = 0.4, 0.2, 2.0
_PAUSE = 3.0  # times as long as the work before it
_KEPT_BYTES = 8_000_000
_KEPT = 2  # closed tournaments that were folded last


class ClosedAnswers:
    """Answers about closed tournaments. Coroutines raise DatabaseError."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._thread = ThreadPoolExecutor(1, "archive")
        share = WorkShare(_SHARE, _BURST, _READS_A_SECOND)
        self._answers = FinishedAnswers(share, _KEPT_BYTES)
        self._folded: OrderedDict[tuple[int, int], HallTournament] = OrderedDict()

    async def document(
        self,
        closed: ClosedTournament,
        name: Hashable,
        address: str,
        make: Callable[[HallTournament], Json],
    ) -> CachedFile:
        """A document of a closed tournament; ``file`` says what the arguments are."""
        return await self.file(closed, name, address, lambda found: json_file(make(found)))

    async def file(
        self,
        closed: ClosedTournament,
        name: Hashable,
        address: str,
        make: Callable[[HallTournament], CachedFile],
    ) -> CachedFile:
        """A file about a closed tournament, made in the thread.

        ``name``: of the file among those of this tournament, such as its language; ``make`` may
        raise KeyError, and the file is empty then. Raises HTTPException 429.
        """
        made = partial(self._make, closed, make)
        key = closed.listed.id, name
        return await self._answers.get(key, closed.until, address, partial(self._run, made))

    def close(self) -> None:
        """Wait for the running call."""
        self._thread.shutdown(cancel_futures=True)

    async def _run(self, call: Callable[[], CachedFile]) -> CachedFile:
        return await asyncio.get_running_loop().run_in_executor(self._thread, call)

    def _make(
        self, closed: ClosedTournament, make: Callable[[HallTournament], CachedFile]
    ) -> CachedFile:
        try:
            return make(self._read(closed))
        except KeyError:
            return CachedFile(b"", "", "")

    def _read(self, closed: ClosedTournament) -> HallTournament:
        key = closed.listed.id, closed.until
        found = self._folded.pop(key, None)
        if found is None:
            with self._database.read_beside() as connection:
                running = read_closed(connection, closed, _Pauses().pause)
            found = HallTournament(running.id, Reader(running.state), {}, is_open=False)
        self._folded[key] = found
        while len(self._folded) > _KEPT:
            self._folded.popitem(last=False)
        return found


class _Pauses:
    """Pauses of a thread that works for long."""

    def __init__(self) -> None:
        self._since = time.perf_counter()

    def pause(self) -> None:
        """Sleep in proportion to the time since the last pause."""
        time.sleep(_PAUSE * (time.perf_counter() - self._since))
        self._since = time.perf_counter()
