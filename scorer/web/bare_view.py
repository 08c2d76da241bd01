"""A view made from the state document alone, while the history is not known.

It has the score, the call with its price, and mano; no ladder and no next hand.
"""

from __future__ import annotations

from scorer.i18n import Say
from scorer.phrases.scene import GAME, SERIES
from scorer.rules.rematches import BEST_OF
from scorer.session.values.shown import Screen, SeriesGame, series_game
from scorer.session.view.state_view import JsonObject, side_index
from scorer.session.view.view import CallView, Half, SideView, View, WorthView

_SCREENS = {
    "game_over": Screen.GAME_OVER,
    "match_over": Screen.MATCH_OVER,
    "hand_over": Screen.HAND_OVER,
    "awaiting_envido": Screen.WINNER,
    "awaiting_flor": Screen.WINNER,
}
_POINTS = {"game": GAME, "series": SERIES}
_DUELS = 3  # duels of a pica hand if the rules give no number


def bare_view(state: JsonObject, say: Say) -> View:
    """The view of ``state``; the words of the answers are the catalogue's."""
    sides: list[str] = state["sides"]
    return View(
        screen=_SCREENS.get(state["phase"], Screen.PLAYING),
        sides=tuple(_side(state, side) for side in sides),
        target=state["target"],
        half=state["half"],
        stake=_points(state["stake"]),
        ladder=(),
        hand=state["hand"],
        call=_call(state),
        winner=side_index(state, state["winner"]),
        best_of=_series(state)[1],
        series_game=_series_game(state),
        next_game=_next_game(state),
        accept=say("action.quiero"),
        refuse=say("action.no_quiero"),
        duel=state["duel"],
        duels=_DUELS,
        duel_points=tuple((state["duel_points"] or {}).values()),
        gallo=side_index(state, state["gallo"]),
        pot=state["pot"],
    )


def _series_game(state: JsonObject) -> SeriesGame | None:
    """The name of the game in a series, from the games won before it."""
    won, best_of = _series(state)
    return series_game(
        tuple(games - (side == state["winner"]) for side, games in won.items()), best_of
    )


def _next_game(state: JsonObject) -> SeriesGame | None:
    """The name of the game of a series that follows, if it has one."""
    if state["phase"] != "game_over":
        return None
    won, best_of = _series(state)
    return series_game(tuple(won.values()), best_of)


def _series(state: JsonObject) -> tuple[dict[str, int], int]:
    """The games won by each side of the series, and how many it has at most."""
    if "rematches" in state:
        return state["rematches"], BEST_OF
    return state["games"], state["best_of"]


def _side(state: JsonObject, side: str) -> SideView:
    number, half = state["spoken"][side]
    score = state["score"][side]
    return SideView(
        name=state.get("names", {}).get(side, ""),
        key=side,
        score=score if state["pot"] is not None else min(score, state["target"]),
        spoken=number,
        half=None if half is None else Half(half),
        games=state.get("rematches", state["games"])[side],
        mano=state["mano"] == side,
        may_raise=side in state["may_raise"],
    )


def _points(value: int | str) -> int:
    return value if isinstance(value, int) else _POINTS[value]


def _call(state: JsonObject) -> CallView | None:
    call = state["pending"]
    if call is None:
        return None
    by = side_index(state, call["by"]) or 0
    each = call["quiero"].values() if isinstance(call["quiero"], dict) else (call["quiero"],)
    return CallView(
        word=call["call"].replace("_", " "),
        family=None,
        by=by,
        owes=by,
        quiero=WorthView(tuple(map(_points, each)), None),
        no_quiero=WorthView((_points(call["no_quiero"]),), None),
    )
