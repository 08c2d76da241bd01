"""Questions to the players: the table of their rules, and their two answers.

A question lives as long as its moment; players who play on without reading it get the score that
the table has without it. ``tools/architecture.py`` writes the table into the architecture page.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Final, Literal, NamedTuple

from scorer.rules import Side, Step
from scorer.session.values.keys import AnswerKey as AnswerKey
from scorer.session.values.keys import QuestionKey as QuestionKey

DEAL_S: Final = 5.0  # seconds: no hand is dealt, and so no call of the next one made, sooner
PLAYED_S: Final = 5.0  # seconds after a bet: the tricks that are missing take as long


class Answering(StrEnum):
    """Who may say yes. No may be said by every console that owes no answer to a call."""

    ASKING = "the console that asked, alone, also to say no"
    LOSING = "the team that would lose the points"
    PAID = "the team that was paid"
    OWING = "no console: the team that owes the answer answers the call itself"
    ANY = "any console"


class Lifetime(StrEnum):
    """When a question is over by itself."""

    BET = "the rest of `paid_bet`"
    HAND = "the rest of `closed`"
    DEAL = f"{DEAL_S:.0f} s: no call of the next hand comes sooner"
    PAGE = "20 s: as long as a page"
    ALWAYS = "until it is answered"


class Remains(StrEnum):
    """What is recorded when a question is over by itself."""

    NOTHING = "nothing"
    NO = "the cheaper answer, which ends the hand"
    NO_LATER = "the refused price; nothing if it was asked within `paid_bet` of the call"
    YES_LATER = "the tie, if a truco was accepted more than `paid_bet` before; else nothing"


class Again(StrEnum):
    """What the button that asked means again, later than a slap."""

    PRESS = "a press like any other"
    YES = "yes"
    YES_LATE = (
        f"yes, if it was asked {PLAYED_S:.0f} s after the bet or later: no hand is won sooner"
    )


class Dismissal(StrEnum):
    """The presses that dismiss a question; they count, as they do without it."""

    PLAY = "every press that is legal without it, MENU, UNDO"
    MENU = "MENU, UNDO"
    UNDO_YES = "MENU; UNDO is a yes"
    UNDO = "UNDO"


class QuestionRow(NamedTuple):
    """One question. ``asked_by``: what raises it; ``why``: the reason of an exception.

    ``is_private``: only the console that asked sees it.
    """

    asked_by: str
    yes: Answering
    lives: Lifetime = Lifetime.PAGE
    remains: Remains = Remains.NOTHING
    dismissed_by: Dismissal = Dismissal.PLAY
    again: Again = Again.PRESS
    is_private: bool = False
    why: str = ""


_ASKING: Final = Answering.ASKING
_LOSING: Final = Answering.LOSING
_BY_TANTOS: Final = "TANTOS within `paid_bet` of an envido or flor"
_FAR: Final = "the press would enter a hand that the answer is about to change"

QUESTIONS: Final[Mapping[QuestionKey, QuestionRow]] = {
    QuestionKey.FOLD_FIRST: QuestionRow(
        "a fold in the first trick", _ASKING, Lifetime.DEAL, Remains.NO, is_private=True
    ),
    QuestionKey.FOLD_PENDING: QuestionRow("a fold at an envido", _ASKING, is_private=True),
    QuestionKey.ACCEPTED_WON: QuestionRow(
        "TANTOS of the caller before an answer", Answering.OWING, Lifetime.DEAL, Remains.NO_LATER
    ),
    QuestionKey.AND_THE_HAND: QuestionRow(_BY_TANTOS, _LOSING, Lifetime.BET, again=Again.YES_LATE),
    QuestionKey.AND_THE_TRICK: QuestionRow(_BY_TANTOS, _LOSING, Lifetime.BET, again=Again.YES_LATE),
    QuestionKey.HAND_BEFORE: QuestionRow(
        "TANTOS of the other team within `closed`",
        Answering.PAID,
        Lifetime.HAND,
        why="ignored, the score stays: no hand is over so soon",
    ),
    QuestionKey.NO_AND_TRUCO: QuestionRow(
        "TRUCO at an envido", _ASKING, again=Again.YES, is_private=True
    ),
    QuestionKey.BID: QuestionRow("ENVIDO or FLOR, held or again", _ASKING, is_private=True),
    QuestionKey.LATE_ENVIDO: QuestionRow("ENVIDO after its time", _LOSING),
    QuestionKey.MAO_RAN: QuestionRow(
        "TANTOS of the rivals before the decision", Answering.OWING, Lifetime.DEAL, Remains.NO
    ),
    QuestionKey.MAO_TRUCO: QuestionRow("TRUCO where it is a penalty", _ASKING, is_private=True),
    QuestionKey.ALL_TIED: QuestionRow(
        "both TANTOS in a hand", _LOSING, Lifetime.DEAL, Remains.YES_LATER
    ),
    QuestionKey.TIED_BET: QuestionRow("both TANTOS at an envido or flor", _LOSING),
    QuestionKey.ACHICO: QuestionRow("NO QUIERO to a flor", _ASKING, is_private=True),
    QuestionKey.WHICH_THIRD: QuestionRow(
        "a press of two players at one console",
        Answering.ANY,
        Lifetime.ALWAYS,
        dismissed_by=Dismissal.MENU,
        why="without an answer the press belongs to no side",
    ),
    QuestionKey.UNDO_FAR: QuestionRow(
        "UNDO into an earlier hand", Answering.ANY, dismissed_by=Dismissal.UNDO_YES, why=_FAR
    ),
    QuestionKey.UNDO_GAME: QuestionRow(
        "UNDO into an earlier game", Answering.ANY, dismissed_by=Dismissal.UNDO_YES, why=_FAR
    ),
    QuestionKey.DAY: QuestionRow(
        "the first press after hours, or the start on another day",
        Answering.ANY,
        Lifetime.ALWAYS,
        dismissed_by=Dismissal.UNDO,
        why="a call would score in yesterday's game",
    ),
    QuestionKey.CALL_DIRECTOR: QuestionRow(
        "QUIERO on the page of the hall",
        Answering.ANY,
        dismissed_by=Dismissal.MENU,
        why="the players look at the page, not at the hand",
    ),
}


class AnswerEffect(StrEnum):
    """The effect of an answer besides recording steps."""

    RECORD = "book"
    DISMISS = "drop"  # no effect
    UNDO = "undo"
    UNDO_GAME = "back"  # undo the whole game
    OPEN_GAME = "open"  # open another game
    ASK_NEXT = "ask"  # ask the next question
    CALL_DIRECTOR = "call"
    REPLACE = "replace"  # undo the newest press and record the steps instead


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
    """A question the box cannot decide, under the rules of its ``row``."""

    key: QuestionKey
    yes: Answer
    no: Answer
    word: str = ""
    side: int | None = None
    number: int = 0
    console: str = ""  # where it was asked; "" for both TANTOS and for the box itself
    button: str = ""  # that asked

    @property
    def row(self) -> QuestionRow:
        """The rules of this question."""
        return QUESTIONS[self.key]

    @property
    def audience(self) -> str:
        """The only console that sees it; "" for all."""
        return self.console if self.row.is_private else ""

    @property
    def phones_may_answer(self) -> bool:
        """True if a phone may answer it."""
        return not {self.yes.effect, self.no.effect} & set(_BOX_ONLY)


def question_document(
    question: Question, sides: Sequence[Side], answerers: Sequence[Sequence[str]]
) -> dict[str, object]:
    """The pending question as a JSON-ready document.

    ``answerers``: the consoles that may say yes, and no. The points are those that each answer
    pays, per side.
    """
    names = (*(side.value for side in sides), Side.PAIR.value)
    answers = {"yes": (question.yes, answerers[0]), "no": (question.no, answerers[1])}
    return {
        "key": question.key,
        "word": question.word,
        "number": question.number,
        "side": None if question.side is None else names[question.side],
        "console": question.audience or None,
        "phones": question.phones_may_answer,
        "blocks": question.row.dismissed_by is not Dismissal.PLAY,
        **{
            name: {"key": each.key, **_points_document(each, names), "by": list(consoles)}
            for name, (each, consoles) in answers.items()
        },
    }


def _points_document(answer: Answer, names: Sequence[str]) -> dict[str, object]:
    if answer.points is None:
        return {"to": None, "points": 0}
    return {"to": names[answer.points[0]], "points": answer.points[1]}
