"""A question of the table, and what its two answers do."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from scorer.rules import Side, Step


class AnswerEffect(StrEnum):
    """What an answer does besides writing steps."""

    RECORD = "book"
    DISMISS = "drop"  # nothing happened
    UNDO = "undo"
    UNDO_GAME = "back"  # the whole game is taken back
    OPEN_GAME = "open"  # another game is opened
    ASK_NEXT = "ask"  # the next question is put


# What only people who stand at the box decide: what they would take back, or leave behind.
_BOX_ONLY: Final = (AnswerEffect.UNDO, AnswerEffect.UNDO_GAME, AnswerEffect.OPEN_GAME)


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

    @property
    def phones_may_answer(self) -> bool:
        """May a phone answer it, or only people who stand at the box?"""
        return not {self.yes.effect, self.no.effect} & set(_BOX_ONLY)


def question_document(question: Question, sides: Sequence[Side]) -> dict[str, object]:
    """The question on the panels as those beside the table hear of it; JSON-ready.

    ``phones``: may a phone answer it? The points are those that the answers pay, and to whom.
    """
    names = (*(side.value for side in sides), Side.PAIR.value)
    answers = {"yes": question.yes, "no": question.no}
    return {
        "key": question.key,
        "word": question.word,
        "number": question.number,
        "side": None if question.side is None else names[question.side],
        "phones": question.phones_may_answer,
        **{
            name: {"key": each.key, **_points_document(each, names)}
            for name, each in answers.items()
        },
    }


def _points_document(answer: Answer, names: Sequence[str]) -> dict[str, object]:
    if answer.points is None:
        return {"to": None, "points": 0}
    return {"to": names[answer.points[0]], "points": answer.points[1]}
