"""Questions of the box and their two answers."""

from typing import NamedTuple

from scorer.phrases.gains import gain_wordings
from scorer.phrases.names import name_wordings
from scorer.phrases.scene import Scene
from scorer.session.values.keys import AnswerKey, QuestionKey
from scorer.session.view.view import QuestionView

PLAYER_ANSWERS = {AnswerKey.SECOND: 1, AnswerKey.THIRD: 2}  # answers naming one of three players
UNDO_QUESTIONS = (QuestionKey.UNDO_FAR,)  # questions about undoing points


class AnswerOption(NamedTuple):
    """One answer of a question: its meaning and the wordings of its payment."""

    meaning: str
    pays: tuple[str, ...]


def question_words(scene: Scene, question: QuestionView) -> tuple[str, ...]:
    names = ("",) if question.side is None else name_wordings(scene, question.side, 50)
    gained = question.yes_points if question.key in UNDO_QUESTIONS else None
    gains = ("",) if gained is None else gain_wordings(scene, *gained, 50)
    key = f"question.{question.key}" if gained is None else f"question.{question.key}.gain"
    fields = {
        "word": question.word,
        "fold": scene.view.fold,
        "no": scene.view.refuse,
        "number": question.number,
        "score": scene.score_wordings()[-1],
    }
    return tuple(scene.say(key, side=name, gain=gain, **fields) for name in names for gain in gains)


def answer_options(scene: Scene, question: QuestionView) -> tuple[AnswerOption, AnswerOption]:
    """The meaning and payment of yes and no."""
    yes = answer_text(scene, question.yes or AnswerKey.YES_PLAIN)
    no = answer_text(scene, question.no or AnswerKey.NO_PLAIN)
    # The question names the points undone; under the answer they would read as a gain.
    paid = (
        (None, None)
        if question.key in UNDO_QUESTIONS
        else (question.yes_points, question.no_points)
    )
    gains = [() if gain is None else gain_wordings(scene, *gain, 40) for gain in paid]
    return AnswerOption(yes, gains[0]), AnswerOption(no, gains[1])


def answer_text(scene: Scene, key: AnswerKey) -> str:
    """The text of an answer, with the player's name if there is one."""
    side = PLAYER_ANSWERS.get(key)
    if side is None or not scene.has_three or not scene.view.sides[side].name:
        return scene.say(f"answer.{key}")
    return name_wordings(scene, side, 56)[-1]
