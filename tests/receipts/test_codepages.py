"""Characters of six languages as one byte each, and no commands in names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.config.printer import CODEPAGES
from scorer.i18n import languages, sentences
from scorer.receipts.codepages import CODECS, clean, encode
from scorer.rules import find_variant, variant_ids

# In the quotation marks of a word processor.
QUOTED = "\u201cLos 4\u201d \u2013 \u2018Ás\u2019…"
ACCENTS = "¡¿ñÑáéíóúüÁÉÍÓÚÜãõâêôçÃÕÂÊÔÇàèìòùÀÈÒïÏ·ºª"


def read(text: str, table: str) -> str:
    return encode(clean(text), CODECS[table]).decode(CODECS[table])


def test_the_tables_that_may_be_chosen_are_those_that_can_be_written() -> None:
    assert set(CODEPAGES) == set(CODECS)


@pytest.mark.parametrize("table", ["CP858", "CP850", "CP1252", "ISO_8859-15"])
def test_every_accent_of_our_languages_comes_back_as_it_was(table: str) -> None:
    assert read(ACCENTS, table) == ACCENTS


@pytest.mark.parametrize("language", languages())
def test_every_word_of_a_slip_comes_back_as_it_was(language: str) -> None:
    groups = ("slip.", "why.", "action.", "side.", "game.series", "score.to")
    for text in sentences(language, *groups).values():
        assert read(text, "CP858") == text


def test_every_call_of_every_variant_comes_back_as_it_was() -> None:
    for name in variant_ids():
        variant = find_variant(name)
        for text in (variant.title, *(word for _, word in variant.words)):
            assert read(text, "CP858") == text


@pytest.mark.parametrize(
    ("table", "text", "printed"),
    [
        ("CP437", "Corações de ÁMBAR",   "Corações de AMBAR".replace("õ", "o")),
        ("CP860", "Corações de ÁMBAR",   "Corações de ÁMBAR"),
        ("ASCII", "¡Ganó Ñandú! · l·l",  "?Gano Nandu! . l.l"),
        ("ASCII", QUOTED,    "\"Los 4\" - 'As'."),
        ("CP858", QUOTED,    "\"Los 4\" - 'Ás'."),
        ("CP858", "Žižek łódź œuvre",    "Zizek lódz ouvre"),
        ("CP858", "龍 ♠ 🂡 труко",         "? ? ? ?????"),
    ],
)  # fmt: skip
def test_what_a_table_lacks_is_written_as_near_as_it_can_be(
    table: str, text: str, printed: str
) -> None:
    assert read(text, table) == printed


@pytest.mark.parametrize(
    ("name", "printed"),
    [
        ("Los\x1b@\x1dV\x00Pibes",        "Los @ V Pibes"),
        ("a\tb\nc\rd",                    "a b c d"),
        ("  Los   Pibes ",                "Los Pibes"),
        ("N\u0303andu\u0301",             "Ñandú"),
        ("L\u200bo\u202es\u0336",         "Los"),
        ("\x10\x04\x01",                  ""),
    ],
)  # fmt: skip
def test_a_name_is_letters_and_nothing_else(name: str, printed: str) -> None:
    assert clean(name) == printed


@given(st.text(), st.sampled_from(sorted(CODECS)))
def test_no_text_is_a_command_and_none_grows(text: str, table: str) -> None:
    letters = clean(text)
    printed = encode(letters, CODECS[table])
    assert len(printed) == len(letters)
    assert all(byte >= 0x20 and byte != 0x7F for byte in printed)
