"""The limit of the log."""

from __future__ import annotations

import logging

from scorer.system.log_limit import BURST, LogLimit


def test_a_flood_of_messages_is_cut_and_counted() -> None:
    now = [0.0]
    limit = LogLimit(lambda: now[0])
    records = [logging.LogRecord("x", 30, "", 0, "bad %s", ("one",), None) for _ in range(1000)]
    assert sum(limit.filter(record) for record in records) == BURST
    now[0] = 60.0
    last = logging.LogRecord("x", 30, "", 0, "bad %s", ("one",), None)
    assert limit.filter(last)
    assert last.getMessage() == "bad one (980 messages were dropped before)"
