"""Group commit: waiting requests share the next transaction."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple, ParamSpec, TypeVar

from scorer.hall.wire import RefusedReply, WireStatus
from scorer.hub.intake import Intake, Outcome, Submission
from scorer.hub.store.database import DatabaseError

MAX_TURN = 200  # requests in one transaction
_UNAVAILABLE = RefusedReply(WireStatus.UNAVAILABLE, "the hub cannot store now; send it again")

_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")


class StoreThread:
    """The one thread that uses the database."""

    def __init__(self) -> None:
        self._executor = ThreadPoolExecutor(1, "store")

    async def run(
        self,
        function: Callable[_Parameters, _Result],
        *args: _Parameters.args,
        **kwargs: _Parameters.kwargs,
    ) -> _Result:
        """Call ``function`` in the thread; its exceptions are raised here."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._executor, lambda: function(*args, **kwargs))

    def close(self) -> None:
        """Wait for the running call; later ones are refused."""
        self._executor.shutdown()


class _Waiting(NamedTuple):
    submission: Submission
    answered: asyncio.Future[Outcome]


class Turns:
    """The way to the intake. Answers are given after the commit."""

    def __init__(self, intake: Intake, thread: StoreThread) -> None:
        self._intake, self._thread = intake, thread
        self._waiting: list[_Waiting] = []
        self._running: asyncio.Task[None] | None = None

    @property
    def is_idle(self) -> bool:
        """Whether no request waits for its answer."""
        return self._running is None

    async def submit(self, submission: Submission) -> Outcome:
        """The answer to one request, after the commit of its turn."""
        answered: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Waiting(submission, answered))
        if self._running is None:
            self._running = asyncio.create_task(self._run())
        return await answered

    async def _run(self) -> None:
        try:
            while turn := self._next_turn():
                outcomes = await self._thread.run(self._receive, [each[0] for each in turn])
                for each, outcome in zip(turn, outcomes, strict=True):
                    # A client that has gone has cancelled its future.
                    if not each.answered.done():
                        each.answered.set_result(outcome)
        finally:
            self._running = None

    def _next_turn(self) -> list[_Waiting]:
        """The waiting requests, one of each box."""
        turn: dict[str, _Waiting] = {}
        later: list[_Waiting] = []
        for each in self._waiting:
            if each.submission.key in turn or len(turn) == MAX_TURN:
                later.append(each)
            else:
                turn[each.submission.key] = each
        self._waiting = later
        return [*turn.values()]

    def _receive(self, submissions: Sequence[Submission]) -> list[Outcome]:
        try:
            return self._intake.receive(submissions)
        except Exception as error:
            if len(submissions) == 1:
                why = str(error) if isinstance(error, DatabaseError) else repr(error)
                sys.stderr.write(f"scorer hub: nothing was stored: {why}\n")
                return [Outcome(_UNAVAILABLE)]
        # The fault may be of one request: the others must not wait for it.
        return [self._receive([each])[0] for each in submissions]
