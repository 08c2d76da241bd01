"""The protocol of a guest: a matter of the table beside the score.

table.py says what a guest may do and when.
"""

from __future__ import annotations

from typing import ClassVar

from scorer.api.backup_protocol import BackupReport
from scorer.api.print_protocol import PrintResult
from scorer.api.radio_protocol import RadioReport
from scorer.api.settings_protocol import SettingsReport, TrialReport
from scorer.hall.desk_protocol import DeskReport
from scorer.session.values.effects import Effect, StoredEffect, Task
from scorer.session.values.state import Session

ServiceReport = (
    PrintResult | BackupReport | DeskReport | RadioReport | SettingsReport | TrialReport
)  # the answer of another process


class Guest:
    """A guest that does nothing: each one overrides what it needs."""

    handles: ClassVar[frozenset[Task | type]] = frozenset()  # tasks, and types of other effects

    def store(self, effect: StoredEffect, source: str, now: float) -> None:
        """Store an effect before the session is adopted. Raises StoreError."""

    def handle(self, effect: Effect | ServiceReport, session: Session, now: float) -> Session:
        """The session after an effect of an adopted press, or after a report of a service."""
        return session

    def refresh(self, session: Session, now: float) -> Session:
        """The session with what the guest knows; called before each picture."""
        return session

    def tick(self, session: Session, now: float) -> Session:
        """The session after the work that is due; called after each picture."""
        return session

    def deadline(self) -> float | None:
        """When ``tick`` is due next, or None."""
        return None
