"""Playing a hand from one line of notation, for tests that say a rule and then an example."""

from __future__ import annotations

from typing import Any

from scorer.rules import (
    Game,
    History,
    Refusal,
    Side,
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
    """The first hand of a game at ``score`` ("3-7", A first; nothing: the variant's start).

    ``gallo`` and ``hand_kind`` stand among the options, as in a score sheet.
    """
    gallo, kind = options.pop("gallo", None), options.pop("hand_kind", None)
    rules = rules_for(find_variant(variant), options)
    points = [int(n) for n in score.split("-")] if score else list(rules.starting_score)
    return new_game(
        rules,
        dict(zip(rules.scoring_sides, points, strict=True)),
        Side(mano),
        gallo=Side(str(gallo)) if gallo else None,
        kind=HandKind(str(kind)) if kind else None,
    )


def play(variant: str, steps: str = "", start: str = "", mano: str = "A", **options: Value) -> Game:
    """The game after ``steps``, as in "A envido; B no_quiero"; every one of them must be legal."""
    return play_on(deal(variant, start, mano, **options), steps)


def play_on(game: Game, steps: str) -> Game:
    """``game`` after further ``steps``, which may hold undo and redo; all must be legal."""
    history = History(game)
    for text in filter(None, (part.strip() for part in steps.split(";"))):
        refused = history.play(parse_step(text, game.rules))
        assert refused is None, f"{text!r} was refused: {refused}"
    return history.game


def why_not(game: Game, step: str) -> Refusal | None:
    """Why ``step`` is refused now; None if it would be accepted."""
    return refusal(game, parse_step(step, game.rules))


def points(game: Game) -> str:
    """The score as a test says it: "3-7"."""
    return "-".join(str(n) for n in game.score)


def document_value(game: Game, key: str) -> Any:  # noqa: ANN401 - a JSON document
    """One value of the state document."""
    return state_document(game)[key]


def pays(game: Game) -> tuple[Any, Any]:
    """What the pending call pays: (wanted, not wanted)."""
    pending = document_value(game, "pending")
    return pending["quiero"], pending["no_quiero"]
