"""The list of variants: each one starts, and plays a hand by buttons."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scorer.demo import command
from scorer.rules import Phase, find_variant, state_document, variant_ids
from scorer.session.values.settings import Layout
from scorer.session.values.state import Verdict
from tests.paths import ROOT
from tests.rules.notation import deal
from tests.rules.variants import rulebook
from tests.sampling import sample
from tests.session.rig import SessionRig
from tests.support.settings import settings_with

# An accepted truco won by the first console.
TRUCO = ["A truco", "B quiero", "A tantos"]
TRUCO_OF_THREE = ["A truco", "B quiero", "C quiero hold", "A tantos"]


def presses(variant: str) -> list[str]:
    """The button presses of that hand."""
    return TRUCO_OF_THREE if variant == "destantado" else TRUCO


def consoles(variant: str) -> int:
    """Number of consoles: one per speaking side."""
    return 3 if variant == "destantado" else 2


# From twelve on; a page has another word where it is not in English.
COUNTS = "twelve thirteen fourteen fifteen sixteen seventeen eighteen".split()
SPANISH = "doce trece catorce quince dieciséis diecisiete dieciocho".split()
PORTUGUESE = "doze treze catorze quinze dezesseis dezessete dezoito".split()
TOLD = {
    "README.md": (COUNTS, "It knows {} regional trucos"),
    # Until its version is released.
    "CHANGELOG.md": (COUNTS, "{} regional trucos with their house rules"),
    "packaging/description.md": (COUNTS, "It knows {} regional trucos"),
    "packaging/control": (COUNTS, "It has {} regional variants"),
    "docs/index.md": (COUNTS, "It knows {} regional trucos"),
    "docs/index.es.md": (SPANISH, "Conoce {} trucos regionales"),
    "docs/index.pt.md": (PORTUGUESE, "Ela conhece {} trucos regionais"),
}


@pytest.mark.parametrize("page", TOLD)
def test_a_page_says_how_many_there_are(page: str) -> None:
    words, sentence = TOLD[page]
    told = sentence.format(words[len(variant_ids()) - 12])
    text = (ROOT / page).read_text(encoding="utf-8")
    assert told.casefold() in text.casefold(), f"write in {page}: {told}"


@pytest.mark.parametrize("name", variant_ids())
def test_a_variant_begins_as_the_rulebook_says(name: str) -> None:
    """The start of rules.md#defaults, with a dealt hand (rules.md#new-hand)."""
    book = rulebook(name)
    document = state_document(deal(name))
    assert (list(document["score"].values()), document["target"]) == (
        list(book.start),
        book.target,
    )
    assert (document["half"], document["phase"], document["hand"]) == (book.half, "playing", 1)
    assert document["options"] == {}
    json.dumps(document)


@pytest.mark.parametrize("name", variant_ids())
def test_a_variant_has_a_title_words_and_sources(name: str) -> None:
    variant = find_variant(name)
    assert variant.id == name
    assert variant.title
    assert all(source.strip() for source in variant.sources)
    for _, rungs in variant.ladders:
        assert all(variant.word(rung.action) for rung in rungs)


@pytest.mark.parametrize("layout", Layout)
@pytest.mark.parametrize("name", variant_ids())
def test_a_hand_is_played_by_buttons(name: str, layout: Layout) -> None:
    """In both layouts; the third console has four buttons and holds yes to say no."""
    desk = SessionRig(name, settings=settings_with(layout=layout, count=consoles(name)))
    for line in presses(name):
        assert desk.do(line).verdict is Verdict.ACCEPTED, line
        desk.do("wait 4")
    assert list(desk.game.score) == list(rulebook(name).truco_won)
    assert desk.session.phase is Phase.HAND_OVER


@pytest.mark.sampled
@pytest.mark.parametrize("name", sample(variant_ids(), 2))
def test_the_demo_plays_a_hand_of_it(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """From switch bounces to pixels, in the real table process."""
    script = tmp_path / "lines"
    script.write_text("\n".join(presses(name)) + "\n", encoding="utf-8")
    wanted = ["--script", str(script), "--json", "--variant", name, "--frames", str(tmp_path)]
    code = command.main([*wanted, "--consoles", str(consoles(name))])
    output = capsys.readouterr()
    assert (code, output.err) == (0, "")
    answers = [json.loads(line) for line in output.out.splitlines()]
    assert [answer["press"] for answer in answers] == ["taken"] * len(presses(name))
    state = answers[-1]["state"]
    assert (state["variant"], state["phase"]) == (name, "hand_over")
    assert list(state["score"].values()) == list(rulebook(name).truco_won)
    assert list(tmp_path.glob("*.png")) != []
