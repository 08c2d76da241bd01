"""The reasons of a finished hand add up to what each side gained, on every output.

Ends of hands of every variant, in every language, with default and long names. Each output shows
one wording of ``side_reasons`` for each side, and each wording contains every point.
"""

from __future__ import annotations

import html
import random
import re
from collections import deque
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product

import pytest

from scorer.display import draw_view, tv
from scorer.display.presenter import build_scene
from scorer.i18n import languages, translator
from scorer.phrases import gains
from scorer.phrases.scene import Scene
from scorer.rules import Action, Game, apply, legal
from scorer.rules.model import PointsReason
from scorer.rules.perft import core_state, is_walked
from scorer.session.view.build_view import view_of_game
from scorer.session.view.view import GainView, Screen, SpecialKind, View
from tests.phrases.test_one_source import phrases_of, plain_text
from tests.rules import law_starts
from tests.rules.laws import INTERRUPTIONS
from tests.rules.notation import play
from tests.sampling import EXHAUSTIVE, QUICK, sample

SIZES = ((128, 64), (128, 32))
NAMES = (("", "", ""), ("Los Pibes del Fondo", "La Yunta Brava", "Doña Ñata"))
LANGUAGES = languages()
OUTPUTS = tuple(product(LANGUAGES, SIZES, NAMES, (0, 1)))
WALKS, STEPS = 60, 40  # from one start, in a sample
OUTSIDE_PLAY = (Action.CONCEDE, Action.TIME)
CASES = sample(law_starts.quick_cases(), 4, by=lambda case: case.variant)


@cache
def ends(case: law_starts.Case) -> tuple[Game, ...]:
    """The finished hands with different gains: all that can be reached, or those of some walks."""
    found: dict[tuple[GainView, ...], Game] = {}
    for game in _all_states(case) if EXHAUSTIVE and not QUICK else _walked(case):
        if game.hand.over or game.winner is not None:
            found.setdefault(view_of_game(game, ("", "", "")).gains, game)
    return tuple(found.values())


def _walked(case: law_starts.Case) -> Iterator[Game]:
    chance = random.Random(str(case))
    for _ in range(WALKS):
        game = case.game()
        for _ in range(STEPS):
            steps = [step for step in legal(game) if step.action not in OUTSIDE_PLAY]
            if not steps or game.hand.over:
                break
            game = apply(game, chance.choice(steps))
        yield game


def _all_states(case: law_starts.Case) -> Iterator[Game]:
    """Every state of the hand, and those one award, correction or reversal away."""
    waiting, seen = deque([case.game()]), set()
    while waiting:
        game = waiting.popleft()
        yield game
        for step in legal(game):
            after = apply(game, step)
            if step.action in INTERRUPTIONS:
                yield after
                continue
            goes_on = not game.hand.over and is_walked(game, step, case.bet_limits)
            if goes_on and core_state(after) not in seen:
                seen.add(core_state(after))
                waiting.append(after)


def gained(game: Game) -> dict[str, int]:
    """What each side gained in this hand, by the score; corrections during it do not count."""
    sums: dict[str, int] = {
        side: now - before
        for side, now, before in zip(
            game.rules.scoring_sides, game.score, game.score_at_deal, strict=True
        )
    }
    for payment in game.payments:
        for credit in payment:
            if credit.why is PointsReason.CORRECT and credit not in game.last_credits:
                sums[credit.to] -= credit.points
    return sums


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
    """The sum of the points in a list of reasons; None if it has no points."""
    found = re.findall(r"[+-]?\d+", wording)
    return sum(map(int, found)) if found else None


def wrong_sums(scene: Scene) -> Iterator[str]:
    """The wordings that do not add up to what their side gained."""
    reasons = gains.side_reasons(scene)
    for each in reasons:
        for wording in each.wordings:
            total = sum_of(wording)
            if total is None and len(reasons) == 1 and "+" not in wording:
                continue  # an only reason: the total stands above it
            if total != each.points:
                yield f"{wording!r} is not {each.points}"


def not_shown(scene: Scene, output: str, texts: Iterable[str]) -> Iterator[str]:
    """The sides whose reasons or total an output leaves out."""
    shown = " ".join(texts)  # a list may be in two lines
    for each in gains.side_reasons(scene):
        if not any(wording in shown for wording in each.wordings):
            yield f"{output}: none of {each.wordings} is in {shown!r}"
        if f"{each.points:+d}" not in shown and len(scene.order) < 3:
            yield f"{output}: the total {each.points} is not in {shown!r}"


def decides(view: View) -> bool:
    """True if the panel also asks for a decision on the next hand."""
    hand = view.next_hand
    return hand is not None and (hand.special is SpecialKind.MAO or hand.call is not None)


def faults(game: Game, turn: int) -> Iterator[str]:
    """What is wrong with the outputs of a finished hand; ``turn`` chooses which."""
    for language, size, names, left in sample(OUTPUTS, 2, turn=7 * turn + 1):
        view = view_of_game(game, names)
        scene = build_scene(view, translator(language), left)
        if listed(scene) != gained(game):
            yield f"listed {listed(scene)}, gained {gained(game)}: {view.gains}"
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


@pytest.mark.sampled
@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_reasons_of_every_hand_add_up_on_every_output(case: law_starts.Case) -> None:
    for turn, game in enumerate(ends(case)):
        found = list(faults(game, turn))
        assert found == [], game.payments


@pytest.mark.sampled
def test_the_walks_end_hands_in_every_way() -> None:
    reasons = {
        gain.why for case in CASES for game in ends(case) for gain in _gains(game) if gain.points
    }
    assert reasons >= {"hand", "truco_refused", "envido", "envido_refused", "flor", "fold", "award"}


def _gains(game: Game) -> tuple[GainView, ...]:
    return view_of_game(game, ("", "", "")).gains


def reasons_of(game: Game, language: str = "es-AR") -> dict[int, str]:
    scene = build_scene(view_of_game(game, ("", "", "")), translator(language), 0)
    return {each.side: each.wordings[0] for each in gains.side_reasons(scene)}


def test_each_reason_is_listed_with_its_points() -> None:
    game = play("argentine", "A envido; B no_quiero; A truco; B quiero; A hand_won")
    assert reasons_of(game) == {0: "envido no querido 1 + truco querido 2"}
    game = play("argentine", "A envido; B no_quiero; A truco; B no_quiero")
    assert reasons_of(game) == {0: "envido no querido 1 + truco no querido 1"}


def test_an_only_reason_needs_no_points() -> None:
    assert reasons_of(play("argentine", "A truco; B no_quiero")) == {0: "truco no querido"}


def test_the_duels_of_a_pica_hand_are_listed_together() -> None:
    steps = (
        "A envido; B quiero; A envido_won; A hand_won; B truco; A no_quiero; A truco; B quiero; "
        "A hand_won"
    )
    game = play("pica_pica", steps, "10-8", hand_kind="pica")
    assert reasons_of(game) == {
        0: "envido 2 + la mano 1 + truco querido 2",
        1: "truco no querido 1",
    }


def test_duels_that_count_at_once_are_listed_once() -> None:
    steps = "A hand_won; A hand_won; A hand_won"
    game = play("pica_pica", steps, "10-8", hand_kind="pica", pica_add="live")
    assert (game.score, reasons_of(game)) == ((13, 8), {0: "la mano"})


def test_a_list_that_leaves_a_point_out_is_noticed() -> None:
    game = play("argentine", "A envido; B no_quiero; A truco; B no_quiero")
    scene = build_scene(view_of_game(game, ("", "")), translator("es-AR"), 0)
    assert list(wrong_sums(scene)) == []
    lost = scene._replace(view=scene.view._replace(gains=scene.view.gains[:1]))
    assert listed(lost) != gained(game)
    assert list(not_shown(scene, "panel", ["+2 Nosotros", "truco no querido"])) != []
