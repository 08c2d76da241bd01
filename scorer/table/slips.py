"""The slips of a table: on request of set-up, and of a won game by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorer.api.marks import Marks
from scorer.api.print_protocol import PrintResult
from scorer.records.game_log import GameLog
from scorer.session.play.timers import show_notice
from scorer.session.values.effects import Effect, Task
from scorer.session.values.shown import Notice
from scorer.session.values.state import Session
from scorer.table.guest import Guest, ServiceReport

if TYPE_CHECKING:
    from scorer.table.print_client import PrintClient


class Slips(Guest):
    """Passes slips to the client of the printer, and shows its results."""

    handles = frozenset((Task.SLIP, PrintResult))

    def __init__(self, client: PrintClient | None, game_log: GameLog, marks: Marks) -> None:
        self._client, self._game_log, self._marks = client, game_log, marks

    def handle(self, effect: Effect | ServiceReport, session: Session, now: float) -> Session:
        if isinstance(effect, PrintResult):
            # A printer fault stays until a slip is printed.
            self._marks.set_print_result(effect)
            # A success expires soon: the winner and the next step are shown below it.
            duration_s = None if effect.is_failure else session.settings.notice_s
            return show_notice(session, Notice(effect, urgent=True), now, duration_s)
        # Before the first press of a game, use the previous game.
        before = 0 if session.record.past else 1
        return self._request(max(1, self._game_log.current_game - before), session, now)

    def tick(self, session: Session, now: float) -> Session:
        """Print the slip of a game won some seconds ago, if configured."""
        if self._client is None:
            return session
        won = session.game.winner is not None
        due = self._client.auto_print_due(self._game_log.current_game, now, won=won)
        return session if due is None else self._request(due, session, now)

    def deadline(self) -> float | None:
        return None if self._client is None else self._client.deadline()

    def _request(self, game: int, session: Session, now: float) -> Session:
        if self._client is None:
            return session
        key = self._client.request_slip(game, session.settings.table.language)
        return show_notice(session, Notice(key, urgent=True), now, session.settings.notice_s)
