"""Each value of an option names its source where it is chosen."""

from __future__ import annotations

import pytest

from scorer.display import draw_view
from scorer.i18n import languages
from scorer.rulecards.content.sources import option_values
from scorer.rules import find_variant, variant_ids
from scorer.session.setup.house_rules_menu import NumberLevel, option_level
from scorer.session.setup.levels import Link, ListLevel
from scorer.session.values.setup_view import OptionNumberView
from tests.sampling import sample
from tests.session.rig import SessionRig
from tests.session.test_setup import listed, shown, through

SIZES = ((128, 64), (128, 32))
EVERY_OPTION = [
    (name, option.key) for name in variant_ids() for option in find_variant(name).options
]


def sources_in_words(variant: str, key: str) -> dict[object, str]:
    """The first source of each documented value, and how many others there are."""
    option = find_variant(variant).option(key)
    assert option is not None
    cited = {each.value: each.sources for each in option_values(find_variant(variant), option)}
    return {
        value: sources[0] if len(sources) == 1 else f"{sources[0]} +{len(sources) - 1}"
        for value, sources in cited.items()
        if sources
    }


@pytest.mark.sampled
@pytest.mark.parametrize(("variant", "key"), sample(EVERY_OPTION, 60))
def test_a_value_is_chosen_beside_its_first_source(variant: str, key: str) -> None:
    desk, documented = SessionRig(variant), sources_in_words(variant, key)
    option = find_variant(variant).option(key)
    assert option is not None
    level = option_level(desk.session, Link(option_level, key))
    if isinstance(level, ListLevel):
        named = [entry.line.figure for entry in level.entries]
        assert named == [documented.get(value, "") for value in option.choices]
        return
    assert isinstance(level, NumberLevel)
    for number in range(option.low, option.high + 1, option.step):
        content = level._replace(value=number).view(desk.session).content
        assert content == OptionNumberView(number, documented.get(number, ""))


def test_turning_to_another_number_shows_its_source() -> None:
    desk = through(SessionRig("pica_pica"), "house", "option.pica_until")
    found = []
    for _ in range(6):
        found.append(shown(desk).content)
        desk.do("B tantos")
    assert found[0] == OptionNumberView(20, "S0")
    assert found[1] == OptionNumberView(19, ""), "no text has it"
    assert found[5] == OptionNumberView(15, "S1")


@pytest.mark.sampled(1)
@pytest.mark.parametrize("size", SIZES)
def test_targets_name_their_source_before_and_in_a_game(size: tuple[int, int]) -> None:
    """In a game the source stands before the words that say from when."""
    documented = sources_in_words("argentine", "target")
    for presses in ((), ("A truco", "B quiero", "A tantos", "wait 9")):
        desk = SessionRig("argentine")
        desk.do(*presses)
        through(desk, "option.target")
        for _ in listed(desk).items:
            line = listed(desk).selected
            source = documented.get(int(line.text), "") if line.text else ""
            assert line.figure == source
            for language in languages():
                canvas = draw_view(desk.view, language, size)
                assert canvas.overflow == []
                assert any(source.partition(" +")[0] in text for text in canvas.texts), line
            desk.do("B tantos")
