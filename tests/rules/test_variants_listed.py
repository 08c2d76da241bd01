"""The list of variants: which there are, that all begin, and that a hand is played by buttons."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scorer import demo
from scorer.rules import Phase, find_variant, state_document, variant_ids
from scorer.session.settings import Layout, Settings
from scorer.session.state import Verdict
from tests.rules.notation import deal
from tests.session.rig import SessionRig

# rules.md#variants, and where each begins by rules.md#defaults: score, target, half.
VARIANTS = {
    "argentine": ([0, 0], 30, 15),
    "argentine_flor": ([0, 0], 30, 15),
    "pica_pica": ([0, 0], 30, 15),
    "pata_gallo": ([0, 0, 0], 30, 15),
    "destantado": ([10, 10, 10], 10, None),
    "uruguayan": ([0, 0], 40, 20),
    "venezuelan": ([0, 0], 24, 12),
    "paulista": ([0, 0], 12, None),
    "mineiro": ([0, 0], 12, None),
    "gaucho": ([0, 0], 24, 12),
    "br_general": ([0, 0], 12, None),
    "valencian": ([0, 0], 18, 9),
}

# A truco that the others want and the first console wins, and what it comes to.
TRUCO = ["A truco", "B quiero", "A tantos"]
TRUCO_OF_THREE = ["A truco", "B quiero", "C quiero hold", "A tantos"]
WON = {
    "argentine": [2, 0],
    "argentine_flor": [2, 0],
    "pica_pica": [2, 0],
    "pata_gallo": [2, 0, 0],
    "destantado": [8, 12, 10],
    "uruguayan": [2, 0],
    "venezuelan": [3, 0],
    "paulista": [3, 0],
    "mineiro": [4, 0],
    "gaucho": [2, 0],
    "br_general": [3, 0],
    "valencian": [2, 0],
}


def presses(variant: str) -> list[str]:
    """The buttons of that hand."""
    return TRUCO_OF_THREE if variant == "destantado" else TRUCO


def consoles(variant: str) -> int:
    """A console for each who answers for himself."""
    return 3 if variant == "destantado" else 2


def test_there_are_the_twelve_of_the_rulebook() -> None:
    assert sorted(VARIANTS) == list(variant_ids())


@pytest.mark.parametrize("name", VARIANTS)
def test_a_variant_begins_as_the_rulebook_says(name: str) -> None:
    """The start of rules.md#defaults, with a dealt hand (rules.md#new-hand)."""
    score, target, half = VARIANTS[name]
    document = state_document(deal(name))
    assert (list(document["score"].values()), document["target"]) == (score, target)
    assert (document["half"], document["phase"], document["hand"]) == (half, "playing", 1)
    assert document["options"] == {}
    json.dumps(document)


@pytest.mark.parametrize("name", VARIANTS)
def test_a_variant_has_a_title_words_and_sources(name: str) -> None:
    variant = find_variant(name)
    assert variant.id == name
    assert variant.title
    assert all(source.strip() for source in variant.sources)
    for _, rungs in variant.ladders:
        assert all(variant.word(rung.action) for rung in rungs)


@pytest.mark.parametrize("layout", Layout)
@pytest.mark.parametrize("name", VARIANTS)
def test_a_hand_is_played_by_buttons(name: str, layout: Layout) -> None:
    """In both layouts; the third console has four buttons and says no by holding the yes."""
    desk = SessionRig(name, settings=Settings(layout=layout, consoles=consoles(name)))
    for line in presses(name):
        assert desk.do(line).verdict is Verdict.ACCEPTED, line
        desk.do("wait 4")
    assert list(desk.game.score) == WON[name]
    assert desk.session.phase is Phase.HAND_OVER


@pytest.mark.parametrize("name", VARIANTS)
def test_the_demo_plays_a_hand_of_it(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """From the bounces of the switches to the pixels, in the very process of the table."""
    script = tmp_path / "lines"
    script.write_text("\n".join(presses(name)) + "\n", encoding="utf-8")
    wanted = ["--script", str(script), "--json", "--variant", name, "--frames", str(tmp_path)]
    code = demo.main([*wanted, "--consoles", str(consoles(name))])
    told = capsys.readouterr()
    assert (code, told.err) == (0, "")
    answers = [json.loads(line) for line in told.out.splitlines()]
    assert [answer["press"] for answer in answers] == ["taken"] * len(presses(name))
    state = answers[-1]["state"]
    assert (state["variant"], state["phase"]) == (name, "hand_over")
    assert list(state["score"].values()) == WON[name]
    assert list(tmp_path.glob("*.png")) != []
