"""What owners have saved in a browser and the table still has to do.

Choices that change a price or restart the table wait until no game is played; they are stored, so
that a power cut loses none. Changes of other services are kept by the service of the settings.
"""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from scorer.api.settings_protocol import SettingsChange, SettingsReport
from scorer.session.values.box_settings import Choice
from scorer.session.values.effects import Effect
from scorer.session.values.state import Session
from scorer.store.journal import Journal
from scorer.table.guest import Guest, ServiceReport

WAITING_KEY = "owner_waiting"  # key of the store's settings
# Sections of the page's file that the table reads at its start.
_READ_BY_TABLE = ("printer", "owner", "consoles", "lamps", "sound")


class SettingsFiles(NamedTuple):
    """The files of this start, and the folder of the settings page; None: it has none."""

    owner_text: str = ""
    card_text: str | None = None
    page_folder: Path | None = None


class Saving(NamedTuple):
    """The newest change of another service: "saving", "saved" or "failed"."""

    status: str
    section: str
    problems: tuple[str, ...] = ()


class OwnerSettings(Guest):
    """Holds choices that wait, and the state of the newest change of a service.

    ``restarts``: the table has to read its files again, between two games.
    """

    handles = frozenset((SettingsReport,))

    def __init__(
        self,
        journal: Journal,
        files: SettingsFiles,
        request: Callable[[SettingsChange], bool],
    ) -> None:
        """Read what waits. ``request`` returns at once. Raises StoreError."""
        self.journal, self.files, self._request = journal, files, request
        self.waiting = _parse(journal.settings().get(WAITING_KEY, ""))
        self.saving: Saving | None = None
        self.restarts = False
        self.last: dict[str, Any] | None = None  # who changed what, for the next owner
        self.cached: tuple[object, list[dict[str, Any]]] | None = None  # the newest document

    @property
    def is_due(self) -> bool:
        """Whether something is done once no game is played."""
        return bool(self.waiting) or self.restarts

    def wait(self, choices: Sequence[Choice]) -> None:
        """Keep choices until no game is played; a newer one replaces that of its path.

        Raises StoreError.
        """
        by_path = {choice.path: choice for choice in (*self.waiting, *choices)}
        waiting = tuple(by_path.values())
        self.journal.set_setting(WAITING_KEY, json.dumps([each._asdict() for each in waiting]))
        self.waiting = waiting

    def clear_waiting(self) -> None:
        """Nothing waits any more. Raises StoreError."""
        self.waiting = ()
        self.journal.remove_setting(WAITING_KEY)

    def keep(self, change: SettingsChange) -> bool:
        """Have a change kept by the service; False while another one is."""
        if not self._request(change):
            return False
        self.saving = Saving("saving", change.section)
        return True

    def handle(self, effect: Effect | ServiceReport, session: Session, now: float) -> Session:
        assert isinstance(effect, SettingsReport)
        section = effect.change.section
        if effect.ok:
            self.saving = Saving("saved", section)
            self.restarts = self.restarts or section in _READ_BY_TABLE
        else:
            self.saving = Saving("failed", section, effect.problems)
        return session


def _parse(text: str) -> tuple[Choice, ...]:
    """The stored choices; none of what is damaged."""
    try:
        listed = json.loads(text or "[]")
        return tuple(Choice(tuple(map(str, each["path"])), each["value"]) for each in listed)
    except (ValueError, RecursionError, TypeError, KeyError):
        return ()
