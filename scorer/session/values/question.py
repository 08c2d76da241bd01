"""Questions to the players and the effects of their two answers."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Final, Literal, NamedTuple

from scorer.rules import Side, Step
from scorer.session.values.keys import AnswerKey as AnswerKey
from scorer.session.values.keys import QuestionKey as QuestionKey


class AnswerEffect(StrEnum):
    """The effect of an answer besides recording steps."""

    RECORD = "book"
    DISMISS = "drop"  # no effect
    UNDO = "undo"
    UNDO_GAME = "back"  # undo the whole game
    OPEN_GAME = "open"  # open another game
    ASK_NEXT = "ask"  # ask the next question
    CALL_DIRECTOR = "call"


# Only answered at the box: these undo or abandon entries.
_BOX_ONLY: Final = (
    AnswerEffect.UNDO,
    AnswerEffect.UNDO_GAME,
    AnswerEffect.OPEN_GAME,
    AnswerEffect.CALL_DIRECTOR,
)


NO_WORDS: Final = ""  # in place of an AnswerKey: the answer is a plain yes or no


class Answer(NamedTuple):
    """One answer: the key of its words, its steps, the side it pays and the points."""

    key: AnswerKey | Literal[""] = NO_WORDS
    effect: AnswerEffect = AnswerEffect.DISMISS
    steps: tuple[Step, ...] = ()
    points: tuple[int, int] | None = None  # (side, points)
    next_question: "Question | None" = None
    reason: str = ""  # stored with the steps


class Question(NamedTuple):
    """A question the box cannot decide; while pending, only an answer or UNDO counts."""

    key: QuestionKey
    yes: Answer
    no: Answer
    word: str = ""
    side: int | None = None
    number: int = 0
    console: str = ""  # only this console sees and answers it; a call of another one drops it
    button: str = ""  # pressed again, it is a yes

    @property
    def phones_may_answer(self) -> bool:
        """True if a phone may answer it."""
        return not {self.yes.effect, self.no.effect} & set(_BOX_ONLY)


def question_document(question: Question, sides: Sequence[Side]) -> dict[str, object]:
    """The pending question as a JSON-ready document.

    ``phones``: whether a phone may answer. The points are those that each answer pays, per side.
    """
    names = (*(side.value for side in sides), Side.PAIR.value)
    answers = {"yes": question.yes, "no": question.no}
    return {
        "key": question.key,
        "word": question.word,
        "number": question.number,
        "side": None if question.side is None else names[question.side],
        "console": question.console or None,
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
