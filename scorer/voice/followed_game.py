"""One game from its rows: the steps in force, and what the newest rows did."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from scorer.rules import Action, Refusal, parse_step, read_header, split_comment
from scorer.session.values.record import Record, append_press, new_record
from scorer.session.view.view import QuestionView
from scorer.voice.sentences import Speech, TableInfo

START_ROW: Final = 0  # of what is said of a game without a step
_BACK: Final = (Action.UNDO, Action.REDO)


class FollowedGame:
    """One game, row after row. Raises ValueError if the rules refuse a row."""

    def __init__(self, number: int, header: str) -> None:
        self.number, self.last_seq = number, START_ROW
        self._record: Record = new_record(read_header(header).game())
        self._past: list[int] = []  # rows, parallel to ``_record.past``
        self._future: list[int] = []  # rows, parallel to ``_record.future``
        self._newest: Action | None = None
        self._undone: set[int] = set()

    @property
    def row(self) -> int:
        """The row of the newest step in force."""
        return self._past[-1] if self._past else START_ROW

    @property
    def is_over(self) -> bool:
        return self._record.game.winner is not None

    @property
    def rows(self) -> frozenset[int]:
        """The rows in force, and that of the start."""
        return frozenset((START_ROW, *self._past))

    def take_undone(self) -> frozenset[int]:
        """The rows undone since the last time."""
        undone, self._undone = frozenset(self._undone), set()
        return undone

    def add_rows(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Add further rows as the socket sends them; known ones are skipped."""
        for row in rows:
            seq, text = row["seq"], row["line"]
            if seq <= self.last_seq:
                continue
            step = parse_step(split_comment(text)[0], self._record.game.rules)
            before = len(self._record.past)
            after = append_press(self._record, (step,), press=row["press"])
            if isinstance(after, Refusal):
                raise ValueError(f"row {seq} is refused: {text} ({after})")
            self._record, self._newest = after, step.action
            if step.action not in _BACK:
                self._past.append(seq)
                self._future.clear()
            elif len(after.past) < before:
                self._future.append(self._past.pop())
                self._undone.add(self._future[-1])
            elif len(after.past) > before:
                self._past.append(self._future.pop())
            self.last_seq = seq

    def newest_phrase(self, speech: Speech, table: TableInfo) -> str:
        """What the newest press did."""
        if self._newest is None:
            return speech.of_start(self._record.game, table)
        if self._newest in _BACK or not self._past or self._record.is_restored:
            return self.undo_phrase(speech, table, is_redo=self._newest is Action.REDO)
        return speech.of_press(self._record, table)

    def undo_phrase(self, speech: Speech, table: TableInfo, *, is_redo: bool = False) -> str:
        """Where the game stands after an undo or a redo."""
        return speech.of_undo(self._record.game, table, is_redo=is_redo)

    def question_phrase(self, speech: Speech, table: TableInfo, question: QuestionView) -> str:
        """A question of the box at this point of the game."""
        return speech.of_question(self._record.game, question, table)
