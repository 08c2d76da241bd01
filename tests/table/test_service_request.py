"""Requests to services: one at a time, and the next as soon as one is answered."""

from __future__ import annotations

import queue
import threading

from scorer.table.service_request import OneAtATime

PATIENCE = 30  # seconds


def test_who_gets_an_answer_may_ask_again_at_once() -> None:
    answers: queue.SimpleQueue[tuple[int, bool]] = queue.SimpleQueue()

    def report(number: int) -> None:
        answers.put((number, number < 2 and waiting.begin(lambda: number + 1)))

    waiting = OneAtATime("asked twice", report)
    assert waiting.begin(lambda: 1)
    assert {answers.get(timeout=PATIENCE) for _ in range(2)} == {(1, True), (2, False)}


def test_a_second_request_waits_for_the_first() -> None:
    is_due = threading.Event()
    answers: queue.SimpleQueue[bool] = queue.SimpleQueue()
    waiting = OneAtATime("asked while busy", answers.put)
    assert waiting.begin(lambda: is_due.wait(PATIENCE))
    assert not waiting.begin(lambda: True)
    is_due.set()
    assert answers.get(timeout=PATIENCE)
    assert answers.empty()
