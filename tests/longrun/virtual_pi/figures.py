"""What a run has measured, for the lines at its end. It asserts nothing.

Seconds are the guest's: half a thousand million instructions each, and not those of a Pi.
"""

from __future__ import annotations

import resource

import pytest


class Figures:
    """Notes of one test."""

    def __init__(self, request: pytest.FixtureRequest) -> None:
        self._node = request.node

    def note(self, what: str, value: object) -> None:
        """One line: what was measured, and how much it is."""
        self._node.user_properties.append(("figure", f"{what}: {value}"))


def spent() -> float:
    """Seconds that processors have worked for children of this process that have ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


def of_reports(reports: list[pytest.TestReport]) -> list[str]:
    """Every line that was noted, in the order of the tests."""
    return [
        str(value)
        for report in reports
        for name, value in report.user_properties
        if name == "figure"
    ]
