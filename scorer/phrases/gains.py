"""Gains: points, side and reasons.

The reasons of a finished hand are listed once, by side; every wording of a list contains all
points of its side. A shorter wording merges reasons, it never leaves one out.
"""

from collections.abc import Callable
from typing import NamedTuple

from scorer.i18n import Say
from scorer.phrases.names import name_wordings, shrinking_wordings
from scorer.phrases.scene import Scene
from scorer.session.view.view import GainView

# The bet that a reason belongs to; any other one is listed as "other".
_BETS = {
    "envido": "envido",
    "envido_refused": "envido",
    "fold_envido": "envido",
    "envido_reversed": "envido",
    "flor": "flor",
    "flor_refused": "flor",
    "flor_reversed": "flor",
    "hand": "hand",
    "truco_refused": "hand",
    "fold": "hand",
    "mao_run": "hand",
    "mao_truco": "hand",
    "privo": "hand",
    "correct": "correct",
}

_Label = Callable[[GainView], str]


class SideReasons(NamedTuple):
    """What one side gained in total, and why, longest wording first."""

    side: int
    points: int
    wordings: tuple[str, ...]


def gain_wordings(scene: Scene, side: int, points: int, width: int) -> tuple[str, ...]:
    """ "+2 Ellos", the name in full and then shortened to ``width`` pixels."""
    return tuple(f"{signed(points)} {name}" for name in name_wordings(scene, side, width))


def signed(points: int) -> str:
    """ "+2", "-2"; a sum of 0 has no sign."""
    return f"{points:+d}" if points else "0"


def reason_text(say: Say, why: str, word: str) -> str:
    """The reason in words: "truco no querido"."""
    return say(f"why.{reason_case(why, word)}", word=word)


def reason_case(why: str, word: str) -> str:
    """The reason with the case of its call, by which texts differ."""
    if why == "hand" and word:
        return "hand.word"
    if why == "envido_refused" and word.startswith("la "):
        return "envido_refused.she"
    if why == "fold" and word == "correr":
        return "fold.ran"
    return why


def _short_text(say: Say, why: str, word: str) -> str:
    """The reason as it is said in short, "truco n.q.", if the language has one."""
    key = f"why.short.{reason_case(why, word).removesuffix('.she')}"
    text = say(key, word=word)
    return reason_text(say, why, word) if text == key else text


def gain_totals(scene: Scene) -> dict[int, int]:
    """Points per side, left to right on this panel; then those of the pair."""
    totals: dict[int, int] = {}
    for gain in _gains(scene):
        totals[gain.side] = totals.get(gain.side, 0) + gain.points
    order = (*scene.order, len(scene.order))
    return {side: totals[side] for side in order if side in totals}


def _gains(scene: Scene) -> tuple[GainView, ...]:
    """The gains by members of the pair if one of them gains alone.

    Calls are without their amount: it is not what they pay.
    """
    view = scene.view
    gains = tuple(
        gain._replace(word=" ".join(part for part in gain.word.split() if not part.isdecimal()))
        for gain in view.gains
    )
    pair, sides = len(view.sides), {gain.side for gain in gains}
    if pair not in sides or sides <= {pair, view.gallo}:
        return gains
    members = [at for at in scene.order if at != view.gallo]
    return tuple(
        gain._replace(side=at)
        for gain in gains
        for at in (members if gain.side == pair else [gain.side])
    )


def side_reasons(scene: Scene) -> tuple[SideReasons, ...]:
    """The reasons of every side that gained, in the order of ``gain_totals``."""
    gains, say = _gains(scene), scene.say
    labels: tuple[_Label, ...] = (
        lambda gain: reason_text(say, gain.why, gain.word),
        lambda gain: _short_text(say, gain.why, gain.word),
        lambda gain: _short_text(say, gain.why, scene.shorten(gain.word, 50)),
        lambda gain: say(f"why.bet.{_BETS.get(gain.why, 'other')}"),
        lambda gain: say(f"why.bet.{_BETS.get(gain.why, 'other')}.short"),
    )
    totals = gain_totals(scene)
    # The totals of an only reason are already shown; those of three sides need not be.
    is_only = len({(gain.why, gain.word) for gain in gains}) == 1 and len(totals) <= 2
    return tuple(
        SideReasons(side, total, _wordings(scene, labels, side, is_only=is_only))
        for side, total in totals.items()
    )


def _wordings(
    scene: Scene, labels: tuple[_Label, ...], side: int, *, is_only: bool
) -> tuple[str, ...]:
    lists = []
    for label in labels:
        # The points of the side by label, in the order of their payment.
        points: dict[str, int] = {}
        for gain in _gains(scene):
            if gain.side == side:
                points[label(gain)] = points.get(label(gain), 0) + gain.points
        lists.append(points)
    if is_only:
        return tuple(dict.fromkeys(" + ".join(reasons) for reasons in lists))
    listed = (_listed(scene, reasons, is_tight=False) for reasons in lists)
    return tuple(dict.fromkeys((*listed, _listed(scene, lists[-1], is_tight=True))))


def _listed(scene: Scene, reasons: dict[str, int], *, is_tight: bool) -> str:
    """ "envido 2 + truco 1"; points that are passed to another pile keep their sign."""
    is_signed = scene.view.counts_down or any(points < 0 for points in reasons.values())
    amounts = (f"{points:+d}" if is_signed else str(points) for points in reasons.values())
    gap, comma = ("", " ") if is_tight else (" ", ", " if is_signed else " + ")
    return comma.join(f"{why}{gap}{by}" for why, by in zip(reasons, amounts, strict=True))


def joined_wordings(scene: Scene) -> tuple[str, ...]:
    """The reasons of all sides in one line, in the order of ``gain_totals``."""
    reasons = side_reasons(scene)
    longest = max((len(gained.wordings) for gained in reasons), default=1)
    return tuple(
        " · ".join(
            dict.fromkeys(gained.wordings[min(at, len(gained.wordings) - 1)] for gained in reasons)
        )
        for at in range(longest)
    )


def total_wordings(scene: Scene, totals: dict[int, int]) -> tuple[str, ...]:
    """All totals in one line, "+4 Nosotros +1 Ellos", the names shorter and shorter."""
    widths = (70, 50, 34, 24, 14)
    names = {side: shrinking_wordings(scene, side, *widths) for side in totals}
    return tuple(
        " ".join(f"{signed(points)} {names[side][at]}" for side, points in totals.items())
        for at in range(len(widths) + 1)
    )


def gain_line_wordings(scene: Scene) -> tuple[str, ...]:
    """All gains in one line, "+3 Nosotros: envido 2 + truco 1"; then totals.

    An only reason is given once: "-2 Nosotros +2 Ellos: corregido".
    """
    totals = total_wordings(scene, gain_totals(scene))
    reasons = {gained.wordings for gained in side_reasons(scene)}
    whys = next(iter(reasons)) if len(reasons) == 1 else ()
    # A short reason is clearer than a very short name.
    lines = (
        f"{total}: {why}" for each in (totals[:3], totals[3:]) for why in whys for total in each
    )
    return (*lines, *totals)
