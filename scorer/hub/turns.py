"""Group commit: waiting requests share the next transaction.

A box that has an answer does not send its rows again, so the answer may be given only when the rows
are on the disk: every answer waits for a commit, and a commit waits for the disk. With one commit
for each request, the tables of a large hall would wait in a long queue when they all come back
after an outage. But a commit of two hundred requests takes hardly longer than a commit of one. A
*turn* is what shares it.

How a turn collects requests
    While one turn is in the thread of the database, new requests wait in ``Turns``. When it ends,
    all that wait make up the next one, as far as MAX_TURN. Nothing waits for a clock: in a quiet
    hall a request finds no turn running and is a turn of its own, with the shortest possible delay;
    under load the turns grow until they keep pace.

    A turn has one request of each box. A box sends its next batch after the answer to the last, so
    two that wait together are a repetition after a broken connection. The second stands in a later
    turn, where the database already has what the first one added: ``Intake`` compares each request
    with the stream as it was before the turn and never with another request of the same turn.

One transaction
    ``Intake.receive`` reads the streams of all its boxes at once, answers each request, writes all
    new rows together, and commits. It has no state of its own: what it needs to know about a box
    is in the database, so that a second process of the hub, or one that was killed and started
    again, gives the same answers.

What an acknowledgement promises
    ``RowsReply(last)`` says: every row up to ``last`` is on the disk, as this box has sent it. A
    power cut after it loses nothing; one before it loses at most rows that the box still has and
    sends again, since it was given no answer. An answer that says otherwise (held, in conflict)
    is given after the same commit, for its alarm and its decision are part of it. So the link
    needs no queue of its own: what is not acknowledged is in the table's journal, and is sent
    again from there.

When a turn fails
    A fault of the disk concerns all, a fault of one request only itself, and the two cannot be
    distinguished from outside. So the transaction is undone and each request is tried alone: the
    sound ones are stored, the others are answered *unavailable*, after which a box waits and
    repeats. A request is never left without an answer, and never answered for something that was
    undone.

What follows from a turn (replaying rows, alarms on the desk, the wall) is done after its answers.
It may fail or come late without a consequence for a box: all of it can be computed again from what
the turn has stored.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from functools import partial
from itertools import count
from queue import PriorityQueue
from threading import Thread
from typing import Any, NamedTuple, TypeVar

from scorer.hall.wire import RefusedReply, WireStatus
from scorer.hub.hub_log import write_log
from scorer.hub.intake import Intake, Outcome, Submission
from scorer.hub.store.database import DatabaseError
from scorer.serving.prices import Rank

MAX_TURN = 200  # requests in one transaction
_UNAVAILABLE = RefusedReply(WireStatus.UNAVAILABLE, "the hub cannot store now; send it again")

_Result = TypeVar("_Result")


class _Call(NamedTuple):
    """A call that waits for the thread.

    ``order`` is unique, so that no later field is compared.
    """

    rank: int
    order: int
    function: Callable[[], Any]
    answer: Future[Any]


class StoreThread:
    """The one thread that uses the database: tables first, visitors last."""

    def __init__(self) -> None:
        self._calls: PriorityQueue[_Call] = PriorityQueue()
        self._order, self._is_closed = count(), False
        self._thread = Thread(target=self._work, name="store", daemon=True)
        self._thread.start()

    async def run(self, function: Callable[[], _Result], rank: Rank = Rank.DESK) -> _Result:
        """Call ``function`` in the thread; its exceptions are raised here."""
        if self._is_closed:
            raise RuntimeError("the thread of the store is closed")
        answer: Future[_Result] = Future()
        self._calls.put(_Call(rank, next(self._order), function, answer))
        return await asyncio.wrap_future(answer)

    def close(self) -> None:
        """Wait for the calls; later ones are refused."""
        self._is_closed = True
        self._calls.put(_Call(max(Rank) + 1, next(self._order), lambda: None, Future()))
        self._thread.join()

    def _work(self) -> None:
        while (call := self._calls.get()).rank <= max(Rank):
            if not call.answer.set_running_or_notify_cancel():
                continue
            try:
                found = call.function()
            except BaseException as error:  # it is raised where the answer is awaited
                call.answer.set_exception(error)
            else:
                call.answer.set_result(found)
            del call


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
                receive = partial(self._receive, [each[0] for each in turn])
                outcomes = await self._thread.run(receive, Rank.TABLES)
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
                write_log(f"nothing was stored: {why}")
                return [Outcome(_UNAVAILABLE)]
        # The fault may be of one request: the others must not wait for it.
        return [self._receive([each])[0] for each in submissions]
