"""The score and the call in two lines of a character display."""

from __future__ import annotations

from collections.abc import Sequence

from scorer.phrases.calling import call_title, winner_question_wordings
from scorer.phrases.names import shrinking_wordings
from scorer.phrases.outcome import next_hand_words, shown_winner, winner_words
from scorer.phrases.questions import question_words
from scorer.phrases.scene import Scene
from scorer.phrases.state_line import special_title, state_words

_PIXELS_OF_A_LETTER = 8  # where names are shortened to pixels: six letters of 50


def two_lines(scene: Scene, columns: int) -> tuple[str, str]:
    """The score, then what is open or was paid last; each in ``columns`` characters."""
    lettered = scene._replace(shorten=_shorten)
    # Names and scores, the last side mirrored: "Amari 12 9 Celes".
    scores = [str(scene.side(position).score) for position in range(len(scene.order))]
    spaces = 2 * len(scores) - 1
    room = columns - sum(map(len, scores)) - spaces
    names = _shares([scene.name(side) for side in scene.order], room)
    first = " ".join(f"{name} {score}" for name, score in zip(names[:-1], scores, strict=False))
    last = f"{scores[-1]} {names[-1]}".rstrip()
    return f"{first}{last:>{columns - len(first)}}", fitting(_call_wordings(lettered), columns)


def fitting(wordings: Sequence[str], columns: int) -> str:
    """The first wording that fits; the last one is cut if none does."""
    last = wordings[-1][:columns].rstrip()
    return next((words for words in wordings if len(words) <= columns), last)


def _shorten(text: str, width: int) -> str:
    """A name for ``width`` pixels of small letters, in whole letters of the display."""
    return text[: max(2, width // _PIXELS_OF_A_LETTER)].rstrip()


def _shares(names: Sequence[str], room: int) -> list[str]:
    """The names in ``room`` characters together; short ones leave room."""
    shares = [0] * len(names)
    for _ in range(max(0, room)):
        wanting = [at for at, name in enumerate(names) if shares[at] < len(name)]
        if not wanting:
            break
        shares[min(wanting, key=lambda at: shares[at])] += 1
    return [name[:share].rstrip() for name, share in zip(names, shares, strict=True)]


def _call_wordings(scene: Scene) -> tuple[str, ...]:
    view = scene.view
    if view.question is not None:
        return question_words(scene, view.question)
    if view.winner is not None:
        # Who has won; a name is cut rather than left with its first word.
        winner, words = shown_winner(scene), winner_words(scene)
        if winner is None:
            return words
        name = scene.name(winner)
        return *(each for each in words if name in each), name
    if view.call is not None:
        # The call, its two prices, and who owes the answer: "TRUCO 2/1 Celes?".
        call = view.call
        if not call.owed:
            return winner_question_wordings(scene, call)
        title = call_title(scene, call).upper()
        priced = f"{title} {scene.pays(call.quiero)}/{scene.pays(call.no_quiero)}"
        names = shrinking_wordings(scene, call.owes, 48, 40, 32, 24)
        return *(f"{priced} {name}?" for name in names), priced, title
    if view.gains:
        return state_words(scene)
    if view.next_hand is not None:
        return next_hand_words(scene, view.next_hand)
    return special_title(scene) if view.special is not None else state_words(scene)
