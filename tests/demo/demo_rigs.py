"""Simulated tables for tests: the real one, and a fake with the same protocol."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from scorer.demo.table_process import TableProcess

FAKE = Path(__file__).with_name("fake_table.py")


class FakeCommand(NamedTuple):
    """A ``table_process.TableCommand`` that starts the fake table."""

    store: str
    panels: int = 2
    fail: str = ""
    layout: str = "full"

    def power_on(self, at: float, stuck: Sequence[str] = ()) -> TableProcess:
        """As ``TableCommand.power_on``."""
        return TableProcess(self.command(at, stuck))

    def command(self, at: float, stuck: Sequence[str] = ()) -> list[str]:
        words = [sys.executable, str(FAKE), "--at", str(at), "--store", self.store]
        words += ["--panels", str(self.panels), "--fail", self.fail]
        return words + (["--down", " ".join(stuck)] if stuck else [])
