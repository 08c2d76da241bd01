"""Views of games at any score."""

from __future__ import annotations

from scorer.rules import Side
from scorer.session.values.settings import Tally
from scorer.session.view.view import View
from tests.session.rig import SessionRig
from tests.support.settings import settings_with


def at_score(
    *scores: int,
    variant: str = "argentine",
    target: int | None = None,
    large_digits: bool = False,
    tally: Tally = Tally.FIVES,
    presses: str = "",
    mano: Side | None = None,
) -> View:
    """What a table shows that begins at these scores, after ``presses``."""
    options: dict[str, str | int | bool] = {} if target is None else {"target": target}
    rig = SessionRig(
        variant,
        options,
        score=dict(zip(Side, scores, strict=False)),
        settings=settings_with(large_digits=large_digits, tally=tally),
        mano=mano,
    )
    rig.do(*(presses.split(", ") if presses else ()))
    return rig.view
