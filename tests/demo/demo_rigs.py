"""Desks for tests: before the real table, and before one that only speaks the protocol."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

FAKE = Path(__file__).with_name("fake_table.py")


class FakeCommand(NamedTuple):
    """Stands where ``scorer.demo.table_process.TableCommand`` stands, and starts the fake table."""

    store: str
    panels: int = 2
    fail: str = ""
    layout: str = "full"

    def command(self, at: float, stuck: Sequence[str] = ()) -> list[str]:
        """As ``Table.command``."""
        words = [sys.executable, str(FAKE), "--at", str(at), "--store", self.store]
        words += ["--panels", str(self.panels), "--fail", self.fail]
        return words + (["--down", " ".join(stuck)] if stuck else [])
