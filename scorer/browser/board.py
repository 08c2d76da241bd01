"""The reports of the board in another tab, from the table of this process."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from typing import Any, TypeVar

from scorer.api.message_lines import decoded
from scorer.api.request import Request
from scorer.api.rights import Right
from scorer.api.table_source import Message, TableUnavailable
from scorer.display.oled.qr import qr_modules
from scorer.i18n import translator
from scorer.table.observers import NullObserver
from scorer.table.simulated_table import SimulatedTable
from scorer.web.audience import audience_of
from scorer.web.journal_reader import JournalReader
from scorer.web.report import GameReport, Report, current_fields
from scorer.web.shared_game import (
    SheetFault,
    read_digits,
    read_shared_game,
    shared_document,
    side_names,
)
from scorer.web.timeline import Timeline

NAME = "Truco Scorer"  # of the table
HERE = "here"  # its status: it is in this process

FOUND, UNKNOWN, NO_GAME = 200, 404, 422  # HTTP statuses, as the server's

_Result = TypeVar("_Result")


class TableOfThisProcess(NullObserver):
    """A ``TableSource`` without a socket: every request is answered at once.

    It observes the table, from its start; ``table`` is set once that has started. What the table
    says is decoded, so that it has the values that a reader of the socket has.
    """

    greetings = 1

    def __init__(self) -> None:
        self.table: SimulatedTable | None = None
        self.state: Message | None = None  # the newest one that was published
        self.seq = 0
        self._reply: Message = {}

    def publish(self, state: Message, seq: int) -> None:
        self.state, self.seq = decoded(state), seq

    def publish_unavailable(self) -> None:
        self.state = None

    def reply(self, client: int, message: Message) -> None:
        self._reply = decoded(message)

    async def request(self, **fields: object) -> Message:
        assert self.table is not None
        self.table.handle_request(Request(0, {"id": 0, **fields}, Right.READ, ""))
        return self._reply


class Board:
    """The newest report. Call ``update`` after each change of the table."""

    def __init__(self, source: TableOfThisProcess, epoch: str, clock: Callable[[], float]) -> None:
        """``epoch``: differs for every start of the table. ``clock``: Unix time."""
        self._source, self._epoch, self._clock = source, epoch, clock
        self._journal = JournalReader(source)
        self._rev = 0
        self._update()

    def update(self) -> bool:
        """Make the report of a new state; False if it is the same one."""
        if self._source.state == self._report.fields["state"]:
            return False
        self._update()
        return True

    def report(self, query: Mapping[str, str]) -> Report:
        """The newest report for the viewers of ``query``, such as {"lang": "pt-BR"}."""
        viewers = audience_of(query)
        language = viewers.language or self._journal.language
        phrases = self._report.phrases(viewers._replace(language=language))
        return {**self._report.fields, **self._current(), "phrases": phrases}

    def beat(self) -> Report:
        """A heartbeat with the id of the newest report."""
        return {**self._current(), "seq": self._source.seq}

    def games(self) -> Report:
        """The finished games of the evening, for the idle screen."""
        return {"games": self._journal.curves()}

    def shared(self, query: Mapping[str, str], sheet: str | None) -> Report:
        """A game to share, as a document or an error, with the status of its request.

        That of ``sheet``, of the digits of an address, or of the table: ``sheet`` or ``game`` in
        ``query``. ``page``, the address that opens it, is in its code.
        """
        viewers = audience_of(query)
        viewers = viewers._replace(language=viewers.language or self._journal.language)
        try:
            story = self._shared_story(query, sheet)
        except (KeyError, ValueError, TableUnavailable):
            return {"status": UNKNOWN}
        if isinstance(story, SheetFault):
            error = translator(viewers.language)(story)
            return {"status": NO_GAME, "document": {"error": error}}
        document = shared_document(story, side_names(story), viewers)
        code = qr_modules(f"{query.get('page', '')}#", document["digits"])
        rows = ["".join(map(str, row)) for row in code or ()] if document["digits"] else []
        return {"status": FOUND, "document": {**document, "code": rows}}

    def _shared_story(self, query: Mapping[str, str], sheet: str | None) -> Timeline | SheetFault:
        """Raises KeyError, ValueError and TableUnavailable."""
        if sheet is None and "sheet" not in query:
            number, running = query.get("game"), self._journal.timeline
            if number is None or (running is not None and running.number == int(number)):
                if running is None:
                    raise KeyError(number)
                return running
            return _run_now(self._journal.read_timeline(int(number)))
        brought = read_digits(query["sheet"]) if sheet is None else sheet.encode()
        return brought if isinstance(brought, SheetFault) else read_shared_game(brought)

    def _update(self) -> None:
        self._rev += 1
        _run_now(self._read())
        self._report = GameReport(self._source.state, self._source.seq, self._journal)

    async def _read(self) -> None:
        await self._journal.catch_up()
        while await self._journal.read_next_result():
            continue

    def _current(self) -> Report:
        return current_fields(
            epoch=self._epoch,
            rev=self._rev,
            now=self._clock(),
            device=NAME,
            language=self._journal.language,
            table=HERE,
            since=None,
        )


def _run_now(waiting: Coroutine[Any, Any, _Result]) -> _Result:
    """Run a coroutine that waits for nothing but this process."""
    try:
        waiting.send(None)
    except StopIteration as done:
        result: _Result = done.value
        return result
    raise RuntimeError("the table of this process answers at once")
