"""Play a hand from one line of notation."""

from __future__ import annotations

from typing import Any

from scorer.rules import (
    Game,
    History,
    Refusal,
    Side,
    Start,
    find_variant,
    new_game,
    parse_step,
    refusal,
    rules_for,
    state_document,
)
from scorer.rules.model import HandKind
from scorer.rules.options import Value


def deal(variant: str, score: str = "", mano: str = "A", **options: Value) -> Game:
    """The first hand of a game at ``score`` ("3-7", A first; by default the start).

    ``gallo`` and ``hand_kind`` are passed like options, as in a score sheet.
    """
    gallo, kind = options.pop("gallo", None), options.pop("hand_kind", None)
    rules = rules_for(find_variant(variant), options)
    points = tuple(map(int, score.split("-"))) if score else None
    return new_game(
        Start(
            rules,
            points,
            Side(mano),
            gallo=Side(str(gallo)) if gallo else None,
            kind=HandKind(str(kind)) if kind else None,
        )
    )


def play(variant: str, steps: str = "", start: str = "", mano: str = "A", **options: Value) -> Game:
    """The game after ``steps``, e.g. "A envido; B no_quiero"; all must be legal."""
    return play_on(deal(variant, start, mano, **options), steps)


def play_on(game: Game, steps: str) -> Game:
    """The game after more ``steps``, undo and redo included; all must be legal."""
    history = History(game)
    for text in filter(None, (part.strip() for part in steps.split(";"))):
        refused = history.play(parse_step(text, game.rules))
        assert refused is None, f"{text!r} was refused: {refused}"
    return history.game


def why_not(game: Game, step: str) -> Refusal | None:
    """The refusal of ``step``; None if it is accepted."""
    return refusal(game, parse_step(step, game.rules))


def points(game: Game) -> str:
    """The score in the notation of tests: "3-7"."""
    return "-".join(str(n) for n in game.score)


def document_value(game: Game, key: str) -> Any:  # noqa: ANN401 - a JSON document
    return state_document(game)[key]


def values(game: Game, *keys: str) -> tuple[Any, ...]:
    """Values of the state document; "points": as ``points`` has them."""
    return tuple(points(game) if key == "points" else document_value(game, key) for key in keys)


def pays(game: Game) -> tuple[Any, Any]:
    """Payments of the pending call: (accepted, refused)."""
    pending = document_value(game, "pending")
    return pending["quiero"], pending["no_quiero"]
