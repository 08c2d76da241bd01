"""What a team light shows: laws over reachable states, frames and their times."""

from __future__ import annotations

import random

import pytest

from scorer.display.light_frames import COLOURS, DARK, STEP_S, frame_at, next_frame_s
from scorer.rules import apply, find_variant, legal, rules_for, variant_ids
from scorer.session.values.dimming import lamps_of
from scorer.session.values.settings import LAMPS, LampColour, Settings
from scorer.session.values.state import new_session
from scorer.session.view.build_light_scene import PATTERNS, light_scene_of
from scorer.session.view.light_scene import THIRD_COLOUR, LightScene, Pattern, Shape
from tests.rules import law_starts
from tests.sampling import sample

SCENES = [
    *(LightScene(("yellow",), pattern, 1) for pattern in PATTERNS.values()),
    LightScene(),
    LightScene(("red",)),
    LightScene(("red", "blue")),
    LightScene(("red", "blue", "pink")),
    LightScene(winner="green"),
    LightScene(("green",), winner="green"),
]
CASES = sample(law_starts.quick_cases(), 1, by=lambda case: case.variant)


@pytest.mark.parametrize("variant", variant_ids())
def test_every_call_of_every_variant_has_a_pattern_and_raises_repeat_it_more(variant: str) -> None:
    rules = rules_for(find_variant(variant))
    calls = [rung.action for rung in rules.ladder[1:]]
    repeats = [PATTERNS[call].repeats for call in calls if call is not None]
    assert len(repeats) == len(calls)
    assert repeats == sorted(set(repeats))
    assert all(bid.action in PATTERNS for bid in rules.bids)


@pytest.mark.sampled
@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.parametrize("pixels", [1, 8])
def test_a_colour_is_lit_while_its_team_owes_an_answer(case: law_starts.Case, pixels: int) -> None:
    chosen = random.Random(str(case))
    for _ in range(5):
        game = case.game()
        for _ in range(12):
            session = new_session(game, Settings())
            scene = light_scene_of(session)
            lamps = lamps_of(session)
            assert scene.awaited == tuple(
                c for c, on in zip((*LAMPS, THIRD_COLOUR), lamps, strict=False) if on
            )
            shown = {
                colour
                for at in range(len(lamps))
                for colour in frame_at(scene, 60.0 + at, pixels, celebrates=True)
            }
            assert shown - {DARK} == {COLOURS[name] for name in scene.awaited}
            if not (steps := list(legal(game))):
                break
            game = apply(game, chosen.choice(steps))


@pytest.mark.parametrize("pixels", [1, 2, 8, 60])
@pytest.mark.parametrize("celebrates", [False, True])
def test_a_frame_changes_only_at_the_time_that_was_announced(pixels: int, celebrates: bool) -> None:
    for scene in SCENES:
        assert_frames_are_announced(scene, pixels, celebrates)


def assert_frames_are_announced(scene: LightScene, pixels: int, celebrates: bool) -> None:
    """Assert that a frame is shown until the time of the next one."""
    elapsed, frames = 0.0, 0
    while frames < 80:
        due = next_frame_s(scene, elapsed, pixels, celebrates=celebrates)
        shown = frame_at(scene, elapsed, pixels, celebrates=celebrates)
        assert len(shown) == pixels, scene
        until = elapsed + 30.0 if due is None else due - 0.01
        assert frame_at(scene, until, pixels, celebrates=celebrates) == shown, scene
        if due is None:
            break
        assert due >= elapsed + STEP_S / 2, "the table is not woken more often"
        elapsed, frames = due, frames + 1
    else:
        assert len(scene.awaited) > pixels, "only a light of fewer pixels than teams goes on"


def test_the_calls_of_a_family_differ_from_the_others_on_every_light() -> None:
    for pixels in (1, 8):
        runs = {
            shape: tuple(
                frame_at(LightScene(("red",), Pattern(shape, 1)), at * STEP_S, pixels,
                         celebrates=False)
                for at in range(6)
            )
            for shape in Shape
        }  # fmt: skip
        assert len(set(runs.values())) == len(Shape)
        assert all((DARK,) * pixels in run for run in runs.values()), "repetitions are told apart"


@pytest.mark.parametrize(
    ("shape", "frames"),
    [
        (Shape.FLASH, "######## ######## ######## ........ ........ ........"),
        (Shape.RUN, "##...... ..##.... ....#... .....##. .......# ........"),
        (Shape.BLOOM, "........ ...##... ..####.. .######. ######## ########"),
    ],
)
def test_each_shape_is_lit_in_its_order(shape: Shape, frames: str) -> None:
    scene = LightScene(("red",), Pattern(shape, 1))
    seen = (frame_at(scene, (at + 0.5) * STEP_S, 8, celebrates=False) for at in range(6))
    assert " ".join("".join(".#"[each != DARK] for each in frame) for frame in seen) == frames


def test_a_win_is_celebrated_in_the_colour_of_the_winner_or_not_at_all() -> None:
    won = LightScene(winner="green")
    seen = {c for at in range(4) for c in frame_at(won, at * STEP_S, 8, celebrates=True)}
    assert seen == {COLOURS["green"], COLOURS["white"]}
    assert frame_at(won, 0.0, 8, celebrates=False) == (DARK,) * 8
    assert frame_at(won, 5.0, 8, celebrates=True) == (DARK,) * 8


def test_every_lamp_colour_has_a_colour_of_its_own() -> None:
    assert set(COLOURS) == {*LampColour, THIRD_COLOUR}
    assert len(set(COLOURS.values())) == len(COLOURS)
