"""The measurements of a run, printed at its end. It asserts nothing.

Seconds are the guest's (half a thousand million instructions each), not those of a Pi.
"""

from __future__ import annotations

import resource

import pytest


class Figures:
    """The measurements of one test."""

    def __init__(self, request: pytest.FixtureRequest) -> None:
        self._node = request.node

    def note(self, what: str, value: object) -> None:
        """Record one measurement and its value."""
        self._node.user_properties.append(("figure", f"{what}: {value}"))


def spent() -> float:
    """CPU seconds of this process's ended children."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


def of_reports(reports: list[pytest.TestReport]) -> list[str]:
    """All recorded lines, in the order of the tests."""
    return [
        str(value)
        for report in reports
        for name, value in report.user_properties
        if name == "figure"
    ]
