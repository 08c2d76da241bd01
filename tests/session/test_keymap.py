"""The keymap: every button of both layouts has the meaning of the press table."""

from __future__ import annotations

import pytest

from scorer.rules import Phase, Rules, Side, find_variant, rules_for, variant_ids
from scorer.session.input.keymap import (
    buttons,
    console_of,
    effective_key,
    hold_meaning,
    side_of,
    tap_meaning,
)
from scorer.session.values.press import ButtonMeaning
from scorer.session.values.settings import Layout

FULL, COMPACT = Layout.FULL, Layout.COMPACT


def rules(variant: str) -> Rules:
    return rules_for(find_variant(variant))


def test_the_full_layout_has_fourteen_buttons_and_the_compact_one_nine() -> None:
    assert (len(buttons(FULL)), len(buttons(COMPACT))) == (14, 9)
    assert buttons(COMPACT) == (
        "A.truco", "A.envido", "A.quiero", "A.tantos",
        "B.truco", "B.envido", "B.quiero", "B.tantos",
        "undo",
    )  # fmt: skip


def test_a_third_console_brings_its_own_buttons() -> None:
    assert "C.tantos" in buttons(COMPACT, 3)
    assert len(buttons(COMPACT, 3)) == 13


@pytest.mark.parametrize(
    ("layout", "variant", "button", "meaning"),
    [
        (FULL,    "argentine", "A.truco",     ButtonMeaning.TRUCO),
        (FULL,    "argentine", "A.envido",    ButtonMeaning.ENVIDO),
        (FULL,    "argentine", "A.flor",      ButtonMeaning.FLOR),
        (FULL,    "argentine", "B.quiero",    ButtonMeaning.QUIERO),
        (FULL,    "argentine", "B.no_quiero", ButtonMeaning.NO_QUIERO),
        (FULL,    "argentine", "B.tantos",    ButtonMeaning.TANTOS),
        (FULL,    "argentine", "undo",        ButtonMeaning.UNDO),
        (FULL,    "argentine", "menu",        ButtonMeaning.PAGE),
        (FULL,    "paulista",  "A.envido",    ButtonMeaning.ENVIDO),
        (COMPACT, "argentine", "A.envido",    ButtonMeaning.ENVIDO),
        (COMPACT, "paulista",  "A.envido",    ButtonMeaning.NO_QUIERO),
        (COMPACT, "mineiro",   "B.envido",    ButtonMeaning.NO_QUIERO),
        (COMPACT, "argentine", "undo",        ButtonMeaning.UNDO),
        (COMPACT, "argentine", "menu",        None),
        (COMPACT, "argentine", "A.no_quiero", None),
        (FULL,    "argentine", "A.bell",      None),
        (FULL,    "argentine", "A.undo",      None),
    ],
)  # fmt: skip
def test_what_a_tap_means(
    layout: Layout, variant: str, button: str, meaning: ButtonMeaning | None
) -> None:
    assert tap_meaning(layout, button, rules(variant)) is meaning


@pytest.mark.parametrize(
    ("layout", "variant", "button", "phase", "meaning"),
    [
        (FULL,    "argentine",      "A.no_quiero", Phase.PLAYING,         ButtonMeaning.FOLD),
        (FULL,    "argentine",      "A.no_quiero", Phase.PENDING_TRUCO,   None),
        (FULL,    "argentine",      "A.no_quiero", Phase.AWAITING_ENVIDO, None),
        (FULL,    "paulista",       "A.no_quiero", Phase.MAO_DECISION,    None),
        (FULL,    "argentine",      "A.quiero",    Phase.PENDING_TRUCO,   None),
        (FULL,    "argentine",      "A.envido",    Phase.PLAYING,         ButtonMeaning.BIDS),
        (FULL,    "argentine",      "A.envido",    Phase.PENDING_ENVIDO,  ButtonMeaning.BIDS),
        (FULL,    "argentine",      "A.envido",    Phase.AWAITING_ENVIDO, None),
        (FULL,    "paulista",       "A.envido",    Phase.PLAYING,         None),
        (FULL,    "argentine",      "undo",        Phase.MATCH_OVER,      ButtonMeaning.REDO),
        (FULL,    "argentine_flor", "A.flor",      Phase.PLAYING,         ButtonMeaning.FLORES),
        (FULL,    "argentine",      "A.flor",      Phase.PLAYING,         None),
        (FULL,    "argentine",      "A.no_quiero", Phase.PENDING_ENVIDO,  ButtonMeaning.FOLD),
        (COMPACT, "argentine",      "A.quiero",    Phase.PENDING_TRUCO,   ButtonMeaning.NO_QUIERO),
        (COMPACT, "argentine",      "A.quiero",    Phase.PLAYING,         ButtonMeaning.FOLD),
        (COMPACT, "argentine",      "A.quiero",    Phase.AWAITING_ENVIDO, None),
        (COMPACT, "argentine",      "A.quiero",    Phase.MATCH_OVER,      None),
        (COMPACT, "paulista",       "A.quiero",    Phase.PENDING_TRUCO,   None),
        (COMPACT, "paulista",       "A.quiero",    Phase.PLAYING,         None),
        (COMPACT, "paulista",       "A.envido",    Phase.PENDING_TRUCO,   None),
        (COMPACT, "paulista",       "A.envido",    Phase.PLAYING,         ButtonMeaning.FOLD),
        (COMPACT, "argentine",      "A.envido",    Phase.PLAYING,         ButtonMeaning.BIDS),
        (COMPACT, "argentine_flor", "A.envido",    Phase.PLAYING,         ButtonMeaning.FLOR),
        (COMPACT, "argentine_flor", "A.envido",    Phase.PENDING_FLOR,    ButtonMeaning.FLOR),
        (COMPACT, "argentine",      "undo",        Phase.PLAYING,         ButtonMeaning.PAGE),
    ],
)  # fmt: skip
def test_what_a_hold_means(
    layout: Layout, variant: str, button: str, phase: Phase, meaning: ButtonMeaning | None
) -> None:
    assert hold_meaning(layout, button, rules(variant), phase) is meaning


@pytest.mark.parametrize("layout", Layout)
@pytest.mark.parametrize("variant", variant_ids())
def test_truco_and_tantos_never_have_a_hold(layout: Layout, variant: str) -> None:
    for button in buttons(layout):
        held = {hold_meaning(layout, button, rules(variant), phase) for phase in Phase}
        held.add(hold_meaning(layout, button, rules(variant), Phase.PLAYING, answers_question=True))
        if button.endswith((".truco", ".tantos")):
            assert held == {None}, button


@pytest.mark.parametrize("layout", Layout)
@pytest.mark.parametrize("variant", variant_ids())
def test_both_answers_can_be_given_in_every_layout(layout: Layout, variant: str) -> None:
    """While a call is pending, and while a question stands."""
    for asked in (False, True):
        said = {
            meaning
            for button in buttons(layout)
            for meaning in (
                tap_meaning(layout, button, rules(variant)),
                hold_meaning(
                    layout, button, rules(variant), Phase.PENDING_TRUCO, answers_question=asked
                ),
            )
        }
        assert {ButtonMeaning.QUIERO, ButtonMeaning.NO_QUIERO, ButtonMeaning.UNDO} <= said


@pytest.mark.parametrize("variant", variant_ids())
def test_in_a_question_only_the_answers_lose_their_hold(variant: str) -> None:
    of_variant = rules(variant)
    for layout in Layout:
        for button in buttons(layout):
            plain, asked = (
                hold_meaning(layout, button, of_variant, Phase.PLAYING, answers_question=answers)
                for answers in (False, True)
            )
            key = effective_key(layout, button.rpartition(".")[2], of_variant)
            if key in ("quiero", "no_quiero"):
                assert asked in (None, ButtonMeaning.NO_QUIERO)
            else:
                assert asked is plain


def test_a_console_speaks_for_its_side() -> None:
    spoken = [side_of(button, rules("argentine")) for button in ("A.truco", "B.truco")]
    assert spoken == [Side.A, Side.B]


@pytest.mark.parametrize("button", ["undo", "menu", "C.truco", "X.truco"])
def test_a_shared_button_belongs_to_no_side(button: str) -> None:
    assert side_of(button, rules("argentine")) is None


def test_shared_buttons_have_no_console() -> None:
    assert [console_of(button) for button in ("A.truco", "undo")] == ["A", ""]
