"""The games of one table in its journal: current game, presses, tonight's games.

Rows become games in ``replay``. All methods may raise what the journal raises, and have then
changed nothing.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from scorer import __version__
from scorer.records import replay, stored_change
from scorer.records.clock import is_new_day, local_moment
from scorer.rules import SheetError, read_header, words
from scorer.rules.model import Match
from scorer.rules.stored_header import with_rules_of_then
from scorer.session.values.record import RefusedPress
from scorer.store.file import ANY_PROGRAM, NeededProgram
from scorer.store.journal import Journal, Stamp, StoredRow
from scorer.store.rows import StoredOpening

if TYPE_CHECKING:
    from scorer.records.pair_names import RenameFault
    from scorer.records.standings import EveningStandings
    from scorer.session.values.chosen_change import ChosenChange
    from scorer.session.values.night_view import NightView

_EVENING_KEY = "night"  # key of the store's settings: the first game of tonight
_NAMES_KEY = "night_names"  # and the names given to its pairs afterwards
# Keys of the settings that belong to the games of a store.
GAME_KEYS = (_EVENING_KEY, _NAMES_KEY, stored_change.KEY)
_MAX_DIGITS = 18  # largest number of a game


class GameNumbers(NamedTuple):
    """Numbers of the current game, the first of tonight and the newest."""

    running: int
    first: int
    newest: int


class GameLog:
    """The journal of one table as games. ``stamp`` dates times of the loop."""

    def __init__(self, journal: Journal, stamp: Callable[[float], Stamp]) -> None:
        self._journal, self._stamp = journal, stamp
        self._current_game = 0
        self._redo_game: int | None = None  # the game that one more redo restores
        self._first_row: replay.JournalRow | None = None  # of the current game
        self._match: Match | None = None  # of the current game
        self._earlier_row: replay.JournalRow | None = None  # the first one of its legs before
        self.refused_press: int | None = None  # that the rules refuse, of the game to resume
        # The first game of the evening.
        kept = journal.settings().get(_EVENING_KEY, "1")
        self._first = int(kept) if kept.isdecimal() and len(kept) <= _MAX_DIGITS else 1
        self._standings: EveningStandings | None = None  # until they are asked for
        self._renamed: dict[str, str] | None = None  # by id of the pair, as stored

    @property
    def seq(self) -> int:
        """The newest row, which a request must have seen."""
        return self._journal.last_seq()

    @property
    def seq_names_a_game(self) -> bool:
        """Whether ``seq`` is of the current game alone.

        A game after the first shares it with the game before until it has a row of its own.
        """
        return self._current_game == 1 or self._first_row is not None

    @property
    def current_game(self) -> int:
        """The number of the current game; 0 before the first."""
        return self._current_game

    @property
    def first_of_evening(self) -> int:
        """The number of the first game of tonight."""
        return self._first

    @property
    def has_earlier_rows(self) -> bool:
        """Whether anything was entered in a game before the current one."""
        return any(row.game < self._current_game for row in self._journal.since(1, 1))

    @property
    def game_numbers(self) -> GameNumbers:
        """Numbers of the current game, the first of tonight and the newest."""
        return GameNumbers(self._current_game, self._first, self._journal.newest_game())

    def resume(self) -> replay.CurrentGame | None:
        """Resume the current game from the rows and return it.

        None on a first evening, and if the rules refuse a press of it (``refused_press``) or it is
        of a newer program.
        """
        self.refused_press, opened = None, None
        try:
            opened = replay.find_current_game(self._journal)
        except RefusedPress as error:
            self.refused_press = error.press
        except SheetError:
            pass
        if opened is not None:
            self._current_game, self._redo_game = opened.number, opened.redo_game
            self._first_row, self._match = opened.first_row, opened.record.game.match
            self._earlier_row = replay.first_row_of_legs(self._journal, opened.number, self._match)
        return opened

    def append(
        self, lines: Sequence[str], source: str, now: float, *, opens: str | None, forward: bool
    ) -> None:
        """Store one press in one commit.

        ``opens``: the header of a game that begins with it. ``forward``: the redo that restores a
        later game, as returned by ``resume``.
        """
        header = None if opens is None else read_header(opens)
        match = None if header is None else header.start.match
        earlier = None if match is None or not match.follows(self._match) else self._row_of_match
        number = self._current_game if opens is None else self._journal.newest_game() + 1
        if forward:
            assert self._redo_game is not None
            number = self._redo_game
        stamp = self._stamp(now)
        level = words.level_of(header, lines)
        is_any = level == ANY_PROGRAM.needs
        rows = self._journal.append(
            game=number,
            lines=lines,
            source=source,
            stamp=stamp,
            opens=opens,
            program=ANY_PROGRAM if is_any else NeededProgram(level, __version__),
        )
        if number != self._current_game:
            self._first_row, self._match, self._earlier_row = None, match, earlier
        self._first_row = self._first_row or (rows[0] if rows else None)
        self._current_game = number

    def change(self) -> "ChosenChange | None":
        """The change of rules that is chosen for the current game."""
        text = self._journal.settings().get(stored_change.KEY)
        return None if text is None else stored_change.read_change(text, self._current_game)

    def store_change(self, chosen: "ChosenChange | None") -> None:
        """Store the change that is chosen for the current game; None: there is none."""
        if chosen is None:
            self._journal.remove_setting(stored_change.KEY)
        else:
            text = stored_change.change_text(chosen, self._current_game)
            self._journal.set_setting(stored_change.KEY, text)

    def starts_new_day(self, now: float) -> bool:
        """Whether the newest press was made on another day, before the last boot."""
        rows = self._journal.rows(self._current_game)
        return bool(rows) and is_new_day(rows[-1], self._stamp(now))

    def standings(self, names: Mapping[str, str] | None = None) -> "NightView":
        """The games of tonight by pair, with the stored or with other names."""
        # Imported lazily: most starts of the table see no page of standings.
        from scorer.records.standings import EveningStandings

        if self._standings is None:
            self._standings = EveningStandings(self._journal, self._first)
        return self._standings.view(self.pair_names() if names is None else names)

    def clear_evening(self, *, over: bool) -> None:
        """Start a new evening with the current game, or after it if it is ``over``."""
        first = self._journal.newest_game() + 1 if over else self._current_game
        self._journal.set_setting(_EVENING_KEY, json.dumps(first))
        self._first, self._standings, self._renamed = first, None, None

    def pair_names(self) -> dict[str, str]:
        """The names given to pairs of tonight afterwards, by id."""
        if self._renamed is None:
            self._renamed = _pair_names(self._journal.settings().get(_NAMES_KEY, ""), self._first)
        return self._renamed

    def rename_pair(self, pair: str, name: str) -> "RenameFault | None":
        """Name a pair until the evening is cleared; "": its own name again."""
        from scorer.records.pair_names import find_rename_fault, with_pair_name

        names = with_pair_name(self.pair_names(), pair, name)
        fault = find_rename_fault(self.standings(), self.standings(names), pair, name)
        if fault is not None:
            return fault
        text = json.dumps({"first": self._first, "names": names}, ensure_ascii=False)
        self._journal.set_setting(_NAMES_KEY, text)
        self._renamed = names
        return None

    def known_names(self) -> replay.KnownNames:
        """Names of recent players."""
        return replay.known_names(self._journal)

    def rows(self, start: int, limit: int) -> tuple[StoredRow, ...]:
        """At most ``limit`` rows of the journal from ``start`` on."""
        return self._journal.since(start, limit)

    def openings(self, first: int, last: int, limit: int) -> tuple[StoredOpening, ...]:
        """At most ``limit`` games opened at rows ``first`` to ``last``, oldest first."""
        return self._journal.openings(first, last, limit)

    @property
    def began(self) -> str | None:
        """UTC time of the first row of the current game; None if unknown."""
        row = self._first_row
        return row.wall if row is not None and row.trusted else None

    @property
    def _row_of_match(self) -> replay.JournalRow | None:
        """The first row of the current game, or of the legs before it at this table."""
        return self._earlier_row or self._first_row

    @property
    def match_began_seq(self) -> int | None:
        """The first row of the match in play; None before it."""
        return None if self._row_of_match is None else self._row_of_match.seq

    def span(self, length_s: int | None) -> str:
        """Start and end of the match in play, which may take ``length_s`` seconds.

        In local time as "20:14-21:44", without a length as "20:14"; "" if unknown.
        """
        row = self._row_of_match
        began = local_moment(row.wall) if row is not None and row.trusted else None
        if began is None:
            return ""
        if length_s is None:
            return f"{began:%H:%M}"
        return f"{began:%H:%M}-{began + timedelta(seconds=length_s):%H:%M}"

    def played_s(self, now: float) -> float | None:
        """Seconds from the first row of the match in play to ``now``; None if unknown."""
        row = self._row_of_match
        return None if row is None else self.seconds_since(row, now)

    def seconds_since(self, then: Stamp | replay.JournalRow, now: float) -> float | None:
        """Seconds to ``now``; None if unknown.

        After a start of the machine the wall clock counts, if it was right at both times.
        """
        stamp = self._stamp(now)
        if then.boot == stamp.boot:
            return now - then.monotonic_ms / 1000
        walls = [local_moment(each.wall) if each.trusted else None for each in (then, stamp)]
        began, ends = walls
        return None if began is None or ends is None else (ends - began).total_seconds()

    def first_row(self) -> int:
        """The first row of the current game, there or still to come."""
        return self._journal.opened(self._current_game)

    def game(self, number: int, start: int, limit: int) -> tuple[str, tuple[StoredRow, ...]]:
        """The header and at most ``limit`` rows of a game from ``start`` on.

        The whole game is verified with its first rows only. Raises KeyError if it is unknown.
        """
        if not 0 < number <= self._journal.newest_game():
            raise KeyError(number)
        header = with_rules_of_then(self._journal.header(number))
        if start > 1:
            return header, self._journal.rows_from(number, start, limit)
        return header, self._journal.rows(number)[:limit]


def _pair_names(kept: str, first: int) -> dict[str, str]:
    """The stored names; none of another evening, or of a damaged setting."""
    try:
        document = json.loads(kept) if kept else {}
    except ValueError:
        return {}
    names = document.get("names") if isinstance(document, dict) else None
    if not isinstance(names, dict) or document.get("first") != first:
        return {}
    return {key: name for key, name in names.items() if isinstance(name, str)}
