"""A question of the table, and what its two answers do."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from scorer.rules import Step


class AnswerEffect(StrEnum):
    """What an answer does besides writing steps."""

    RECORD = "book"
    DISMISS = "drop"  # nothing happened
    UNDO = "undo"
    UNDO_GAME = "back"  # the whole game is taken back
    OPEN_GAME = "open"  # another game is opened
    ASK_NEXT = "ask"  # the next question is put


class Answer(NamedTuple):
    """One answer of a question: the key of its words, what it writes, whom it pays what."""

    key: str = ""
    effect: AnswerEffect = AnswerEffect.DISMISS
    steps: tuple[Step, ...] = ()
    points: tuple[int, int] | None = None  # (side, points)
    next_question: Question | None = None  # what is asked then


class Question(NamedTuple):
    """Something the box cannot know; while it stands nothing but an answer or UNDO counts."""

    key: str
    yes: Answer
    no: Answer
    word: str = ""
    side: int | None = None
    number: int = 0
