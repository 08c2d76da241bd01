"""Parts of a view that are read from the state document of a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scorer.rules import Game
from scorer.session.values.game_queries import current_hand
from scorer.session.values.shown import SeriesGame
from scorer.session.view.view import QuestionView

JsonObject = Mapping[str, Any]


def side_index(state: JsonObject, side: str | None) -> int | None:
    """The index of a side in a view; one past the last for the pair of pata de gallo."""
    sides: list[str] = state["sides"]
    if side == "gallo":
        side = state["gallo"]
    if side == "pair":
        return len(sides)
    return sides.index(side) if side in sides else None


def offered_game(state: JsonObject) -> SeriesGame | None:
    """The rematch that the table offers, from the state document; None without one."""
    # A newer table may offer another game.
    return next((each for each in SeriesGame if each == state.get("next_game")), None)


def shown_game(game: Game, state: JsonObject) -> Game:
    """The game with the hand on the panels: at some time after an end the next."""
    return current_hand(game) if state.get("is_next_hand_shown") else game


def question_view(state: JsonObject) -> QuestionView | None:
    """The question on the panels, from the state document."""
    question = state.get("question")
    if question is None:
        return None
    return QuestionView(
        key=question["key"],
        yes=question["yes"]["key"],
        no=question["no"]["key"],
        yes_points=_paid(state, question["yes"]),
        no_points=_paid(state, question["no"]),
        word=question["word"],
        side=side_index(state, question["side"]),
        number=question["number"],
        # A table of an earlier version does not say it.
        console=question.get("console") or "",
    )


def _paid(state: JsonObject, answer: JsonObject) -> tuple[int, int] | None:
    to = side_index(state, answer["to"])
    return None if to is None else (to, answer["points"])
