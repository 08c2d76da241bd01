"""Parts of a view that are read from the state document of a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scorer.rules import Game, RulesError, find_variant, rules_for
from scorer.rules.model import RuleChange
from scorer.session.values.game_queries import current_hand
from scorer.session.values.shown import ChangeStart, ChangeView, SeriesGame
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


def stated_change(state: JsonObject) -> ChangeView | None:
    """The chosen change of rules, from the state document; None without one."""
    stated = state.get("rule_change")
    # A newer table may name another beginning.
    if stated is None:
        return None
    start = next((each for each in ChangeStart if each == stated["from"]), None)
    return None if start is None else ChangeView(start, stated["target"], stated["flor"])


def _with_stated_change(game: Game, state: JsonObject) -> Game:
    """``game`` with the change of rules of the state document, which its rows lack."""
    stated = state.get("rule_change")
    if stated is None or stated["from"] == ChangeStart.GAME:
        return game
    is_same = stated["variant"] == game.rules.variant.id
    try:
        variant = game.rules.variant if is_same else find_variant(stated["variant"])
        return game._replace(change=RuleChange(rules_for(variant, stated["options"])))
    except (RulesError, KeyError):
        return game  # of a newer table


def shown_game(game: Game, state: JsonObject) -> Game:
    """The game with the hand on the panels: at some time after an end the next."""
    game = _with_stated_change(game, state)
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
