"""Rulebooks: named sets of options (rules.md#rulebooks)."""

from __future__ import annotations

import re

import pytest

from scorer.plain_values import WrongValues
from scorer.rulecards.content.sources import RULE_SOURCES
from scorer.rules import Start, find_variant, new_game, read_header, rules_for, variant_ids
from scorer.rules.definition import define
from scorer.rules.options import RulesError, Value
from scorer.rules.rulebooks import (
    RULEBOOKS,
    Rulebook,
    find_rulebook,
    followed_rulebook,
    options_of,
    rulebooks_of,
)
from scorer.rules.sheet import header_text, tags_of
from tests.paths import ROOT

GRANAVENTURA = find_rulebook("granaventura")


@pytest.mark.parametrize("book", RULEBOOKS, ids=lambda book: book.id)
def test_a_rulebook_has_a_source_and_only_what_differs(book: Rulebook) -> None:
    assert book.source in {source.code for source in RULE_SOURCES}
    assert set(book.variants) <= set(variant_ids())
    for name in book.variants:
        rules = book.rules(find_variant(name))
        assert dict(rules.chosen) == dict(book.options)
        followed = followed_rulebook(rules)
        assert followed is not None
        assert (followed.book, followed.differing) == (book, ())


def test_the_table_of_the_reference_is_that_of_the_program() -> None:
    reference = (ROOT / "docs/reference/rules.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (.+?) \| (.+?) \| (.*?) \| (\w+) \|$", reference, re.M)
    written = {
        name: (
            title,
            tuple(re.findall(r"`(\w+)`", variants)),
            re.findall(r"`(.+?)`", options),
            source,
        )
        for name, title, variants, options, source in rows
        if name in {book.id for book in RULEBOOKS}
    }
    assert written == {
        book.id: (
            book.title,
            book.variants,
            [
                f"{key}={str(value).lower() if value is True else value}"
                for key, value in book.options.items()
            ],
            book.source,
        )
        for book in RULEBOOKS
    }


@pytest.mark.parametrize(
    ("variant", "options", "title", "differing"),
    [
        ("uruguayan", {}, None, ()),
        ("uruguayan", {"best_of": 3}, None, ()),
        ("uruguayan", {**GRANAVENTURA.options, "target": 30}, "GranAventura", ("target",)),
        ("uruguayan", {**GRANAVENTURA.options, "best_of": 1}, "GranAventura", ("best_of",)),
        ("uruguayan_six", {**GRANAVENTURA.options, "pica_cap": 6}, "GranAventura", ("pica_cap",)),
        ("uruguayan", {"target": 20, "players": 2, "free_envido": True}, "ReTruco", ()),
        ("venezuelan", {"target": 12}, "VEP", ("target",)),
        ("argentine", {}, "Envido y Truco", ()),
        ("paulista", {}, None, ()),
    ],
)
def test_a_game_follows_the_book_that_it_differs_from_least(
    variant: str, options: dict[str, Value], title: str | None, differing: tuple[str, ...]
) -> None:
    followed = followed_rulebook(rules_for(find_variant(variant), options))
    told = (None, ()) if followed is None else (followed.book.title, followed.differing)
    assert told == (title, differing)


def test_the_header_names_it_and_lists_every_option_nevertheless() -> None:
    rules = GRANAVENTURA.rules(find_variant("uruguayan"))
    header = header_text(tags_of(new_game(Start(rules)), {}))
    assert '[Rulebook "GranAventura"]' in header
    assert read_header(header).rules is rules
    # A name only: without it, or with another one, the game is the same.
    for other in ("", '[Rulebook "ReTruco"]\n'):
        changed = header.replace('[Rulebook "GranAventura"]\n', other)
        assert read_header(changed).rules is rules
    # A rulebook without options is not named: its games have the header that they had.
    plain = new_game(Start(rules_for(find_variant("argentine"), {"target": 18})))
    assert "Rulebook" not in header_text(tags_of(plain, {}))


def test_an_owner_bases_a_variant_on_a_rulebook() -> None:
    values = {
        "based_on": "uruguayan",
        "title": "Club",
        "rulebook": "granaventura",
        "target": 30,
        "options": {"best_of": 1},
    }
    rules = rules_for(define("club", values))
    assert (rules.target, rules.best_of, rules.flor_bids, rules.free_envido) == (30, 1, "all", True)
    assert rulebooks_of(rules.variant) == ()


@pytest.mark.parametrize(
    ("based_on", "rulebook", "words"),
    [
        ("uruguayan", "granaventure", "did you mean 'granaventura'?"),
        ("argentine", "granaventura", "GranAventura is a rulebook of uruguayan, uruguayan_six"),
    ],
)
def test_a_wrong_rulebook_of_an_owner_is_reported(based_on: str, rulebook: str, words: str) -> None:
    with pytest.raises(WrongValues, match=re.escape(words)):
        define("club", {"based_on": based_on, "title": "Club", "rulebook": rulebook})


def test_no_rulebook_has_no_options() -> None:
    assert options_of("", "paulista") == {}
    with pytest.raises(RulesError):
        options_of("vep", "paulista")
