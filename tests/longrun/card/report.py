"""Counts of checks, each printed as it is made."""

from __future__ import annotations


class Report:
    """What passed and what failed."""

    def __init__(self) -> None:
        self.passed = self.failed = 0

    def check(self, what: str, held: bool, found: object = "") -> None:
        """Count one check; ``found`` is printed with it."""
        text = str(found).strip()
        if held:
            self.passed += 1
            print(f"   ok      {what}{f': {text}' if text and len(text) < 200 else ''}", flush=True)
        else:
            self.failed += 1
            print(f"   FAILED  {what}: {text}", flush=True)

    def equal(self, what: str, found: object, wanted: object) -> None:
        """Check that two values are equal."""
        self.check(
            what, found == wanted, found if found == wanted else f"{found!r}, not {wanted!r}"
        )
