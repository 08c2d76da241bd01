"""Everything that is pressed is sent, once and in order, without a store."""

from __future__ import annotations

import pytest

from scorer.hall.rows import BATCH_ROWS
from scorer.hall.wire import RefusedReply, RowsReply
from scorer.link.sender import LONGEST_PAUSE, RETRY, Lost, ReadJournal, Standing
from scorer.link.table_page import Epoch
from tests.link.reference_hub import Pair
from tests.support.honest_box import Journal, row


@pytest.mark.parametrize("count", [0, 1, 2, BATCH_ROWS - 1, BATCH_ROWS, BATCH_ROWS + 1, 230])
def test_a_new_box_sends_its_whole_journal(count: int) -> None:
    pair = Pair()
    pair.table.press(count)
    pair.show()
    pair.connect()
    assert pair.stream == pair.table.rows
    assert pair.hub.games == {1: pair.table.openings[0]}
    assert (pair.sender.standing, pair.sender.stored) == (Standing.ONLINE, count)
    assert pair.sender.table_number == 7


def test_a_press_is_sent_at_once_and_alone() -> None:
    pair = Pair()
    pair.press(3)
    pair.connect()
    del pair.hub.requests[:]
    pair.press()
    pair.run()
    (request,) = pair.hub.requests
    assert request.batch.rows == (pair.table.rows[3],)
    assert request.shown is not None
    assert (request.shown.game, request.shown.seq, request.shown.state) == (1, 4, 412)


def test_what_is_pressed_while_a_batch_is_under_way_goes_into_the_next() -> None:
    pair = Pair()
    pair.connect()
    pair.press()
    action = pair.next_rows()
    pair.press(2)
    assert pair.sender.next(pair.now) is None, "one batch is under way"
    pair.sender.sent(pair.hub.take(action.request), pair.now)
    pair.run()
    assert [len(request.batch.rows) for request in pair.hub.requests] == [0, 1, 2]
    assert pair.stream == pair.table.rows


def test_a_game_that_was_only_opened_is_sent_once() -> None:
    pair = Pair()
    pair.press(2)
    pair.connect()
    pair.table.open_game()
    pair.show()
    pair.run()
    assert pair.hub.games[2].opened == 3
    count = len(pair.hub.requests)
    pair.show()
    pair.run()
    assert len(pair.hub.requests) == count
    pair.press()
    pair.run()
    assert pair.stream == pair.table.rows


def test_after_a_lost_reply_the_comparison_sends_nothing_twice() -> None:
    pair = Pair()
    pair.connect()
    pair.press(4)
    action = pair.next_rows()
    pair.hub.take(action.request)
    pair.sender.sent(Lost(), pair.now)
    assert pair.sender.standing is Standing.OFFLINE
    assert pair.sender.next(pair.now) is None
    del pair.hub.requests[:]
    pair.connect()
    assert [request.batch.rows for request in pair.hub.requests] in ([], [()])
    assert (pair.stream, pair.sender.stored) == (pair.table.rows, 4)


@pytest.mark.parametrize(("stored", "confirmed"), [(1, 1), (2, 3)])
def test_a_hub_that_confirms_less_or_more_than_it_was_sent_is_greeted(
    stored: int, confirmed: int
) -> None:
    pair = Pair()
    pair.connect()
    pair.press(2)
    action = pair.next_rows()
    batch = action.request.batch
    pair.hub.take(action.request._replace(batch=batch._replace(rows=batch.rows[:stored])))
    pair.sender.sent(RowsReply(confirmed), pair.now)
    pair.run()
    assert (len(pair.hub.greetings), pair.hub.held) == (2, "")
    assert (pair.stream, pair.sender.stored) == (pair.table.rows, 2)
    assert pair.sender.standing is Standing.ONLINE


def test_what_is_stored_stays_known_without_a_connection() -> None:
    pair = Pair()
    pair.press(4)
    pair.connect()
    pair.sender.disconnected()
    assert pair.sender.stored == 4


def test_a_hub_of_an_old_backup_gets_what_it_lacks() -> None:
    pair = Pair()
    pair.press(9)
    pair.connect()
    del pair.hub.streams[pair.table.epoch.id][4:]
    pair.press()
    pair.run()
    assert pair.stream == pair.table.rows


def test_another_row_of_the_same_number_makes_the_hub_hold_the_stream() -> None:
    pair = Pair()
    pair.press(5)
    pair.connect()
    pair.sender.disconnected()
    pair.table.rows[4] = row(5, line="B envido")
    pair.connect()
    assert (pair.sender.standing, pair.hub.held) == (Standing.HELD, "fork")
    assert pair.sender.reason == "the desk decides"


def test_the_first_row_may_differ_too() -> None:
    pair = Pair()
    pair.press(1)
    pair.connect()
    pair.sender.disconnected()
    pair.table.rows[0] = row(1, line="B envido")
    pair.connect()
    assert pair.hub.held == "fork"


def test_an_old_backup_of_the_table_is_held_and_freed_by_the_desk() -> None:
    pair = Pair()
    pair.press(6)
    pair.connect()
    pair.sender.disconnected()
    del pair.table.rows[3:]
    pair.show()
    pair.connect()
    assert (pair.sender.standing, pair.hub.held) == (Standing.HELD, "behind")
    assert pair.run() == 0
    pair.hub.held, pair.hub.renew = "", True
    del pair.hub.streams[pair.table.epoch.id][3:]
    pair.sender.greet_again()
    pair.run()
    assert pair.table.epoch == Epoch("93d1b5c87aa0e214", 1)
    assert pair.stream == pair.table.rows


def test_a_held_box_asks_again_every_minute() -> None:
    pair = Pair()
    pair.hub.held = "clone"
    pair.connect()
    greetings = len(pair.hub.greetings)
    pair.now += RETRY - 1
    assert pair.run() == 0
    pair.hub.held = ""
    pair.now += 1
    pair.run()
    assert len(pair.hub.greetings) == greetings + 1
    assert pair.sender.standing is Standing.ONLINE


def test_a_new_epoch_is_a_stream_of_its_own_from_the_running_game_on() -> None:
    pair = Pair()
    pair.table.press(3)
    pair.table.open_game()
    pair.press(2)
    pair.connect()
    old = pair.stream
    pair.sender.renew_epoch(pair.table.epoch.id)
    pair.run()
    assert pair.hub.streams["5f3a9c01d2e4b687"] != []
    assert old == pair.table.rows
    assert pair.stream == pair.table.rows[3:]


def test_an_epoch_that_is_not_the_present_one_is_not_renewed() -> None:
    pair = Pair()
    pair.connect()
    pair.sender.renew_epoch("0000000000000000")
    pair.run()
    assert pair.table.epoch.id == "5f3a9c01d2e4b687"


def test_a_hub_that_renews_without_end_gets_an_epoch_and_a_token_every_ten_minutes() -> None:
    pair = Pair()
    pair.hub.is_renewing, pair.hub.token = True, "ab" * 16
    pair.connect()
    for _ in range(3600):
        pair.now += 1.0
        # A hub may ask for a greeting whenever it likes.
        pair.sender.greet_again()
        pair.run()
    assert pair.sender.is_slowed
    assert 8 <= pair.box.epochs <= 16
    assert 8 <= len(pair.box.tokens) <= 16
    # It ends, and what was pressed arrives.
    pair.hub.is_renewing, pair.hub.token = False, ""
    pair.press(2)
    pair.now += LONGEST_PAUSE * 1.5
    pair.sender.connected()
    pair.run()
    assert pair.stream == pair.table.rows
    assert not pair.sender.is_slowed


def test_an_epoch_that_changes_in_a_match_leads_to_a_greeting() -> None:
    pair = Pair()
    pair.press(3)
    pair.connect()
    pair.table.epoch = Epoch("aaaaaaaaaaaaaaaa", 1)
    pair.press()
    pair.run()
    assert pair.stream == pair.table.rows
    assert [greeting.epoch[:1] for greeting in pair.hub.greetings] == ["5", "a"]


def test_an_exchanged_store_with_fewer_rows_is_greeted_with_what_it_has() -> None:
    pair = Pair()
    pair.press(90)
    pair.connect()
    pair.box.journal = Journal(Epoch("bbbbbbbbbbbbbbbb", 1))
    pair.table.press(2)
    # The state is that of the table before.
    pair.sender.table_found()
    pair.run()
    assert pair.hub.greetings[-1].newest == 2
    assert pair.stream == pair.table.rows


def test_the_greeting_names_the_newest_row_of_the_journal_even_if_the_state_is_older() -> None:
    pair = Pair()
    pair.press(5)
    pair.table.press(200)
    pair.connect()
    assert pair.hub.greetings[0].newest == 205


def test_a_token_of_the_hub_is_kept_before_anything_else() -> None:
    pair = Pair()
    pair.hub.token = "ab" * 16
    pair.connect()
    assert pair.box.tokens == ["ab" * 16]


@pytest.mark.parametrize(
    ("status", "standing", "pause"),
    [
        (401, Standing.REFUSED, RETRY),
        (422, Standing.VERSION, RETRY),
        (413, Standing.UNSENT, RETRY),
        (429, Standing.UNSENT, 0.5),
        (503, Standing.UNSENT, 0.5),
    ],
)
def test_a_refused_greeting_is_repeated_later(
    status: int, standing: Standing, pause: float
) -> None:
    pair = Pair()
    pair.hub.refusals = [RefusedReply(status, "no")]
    pair.connect()
    assert (pair.sender.standing, pair.sender.reason) == (standing, "no")
    assert pair.sender.wake_at == pytest.approx(pair.now + pause)
    pair.now = pair.sender.wake_at
    pair.run()
    assert pair.sender.standing is Standing.ONLINE


@pytest.mark.parametrize("status", [413, 422, 429, 503])
def test_a_hub_that_stores_no_rows_is_not_online_until_it_has_stored_them(status: int) -> None:
    pair = Pair()
    pair.connect()
    pair.press()
    for _ in range(3):
        # The greeting is answered each time.
        pair.hub.row_refusals = [RefusedReply(status, "no")]
        pair.run()
        assert (pair.sender.standing, pair.sender.reason) == (Standing.UNSENT, "no")
        pair.now = pair.sender.wake_at
    assert len(pair.hub.greetings) == 3
    pair.run()
    assert pair.stream == pair.table.rows
    assert (pair.sender.standing, pair.sender.reason) == (Standing.ONLINE, "")


def test_rows_that_the_hub_cannot_read_are_sent_again_after_a_minute() -> None:
    pair = Pair()
    pair.connect()
    pair.press()
    pair.hub.refusals = [RefusedReply(422, "a row has 9 values")]
    pair.run()
    assert pair.stream == []
    pair.now += RETRY
    pair.run()
    assert pair.stream == pair.table.rows


def test_without_a_table_nothing_is_read() -> None:
    pair = Pair()
    pair.sender.table_lost()
    pair.connect()
    assert pair.hub.greetings == []
    pair.press(2)
    pair.sender.table_found()
    pair.run()
    assert pair.stream == pair.table.rows


def test_a_table_that_goes_away_while_it_is_read_is_read_again() -> None:
    pair = Pair()
    pair.press(2)
    pair.sender.connected()
    assert isinstance(pair.sender.next(pair.now), ReadJournal)
    pair.sender.unread()
    assert pair.sender.next(pair.now) is None
    pair.sender.table_found()
    pair.run()
    assert pair.stream == pair.table.rows
