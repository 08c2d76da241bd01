"""Rounds are paired in a process of their own, beside the rows of tables.

It begins with the round and ends with it, so that it needs memory only then.
"""

from __future__ import annotations

import asyncio
import pickle
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence
from functools import partial
from importlib.util import find_spec

from scorer.hub.decisions import DecisionError, DecisionFault
from scorer.hub.hub_log import write_log
from scorer.hub.pairing_process import SECONDS
from scorer.hub.state import HubState
from scorer.hub.store.log import Author
from scorer.hub.tournaments import (
    NO_PAIRING,
    PairedEvent,
    TournamentDesk,
    UnpairedRound,
    paired_event,
)
from scorer.tournament.events import PairRound
from scorer.tournament.fold import pairing_task
from scorer.tournament.swiss import LOOK_AHEAD, PairedRound, PairingTask

_COMMAND = (sys.executable, "-m", "scorer.hub.pairing_process")


class PairingFault(Exception):
    """The process has not paired the round; with a sentence for the log."""


class RoundPairing:
    """Pairs rounds, one at a time."""

    def __init__(
        self, state: HubState, command: Sequence[str] = _COMMAND, limit: float = SECONDS
    ) -> None:
        """``command``: of the process, which may take ``limit`` seconds."""
        self.drawing: dict[int, str] = {}  # the phase of each tournament that is paired now
        self._state, self._command, self._limit = state, command, limit
        self._one_at_a_time = asyncio.Lock()
        self._process: Process | None = None
        self._closed = asyncio.Event()

    async def pair(
        self, author: Author, event: PairRound, seen: int | None, tournament: int
    ) -> None:
        """Decide the next round of a phase. Raises DecisionError.

        Its pairs count if what they depend on is the same once they are found; else they are
        looked for again. A second request waits, and then finds the decision of the first.
        """
        async with self._one_at_a_time:
            paired: PairedEvent | None = None
            while True:
                decision = partial(TournamentDesk.decide, event=event, seen=seen, paired=paired)
                try:
                    await self._state.direct(author, decision, tournament)
                    return
                except UnpairedRound as found:
                    paired = await self._pair(found, event)

    async def _pair(self, found: UnpairedRound, event: PairRound) -> PairedEvent:
        """Find the pairs of a round beside the thread of the store, which rows need."""
        self.drawing[found.tournament] = event.phase
        try:
            task, pairs = await asyncio.to_thread(pairing_task, found.state, event), None
            if task is not None:
                needs_library = len(task.contestants) > LOOK_AHEAD
                if needs_library and find_spec("networkx") is None:
                    raise DecisionError(NO_PAIRING)
                pairs = await self._ask(task)
            return await asyncio.to_thread(paired_event, found.state, event, task, pairs)
        except PairingFault as fault:
            write_log(f"the round was not paired: {fault}")
            raise DecisionError("the round was not paired", DecisionFault.NOT_PAIRED) from None
        finally:
            del self.drawing[found.tournament]

    async def _ask(self, task: PairingTask) -> PairedRound | None:
        """The answer of a process to a task. Raises PairingFault."""
        if self._closed.is_set():
            raise PairingFault("the hub is stopping")
        try:
            process = await asyncio.create_subprocess_exec(*self._command, stdin=PIPE, stdout=PIPE)
        except OSError as error:
            raise PairingFault(f"no process can be started: {error.strerror}") from None
        self._process = process
        if self._closed.is_set():
            process.kill()
        try:
            async with asyncio.timeout(self._limit):
                answer, _ = await process.communicate(pickle.dumps(task))
        except TimeoutError:
            raise PairingFault(f"the process took more than {self._limit:.0f} s") from None
        finally:
            self._process = None
            if process.returncode is None:
                process.kill()
                await process.wait()
        if process.returncode:
            raise PairingFault(f"the process ended with {process.returncode}")
        found: PairedRound | None = pickle.loads(answer)
        return found

    def close(self) -> None:
        """End the process that pairs now; its round stays as it is."""
        self._closed.set()
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
