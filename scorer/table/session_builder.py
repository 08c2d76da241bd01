"""Builds the sessions of a table's games under the current settings."""

from __future__ import annotations

from collections.abc import Callable

from scorer.phrases.usual_names import usual_names
from scorer.records import replay
from scorer.records.game_log import GameLog
from scorer.rules import Game, Side
from scorer.session.play.timers import show_notice
from scorer.session.setup import first_run
from scorer.session.values.box_settings import BoxSettings
from scorer.session.values.keys import NoticeKey
from scorer.session.values.settings import Settings
from scorer.session.values.shown import Notice
from scorer.session.values.state import Reaction, Session, new_session
from scorer.table.hooks import AppliedSettings

MakeGame = Callable[[], tuple[Game, tuple[str, ...]]]  # the first game and its sides' names

# Lines of a rule card including its title, on a low panel and on others.
_CARD_LINES_LOW, _CARD_LINES = 3, 5


class SessionBuilder:
    """Holds the settings of one table and builds sessions with them."""

    def __init__(self, game_log: GameLog, applied: AppliedSettings, *, has_low_panel: bool) -> None:
        self._game_log, self._has_low_panel = game_log, has_low_panel
        self.settings: Settings = applied.settings
        self._names = applied.names
        self.box = self._complete(applied.box)

    def resume_or_open(self, make_game: MakeGame, now: float, *, needs_first_run: bool) -> Session:
        """The session of the running game, else of a new one. Raises StoreError.

        ``needs_first_run``: until a hand was scored, it begins with the questions of a new box.
        """
        running = self._game_log.resume()
        session = None if running is None else self._build(running, now)
        if session is None:
            session = self.with_unplayable(self._open(make_game, now), now)
        if not needs_first_run or session.record.is_scored or self._game_log.has_earlier_rows:
            return session
        return first_run.with_first_question(session._replace(asks_first_run=True))

    def with_unplayable(self, session: Session, now: float) -> Session:
        """``session`` with the refused press that began a new game, if any."""
        press = self._game_log.refused_press
        if press is None:
            return session
        return show_notice(session, Notice(NoticeKey.ROW_REFUSED, str(press), urgent=True), now)

    def _open(self, make_game: MakeGame, now: float) -> Session:
        game, names = make_game()
        header = replay.build_header(game, dict(zip(game.rules.scoring_sides, names, strict=False)))
        self._game_log.append([], "menu", now, opens=header, forward=False)
        return new_session(game, self.settings, now=now, names=names, box=self.box)

    def resume_after(self, reaction: Reaction, now: float) -> Session:
        """The session of the game that is now current, with the notice of ``reaction``."""
        running, kept = self._game_log.resume(), reaction.session
        if running is None:
            # An undo that leads into a game that this program cannot play on.
            start = kept.record.start
            return self.with_unplayable(self._open(lambda: (start, kept.names), now), now)
        session = self._build(running, now)
        return session._replace(
            notice=kept.notice,
            notice_until=kept.notice_until,
            asks_first_run=kept.asks_first_run,
        )

    def apply(self, applied: AppliedSettings, session: Session) -> Session:
        """Apply new settings to the session; layout and consoles need a restart."""
        table = applied.settings.table._replace(layout=self.settings.table.layout)
        self.settings = applied.settings._replace(table=table, consoles=self.settings.consoles)
        self.box = self._complete(applied.box)
        self._names = applied.names
        names = self._side_names(session.game, session.names)
        return session._replace(settings=self.settings, box=self.box, names=names)

    def _build(self, current: replay.CurrentGame, now: float) -> Session:
        session = new_session(
            current.record,
            self.settings,
            now=now,
            names=self._side_names(current.record.game, current.names),
            has_earlier_game=current.has_earlier,
            has_later_game=current.redo_game is not None,
            box=self.box,
            opening_names=current.names,
        )._replace(ends_series=current.number < self._game_log.first_of_evening)
        return session.with_change(self._game_log.change())

    def with_names(self, reaction: Reaction, before: Session) -> Reaction:
        """``reaction`` with the names of the house if it opens a game after a match."""
        game = reaction.new_game
        if game is None or before.game.match is None or game.match is not None:
            return reaction
        names = self._side_names(game, ())
        return reaction._replace(
            session=reaction.session._replace(names=names, opening_names=names)
        )

    def _side_names(self, game: Game, names: tuple[str, ...]) -> tuple[str, ...]:
        """The names chosen on the box, else those in the game's header."""
        if self._names is None or game.match is not None:
            return names
        count = len(game.rules.scoring_sides)
        return (*self._names, *("",) * count)[:count]

    def _complete(self, box: BoxSettings) -> BoxSettings:
        """``box`` with the usual names, and rule cards in pages that fit the lowest panel."""
        lines = _CARD_LINES_LOW if self._has_low_panel else _CARD_LINES
        names = usual_names(self.settings.table.language, self.settings.lamps)
        return box._replace(card_lines=lines, **names._asdict())


def names_by_side(session: Session) -> dict[Side, str]:
    """The names as the game's header has them."""
    return dict(zip(session.rules.scoring_sides, session.names, strict=False))
