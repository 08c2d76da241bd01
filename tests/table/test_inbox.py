"""The inbox gives what a player waits for before requests, and loses nothing."""

from __future__ import annotations

import queue
import threading

import pytest

from scorer.api.request import Request
from scorer.api.rights import Right
from scorer.table.inbox import OrderedInbox

PATIENCE = 60.0  # seconds for a slow machine


def request(number: int) -> Request:
    return Request(number, {}, Right.READ, "")


def taken(inbox: OrderedInbox, timeout: float = PATIENCE) -> str:
    """An item as a word; "-" if there is none."""
    try:
        item = inbox.get(timeout=timeout)
    except queue.Empty:
        return "-"
    return item if isinstance(item, str) else str(item.client)


def test_edges_come_before_requests_that_were_there_first() -> None:
    inbox = OrderedInbox()
    for item in (request(1), request(2), "down", "up"):
        inbox.put(item)
    assert [taken(inbox), taken(inbox), taken(inbox)] == ["down", "up", "1"]
    inbox.put("down")
    assert [taken(inbox), taken(inbox), taken(inbox, 0.0)] == ["down", "2", "-"]


def test_a_deadline_that_has_passed_comes_before_requests() -> None:
    inbox = OrderedInbox()
    inbox.put(request(1))
    assert [taken(inbox, 0.0), taken(inbox, 0.0)] == ["-", "-"]
    inbox.put("down")
    assert [taken(inbox, 0.0), taken(inbox, 0.0), taken(inbox)] == ["down", "-", "1"]


@pytest.mark.parametrize("item", ["down", request(1)])
def test_what_comes_wakes_the_reader(item: str | Request) -> None:
    inbox = OrderedInbox()
    found: list[str] = []
    reader = threading.Thread(target=lambda: found.append(taken(inbox)))
    reader.start()
    inbox.put(item)
    reader.join(PATIENCE)
    assert found == ["down" if item == "down" else "1"]


def test_many_writers_lose_nothing() -> None:
    inbox = OrderedInbox()

    def write(number: int) -> None:
        for _ in range(100):
            inbox.put(request(number))
            inbox.put("edge")

    writers = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for each in writers:
        each.start()
    found = [taken(inbox) for _ in range(800)]
    for each in writers:
        each.join()
    assert sorted(found) == sorted(["edge"] * 400 + [str(n) for n in range(4)] * 100)
    assert taken(inbox, 0.0) == "-"
