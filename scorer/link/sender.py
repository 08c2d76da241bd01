"""What a link sends to its hub, as a state machine without input and output.

``next`` yields one action at a time; its result is passed to the method that the action names. The
position in the journal is never stored: the hub says where its stream ends, and the digest of the
table's own row there decides whether it is the same stream. What the hub has and what was pressed
meanwhile is read from the table again, so that nothing is kept here that could be lost.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Final, NamedTuple

from scorer.hall.rows import BATCH_ROWS, Batch, digest_in, take_batch
from scorer.hall.wire import (
    ConfirmReply,
    ConflictReply,
    GreetReply,
    GreetRequest,
    HeldReply,
    RefusedReply,
    RowsReply,
    RowsRequest,
    Shown,
    WireStatus,
)
from scorer.link.backoff import Backoff, Pace
from scorer.link.table_page import NO_DECISION, Epoch, Page, TableDecision

RETRY: Final = 60.0  # seconds until a refused request is repeated
LONGEST_PAUSE: Final = 600.0  # seconds between two epochs, or two tokens, of a hub that goes on
MAX_CONFIRMATIONS: Final = 5  # greetings in a row that the hub wants confirmed


class ReadJournal(NamedTuple):
    """Read rows of the table; the result goes to ``page``."""

    first: int
    limit: int


class Greet(NamedTuple):
    """Post a greeting; the reply goes to ``greeted``."""

    request: GreetRequest


class SendRows(NamedTuple):
    """Post rows; the reply goes to ``sent``."""

    request: RowsRequest


class RequestEpoch(NamedTuple):
    """Let the table begin a new epoch; then call ``renewed``."""

    old: str


class KeepToken(NamedTuple):
    """Store the token of the box; then call ``token_kept``."""

    token: str


Action = ReadJournal | Greet | SendRows | RequestEpoch | KeepToken


class Standing(Enum):
    """How the box stands with its hub."""

    OFFLINE = auto()
    ONLINE = auto()
    HELD = auto()
    REFUSED = auto()  # the hub does not know the token
    VERSION = auto()  # the hub does not understand the greeting
    UNSENT = auto()  # the hub answers, and stores nothing now


class Lost(NamedTuple):
    """A request without a usable reply: the connection is to be opened again."""


class _Step(Enum):
    LOOK = auto()  # for the newest row of the table
    GREET = auto()
    COMPARE = auto()  # the row at which the hub's stream ends
    STEP_BACK = auto()  # for the row before it, because they differ
    SEND = auto()


@dataclass(slots=True)
class _Talk:
    """What is known since the hub was connected."""

    is_connected: bool = False
    action: Action | None = None  # under way
    is_again: bool = False  # compare anew after it
    step: _Step = _Step.LOOK
    found: Page | None = None  # the newest rows of the table
    epoch: Epoch | None = None  # of the greeting
    decision: TableDecision = NO_DECISION  # of the greeting
    echo: str = ""  # of the hub's last confirmation
    confirmations: int = 0
    last: int = 0  # where the hub's stream ends, as it says
    last_digest: str = ""
    position: int = 0  # the row before the next one to send
    prev: str = ""  # its digest
    to_send: Batch | None = None
    sent_games: set[int] = field(default_factory=set)  # without a row, known to the hub
    epoch_to_renew: str = ""
    token_to_keep: str = ""


class Sender:
    """One table, one hub. Times are seconds of a monotonic clock."""

    def __init__(self, machine: str, program: str, chance: Callable[[], float]) -> None:
        """``machine``: names the board. ``chance``: from 0 to 1, for pauses."""
        self._machine, self._program = machine, program
        self._backoff = Backoff(chance)
        # Each writes to a card: at the table, or here.
        self._epochs, self._tokens = Pace(chance, LONGEST_PAUSE), Pace(chance, LONGEST_PAUSE)
        self.is_slowed = False  # the hub wants epochs or tokens faster than it gets them
        self.standing = Standing.OFFLINE
        self.table_number = 0  # in the hall; 0: unknown
        self.reason = ""  # the hub's sentence while it stores nothing
        self.stored = 0  # the newest row that the hub is known to have
        self.wake_at = 0.0  # before that there is no action
        self.has_table = False  # it can be asked
        self.newest = 0  # row of the newest state
        self._shown: tuple[int, tuple[tuple[str, int], ...]] | None = None
        self._has_news = False
        self._talk = _Talk()

    # ---- what happens ---------------------------------------------------------------------------

    def connected(self) -> None:
        """The hub can be reached."""
        self._talk = _Talk(is_connected=True)
        self.wake_at = 0.0

    def disconnected(self) -> None:
        """The connection to the hub is lost."""
        self._talk = _Talk()
        self.standing = Standing.OFFLINE

    def table_found(self) -> None:
        """Another table is at the socket, or the same one has started again."""
        self.has_table = True
        self._restart()

    def table_lost(self) -> None:
        """The table cannot be asked until ``table_found``."""
        self.has_table = False
        if isinstance(self._talk.action, ReadJournal | RequestEpoch):
            self._talk.action = None
        self._restart()

    def news(self, newest: int, number: int, score: tuple[tuple[str, int], ...]) -> None:
        """The table has a new state: its row, its number and its score."""
        self.newest, self._shown = newest, (number, score)
        self._has_news = True

    def greet_again(self) -> None:
        """The hub has asked for it, or its desk has decided: compare anew, at once."""
        self.wake_at = 0.0
        self._restart()

    def renew_epoch(self, old: str) -> None:
        """The hub wants a new epoch unless ``old`` is not the present one any more."""
        if self._talk.epoch is None or self._talk.epoch.id == old:
            self._talk.epoch_to_renew = old
        self.greet_again()

    # ---- what is to be done ---------------------------------------------------------------------

    def next(self, now: float) -> Action | None:
        """The next action; None while one is under way, and until there is news or time."""
        if self._talk.action is not None or not self._talk.is_connected or not self.has_table:
            return None
        if now < self.wake_at:
            return None
        self._talk.action = self._choose(now)
        return self._talk.action

    def _choose(self, now: float) -> Action | None:
        self.is_slowed = False
        if self._talk.token_to_keep:
            return self._slowly(KeepToken(self._talk.token_to_keep), self._tokens, now)
        if self._talk.epoch_to_renew:
            return self._slowly(RequestEpoch(self._talk.epoch_to_renew), self._epochs, now)
        match self._talk.step:
            case _Step.LOOK:
                if self._talk.found is None:
                    return ReadJournal(max(self.newest, 1), BATCH_ROWS)
                rows = self._talk.found.rows
                start = rows[-1].seq + 1 if rows else self._talk.found.epoch.first
                return ReadJournal(start, BATCH_ROWS)
            case _Step.GREET:
                return Greet(self._greeting())
            case _Step.COMPARE:
                return ReadJournal(self._talk.last, 1)
            case _Step.STEP_BACK:
                return ReadJournal(self._talk.last - 1, 1)
            case _Step.SEND if self._talk.to_send is not None:
                assert self._talk.epoch is not None
                batch = self._talk.to_send
                return SendRows(
                    RowsRequest(
                        self._talk.epoch.id, self._talk.prev, batch, self._shown_with(batch)
                    )
                )
            case _Step.SEND if self._has_news or self.newest > self._talk.position:
                self._has_news = False
                return ReadJournal(self._talk.position + 1, BATCH_ROWS)
        return None

    def _slowly(self, action: Action, pace: Pace, now: float) -> Action | None:
        """The action, unless its pause is not over: a hub must not wear out the cards."""
        if now < pace.due_at:
            self.is_slowed, self.wake_at = True, pace.due_at
            return None
        pace.spend(now)
        return action

    def _greeting(self) -> GreetRequest:
        assert self._talk.found is not None and self._talk.epoch is not None
        first, rows = self._talk.epoch.first, self._talk.found.rows
        has_rows = bool(rows) and rows[-1].seq >= first
        return GreetRequest(
            epoch=self._talk.epoch.id,
            first=first,
            machine=self._machine,
            newest=rows[-1].seq if has_rows else first - 1,
            digest=self._talk.found.digest_of_last() if has_rows else "",
            program=self._program,
            echo=self._talk.echo,
            rev=self._talk.decision.rev,
            decision=self._talk.decision.digest,
        )

    def _shown_with(self, batch: Batch) -> Shown | None:
        """What the panel shows, if that is the state after the last row of the batch."""
        if self._shown is None or not batch.rows or batch.rows[-1].seq != self.newest:
            return None
        number, score = self._shown
        return Shown(game=batch.rows[-1].game, state=number, seq=self.newest, score=dict(score))

    # ---- results --------------------------------------------------------------------------------

    def page(self, page: Page, now: float) -> None:
        """The rows that ReadJournal has asked for."""
        self._talk.action = None
        if self._restart_is_due():
            return
        if self._talk.step is _Step.LOOK:
            # Read on until a page is empty: a state may be older than the journal.
            if page.rows:
                self._talk.found = page
            elif self._talk.found is None and self.newest > 0:
                # The store was exchanged for one with fewer rows.
                self._talk.found, self.newest = page, 0
            else:
                self._talk.found = page if self._talk.found is None else self._talk.found
                self._talk.epoch, self._talk.decision = page.epoch, page.decision
                self._talk.step = _Step.GREET
        elif page.epoch != self._talk.epoch:
            self._look_again()
        elif self._talk.step is _Step.COMPARE and not page.rows:
            # The hub has more; it holds the stream when it is greeted again.
            self._look_again()
            self._pause(RETRY, now)
        elif self._talk.step is _Step.COMPARE:
            self._on_own_row(page)
        elif self._talk.step is _Step.STEP_BACK:
            self._begin_at(self._talk.last - 1, page.digest_of_last() if page.rows else "")
        elif self._talk.step is _Step.SEND:
            self._on_rows(page)

    def unread(self) -> None:
        """The table did not answer; ``table_found`` says when to ask again."""
        self.table_lost()
        self._talk.action = None

    def greeted(
        self, reply: GreetReply | ConfirmReply | HeldReply | RefusedReply | Lost, now: float
    ) -> None:
        """The hub's reply to Greet."""
        self._talk.action = None
        match reply:
            case Lost():
                self.disconnected()
            case _ if self._restart_is_due():
                return
            case ConfirmReply(echo):
                self._talk.confirmations += 1
                self._talk.echo, self._talk.step = echo, _Step.LOOK
                self._talk.found = None
                if self._talk.confirmations > MAX_CONFIRMATIONS:
                    self._pause(RETRY, now)
            case GreetReply():
                if self.standing is not Standing.UNSENT:
                    self._stand_online()
                self.table_number = reply.table
                self._talk.echo, self._talk.confirmations = "", 0
                self._talk.token_to_keep = reply.token
                if reply.renew and self._talk.epoch is not None:
                    self._talk.epoch_to_renew = self._talk.epoch.id
                self._compare(reply.last, reply.digest)
            case HeldReply() | RefusedReply():
                self._on_rejected(reply, now)
                if isinstance(reply, RefusedReply) and reply.status == WireStatus.UNREADABLE:
                    # A greeting has nothing that this version of the protocol would not read.
                    self.standing = Standing.VERSION

    def sent(
        self, reply: RowsReply | ConflictReply | HeldReply | RefusedReply | Lost, now: float
    ) -> None:
        """The hub's reply to SendRows."""
        self._talk.action = None
        match reply:
            case Lost():
                self.disconnected()
            case _ if self._restart_is_due():
                return
            case RowsReply(last):
                assert self._talk.to_send is not None
                batch, self._talk.to_send = self._talk.to_send, None
                if last != batch.first + len(batch.rows) - 1:
                    # It has more or less than it was sent: only a greeting says what.
                    self._look_again()
                    return
                self._stand_online()
                self._talk.position = self.stored = last
                games = {game.game for game in batch.openings if game.opened > last}
                self._talk.sent_games = games
                if batch.rows:
                    self._talk.prev = digest_in(batch.rows[-1], batch.openings)
                    self._has_news = True
            case ConflictReply(last, digest):
                self._compare(last, digest)
            case HeldReply() | RefusedReply():
                self._on_rejected(reply, now)

    def renewed(self) -> None:
        """The table was asked for a new epoch."""
        self._talk.action, self._talk.epoch_to_renew = None, ""
        self._look_again()

    def token_kept(self) -> None:
        """The token is stored."""
        self._talk.action, self._talk.token_to_keep = None, ""

    # ---- inside ---------------------------------------------------------------------------------

    def _restart(self) -> None:
        """Compare anew, after the result of the action that is under way."""
        if self._talk.action is None:
            self._look_again()
        else:
            self._talk.is_again = True

    def _restart_is_due(self) -> bool:
        """Whether the result is of no use, because the comparison begins anew."""
        is_due, self._talk.is_again = self._talk.is_again, False
        if is_due:
            self._look_again()
        return is_due

    def _look_again(self) -> None:
        self._talk.step, self._talk.found, self._talk.to_send = _Step.LOOK, None, None
        self._talk.sent_games.clear()

    def _stand_online(self) -> None:
        self._backoff.reset()
        self.standing, self.reason = Standing.ONLINE, ""

    def _compare(self, last: int, digest: str) -> None:
        """Compare where the hub's stream ends with the table's row of that number."""
        assert self._talk.epoch is not None
        self._talk.last, self._talk.last_digest = last, digest
        self._talk.to_send = None
        if last < self._talk.epoch.first:
            self.stored = 0
            self._begin_at(self._talk.epoch.first - 1, "")
        else:
            self._talk.step = _Step.COMPARE

    def _on_own_row(self, page: Page) -> None:
        assert self._talk.epoch is not None
        if page.digest_of_last() == self._talk.last_digest:
            self.stored = self._talk.last
            self._begin_at(self._talk.last, self._talk.last_digest)
        elif self._talk.last == self._talk.epoch.first:
            self._begin_at(self._talk.last - 1, "")
        else:
            # The hub finds the difference in the row that both have, and holds the stream.
            self._talk.step = _Step.STEP_BACK

    def _begin_at(self, position: int, digest: str) -> None:
        self._talk.step, self._talk.position, self._talk.prev = _Step.SEND, position, digest
        self._has_news = True

    def _on_rows(self, page: Page) -> None:
        batch = take_batch(self._talk.position + 1, page.rows, page.openings)
        new = [game for game in batch.openings if game.game not in self._talk.sent_games]
        self._talk.to_send = batch if batch.rows or new else None
        if self._talk.to_send is None:
            self._stand_online()
        if not page.rows:
            self.newest = min(self.newest, self._talk.position)

    def _on_rejected(self, reply: HeldReply | RefusedReply, now: float) -> None:
        self.reason = reply.text
        self._look_again()
        match reply:
            case HeldReply():
                self.standing = Standing.HELD
                self._pause(RETRY, now)
            case RefusedReply(status=WireStatus.UNKNOWN_DEVICE):
                self.standing = Standing.REFUSED
                self._pause(RETRY, now)
            case RefusedReply(status=WireStatus.BUSY | WireStatus.UNAVAILABLE):
                self.standing = Standing.UNSENT
                self._pause(self._backoff.next_pause(), now)
            case RefusedReply():
                self.standing = Standing.UNSENT
                self._pause(RETRY, now)

    def _pause(self, seconds: float, now: float) -> None:
        self.wake_at = now + seconds
