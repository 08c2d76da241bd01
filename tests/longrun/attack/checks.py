"""Counts of the checks of an attack, and the sentences of those that failed."""

from __future__ import annotations


class Checks:
    """What held and what did not.

    ``note`` is the extent of the attack, or why it was skipped.
    """

    def __init__(self) -> None:
        self.passed, self.faults, self.note = 0, list[str](), ""

    def check(self, held: bool, fault: object) -> None:
        """Count one check; ``fault`` says what is wrong if it did not hold."""
        if held:
            self.passed += 1
        else:
            self.faults.append(str(fault))
