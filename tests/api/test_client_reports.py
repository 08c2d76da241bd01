"""The report of a client ends with its connection."""

from __future__ import annotations

from scorer.api.client_reports import ClientReports


def test_the_newest_counts_of_those_who_are_still_there() -> None:
    there = {1, 2}
    reports = ClientReports(lambda client: client in there, "none")
    assert reports.newest() == "none"
    reports.put(1, "one")
    reports.put(2, "other")
    assert reports.newest() == "other"
    reports.put(1, "one")
    assert reports.newest() == "one"
    there.discard(1)
    assert reports.newest() == "other"
    there.clear()
    assert reports.newest() == "none"
