"""Fuzz target: any bytes as each message between link and hub."""

from __future__ import annotations

import functools
from typing import Any

from hypothesis.strategies import SearchStrategy
from sqlalchemy import select

from scorer.hall import joining, wire
from scorer.hall.events import EventReader
from scorer.hall.fields import Malformed
from scorer.hall.joining import CardRequest, key_of
from scorer.hall.rows import Opening
from scorer.hub.audit import find_problem
from scorer.hub.intake import Body, Submission
from scorer.hub.joins import Joins
from scorer.hub.store.database import Database
from scorer.hub.store.projections import AlarmKind
from scorer.hub.store.tables import ALARM, ROW
from scorer.link.sender import Action, Greet, Lost, ReadJournal, Sender, SendRows
from tests.hub.boxes import HEADER, Digits, Hall, greet, row, rows_message
from tests.hub.protocol.world import raw_connection
from tests.longrun.fuzz.limits import bounded
from tests.longrun.fuzz.mutate import nearly_right
from tests.support.honest_box import Journal

TARGET = "hall"
TOKEN = "1" * 32
STATUSES = (200, 401, 409, 413, 422, 423, 429, 502, 503)
_MOST_ACTIONS = 40  # of a sender until it waits
_LONGEST_SENTENCE = 300  # letters


def inputs() -> SearchStrategy[bytes]:
    """Messages with a few changes."""
    return nearly_right(TARGET)


def check(data: bytes) -> None:
    """Assert that hub and link read it, or refuse it in one sentence."""
    with bounded():
        _check_hub(data)
        _check_join(data)
        _check_link(data)


@functools.lru_cache(maxsize=1)
def _hub() -> tuple[Hall, bytes]:
    """A hub in memory with a box of two rows, and its content."""
    hall = Hall(Database.open("sqlite://"))
    hall.join(TOKEN)
    hall.send(TOKEN, greet())
    rows = [row(1), row(2, "B no_quiero")]
    hall.send(TOKEN, rows_message(rows, openings=(Opening(1, 1, HEADER),)))
    return hall, raw_connection(hall.database).serialize()


def _check_hub(data: bytes) -> None:
    """Every request three times: one alarm at most of each kind and subject."""
    hall, content = _hub()
    raw_connection(hall.database).deserialize(content)
    found: list[Body] = [wire.parse_greet(data), wire.parse_rows(data), wire.parse_call(data)]
    for request in found * 3:
        (outcome,) = hall.intake.receive([Submission(key_of(TOKEN), request)])
        reply = outcome.reply
        assert wire.status_of(reply) in STATUSES, reply
        assert wire.encode(reply)
        if isinstance(request, Malformed):
            assert reply == wire.RefusedReply(wire.WireStatus.UNREADABLE, _sentence(request.text))
    with hall.database.read() as connection:
        assert find_problem(connection) is None
        alarms = connection.execute(select(ALARM.c.kind, ALARM.c.subject)).all()
        assert len(alarms) == len(set(alarms)), alarms
        assert sum(kind == AlarmKind.UNREADABLE.value for kind, _ in alarms) <= 1
        if all(isinstance(request, Malformed) for request in found):
            assert len(connection.execute(select(ROW.c.seq)).all()) == 2


def _check_join(data: bytes) -> None:
    request = joining.parse_join(data)
    if isinstance(request, Malformed):
        _sentence(request.text)
    elif not isinstance(request, CardRequest):
        assert joining.encode(Joins("0" * 64, Digits()).answer(request, "", 0.0))
    reply = joining.parse_join_reply(data)
    if isinstance(reply, Malformed):
        _sentence(reply.text)


def _check_link(data: bytes) -> None:
    """A link survives it as the answer to a greeting, to rows, and as events."""
    for event in EventReader().feed(data):
        if isinstance(event, Malformed):
            _sentence(event.text)
    for status in STATUSES:
        greeted = wire.parse_greet_reply(status, data)
        sender, table = _sender(), Journal()
        table.press(3)
        assert isinstance(_run(sender, table), Greet)
        sender.greeted(_usable(greeted), 0.0)
        _run(sender, table)
        sender, sent = _sender(), wire.parse_rows_reply(status, data)
        _run(sender, table)
        sender.greeted(wire.GreetReply(0, "", 7, "2026-11-22T20:14:07Z"), 0.0)
        assert isinstance(_run(sender, table), SendRows)
        sender.sent(_usable(sent), 0.0)
        _run(sender, table)


def _sender() -> Sender:
    sender = Sender("a91c", "1.4", lambda: 0.5)
    sender.news(3, 412, (("A", 1),))
    sender.table_found()
    sender.connected()
    return sender


def _run(sender: Sender, table: Journal) -> Action | None:
    """Read for the sender until it wants something else, or waits."""
    for _ in range(_MOST_ACTIONS):
        action = sender.next(0.0)
        if not isinstance(action, ReadJournal):
            return action
        sender.page(table.read(max(action.first, 1), action.limit), 0.0)
    raise AssertionError("the sender reads without end")


def _usable(reply: Any) -> Any:  # noqa: ANN401 - of either request
    """The reply as the sender gets it."""
    if isinstance(reply, Malformed):
        _sentence(reply.text)
        return Lost()
    return reply


def _sentence(text: str) -> str:
    assert text, "a refusal without a reason"
    assert len(text) < _LONGEST_SENTENCE, text
    assert text.isprintable(), text
    return text
