"""The hub's answers in docs/reference/link.md, line by line."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from scorer.hall.events import digest_of as digest_of_decision
from scorer.hall.rows import Opening
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
    WireStatus,
)
from scorer.hub.alarms import NewAlarm, raise_alarm
from scorer.hub.decisions import desired_of
from scorer.hub.intake import CLONE_SECONDS
from scorer.hub.store.database import Database
from scorer.hub.store.log import entries, find_break
from scorer.hub.store.projections import AlarmKind, Resolution, fingerprint, rebuild
from scorer.hub.store.tables import ALARM, LOG, OPENING, ROW
from tests.hub.boxes import EPOCH, HEADER, Hall, digest_of, greet, row, rows_message, submission

TOKEN, OTHER_TOKEN = "1" * 32, "2" * 32
NEXT_EPOCH = "00" * 8
OPENED = Opening(1, 1, HEADER)


@pytest.fixture
def hall(database: Database) -> Hall:
    made = Hall(database)
    made.join(TOKEN)
    return made


def greet_twice(hall: Hall, message: GreetRequest, token: str = TOKEN) -> Reply:
    """Greet, and confirm it where the hub asks for that."""
    reply = hall.send(token, message)
    if isinstance(reply, ConfirmReply):
        reply = hall.send(token, message._replace(echo=reply.echo))
    return reply


def send_rows(hall: Hall, first: int, last: int, line: str = "A truco") -> Reply:
    rows = [row(seq, line) for seq in range(first, last + 1)]
    openings = (OPENED,) if first == 1 else ()
    prev = "" if first == 1 else digest_of(row(first - 1), OPENED)
    return hall.send(TOKEN, rows_message(rows, prev=prev, openings=openings))


def alarms(hall: Hall) -> list[tuple[str, str]]:
    with hall.database.read() as connection:
        found = connection.execute(select(ALARM.c.kind, ALARM.c.resolved).order_by(ALARM.c.id))
        return [(kind, resolved) for kind, resolved in found]


def stored_lines(hall: Hall) -> list[tuple[int, str]]:
    with hall.database.read() as connection:
        query = select(ROW.c.seq, ROW.c.line).where(ROW.c.epoch == EPOCH).order_by(ROW.c.seq)
        return [(seq, line) for seq, line in connection.execute(query)]


def resolve(hall: Hall, how: Resolution, machine: str = "") -> None:
    with hall.database.read() as connection:
        alarm = connection.execute(select(ALARM.c.id).where(ALARM.c.resolved == "")).scalar_one()
    with hall.desk() as desk:
        desk.resolve(alarm, how, machine)


# ---- no such token


def test_an_unknown_token_gets_401_for_every_request(hall: Hall) -> None:
    for message in (greet(), rows_message([row(1)]), CallRequest("c1", ""), b"rubbish"):
        assert hall.send(OTHER_TOKEN, message) == RefusedReply(
            WireStatus.UNKNOWN_DEVICE, "this box is not of this hall"
        )
    assert alarms(hall) == []


def test_a_revoked_token_is_unknown(hall: Hall) -> None:
    device = hall.join(OTHER_TOKEN, table=8)
    assert isinstance(hall.send(OTHER_TOKEN, greet()), GreetReply)
    with hall.desk() as desk:
        desk.revoke(device)
    assert hall.send(OTHER_TOKEN, greet()) == hall.send("3" * 32, greet())


# ---- the stream is held


@pytest.mark.parametrize("message", [greet(3), rows_message([row(3)])])
def test_a_held_stream_gets_423_with_the_reason(hall: Hall, message: GreetRequest) -> None:
    hall.send(TOKEN, greet())
    send_rows(hall, 1, 2)
    send_rows(hall, 1, 2, line="B truco")
    held = hall.send(TOKEN, message)
    assert isinstance(held, HeldReply)
    assert (held.reason, alarms(hall)) == (HoldReason.FORK, [("fork", "")])


def test_another_box_goes_on_while_one_is_held(hall: Hall) -> None:
    hall.join(OTHER_TOKEN, table=8)
    hall.send(TOKEN, greet())
    send_rows(hall, 1, 2)
    send_rows(hall, 1, 2, line="B truco")
    assert isinstance(hall.send(OTHER_TOKEN, greet()), GreetReply)


# ---- greeting: behind


def test_a_box_with_fewer_rows_than_the_hub_is_held_as_behind(hall: Hall) -> None:
    hall.send(TOKEN, greet())
    send_rows(hall, 1, 3)
    held = greet_twice(hall, greet(2, digest_of(row(2))))
    assert isinstance(held, HeldReply)
    assert (held.reason, alarms(hall)) == (HoldReason.BEHIND, [("behind", "")])


def test_a_box_that_returns_to_an_older_epoch_is_held_as_behind(hall: Hall) -> None:
    hall.send(TOKEN, greet())
    send_rows(hall, 1, 3)
    assert isinstance(greet_twice(hall, greet(3, epoch=NEXT_EPOCH, first=4)), GreetReply)
    held = greet_twice(hall, greet(3, digest_of(row(3))))
    assert isinstance(held, HeldReply)
    assert held.reason is HoldReason.BEHIND


def test_a_delayed_greeting_holds_nothing(hall: Hall) -> None:
    late = greet()
    hall.send(TOKEN, late)
    send_rows(hall, 1, 3)
    assert isinstance(hall.send(TOKEN, late), ConfirmReply)
    assert alarms(hall) == []
    assert send_rows(hall, 4, 4) == RowsReply(4)


def test_a_delayed_confirmation_holds_nothing(hall: Hall) -> None:
    hall.send(TOKEN, greet())
    send_rows(hall, 1, 3)
    reply = hall.send(TOKEN, greet())
    assert isinstance(reply, ConfirmReply)
    # The box that was asked has greeted with all its rows since.
    now = greet(3, digest_of(row(3)), echo=reply.echo)
    assert isinstance(hall.send(TOKEN, now), GreetReply)
    assert isinstance(hall.send(TOKEN, greet(echo=reply.echo)), ConfirmReply)
    assert alarms(hall) == []


def test_another_epoch_begins_when_it_is_confirmed(hall: Hall) -> None:
    hall.send(TOKEN, greet())
    for _ in range(2):
        assert isinstance(hall.send(TOKEN, greet(epoch=NEXT_EPOCH)), ConfirmReply)
    # What began is the newest epoch: the one before could not go on.
    assert isinstance(hall.send(TOKEN, greet()), GreetReply)


# ---- greeting: clone


# The clock of the hub may be set back between the two.
@pytest.mark.parametrize("seconds", [CLONE_SECONDS - 1, 1 - CLONE_SECONDS])
def test_two_machines_within_two_minutes_are_held_as_clone(hall: Hall, seconds: int) -> None:
    hall.send(TOKEN, greet(machine="a91c"))
    hall.clock.now += seconds
    held = greet_twice(hall, greet(machine="b2f0"))
    assert isinstance(held, HeldReply)
    assert (held.reason, alarms(hall)) == (HoldReason.CLONE, [("clone", "")])


@pytest.mark.parametrize("seconds", [CLONE_SECONDS + 1, -CLONE_SECONDS - 1])
def test_a_card_that_moved_to_another_machine_goes_on_after_two_minutes(
    hall: Hall, seconds: int
) -> None:
    hall.send(TOKEN, greet(machine="a91c"))
    hall.clock.now += seconds
    assert isinstance(hall.send(TOKEN, greet(machine="b2f0")), GreetReply)


def test_a_clone_is_held_on_every_epoch(hall: Hall) -> None:
    hall.send(TOKEN, greet(machine="a91c"))
    greet_twice(hall, greet(machine="b2f0"))
    assert isinstance(hall.send(TOKEN, greet(epoch=NEXT_EPOCH)), HeldReply)


# ---- greeting: fork


@pytest.mark.parametrize(
    "message",
    [greet(2, digest_of(row(2, "B truco"))), greet(5, digest_of(row(5)), first=2)],
    ids=["another newest row", "another first row"],
)
def test_a_greeting_that_contradicts_the_hub_is_held_as_fork(
    hall: Hall, message: GreetRequest
) -> None:
    hall.send(TOKEN, greet())
    send_rows(hall, 1, 2)
    held = greet_twice(hall, message)
    assert isinstance(held, HeldReply)
    assert held.reason is HoldReason.FORK


# ---- rows: 409


def test_rows_of_a_stream_that_never_greeted_wait_for_a_greeting(hall: Hall) -> None:
    reply = send_rows(hall, 1, 2)
    assert reply == RefusedReply(WireStatus.UNAVAILABLE, "greet before rows are sent")
    assert stored_lines(hall) == []


def test_rows_beyond_the_next_one_get_409_with_the_last(hall: Hall) -> None:
    hall.send(TOKEN, greet())
    send_rows(hall, 1, 2)
    assert send_rows(hall, 4, 5) == ConflictReply(2, digest_of(row(2)))
    assert [seq for seq, _ in stored_lines(hall)] == [1, 2]


# ---- rows: fork


@pytest.mark.parametrize("prev", [digest_of(row(2, "B truco")), ""])
def test_rows_that_do_not_continue_the_last_one_are_a_fork(hall: Hall, prev: str) -> None:
    hall.send(TOKEN, greet())
    send_rows(hall, 1, 2)
    reply = hall.send(TOKEN, rows_message([row(3)], prev=prev))
    assert isinstance(reply, HeldReply)
    assert [seq for seq, _ in stored_lines(hall)] == [1, 2]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("stored", [1, 2, 3])
def test_the_second_row_must_continue_the_first_however_many_are_stored(
    hall: Hall, stored: int
) -> None:
    hall.send(TOKEN, greet())
    send_rows(hall, 1, stored)
    reply = hall.send(TOKEN, rows_message([row(2)], prev=digest_of(row(1, "B truco"), OPENED)))
    assert isinstance(reply, HeldReply)
    assert reply.reason is HoldReason.FORK


def test_no_rows_with_another_last_one_are_a_fork_too(hall: Hall) -> None:
    hall.send(TOKEN, greet())
    send_rows(hall, 1, 2)
    prev = digest_of(row(2, "B truco"))
    assert isinstance(hall.send(TOKEN, rows_message([], first=3, prev=prev)), HeldReply)


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    "other",
    [
        row(2, "B truco"),
        row(2)._replace(wall="2026-11-22T20:14:06Z"),
        row(2)._replace(game=2),
        row(2)._replace(trusted=False),
    ],
    ids=["line", "wall", "game", "trusted"],
)
def test_a_row_that_differs_from_the_stored_one_is_a_fork(hall: Hall, other: object) -> None:
    hall.send(TOKEN, greet())
    send_rows(hall, 1, 3)
    prev = digest_of(row(1), OPENED)
    reply = hall.send(TOKEN, rows_message([other, row(3), row(4)], prev=prev))  # type: ignore[list-item]
    assert isinstance(reply, HeldReply)
    assert stored_lines(hall) == [(seq, "A truco") for seq in (1, 2, 3)]


def test_another_header_of_a_known_game_is_a_fork(hall: Hall) -> None:
    hall.send(TOKEN, greet())
    hall.send(TOKEN, rows_message([], first=1, openings=(Opening(1, 1, "[A]"),)))
    reply = hall.send(TOKEN, rows_message([row(1)], openings=(Opening(1, 1, "[B]"),)))
    assert isinstance(reply, HeldReply)


# ---- rows: 422


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "body",
    [b"", b"{", b'{"v":1}', b'{"v":2}', b"\xff\xfe", b"[" * 5000],
    ids=["empty", "half", "no epoch", "version", "bytes", "deep"],
)
def test_unreadable_rows_get_422_and_store_nothing(hall: Hall, body: bytes) -> None:
    hall.send(TOKEN, greet())
    reply = hall.send(TOKEN, body)
    assert isinstance(reply, RefusedReply)
    assert reply.status == WireStatus.UNREADABLE
    assert stored_lines(hall) == []


def test_rows_before_the_epoch_get_422(hall: Hall) -> None:
    hall.send(TOKEN, greet(5, "0" * 16, first=5))
    reply = hall.send(TOKEN, rows_message([row(4), row(5)]))
    assert isinstance(reply, RefusedReply)
    assert reply.status == WireStatus.UNREADABLE


@pytest.mark.sampled(1)
def test_many_unreadable_messages_are_one_alarm(hall: Hall) -> None:
    outcomes = [hall.outcome(TOKEN, b"rubbish") for _ in range(100)]
    assert [each.alarm for each in outcomes].count(True) == 1
    assert alarms(hall) == [("unreadable", "")]
    resolve(hall, Resolution.IGNORE)
    assert not hall.outcome(TOKEN, b"rubbish").alarm
    assert hall.outcome(TOKEN, b'{"v":2}').alarm
    assert alarms(hall) == [("unreadable", "ignore"), ("unreadable", "")]


# ---- otherwise: stored, committed, 200


def test_rows_are_stored_and_acknowledged_with_the_last(hall: Hall) -> None:
    assert hall.send(TOKEN, greet()) == GreetReply(0, "", 7, "2026-11-23T12:00:00Z")
    assert send_rows(hall, 1, 3) == RowsReply(3)
    assert stored_lines(hall) == [(seq, "A truco") for seq in (1, 2, 3)]
    again = hall.send(TOKEN, greet(3, digest_of(row(3))))
    assert again == GreetReply(3, digest_of(row(3)), 7, "2026-11-23T12:00:00Z")


def test_rows_that_are_stored_already_are_acknowledged_and_not_stored_again(hall: Hall) -> None:
    hall.send(TOKEN, greet())
    send_rows(hall, 1, 3)
    assert send_rows(hall, 1, 3) == RowsReply(3)
    assert send_rows(hall, 2, 5) == RowsReply(5)
    assert stored_lines(hall) == [(seq, "A truco") for seq in range(1, 6)]
    assert alarms(hall) == []


def test_a_game_that_was_only_opened_is_stored(hall: Hall) -> None:
    hall.send(TOKEN, greet())
    message = rows_message([], first=1, openings=(OPENED,))
    assert hall.send(TOKEN, message) == hall.send(TOKEN, message) == RowsReply(0)
    with hall.database.read() as connection:
        assert [tuple(each)[2:] for each in connection.execute(select(OPENING))] == [OPENED]


def test_an_epoch_begins_where_its_first_row_is(hall: Hall) -> None:
    reply = hall.send(TOKEN, greet(41, digest_of(row(41)), first=40))
    assert isinstance(reply, GreetReply)
    assert reply.last == 39
    # The row before is not of this stream.
    assert hall.send(TOKEN, rows_message([row(40)], prev="ab" * 8)) == RowsReply(40)


@pytest.mark.sampled(1)
def test_requests_of_many_boxes_share_one_transaction(hall: Hall) -> None:
    tokens = [f"{number:032x}" for number in range(100, 130)]
    for number, token in enumerate(tokens, 100):
        hall.join(token, table=number)
    greetings = hall.intake.receive([submission(token, greet()) for token in tokens])
    assert all(isinstance(each.reply, GreetReply) for each in greetings)
    commits: list[object] = []
    from sqlalchemy import event

    event.listen(hall.database.engine, "commit", commits.append)
    message = rows_message([row(1), row(2)], openings=(OPENED,))
    outcomes = hall.intake.receive(
        [*(submission(token, message) for token in tokens), submission("f" * 32, message)]
    )
    assert [each.reply for each in outcomes[:-1]] == [RowsReply(2)] * 30
    assert isinstance(outcomes[-1].reply, RefusedReply)
    assert len(commits) == 1


# ---- the director is called


def test_a_call_is_one_alarm_however_often_it_is_repeated(hall: Hall) -> None:
    for _ in range(3):
        assert hall.send(TOKEN, CallRequest("c41", "Z2-R1-M3")) == RefusedReply(
            WireStatus.OK, "the director is called"
        )
    assert alarms(hall) == [("call", "")]
    resolve(hall, Resolution.IGNORE)
    hall.send(TOKEN, CallRequest("c41", "Z2-R1-M3"))
    assert alarms(hall) == [("call", "ignore")]
    hall.send(TOKEN, CallRequest("c42", "Z2-R1-M3"))
    assert alarms(hall) == [("call", "ignore"), ("call", "")]


@pytest.mark.sampled(1)
def test_a_box_has_one_open_call_of_each_kind(hall: Hall) -> None:
    for number in range(50):
        hall.send(TOKEN, CallRequest(f"c{number}", f"M{number}"))
    assert alarms(hall) == [("call", "")]
    resolve(hall, Resolution.IGNORE)
    # An id that was answered raises no other alarm, and a new one does.
    hall.send(TOKEN, CallRequest("c0", "M0"))
    assert len(alarms(hall)) == 1
    hall.send(TOKEN, CallRequest("c50", "M0"))
    for number in range(50):
        hall.send(TOKEN, CallRequest(f"d{number}", "Z2-R1-M3", "contest"))
    assert alarms(hall) == [("call", "ignore"), ("call", ""), ("call.contest", "")]


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("why", "kind"),
    [
        ("director", "call"),
        ("table", "call.table"),
        ("contest", "call.contest"),
        ("something newer", "call"),
    ],
)
def test_a_call_says_why(hall: Hall, why: str, kind: str) -> None:
    hall.send(TOKEN, CallRequest("c41", "Z2-R1-M3", why))
    hall.send(TOKEN, CallRequest("c41", "Z2-R1-M3", why))
    assert alarms(hall) == [(kind, "")]


def test_results_of_two_matches_at_one_table_are_two_alarms(hall: Hall) -> None:
    hall.send(TOKEN, greet())
    with hall.database.write() as connection:
        raised = [
            raise_alarm(connection, hall.clock, NewAlarm(1, AlarmKind.RESULT, match, subject=match))
            for match in ("R1-M1", "R1-M2", "R1-M1")
        ]
    assert raised == [True, True, False]


# ---- what the desk decides about a held stream


def fork(hall: Hall) -> None:
    hall.send(TOKEN, greet())
    send_rows(hall, 1, 2)
    send_rows(hall, 1, 2, line="B truco")


def test_the_true_one_gets_a_token_and_a_new_epoch(hall: Hall) -> None:
    fork(hall)
    resolve(hall, Resolution.TRUE_ONE, "a91c")
    reply = greet_twice(hall, greet(2, digest_of(row(2))))
    assert isinstance(reply, GreetReply)
    assert reply.renew
    new = reply.token
    again = greet_twice(hall, greet(2, first=1, epoch=NEXT_EPOCH), new)
    assert isinstance(again, GreetReply)
    assert (again.last, again.token, again.renew) == (0, "", False)
    assert hall.send(TOKEN, greet()) == hall.send("e" * 32, greet())  # 401
    rows = rows_message([row(1, "B truco")], epoch=NEXT_EPOCH, openings=(OPENED,))
    assert hall.send(new, rows) == RowsReply(1)
    # The old rows stay.
    assert stored_lines(hall) == [(1, "A truco"), (2, "A truco")]


def test_the_other_one_gets_401(hall: Hall) -> None:
    hall.send(TOKEN, greet(machine="a91c"))
    greet_twice(hall, greet(machine="b2f0"))
    resolve(hall, Resolution.TRUE_ONE, "b2f0")
    other = hall.send(TOKEN, greet(machine="a91c"))
    assert isinstance(other, RefusedReply)
    assert other.status == WireStatus.UNKNOWN_DEVICE
    assert isinstance(greet_twice(hall, greet(machine="b2f0")), GreetReply)


def test_an_answer_with_a_token_that_is_lost_is_followed_by_another_token(hall: Hall) -> None:
    fork(hall)
    resolve(hall, Resolution.TRUE_ONE, "a91c")
    lost = greet_twice(hall, greet(2))
    received = greet_twice(hall, greet(2))
    assert isinstance(lost, GreetReply)
    assert isinstance(received, GreetReply)
    assert lost.token != received.token
    assert isinstance(greet_twice(hall, greet(2), received.token), GreetReply)


def test_rows_with_the_old_token_of_a_box_that_gets_a_new_one_are_not_stored(hall: Hall) -> None:
    hall.send(TOKEN, greet())
    send_rows(hall, 1, 2)
    # The newest epoch is the one that is held.
    greet_twice(hall, greet(epoch=NEXT_EPOCH, machine="b2f0"))
    resolve(hall, Resolution.TRUE_ONE, "a91c")
    refused = send_rows(hall, 3, 3)
    assert isinstance(refused, RefusedReply)
    assert refused.status == WireStatus.UNAVAILABLE
    assert stored_lines(hall) == [(1, "A truco"), (2, "A truco")]


def test_the_new_token_ends_the_old_one_within_one_transaction(hall: Hall) -> None:
    fork(hall)
    resolve(hall, Resolution.TRUE_ONE, "a91c")
    reply = greet_twice(hall, greet(2))
    assert isinstance(reply, GreetReply)
    tokens = (reply.token, TOKEN)
    _, old = hall.intake.receive([submission(token, greet(2)) for token in tokens])
    assert isinstance(old.reply, RefusedReply)
    assert old.reply.status == WireStatus.UNKNOWN_DEVICE


def test_a_greeting_that_was_delayed_makes_no_token(hall: Hall) -> None:
    fork(hall)
    resolve(hall, Resolution.TRUE_ONE, "a91c")
    reply = greet_twice(hall, greet(2))
    assert isinstance(reply, GreetReply)
    # The box has not used its token yet; another one would take its place.
    assert isinstance(hall.send(TOKEN, greet(2)), ConfirmReply)
    assert isinstance(greet_twice(hall, greet(2), reply.token), GreetReply)


def test_a_box_with_the_new_token_and_the_old_epoch_is_asked_again_for_a_new_one(
    hall: Hall,
) -> None:
    fork(hall)
    resolve(hall, Resolution.TRUE_ONE, "a91c")
    reply = greet_twice(hall, greet(2))
    assert isinstance(reply, GreetReply)
    again = greet_twice(hall, greet(2), reply.token)
    assert isinstance(again, GreetReply)
    assert (again.renew, again.token) == (True, "")


def test_an_old_backup_of_the_true_one_is_found_again(hall: Hall) -> None:
    fork(hall)
    resolve(hall, Resolution.TRUE_ONE, "a91c")
    reply = greet_twice(hall, greet(2))
    assert isinstance(reply, GreetReply)
    greet_twice(hall, greet(0, epoch=NEXT_EPOCH), reply.token)
    held = greet_twice(hall, greet(2, digest_of(row(2))), reply.token)
    assert isinstance(held, HeldReply)


def test_an_ignored_fork_stays_held_without_another_alarm(hall: Hall) -> None:
    fork(hall)
    resolve(hall, Resolution.IGNORE)
    assert isinstance(send_rows(hall, 3, 3), HeldReply)
    assert alarms(hall) == [("fork", "ignore")]


def test_an_ignored_clone_goes_on(hall: Hall) -> None:
    hall.send(TOKEN, greet(machine="a91c"))
    greet_twice(hall, greet(machine="b2f0"))
    resolve(hall, Resolution.IGNORE)
    hall.clock.now += CLONE_SECONDS + 1
    assert isinstance(hall.send(TOKEN, greet(machine="b2f0")), GreetReply)


def test_a_replaced_box_keeps_its_rows_and_its_table_is_free(hall: Hall) -> None:
    fork(hall)
    resolve(hall, Resolution.REPLACE)
    hall.join(OTHER_TOKEN, table=7)
    held = hall.send(TOKEN, greet(2, epoch=NEXT_EPOCH))
    assert isinstance(held, HeldReply)
    assert held.reason is HoldReason.REPLACED
    assert isinstance(hall.send(OTHER_TOKEN, greet()), GreetReply)


def test_a_spare_box_at_the_same_table_holds_the_late_rows_of_the_dead_one(hall: Hall) -> None:
    hall.send(TOKEN, greet())
    send_rows(hall, 1, 2)
    hall.join(OTHER_TOKEN, table=7)
    held = send_rows(hall, 3, 4)
    assert isinstance(held, HeldReply)
    assert held.reason is HoldReason.REPLACED
    assert [seq for seq, _ in stored_lines(hall)] == [1, 2]


# ---- the log


def desired(hall: Hall) -> tuple[int, str] | None:
    """Number and tag of the newest decision on the table."""
    with hall.database.read() as connection:
        found = desired_of(connection, 1)
    return None if found is None else (found["rev"], found.get("header", "release"))


def assign(hall: Hall, header: str) -> tuple[int, str]:
    """A decision of the desk, as the table names it then."""
    document = {"do": "assign", "header": header, "lock": True, "cap": None}
    with hall.desk() as desk:
        return desk.desire(1, document), digest_of_decision(document)


def test_a_decision_that_the_table_knows_is_not_made_again(hall: Hall) -> None:
    assert not hall.outcome(TOKEN, greet()).decided, "a table without a decision"
    older = assign(hall, "M1")
    newest = assign(hall, "M2")
    # The third is of a table whose program was updated: its digest is not known.
    for rev, digest in (older, newest, (newest[0], "")):
        assert not hall.outcome(TOKEN, greet()._replace(rev=rev, decision=digest)).decided
    assert desired(hall) == (newest[0], "M2")


def test_a_decision_is_known_to_a_table_that_has_dropped_its_start_by_time(hall: Hall) -> None:
    document = {"do": "assign", "header": "M1", "lock": True, "cap": 600}
    with hall.desk() as desk:
        rev = desk.desire(1, {**document, "cap_start": 10})
    older = greet()._replace(rev=rev, decision=digest_of_decision(document))
    assert not hall.outcome(TOKEN, older).decided


def test_a_hub_that_has_gone_back_decides_again_above_the_table(hall: Hall) -> None:
    assign(hall, "M1")
    late = greet()._replace(rev=300, decision="ab" * 8)
    assert hall.outcome(TOKEN, late).decided
    assert desired(hall) == (301, "M1")
    assert not hall.outcome(TOKEN, late).decided, "a greeting that was late on its way"
    assert assign(hall, "M2")[0] == 302
    with hall.database.write() as connection:
        assert find_break(connection) is None
        before = fingerprint(connection)
        log = [(each.seq, each.at, each.kind, each.body) for each in entries(connection)]
        rebuild(connection, log)
        assert fingerprint(connection) == before
        connection.execute(LOG.delete().where(LOG.c.seq == 301))
        assert find_break(connection) is not None


def test_a_number_that_was_used_twice_is_decided_again(hall: Hall) -> None:
    rev, _ = assign(hall, "M1")
    reused = greet()._replace(rev=rev, decision="ab" * 8)
    assert hall.outcome(TOKEN, reused).decided
    assert desired(hall) == (rev + 1, "M1")


def test_a_table_whose_match_the_hub_has_forgotten_is_released(hall: Hall) -> None:
    assert hall.outcome(TOKEN, greet()._replace(rev=40, decision="ab" * 8)).decided
    assert desired(hall) == (41, "release")


def test_a_number_that_no_hub_reaches_is_an_alarm_and_skips_nothing(hall: Hall) -> None:
    rev, _ = assign(hall, "M1")
    absurd = greet()._replace(rev=2**53, decision="ab" * 8)
    for _ in range(3):
        outcome = hall.outcome(TOKEN, absurd)
        assert isinstance(outcome.reply, GreetReply)
        assert not outcome.decided
    assert desired(hall) == (rev, "M1")
    assert [kind for kind, _ in alarms(hall)] == ["unreadable"]


def test_every_decision_is_in_an_unbroken_log(hall: Hall) -> None:
    fork(hall)
    resolve(hall, Resolution.TRUE_ONE, "a91c")
    with hall.database.read() as connection:
        assert find_break(connection) is None
        kinds = [AlarmKind(each) for each in connection.execute(select(ALARM.c.kind)).scalars()]
    assert kinds == [AlarmKind.FORK]
