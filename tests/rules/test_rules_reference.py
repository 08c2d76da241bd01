"""docs/reference/rules.md agrees with the rules: options, defaults and examples."""

from __future__ import annotations

import re

import pytest

from scorer.rulecards.content.sources import RULE_SOURCES
from scorer.rules import find_variant, rules_for, variant_ids
from scorer.rules.options import value_text
from scorer.rules.variant import Option
from tests.docs.reading import Row, anchors, rows_with, section, text_of, words
from tests.rules.notation import play, points

RULES = text_of("rules.md")


def examples() -> list[tuple[str, Row]]:
    """Every row of a table of examples, with the variant of its anchor."""
    parts = re.split(r'<a id="([^"]+)">', RULES)
    found, variant = [], ""
    for anchor, text in zip(parts[1::2], parts[2::2], strict=True):
        variant = anchor if anchor in variant_ids() else variant
        found += [(variant, row) for row in rows_with(text, "Start", "Steps", "Score")]
    return found


@pytest.mark.parametrize(
    ("variant", "row"),
    examples(),
    ids=lambda each: each if isinstance(each, str) else each["Steps"],
)
def test_every_example_has_the_score_that_it_states(variant: str, row: Row) -> None:
    options = dict(option.split("=") for option in words(row["Options"]))
    (steps,) = words(row["Steps"])
    assert points(play(variant, steps, row["Start"], **options)) == row["Score"]


_PAGE = "in docs/reference/rules.md"


@pytest.mark.parametrize("name", variant_ids())
def test_every_variant_has_an_article_with_examples(name: str) -> None:
    documented = {variant for variant, _ in examples()}
    assert name in documented, (
        f'write an article with <a id="{name}"> and a table of examples {_PAGE}'
    )


def _others(option: Option) -> frozenset[str]:
    if not option.choices:
        return frozenset((f"{option.low}-{option.high}",))
    return frozenset(map(value_text, option.choices)) - {value_text(option.default)}


def test_the_table_of_options_is_that_of_the_program() -> None:
    written = {
        (*words(row["Option"]), *words(row["Default"]), variant, others)
        for row in rows_with(RULES, "Option", "Default", "Variants")
        for others in (frozenset(words(row["Other values"])),)
        for variant in words(row["Variants"])
    }
    played = {
        (option.key, value_text(option.default), variant, _others(option))
        for variant in variant_ids()
        for option in find_variant(variant).options
    }
    differing = sorted(str(each[:3]) for each in written ^ played)
    assert written == played, f"mend the table of options {_PAGE}: {', '.join(differing)}"


def test_the_table_of_defaults_is_that_of_the_program() -> None:
    written = rows_with(RULES, "Variant", "Target", "Half", "Base", "Three ties")
    for row in written:
        rules = rules_for(find_variant(words(row["Variant"])[0]))
        half = "-" if rules.half is None else str(rules.half)
        rungs = ["game" if rung.value < 0 else str(rung.value) for rung in rules.ladder]
        assert (row["Target"], row["Half"], row["Base"]) == (
            str(rules.target),
            half,
            str(rules.base),
        )
        where = f"{rules.variant.id} in the table of defaults {_PAGE}"
        assert row["Truco ladder"].split() == rungs, where
        # Destantado has no such option: ties go to the mano.
        tied = "mano" if rules.variant.option("tied") is None else rules.tied.value
        assert row["Three ties"] == tied
    without = set(variant_ids()) - {words(row["Variant"])[0] for row in written}
    assert not without, f"write rows for {sorted(without)} in the table of defaults {_PAGE}"


def test_the_sources_are_those_of_the_rule_cards() -> None:
    written = [tuple(row.values()) for row in rows_with(RULES, "Code", "Kind", "Name", "Where")]
    assert written == [tuple(book) for book in RULE_SOURCES]


def test_every_source_that_is_cited_is_listed() -> None:
    brackets = " ".join(re.findall(r"\[([^\[\]]+)\](?!\()", RULES))
    cited = set(re.findall(r"\b[A-Z][A-Z0-9]{1,2}\b", brackets))
    assert {"S1", "VEP", "UY1"} <= cited <= {book.code for book in RULE_SOURCES}


def test_every_option_points_to_an_article() -> None:
    for row in rows_with(RULES, "Option", "Default", "Variants"):
        (target,) = re.findall(r"\(#([\w-]+)\)", row["Article"])
        assert target in anchors(RULES), row


def test_the_chains_of_the_envido_pay_what_the_table_says() -> None:
    call = {"E": "envido", "R": "real_envido", "F": "falta_envido"}
    (head,) = [key for key in rows_with(RULES, "Accepted", "Refused")[0] if key.startswith("Chain")]
    for row in rows_with(section(RULES, "amounts"), head):
        sides = "ABABAB"
        chain = [f"{sides[at]} {call[each]}" for at, each in enumerate(row[head].split())]
        other = sides[len(chain)]
        refused = play("argentine", "; ".join([*chain, f"{other} no_quiero"]))
        assert max(refused.score) == int(row["Refused"]), row
        accepted = play("argentine", "; ".join([*chain, f"{other} quiero", "A envido_won"]))
        assert points(accepted).split("-")[0] == row["Accepted"].replace("falta", "30"), row
