"""Panel, television, report and plain page show the same phrases of a game."""

from __future__ import annotations

import html
import random
from collections.abc import Iterator
from functools import cache
from itertools import chain
from types import SimpleNamespace
from typing import Any

import pytest

from scorer.display import screen_text, tv
from scorer.i18n import languages, translator
from scorer.rules import (
    Game,
    Start,
    apply,
    find_variant,
    legal,
    new_game,
    rules_for,
    state_document,
)
from scorer.session.values.game_queries import current_hand
from scorer.session.values.shown import Screen
from scorer.session.view.build_view import view_of_game
from scorer.session.view.view import View
from scorer.web.pages.plain import render_page
from scorer.web.report import board_document
from scorer.web.report_phrases import report_phrases, viewer_scene
from tests.rules import law_starts
from tests.sampling import amount, sample

PANEL, TELEVISION = (256, 64), (1280, 720)
NAMES = (("", "", ""), ("Ana", "Beto", "Caro"))
LANGUAGES = languages()
STEPS = 12  # of one walk
WALKS = amount(2, 40)  # from one start

Phrases = dict[str, Any]


def phrases_of(
    game: Game, view: View, language: str, first: str, *, is_neutral: bool = True
) -> Phrases:
    names = {side.key: side.name for side in view.sides}
    report: dict[str, Any] = {
        "state": {**state_document(game), "names": names},
        "board": board_document(game, view),
        "recent": [],
        "hands": [],
        "night": None,
    }
    scene = viewer_scene(view, translator(language), first)._replace(is_neutral=is_neutral)
    return report_phrases(scene, report)


def plain_text(game: Game, phrases: Phrases, language: str) -> str:
    report = {
        "state": {**state_document(game)},
        "phrases": phrases,
        "table": "here",
        "recent": [],
    }
    return html.unescape(render_page(report, translator(language), language, "auto"))


def facts(view: View, phrases: Phrases, language: str) -> Iterator[str]:
    """The facts that every output shows of this state, in the words of the report."""
    if view.winner is not None:
        yield phrases["result"]["won"]
        if len(view.sides) == 2:  # of three a panel shows the scores themselves
            yield phrases["result"]["margin"]
    elif phrases["call"] is not None:
        yield from call_facts(phrases["call"])
    elif phrases["next"] is not None:
        yield from phrases["next"]["text"].split(" · ")  # on lines of their own
        # The reasons have shorter wordings: tests/phrases/test_reasons.py compares them.
    elif phrases["special"] is not None:
        yield from phrases["special"].values()
    elif not view.gains:
        yield from (phrases["stake"], phrases["state"])


def call_facts(call: Phrases) -> Iterator[str]:
    yield call["title"]
    for answer in (call["yes"], call["no"]):
        if answer is not None:
            yield from (answer["word"], answer["pays"])
    if call["family"] in ("mao", "singing"):
        yield call["asks"]


def missing(facts: list[str], shown: str) -> list[str]:
    """The facts that an output lacks; panels write some of them in capitals."""
    return [fact for fact in facts if fact.casefold() not in shown.casefold()]


def differences(game: Game, language: str, names: tuple[str, ...], at: int) -> list[str]:
    """The phrases of the report that an output lacks, side ``at`` on the left."""
    view = view_of_game(game, names)
    key = view.sides[view.gallo or 0].key if view.gallo is not None else view.sides[at].key
    left_side = 0 if view.gallo is not None else at
    phrases = phrases_of(game, view, language, key)
    shared = list(facts(view, phrases, language))
    wall = tv.draw_view(view, language, TELEVISION, left_side)
    outputs = {
        "panel": "\n".join(screen_text(view, language, PANEL, left_side, is_neutral=True)),
        "television": "\n".join(wall.texts) if wall is not None else "",
        "plain": plain_text(game, phrases, language),
    }
    return [
        f"{output} of {view.screen}: {fact!r} is not in {shown!r}"
        for output, shown in outputs.items()
        for fact in missing(shared, shown)
    ]


@cache
def walked(case: law_starts.Case) -> tuple[Game, ...]:
    """The distinct games of random walks from a start."""
    chosen, found = random.Random(str(case)), dict[Game, None]()
    for _ in range(WALKS):
        game = case.game()
        for _ in range(STEPS):
            found[game] = None
            found[current_hand(game)] = None
            steps = list(legal(game))
            if not steps:
                break
            game = apply(game, chosen.choice(steps))
    return tuple(found)


def names_of(game: Game, turn: int) -> tuple[str, ...]:
    """Chosen and default names in turn; of three sides only the chosen ones fit."""
    return NAMES[turn % 2] if len(game.score) == 2 else NAMES[1]


CASES = sample(law_starts.quick_cases(), 2, by=lambda case: case.variant)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_output_shows_the_phrases_of_the_report(case: law_starts.Case) -> None:
    found = (
        differences(game, LANGUAGES[at % len(LANGUAGES)], names_of(game, at // 6), at // 12 % 2)
        for at, game in enumerate(walked(case))
    )
    assert list(chain.from_iterable(found)) == []


# Scores in words beside the mano.
SPOKEN = [("paulista", (3, 5)), ("paulista", (10, 10)), ("mineiro", (5, 7))]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("variant", "score"), SPOKEN)
def test_a_score_without_halves_is_said_in_words_everywhere(
    variant: str, score: tuple[int, ...], language: str
) -> None:
    game = game_at(variant, score)
    for at in (0, 1):
        assert differences(game, language, ("", ""), at) == []


def game_at(variant: str, score: tuple[int, ...]) -> Game:
    rules = rules_for(find_variant(variant), {})
    return new_game(Start(rules, score))


def test_the_side_on_the_left_is_spoken_of_as_ours() -> None:
    game = game_at("paulista", (3, 5))
    view = view_of_game(game, ("", ""))
    of_viewers = [phrases_of(game, view, "pt-BR", first, is_neutral=False) for first in ("A", "B")]
    assert [each["state"] for each in of_viewers] == [
        "dá: Eles, mão: Nós · três a cinco",
        "dá: Nós, mão: Eles · cinco a três",
    ]
    assert [each["names"]["A"] for each in of_viewers] == ["Nós", "Eles"]


COMPARED = {
    Screen.PLAYING, Screen.PENDING, Screen.WINNER, Screen.HAND_OVER, Screen.MAO, Screen.CANTANDO,
    Screen.MATCH_OVER,
}  # fmt: skip


@pytest.mark.sampled
def test_the_walks_reach_every_screen_of_a_game() -> None:
    games = chain.from_iterable(walked(case) for case in CASES)
    assert {view_of_game(game, ("", "", "")).screen for game in games} >= COMPARED


def test_a_phrase_that_differs_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_at("paulista", (3, 5))
    other = SimpleNamespace(standing_words=lambda _: ("mano: Nosotros",))
    monkeypatch.setattr("scorer.web.report_phrases.state_line", other)
    assert any("mano: Nosotros" in each for each in differences(game, "es-AR", ("", ""), 0))
