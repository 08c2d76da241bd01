"""What a test has measured, for the lines at the end of a run. It asserts nothing.

Seconds are the guest's: half a thousand million instructions each, and not those of a Pi.
"""

from __future__ import annotations

import pytest


class Figures:
    """Notes of one test."""

    def __init__(self, request: pytest.FixtureRequest) -> None:
        self._node = request.node

    def note(self, what: str, value: object) -> None:
        """One line: what was measured, and how much it is."""
        self._node.user_properties.append(("figure", f"{what}: {value}"))


def of_reports(reports: list[pytest.TestReport]) -> list[str]:
    """Every line that was noted, in the order of the tests."""
    return [
        str(value)
        for report in reports
        for name, value in report.user_properties
        if name == "figure"
    ]
