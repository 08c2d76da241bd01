"""The steps of one game from its rows: who, what, when, and the score then.

The phrases are those of the panel's history. Rows are replayed through the rules, as on the table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from scorer.api.message_lines import decoded
from scorer.records.game_facts import score_by_hand
from scorer.records.replay import local_time
from scorer.records.row_source import sender_of
from scorer.rules import (
    Action,
    Game,
    Refusal,
    Side,
    parse_step,
    read_header,
    split_comment,
    state_document,
)
from scorer.rules.score import shown_scores
from scorer.session.values.record import Record, UndoneSteps, append_press, new_record
from scorer.session.view import history

Entry = dict[str, Any]

_SILENT_ACTIONS = (Action.NEW_HAND, Action.FIRST_TRICK_DONE)
_UNDO_ACTIONS = (Action.UNDO, Action.REDO)


class TimelineRow(NamedTuple):
    """One row of the journal, as sent over the socket."""

    seq: int
    press: int
    line: str
    source: str
    boot: str
    monotonic_ms: int
    wall: str
    trusted: bool


def parse_row(document: Mapping[str, Any]) -> TimelineRow:
    """Parse a row from the socket; ignores unknown keys. Raises KeyError."""
    return TimelineRow(*(document[name] for name in TimelineRow._fields))


class Timeline:
    """One game, row after row. Raises ValueError if the rules refuse a row."""

    def __init__(self, number: int, header: str) -> None:
        self.number, self.header = number, header
        read = read_header(header)
        self.names = dict(read.names)
        self.rows: list[TimelineRow] = []
        self.entries: list[Entry] = []
        self._record: Record = new_record(read.game())
        self._past_entries: list[list[Entry]] = []  # parallel to ``_record.past``
        self._future_entries: list[list[Entry]] = []  # parallel to ``_record.future``
        # The entries of the steps that the correction of each press has replaced.
        self._replaced: dict[int, list[list[Entry]]] = {}

    @property
    def game(self) -> Game:
        """The current game."""
        return self._record.game

    @property
    def record(self) -> Record:
        """The current game with its undo and redo steps."""
        return self._record

    @property
    def last_seq(self) -> int:
        """The seq of the newest row, 0 without one."""
        return self.rows[-1].seq if self.rows else 0

    def add_rows(self, rows: Sequence[TimelineRow]) -> None:
        """Add further rows; known ones are skipped."""
        for row in rows:
            if row.seq > self.last_seq:
                self._add_row(row)
                self.rows.append(row)

    def leads_to(self, state: Mapping[str, Any] | None) -> bool:
        """Whether it ends in the state document of its table, which may have more keys."""
        return state is not None and decoded(state_document(self.game)).items() <= state.items()

    def hand_scores(self) -> list[Entry]:
        """The score at the start of the running game and after each finished hand."""
        sides = [side.value for side in self.game.rules.scoring_sides]
        return [
            {"hand": each.hand, "score": dict(zip(sides, each.scores, strict=True))}
            for each in score_by_hand(self._record)
        ]

    def entries_from(self, start: int, limit: int) -> list[Entry]:
        """The first ``limit`` entries from row ``start`` on.

        Those of one step stay together.
        """
        later = [entry for entry in self.entries if entry["seq"] >= start]
        last = later[:limit][-1]["seq"] if later and limit else 0
        return [entry for entry in later if entry["seq"] <= last]

    def _add_row(self, row: TimelineRow) -> None:
        line, reason = split_comment(row.line)
        step = parse_step(line, self.game.rules)
        before = len(self._record.past)
        after = append_press(self._record, (step,), press=row.press)
        if isinstance(after, Refusal):
            raise ValueError(f"row {row.seq} is refused: {line} ({after})")
        self._record = after
        if step.action in _UNDO_ACTIONS:
            self._undo_or_redo(row, step.action, len(after.past) - before)
            return
        if after.undone is None:
            self._past_entries.append(self._add_entries(row, line, reason))
        elif after.is_corrected:
            self._past_entries.append(self._correct(row, after.undone))
        elif after.is_restored:
            # A step stands again once its correction is undone.
            corrections = self._replaced[after.undone.steps[0].press]
            self._past_entries.append(corrections[after.undone.followed_by - 1])
        else:
            replaced = after.undone.steps[0].replaced
            # At the undo of a raise the call before it stands again.
            if step.side is not None and not (replaced and replaced[0].step == step):
                # A raise by a second tap, without a press of UNDO.
                self.entries = [each for each in self.entries if not _is_undo_of(each, row)]
            self._past_entries.append(self._add_entries(row, line, reason))
        self._future_entries.clear()

    def _correct(self, row: TimelineRow, undone: UndoneSteps) -> list[Entry]:
        """Add a step of a correction, which is one entry with its score."""
        known = [each for each in self.entries if each["press"] == row.press]
        if known and not _is_undo_of(known[0], row):
            known[0]["score"] = _score(self.game)
            return []
        self.entries = [each for each in self.entries if not _is_undo_of(each, row)]
        replaced = self._future_entries[::-1][: len(undone.steps)]
        self._replaced[row.press] = replaced
        for entry in (entry for entries in replaced for entry in entries):
            entry["undone"] = False  # it stays as it was, with the correction below it
        hand = undone.steps[0].before.hand_number
        entry = self._entry(row, key=Action.CORRECT.value, line="", hand=hand)
        self.entries.append(entry)
        return [entry]

    def _undo_or_redo(self, row: TimelineRow, action: Action, steps: int) -> None:
        """Undo or redo a step; neither if the game itself was undone or redone."""
        since, to = self._past_entries, self._future_entries
        if action is Action.REDO:
            since, to = to, since
        if steps:
            entries = since.pop()
            to.append(entries)
            for entry in entries:
                entry["undone"] = action is Action.UNDO
        # One press that undoes several steps is one entry.
        if not (self.entries and self.entries[-1]["press"] == row.press):
            self.entries.append(self._entry(row, key=action.value, line=f"- {action.value}"))

    def _add_entries(self, row: TimelineRow, line: str, reason: str) -> list[Entry]:
        """Add the entries of the newest step: one for each side that it pays, or one."""
        done = self._record.past[-1]
        if done.step.action in _SILENT_ACTIONS:
            return []
        entries = [
            self._entry(
                row,
                hand=described.hand,
                line=line,
                key=described.key,
                word=described.word,
                side=self._side_name(described.side),
                points=described.points,
                reason=reason,
            )
            for described in history.step_lines(done, self.game)
        ]
        self.entries += entries
        return entries

    def _side_name(self, at: int | None) -> str | None:
        sides = self.game.rules.scoring_sides
        if at is None:
            return None
        return sides[at].value if at < len(sides) else Side.PAIR.value

    def _entry(self, row: TimelineRow, **fields: object) -> Entry:
        return {
            "seq": row.seq,
            "press": row.press,
            "game": self.number,
            "hand": self.game.hand_number,
            "at": row.wall,
            "clock_known": row.trusted,
            "time": local_time(row),
            "who": sender_of(row.source),
            "side": None,
            "word": "",
            "points": 0,
            "reason": "",
            "score": _score(self.game),
            "undone": False,
            **fields,
        }


def _is_undo_of(entry: Entry, row: TimelineRow) -> bool:
    return (entry["press"], entry["key"]) == (row.press, Action.UNDO.value)


def _score(game: Game) -> dict[str, int]:
    return dict(zip(map(str, game.rules.scoring_sides), shown_scores(game), strict=True))
