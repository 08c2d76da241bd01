"""New passwords of the desk of a hub on this machine, requested in set-up."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from scorer.hall.desk_protocol import DeskReport, DeskResult
from scorer.session.play.timers import expire, show_notice
from scorer.session.setup.hall_menu import show_password
from scorer.session.values.effects import Effect, Task
from scorer.session.values.shown import Notice
from scorer.session.values.state import Session
from scorer.table.guest import Guest, ServiceReport

HUB_FOLDER_NAME: Final = "scorer-hub"  # RuntimeDirectory= of the hub's unit
_LOOK_S: Final = 5.0  # seconds between two looks for the hub


class DeskPasswords(Guest):
    """Shows that a password is being made, and then the password."""

    handles = frozenset((Task.DESK_PASSWORD, DeskReport))

    def __init__(self, request: Callable[[], DeskReport], has_hub: Callable[[], bool]) -> None:
        """``request`` returns at once; ``has_hub``: whether a hub runs on this machine."""
        self._request, self._has_hub = request, has_hub
        self._look_at, self._found = 0.0, False

    def handle(self, effect: Effect | ServiceReport, session: Session, now: float) -> Session:
        report = effect if isinstance(effect, DeskReport) else self._request()
        if report.result is DeskResult.DONE:
            return show_password(expire(session, now), report.name, report.password, report.port)
        return show_notice(session, Notice(report.result, urgent=True), now)

    def refresh(self, session: Session, now: float) -> Session:
        if now >= self._look_at:
            self._look_at, self._found = now + _LOOK_S, self._has_hub()
        if session.box.has_hub == self._found:
            return session
        return session._replace(box=session.box._replace(has_hub=self._found))


def hub_folder(table_socket: Path) -> Path:
    """The folder that exists while a hub runs, beside that of the sockets."""
    return table_socket.parent.parent / HUB_FOLDER_NAME
