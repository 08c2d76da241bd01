"""The law of the reasons: they add up to what each side gained, on every output.

``faults`` lists what is wrong with the outputs of one finished hand.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from itertools import product
from typing import NamedTuple

from scorer.display import draw_view, tv
from scorer.display.presenter import build_scene
from scorer.i18n import languages, translator
from scorer.phrases import gains
from scorer.phrases.scene import Scene
from scorer.rules import Action, Game, Step
from scorer.session.values.shown import Screen
from scorer.session.view.build_view import view_of_game
from scorer.session.view.view import SpecialKind, View
from tests.phrases.test_one_source import phrases_of, plain_text
from tests.sampling import sample

SIZES = ((128, 64), (128, 32))
NAMES = (("", "", ""), ("Los Pibes del Fondo", "La Yunta Brava", "Doña Ñata"))
LANGUAGES = languages()
OUTSIDE_PLAY = (Action.AWARD, Action.CORRECT, Action.ENVIDO_REVERSED, Action.FLOR_REVERSED)
OUTPUTS = tuple(product(LANGUAGES, SIZES, NAMES, (0, 1)))


class End(NamedTuple):
    """A finished hand, with its newest step and the game before that."""

    before: Game
    step: Step
    game: Game


def gained(end: End) -> dict[str, int]:
    """What each side gained, by the scores: in this hand, or by its correction."""
    start = end.before.score if end.step.action in OUTSIDE_PLAY else end.game.score_at_deal
    return {
        side: now - before
        for side, now, before in zip(
            end.game.rules.scoring_sides, end.game.score, start, strict=True
        )
    }


def listed(scene: Scene) -> dict[str, int]:
    """What each side gained, by the reasons; each of a pair what the pair gained."""
    view = scene.view
    sums = dict.fromkeys((side.key for side in view.sides), 0)
    for each in gains.side_reasons(scene):
        members = [at for at in scene.order if each.side in (at, len(view.sides))]
        if each.side == len(view.sides):
            members = [at for at in scene.order if at != view.gallo]
        for at in members:
            sums[view.sides[at].key] += each.points
    return sums


def sum_of(wording: str) -> int | None:
    """The sum of the points in a list of reasons; None if it has no points.

    The number of "flor x2" is none of points.
    """
    found = re.findall(r"(?<!x)[+-]?\d+", wording)
    return sum(map(int, found)) if found else None


def wrong_sums(scene: Scene) -> Iterator[str]:
    """The wordings that do not add up to what their side gained."""
    reasons = gains.side_reasons(scene)
    is_only = len({each.wordings for each in reasons}) == 1
    for each in reasons:
        for wording in each.wordings:
            total = sum_of(wording)
            if total is None and is_only and "+" not in wording:
                continue  # an only reason: the total stands above it
            if total != each.points:
                yield f"{wording!r} is not {each.points}"


def not_shown(scene: Scene, output: str, texts: Iterable[str]) -> Iterator[str]:
    """The sides whose reasons or total an output leaves out."""
    shown = " ".join(texts)  # a list may be in two lines
    for each in gains.side_reasons(scene):
        if not any(wording in shown for wording in each.wordings):
            yield f"{output}: none of {each.wordings} is in {shown!r}"
        if gains.signed(each.points) not in shown and len(scene.order) < 3:
            yield f"{output}: the total {each.points} is not in {shown!r}"


def decides(view: View) -> bool:
    """True if the panel also asks for a decision on the next hand."""
    hand = view.next_hand
    return hand is not None and (hand.special is SpecialKind.MAO or hand.call is not None)


def faults(end: End, turn: int) -> Iterator[str]:
    """What is wrong with the outputs of a finished hand; ``turn`` chooses which."""
    game = end.game
    for language, size, names, left in sample(OUTPUTS, 2, turn=7 * turn + 1):
        view = view_of_game(game, names)
        scene = build_scene(view, translator(language), left)
        if listed(scene) != gained(end):
            yield f"listed {listed(scene)}, gained {gained(end)}: {view.gains}"
        yield from wrong_sums(scene)
        if view.screen is not Screen.HAND_OVER:
            continue
        where = f"{language} {size} {names[0]} {left}"
        canvas = draw_view(view, language, size, left)
        yield from (f"{where} cuts {text!r}" for text in canvas.overflow)
        if size[1] >= 64 or not decides(view):
            yield from not_shown(scene, where, canvas.texts)
        wall = tv.draw_view(view, language, (1280, 720), left)
        assert wall is not None
        yield from not_shown(scene, f"television {language}", wall.texts)
        yield from _not_on_pages(game, scene, language)


def _not_on_pages(game: Game, scene: Scene, language: str) -> Iterator[str]:
    view = scene.view
    phrases = phrases_of(game, view, language, view.sides[scene.order[0]].key)
    board = [text for each in phrases["reasons"] for text in (each["amount"], each["why"])]
    yield from not_shown(scene, f"board {language}", board)
    plain = html.unescape(plain_text(game, phrases, language))
    yield from not_shown(scene, f"plain {language}", [plain])
