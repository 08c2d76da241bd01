"""The only writer of rows: answers to greetings and rows.

One call handles the requests of many boxes in one transaction; the caller sends the answers after
its commit. The order of the checks is that of the table in docs/reference/link.md.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from sqlalchemy import select, update
from sqlalchemy.engine import Connection

from scorer.hall.events import digest_of
from scorer.hall.fields import Malformed
from scorer.hall.joining import key_of
from scorer.hall.rows import Opening, Row, digest_in
from scorer.hall.wire import (
    CallRequest,
    ConfirmReply,
    ConflictReply,
    GreetReply,
    GreetRequest,
    HeldReply,
    HoldReason,
    RefusedReply,
    Reply,
    RowsReply,
    RowsRequest,
    Shown,
    WireStatus,
)
from scorer.hub.alarms import CALLS, HUB, NewAlarm, raise_alarm
from scorer.hub.intake_records import (
    ADD_GREETING,
    ADD_OPENINGS,
    ADD_ROWS,
    FIND_DESIRED,
    FIND_GREETING,
    MOVE_STREAM,
    SET_GREETING,
    DesiredMatch,
    Device,
    LastGreeting,
    Stream,
    find_devices,
    find_streams_and_holds,
)
from scorer.hub.store import log
from scorer.hub.store.blanked_headers import mask_in, with_mask, with_names
from scorer.hub.store.blanking import WAS, ForgottenNames
from scorer.hub.store.database import Database
from scorer.hub.store.masks import Masks, find_masks, is_mask, make_masks
from scorer.hub.store.projections import AlarmKind, DeviceState, Kind
from scorer.hub.store.tables import OPENING, PRESENCE, ROW, STREAM
from scorer.hub.times import Clock

CLONE_SECONDS = 120
MAX_SKIPPED = 1_000_000  # numbers of decisions; no hall makes so many in its life

_HELD_TEXTS = {
    HoldReason.BEHIND: "the box has fewer rows than the hub: an old backup was put back",
    HoldReason.CLONE: "two boxes have the same token: a card was copied",
    HoldReason.FORK: "the box has other rows than the hub",
    HoldReason.REPLACED: "another box has its table",
}
_UNKNOWN = RefusedReply(WireStatus.UNKNOWN_DEVICE, "this box is not of this hall")
_RELEASE = '{"do":"release"}'
_GREET_FIRST = RefusedReply(WireStatus.UNAVAILABLE, "greet before rows are sent")


Body = GreetRequest | RowsRequest | CallRequest | Malformed


class Submission(NamedTuple):
    """A request of a box. ``key``: SHA-256 of its bearer token."""

    key: str
    request: Body


class Stored(NamedTuple):
    """What one request added, for the wall."""

    device: int
    epoch: str
    openings: tuple[Opening, ...]
    rows: tuple[Row, ...]
    shown: Shown | None


class Outcome(NamedTuple):
    """The answer to one request.

    ``device``: of the box, 0 if it is unknown. ``alarm``: whether the desk has news.
    ``decided``: whether its table is to be sent a decision. ``greeted_ms``: when it has greeted, as
    it is stored; 0 unless it has.
    """

    reply: Reply
    device: int = 0
    stored: Stored | None = None
    alarm: bool = False
    decided: bool = False
    greeted_ms: int = 0


class Turn:
    """One transaction: what it read, and what it will write."""

    def __init__(
        self,
        connection: Connection,
        clock: Clock,
        random_hex: Callable[[int], str],
        submissions: Sequence[Submission],
        forgotten: ForgottenNames,
    ) -> None:
        self._connection, self._clock, self._random_hex = connection, clock, random_hex
        self._forgotten = forgotten
        keys = {f"key{at}": each.key for at, each in enumerate(submissions)}
        found = [Device(*each) for each in find_devices(len(keys)).run(connection, [keys])]
        self._devices = {
            **{each.next_key: each for each in found if each.next_key},
            **{each.key: each for each in found},
        }
        self._streams: dict[int, dict[str, Stream]] = {each.id: {} for each in found}
        self._holds: dict[tuple[int, str], HoldReason] = {}
        self._read_streams_and_holds([each.id for each in found])
        self._new_rows: list[dict[str, Any]] = []
        self._new_openings: list[dict[str, Any]] = []
        self._moved: dict[tuple[int, str], Stream] = {}
        self._has_alarm = self._has_decided = False
        self._greeted_ms = 0

    def _read_streams_and_holds(self, devices: list[int]) -> None:
        if not devices:
            return
        ids = {f"id{at}": each for at, each in enumerate(devices)}
        for device, held, reason, *stream in find_streams_and_holds(len(ids)).run(
            self._connection, [ids]
        ):
            if reason is not None:
                self._holds[device, held] = HoldReason(reason)
            if stream[0] is not None:
                found = Stream(*stream)
                self._streams[device][found.epoch] = found

    def answer(self, submission: Submission) -> Outcome:
        device = self._devices.get(submission.key)
        if device is None or device.state == DeviceState.REVOKED.value:
            return Outcome(_UNKNOWN)
        if device.next_key == submission.key:
            self._append(Kind.DEVICE_TOKEN_USED, {"device": device.id})
            del self._devices[device.key]
        uses_old = bool(device.renew_machine) and device.key == submission.key
        self._has_alarm = self._has_decided = False
        self._greeted_ms = 0
        match submission.request:
            case Malformed(text):
                reply, stored = self._refuse(device, text), None
            case CallRequest() as call:
                kind = CALLS.get(call.why, AlarmKind.CALL)
                self._raise_alarm(device, kind, call.match, subject=call.id)
                reply, stored = RefusedReply(WireStatus.OK, "the director is called"), None
            case GreetRequest() as greeting:
                reply, stored = self._greet(device, greeting, uses_old=uses_old), None
            case RowsRequest() as rows:
                reply, stored = self._take(device, rows, uses_old=uses_old)
        return Outcome(
            reply, device.id, stored, self._has_alarm, self._has_decided, self._greeted_ms
        )

    # ---- greeting

    def _greet(self, device: Device, greeting: GreetRequest, *, uses_old: bool) -> Reply:
        presence = self._presence(device.id)
        echo = presence.echo if presence is not None else ""
        is_confirmed = bool(greeting.echo) and echo == greeting.echo
        streams = self._streams[device.id]
        newest = max(streams.values(), key=lambda each: each.ordinal, default=None)
        stream = streams.get(greeting.epoch)
        is_leaving = device.renew_epoch == greeting.epoch and (
            newest is None or newest.epoch == greeting.epoch
        )
        if uses_old and greeting.machine != device.renew_machine:
            return _UNKNOWN
        if is_leaving or uses_old:
            if not is_confirmed:
                return self._ask_to_confirm(device, greeting, presence)
            return self._renew(device, greeting, stream, uses_old=uses_old)
        if (held := self._hold_of(device, greeting.epoch)) is not None:
            return held
        reason = self._suspect(greeting, presence, stream, newest)
        begins_another = stream is None and newest is not None
        if (reason is not None or begins_another) and not is_confirmed:
            return self._ask_to_confirm(device, greeting, presence)
        if reason is not None:
            machines = [greeting.machine, presence.machine if presence else ""]
            return self._raise_hold(device, greeting.epoch, reason, machines)
        if stream is None:
            stream = self._begin_stream(device.id, greeting, newest)
        self._set_presence(device.id, greeting, presence, echo="")
        self._decide_again(device, greeting)
        return self._greet_reply(device, stream, greeting)

    def _suspect(
        self,
        greeting: GreetRequest,
        presence: LastGreeting | None,
        stream: Stream | None,
        newest: Stream | None,
    ) -> HoldReason | None:
        """Why the stream must not go on, or None."""
        # A table returns to an older epoch only with an older store.
        if stream is not None and (greeting.newest < stream.last or stream != newest):
            return HoldReason.BEHIND
        if presence is not None and presence.machine != greeting.machine:
            age = self._clock.time() - presence.greeted_ms / 1000
            if abs(age) < CLONE_SECONDS:
                return HoldReason.CLONE
        if stream is None:
            return None
        is_at_end = greeting.newest == stream.last
        differs = is_at_end and not self._is_same(stream.tip, greeting.digest)
        if differs or greeting.first != stream.first:
            return HoldReason.FORK
        return None

    def _renew(
        self,
        device: Device,
        greeting: GreetRequest,
        stream: Stream | None,
        *,
        uses_old: bool,
    ) -> Reply:
        """The box that the desk believes: a new token, and a new epoch for its table."""
        token = ""
        if uses_old:
            token = self._random_hex(32)
            self._append(Kind.DEVICE_TOKEN, {"device": device.id, "key": key_of(token)})
        self._set_presence(device.id, greeting, self._presence(device.id), echo="")
        shown = stream or Stream(device.id, greeting.epoch, 0, greeting.first, 0, "")
        reply = self._greet_reply(device, shown, greeting)
        return reply._replace(token=token, renew=greeting.epoch == device.renew_epoch)

    def _ask_to_confirm(
        self, device: Device, greeting: GreetRequest, presence: LastGreeting | None
    ) -> Reply:
        """Only the echo is noted: the greeting may be an old one."""
        echo = self._random_hex(16)
        if presence is None:
            self._set_presence(device.id, greeting, None, echo=echo)
        else:
            self._replace_greeting(presence._replace(echo=echo))
        return ConfirmReply(echo)

    def _greet_reply(self, device: Device, stream: Stream, greeting: GreetRequest) -> GreetReply:
        desired = self._desired(device.id)
        rev = desired.rev if desired is not None else None
        # Of a mask, the box sends the row again unless it has just shown it.
        shown = greeting.digest if greeting.newest == stream.last else ""
        tip = shown if is_mask(stream.tip) else stream.tip
        return GreetReply(stream.last, tip, device.table_number, self._clock.utc(), rev)

    # ---- decisions

    def _decide_again(self, device: Device, greeting: GreetRequest) -> None:
        """Issue the newest decision again, above an unknown one of the table.

        The hub has gone back to an old copy: the table would not take lower numbers.
        """
        desired = self._desired(device.id) or DesiredMatch(device.id, 0, _RELEASE)
        document = json.loads(desired.document)
        # Names that were blanked since make no other decision of it.
        was = document.pop(WAS, "")
        is_known = greeting.rev == desired.rev and (
            greeting.decision in ("", digest_of(document)) or self._is_same(was, greeting.decision)
        )
        if greeting.rev < desired.rev or is_known:
            return
        if greeting.rev > log.head_seq(self._connection) + MAX_SKIPPED:
            text = f"the table has decision {greeting.rev}, which is of no log of this hub"
            self._raise_alarm(device, AlarmKind.UNREADABLE, text)
            return
        body = {"device": device.id, "document": document, log.ABOVE: greeting.rev}
        self._append(Kind.DESIRED_SET, body)
        self._has_decided = True

    def _desired(self, device: int) -> DesiredMatch | None:
        found = FIND_DESIRED.run(self._connection, [{"id": device}])
        return DesiredMatch(*found[0]) if found else None

    def _begin_stream(self, device: int, greeting: GreetRequest, newest: Stream | None) -> Stream:
        ordinal = newest.ordinal + 1 if newest is not None else 1
        stream = Stream(device, greeting.epoch, ordinal, greeting.first, greeting.first - 1, "")
        self._connection.execute(STREAM.insert().values(stream._asdict()))
        self._streams[device][greeting.epoch] = stream
        return stream

    def _presence(self, device: int) -> LastGreeting | None:
        found = FIND_GREETING.run(self._connection, [{"id": device}])
        return LastGreeting(*found[0]) if found else None

    def _set_presence(
        self,
        device: int,
        greeting: GreetRequest,
        presence: LastGreeting | None,
        *,
        echo: str,
    ) -> None:
        self._greeted_ms = int(self._clock.time() * 1000)
        stored = self._stored_digest(self._streams[device].get(greeting.epoch), greeting.newest)
        said = LastGreeting(
            device=device,
            epoch=greeting.epoch,
            machine=greeting.machine,
            program=greeting.program,
            greeted_ms=self._greeted_ms,
            newest=greeting.newest,
            digest=stored if is_mask(stored) else greeting.digest,
            echo=echo,
        )
        if presence is None:
            ADD_GREETING.run(self._connection, [said._asdict()])
        else:
            self._replace_greeting(said)

    def _stored_digest(self, stream: Stream | None, seq: int) -> str:
        """The digest or mask of a row of a stream; "" if it is not stored."""
        if stream is None or not stream.first <= seq <= stream.last:
            return ""
        if seq == stream.last:
            return stream.tip
        of_row = (
            ROW.c.device == stream.device,
            ROW.c.epoch == stream.epoch,
            ROW.c.seq == seq,
        )
        return self._connection.execute(select(ROW.c.digest).where(*of_row)).scalar() or ""

    def _is_same(self, stored: str, digest: str) -> bool:
        """Whether a digest is the one that is stored, perhaps as a mask."""
        if not is_mask(stored):
            return stored == digest
        return self._masks is None or self._masks.fits(stored, digest)

    @cached_property
    def _masks(self) -> Masks | None:
        return find_masks(self._connection)

    def _replace_greeting(self, said: LastGreeting) -> None:
        values = {f"to_{name}": value for name, value in said._asdict().items()}
        SET_GREETING.run(self._connection, [{"id": said.device, **values}])

    # ---- rows

    def _take(
        self,
        device: Device,
        request: RowsRequest,
        *,
        uses_old: bool,
    ) -> tuple[Reply, Stored | None]:
        if (held := self._hold_of(device, request.epoch)) is not None:
            return held, None
        stream = self._streams[device.id].get(request.epoch)
        if stream is None or uses_old:
            # The hub has lost the stream, or a decision awaits the box.
            return _GREET_FIRST, None
        batch = request.batch
        if batch.first > stream.last + 1:
            tip = "" if is_mask(stream.tip) else stream.tip
            return ConflictReply(stream.last, tip), None
        if batch.first < stream.first:
            text = f"row {batch.first} was written before the epoch, which begins at {stream.first}"
            return self._refuse(device, text), None
        digests = [digest_in(row, batch.openings) for row in batch.rows]
        known = self._known_openings(stream, batch.openings)
        stored = self._known_digests(stream, batch.first)
        is_whole = self._follows(stream, request, stored)
        if not is_whole or not self._repeats(stream, request, digests, stored, known):
            machines = [presence.machine] if (presence := self._presence(device.id)) else []
            return self._raise_hold(device, request.epoch, HoldReason.FORK, machines), None
        return self._store(stream, request, digests, known)

    def _follows(self, stream: Stream, request: RowsRequest, stored: Mapping[int, str]) -> bool:
        """Whether the row before the batch is the one that is stored."""
        first = request.batch.first
        return first <= stream.first or self._is_same(stored.get(first - 1, ""), request.prev)

    def _repeats(
        self,
        stream: Stream,
        request: RowsRequest,
        digests: Sequence[str],
        stored: Mapping[int, str],
        openings: Mapping[int, Opening],
    ) -> bool:
        """Whether the batch repeats what is stored where it overlaps it."""
        overlap = zip(range(request.batch.first, stream.last + 1), digests, strict=False)
        return all(self._is_same(stored[seq], digest) for seq, digest in overlap) and all(
            self._is_same_opening(openings.get(each.game, each), each)
            for each in request.batch.openings
        )

    def _is_same_opening(self, stored: Opening, sent: Opening) -> bool:
        """Whether a game is the one that is stored, perhaps without its names."""
        mask = mask_in(stored.header)
        if not mask:
            return stored == sent
        return stored[:2] == sent[:2] and self._is_same(mask, sent.header)

    def _known_digests(self, stream: Stream, first: int) -> dict[int, str]:
        """The digests of the rows from ``first`` - 1 on; as a rule that is the last one."""
        if first == stream.last + 1:
            return {stream.last: stream.tip}
        query = select(ROW.c.seq, ROW.c.digest).where(
            ROW.c.device == stream.device,
            ROW.c.epoch == stream.epoch,
            ROW.c.seq >= first - 1,
        )
        return {seq: digest for seq, digest in self._connection.execute(query)}

    def _known_openings(self, stream: Stream, openings: Iterable[Opening]) -> dict[int, Opening]:
        games = [each.game for each in openings]
        if not games:
            return {}
        query = select(OPENING.c.game, OPENING.c.opened, OPENING.c.header).where(
            OPENING.c.device == stream.device,
            OPENING.c.epoch == stream.epoch,
            OPENING.c.game.in_(games),
        )
        return {found.game: Opening(*found) for found in self._connection.execute(query)}

    def _store(
        self,
        stream: Stream,
        request: RowsRequest,
        digests: Sequence[str],
        known: Mapping[int, Opening],
    ) -> tuple[Reply, Stored]:
        batch = request.batch
        new = (each for each in batch.openings if each.game not in known)
        openings = tuple(map(self._without_forgotten, new))
        digests = self._masked(stream, digests, batch.rows, (*openings, *known.values()))
        skipped = stream.last + 1 - batch.first
        rows = batch.rows[skipped:]
        place = {"device": stream.device, "epoch": stream.epoch}
        self._new_openings += ({**place, **each._asdict()} for each in openings)
        self._new_rows += (
            {**place, **row._asdict(), "digest": digest}
            for row, digest in zip(rows, digests[skipped:], strict=True)
        )
        if rows:
            stream = stream._replace(last=rows[-1].seq, tip=digests[-1])
            self._streams[stream.device][stream.epoch] = stream
            self._moved[stream.device, stream.epoch] = stream
        stored = Stored(stream.device, stream.epoch, openings, rows, request.shown)
        return RowsReply(stream.last), stored

    def _without_forgotten(self, opening: Opening) -> Opening:
        """A game without the names that this hub has forgotten."""
        self._forgotten.follow(self._connection)
        if (masks := self._masks) is None:
            return opening
        if not (names := self._forgotten.names_for(opening.header, masks)):
            return opening
        header = with_mask(with_names(opening.header, names), masks.mask(opening.header))
        return opening._replace(header=header)

    def _masked(
        self,
        stream: Stream,
        digests: Sequence[str],
        rows: Sequence[Row],
        openings: Iterable[Opening],
    ) -> Sequence[str]:
        """The digests, with masks of those whose header was blanked."""
        blank = {(each.game, each.opened) for each in openings if mask_in(each.header)}
        if not blank:
            return digests
        masks, found = make_masks(self._connection, self._random_hex), [*digests]
        for at, row in enumerate(rows):
            if (row.game, row.seq) in blank:
                found[at] = masks.mask(digests[at])
                said = PRESENCE.c.device == stream.device, PRESENCE.c.digest == digests[at]
                self._connection.execute(update(PRESENCE).where(*said).values(digest=found[at]))
        return found

    def write(self) -> None:
        """Insert what the requests brought; called once, at the end."""
        if self._new_openings:
            ADD_OPENINGS.run(self._connection, self._new_openings)
        if self._new_rows:
            ADD_ROWS.run(self._connection, self._new_rows)
        if self._moved:
            MOVE_STREAM.run(
                self._connection,
                [
                    {
                        "of_device": each.device,
                        "of_epoch": each.epoch,
                        "to_last": each.last,
                        "to_tip": each.tip,
                    }
                    for each in self._moved.values()
                ],
            )

    # ---- holds and alarms

    def _hold_of(self, device: Device, epoch: str) -> HeldReply | None:
        if device.state == DeviceState.REPLACED.value:
            return _held(HoldReason.REPLACED)
        reason = self._holds.get((device.id, "")) or self._holds.get((device.id, epoch))
        return _held(reason) if reason is not None else None

    def _raise_hold(
        self,
        device: Device,
        epoch: str,
        reason: HoldReason,
        machines: list[str],
    ) -> HeldReply:
        reply = _held(reason)
        self._raise_alarm(
            device,
            AlarmKind(reason.value),
            reply.text,
            epoch=epoch,
            subject=epoch,
            machines=machines,
        )
        where = "" if reason is HoldReason.CLONE else epoch
        self._holds[device.id, where] = reason
        return reply

    def _refuse(self, device: Device, text: str) -> Reply:
        """Nothing is stored; the desk is informed once, until it closes the alarm."""
        self._raise_alarm(device, AlarmKind.UNREADABLE, text)
        return RefusedReply(WireStatus.UNREADABLE, text)

    def _raise_alarm(
        self,
        device: Device,
        kind: AlarmKind,
        text: str,
        *,
        epoch: str = "",
        subject: str = "",
        machines: Sequence[str] = (),
    ) -> None:
        alarm = NewAlarm(device.id, kind, text, epoch, subject, machines)
        if raise_alarm(self._connection, self._clock, alarm):
            self._has_alarm = True

    def _append(self, kind: Kind, body: dict[str, Any]) -> None:
        log.append(self._connection, self._clock.utc(), HUB, kind, body)


class Intake:
    """Requests in, answers out.

    All state is in the database, besides what was read of its log.
    """

    turn_type = Turn

    def __init__(self, database: Database, clock: Clock, random_hex: Callable[[int], str]) -> None:
        """``random_hex``: that many hexadecimal digits that cannot be predicted."""
        self._database, self._clock, self._random_hex = database, clock, random_hex
        self._forgotten = ForgottenNames()

    def receive(self, submissions: Sequence[Submission]) -> list[Outcome]:
        """Handle all in one transaction, at most one of each key. Raises DatabaseError.

        When it returns, everything that the answers acknowledge is on the disk.
        """
        with self._database.write() as connection:
            turn = self.turn_type(
                connection, self._clock, self._random_hex, submissions, self._forgotten
            )
            outcomes = [turn.answer(each) for each in submissions]
            turn.write()
        return outcomes


def _held(reason: HoldReason) -> HeldReply:
    return HeldReply(reason, _HELD_TEXTS[reason])
