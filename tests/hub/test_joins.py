"""Boxes that join: what a third party learns by trying, places, and caps."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, islice
from random import Random

import pytest

from scorer.hall import joining
from scorer.hall.joining import (
    BeginRequest,
    CardRequest,
    EarlierRequest,
    JoinReply,
    JoinState,
    NonceRequest,
    WaitRequest,
)
from scorer.hub import joins
from scorer.hub.joins import Joins

PIN = "ab" * 32
NONCE = "cd" * 16


class Stranger:
    """Third parties at many addresses, each try with a key of its own."""

    def __init__(self, hub: Joins) -> None:
        self.hub, self._keys = hub, (f"{number:064x}" for number in count(1))

    def begin(self, address: str, now: float = 0.0) -> tuple[str, JoinReply]:
        key = next(self._keys)
        return key, self.hub.answer(BeginRequest(key, "a91c", "1.4"), address, now)

    def open(self, address: str, now: float = 0.0) -> tuple[str, JoinReply]:
        """A whole try: its key, and the last answer."""
        key, reply = self.begin(address, now)
        if reply.state is JoinState.COMMITTED:
            reply = self.hub.answer(NonceRequest(key, NONCE), address, now)
        return key, reply


@pytest.fixture
def hub() -> Joins:
    random = Random(1)
    return Joins(PIN, lambda digits: f"{random.getrandbits(4 * digits):0{digits}x}")


@pytest.fixture
def stranger(hub: Joins) -> Stranger:
    return Stranger(hub)


def addresses() -> Iterator[str]:
    return (f"10.0.{number // 256}.{number % 256}" for number in count())


def test_the_hub_opens_the_nonce_to_which_it_has_committed(hub: Joins, stranger: Stranger) -> None:
    key, begun = stranger.begin("10.0.0.1")
    assert (begun.state, begun.nonce) == (JoinState.COMMITTED, "")
    opened = hub.answer(NonceRequest(key, NONCE), "10.0.0.1", 0.0)
    assert opened.state is JoinState.WAITING
    assert joining.commitment_to(opened.nonce) == begun.commitment
    (shown,) = hub.candidates(0.0)
    assert shown.code == joining.code(PIN, key, NONCE, opened.nonce)


def test_a_third_party_that_grinds_learns_no_digits_that_the_desk_does_not_show(
    hub: Joins, stranger: Stranger
) -> None:
    # It wants one last digit of six, which one of ten tries would have, from 1,000 addresses.
    wanted, learned = "7", list[str]()
    for address in islice(addresses(), 1000):
        key, reply = stranger.open(address)
        if reply.nonce:
            learned.append(joining.code(PIN, key, NONCE, reply.nonce))
    shown = [each.code for each in hub.candidates(0.0)]
    assert shown == learned
    assert len(shown) == joins.MAX_OPEN
    assert any(code.endswith(wanted) for code in shown)


def test_a_try_that_stops_before_its_nonce_learns_nothing(stranger: Stranger) -> None:
    replies = [stranger.begin(f"10.0.0.{n}")[1] for n in range(200)]
    assert {(reply.state, reply.nonce) for reply in replies} == {(JoinState.COMMITTED, "")}
    assert len({reply.commitment for reply in replies}) == len(replies)
    assert stranger.hub.candidates(0.0) == []


def test_a_key_has_one_nonce_and_one_try(hub: Joins, stranger: Stranger) -> None:
    key, begun = stranger.begin("10.0.0.1")
    again = BeginRequest(key, "a91c", "1.4")
    assert hub.answer(again, "10.0.0.2", 1.0) == begun
    assert hub.answer(NonceRequest(key, NONCE), "10.0.0.1", 2.0).state is JoinState.WAITING
    shown = hub.candidates(2.0)
    for request in (again, NonceRequest(key, NONCE), NonceRequest(key, "ef" * 16)):
        refused = hub.answer(request, "10.0.0.3", 3.0)
        assert (refused.state, refused.nonce) == (JoinState.REFUSED, "")
    assert hub.candidates(3.0) == shown
    hub.refuse(key, 4.0)
    assert hub.answer(again, "10.0.0.1", 5.0).state is JoinState.REFUSED


def test_an_unknown_key_begins_again(hub: Joins) -> None:
    for request in (NonceRequest("1" * 64, NONCE), WaitRequest("1" * 64)):
        assert "begin again" in hub.answer(request, "", 0.0).text


def test_the_steps_of_an_earlier_version_are_refused_with_a_reason(hub: Joins) -> None:
    refused = hub.answer(EarlierRequest("1" * 64), "", 0.0)
    assert refused.state is JoinState.REFUSED
    assert "bring it up to date" in refused.text


def test_two_tries_of_an_address_may_be_open(hub: Joins, stranger: Stranger) -> None:
    (first, _), _ = stranger.open("10.0.0.1", 0.0), stranger.open("10.0.0.1", 30.0)
    refused = stranger.open("10.0.0.1", 90.0)[1]
    # The true wait: until the first one is ten minutes old.
    assert (refused.state, refused.wait) == (JoinState.REFUSED, 510)
    assert "in 9 min" in refused.text
    assert stranger.open("10.0.0.2", 90.0)[1].state is JoinState.WAITING
    hub.refuse(first, 90.0)
    assert stranger.open("10.0.0.1", 90.0)[1].state is JoinState.WAITING


def test_a_try_counts_where_it_is_opened(hub: Joins, stranger: Stranger) -> None:
    keys = [stranger.begin(f"10.0.0.{n}")[0] for n in range(3)]
    states = [hub.answer(NonceRequest(key, NONCE), "10.0.9.9", 0.0).state for key in keys]
    assert states == [JoinState.WAITING, JoinState.WAITING, JoinState.REFUSED]
    assert len(hub.candidates(0.0)) == joins.MAX_OPEN_EACH


def test_sixty_tries_in_ten_minutes_may_be_open(hub: Joins, stranger: Stranger) -> None:
    each = addresses()
    for number in range(joins.MAX_OPEN):
        assert stranger.open(next(each), float(number))[1].state is JoinState.WAITING
    refused = stranger.open(next(each), 100.0)[1]
    assert (refused.state, refused.wait) == (JoinState.REFUSED, 500)
    # The desk answers one: it has a place at once.
    hub.accept(hub.candidates(100.0)[0].key, 4, "Club", 100.0)
    assert stranger.open(next(each), 100.0)[1].state is JoinState.WAITING
    assert stranger.open(next(each), 100.0)[1].state is JoinState.REFUSED
    # Ten minutes later all are old.
    assert hub.candidates(700.0) == []
    assert stranger.open(next(each), 700.0)[1].state is JoinState.WAITING


def test_a_candidate_stays_at_the_desk_whether_or_not_its_box_asks(
    hub: Joins, stranger: Stranger
) -> None:
    stranger.open("10.0.0.1", 0.0)
    assert len(hub.candidates(joins.LASTS - 1)) == 1


def test_strangers_leave_a_place_for_an_honest_box(hub: Joins, stranger: Stranger) -> None:
    each = addresses()
    # All unopened places are taken, four of each address.
    for _ in range(joins.MAX_UNOPENED):
        address = next(each)
        for _ in range(joins.MAX_UNOPENED_EACH):
            stranger.begin(address)
    key, reply = stranger.begin("10.9.9.9")
    assert reply.state is JoinState.COMMITTED
    # What strangers of fewer than 32 places begin meanwhile takes only their own.
    for _ in range(100):
        stranger.begin("10.0.0.1")
    assert hub.answer(NonceRequest(key, NONCE), "10.9.9.9", 1.0).state is JoinState.WAITING


def test_the_oldest_unopened_try_makes_room(hub: Joins, stranger: Stranger) -> None:
    keys = [stranger.begin("10.0.0.1")[0] for _ in range(joins.MAX_UNOPENED_EACH + 1)]
    answers = [hub.answer(NonceRequest(key, NONCE), "10.0.0.1", 0.0) for key in keys[:2]]
    assert [reply.state for reply in answers] == [JoinState.REFUSED, JoinState.WAITING]


def test_the_answer_of_the_desk_stays_until_it_is_old(hub: Joins, stranger: Stranger) -> None:
    accepted, refused = stranger.open("10.0.0.1")[0], stranger.open("10.0.0.2")[0]
    hub.accept(accepted, 7, "Club", 1.0)
    hub.refuse(refused, 1.0)
    answers = [hub.answer(WaitRequest(key), "", 500.0) for key in (accepted, refused)]
    assert [(reply.state, reply.table) for reply in answers] == [
        (JoinState.ACCEPTED, 7),
        (JoinState.REFUSED, 0),
    ]
    assert "begin again" in hub.answer(WaitRequest(refused), "", 601.0).text


def test_a_card_has_one_place_which_lasts_as_long_as_a_try(hub: Joins) -> None:
    for at in range(100):
        request = CardRequest(f"{at:064x}", "00" * 16, "a91c", "1.4")
        assert hub.ask_about(request, "card", 7, 0.0).state is JoinState.WAITING
    (found,) = hub.candidates(0.0)
    assert (found.key, found.table, found.code) == (f"{99:064x}", 7, "")
    assert hub.answer(WaitRequest(f"{98:064x}"), "10.0.0.1", 1.0).state is JoinState.REFUSED
    assert hub.answer(WaitRequest(found.key), "10.0.0.1", 1.0).state is JoinState.WAITING
    assert hub.candidates(joins.LASTS) == []


def test_boxes_with_cards_take_no_place_of_those_with_digits(
    hub: Joins, stranger: Stranger
) -> None:
    for at in range(joins.MAX_OPEN):
        request = CardRequest(f"{at + 10**6:064x}", "00" * 16, "a91c", "1.4")
        hub.ask_about(request, f"card {at}", at, 0.0)
    assert stranger.open("10.0.0.1")[1].state is JoinState.WAITING
    assert len(hub.candidates(0.0)) == joins.MAX_OPEN + 1
