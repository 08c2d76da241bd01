"""Codes of results: they come back as made, and no other one is believed."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.hall.fields import Malformed
from scorer.hall.joining import key_of
from scorer.hall.result_code import (
    MAX_QR_CHARS,
    MatchResult,
    ResultCode,
    ResultPhase,
    format_code,
    parse_code,
    qr_text,
)
from tests.hall.strategies import WORDS

KEY = key_of("ab" * 16)
RESULT = MatchResult(17, 1304, ResultPhase.AGREED, (2, 1), (30, 18))
CODE = format_code(RESULT, KEY, "Z2-R1-M3")
POINTS = st.integers(0, 99)
SIDES = st.one_of(*(st.tuples(*[POINTS] * sides) for sides in (2, 3)))
RESULTS = SIDES.flatmap(
    lambda points: st.builds(
        MatchResult,
        st.integers(1, 2**40),
        st.integers(1, 2**40),
        st.sampled_from(ResultPhase),
        st.tuples(*[st.integers(0, 9)] * len(points)),
        st.just(points),
    )
)


@given(RESULTS, WORDS)
def test_a_code_comes_back_as_it_was_made(result: MatchResult, match: str) -> None:
    found = parse_code(format_code(result, KEY, match))
    assert isinstance(found, ResultCode)
    assert found.result == result
    assert KEY.startswith(found.device)
    assert found.is_signed_by(KEY, match)


def test_a_code_counts_for_its_box_and_its_match_alone() -> None:
    found = parse_code(CODE)
    assert isinstance(found, ResultCode)
    assert found.is_signed_by(KEY, "Z2-R1-M3")
    assert not found.is_signed_by(key_of("cd" * 16), "Z2-R1-M3")
    assert not found.is_signed_by(KEY, "Z2-R1-M4")


@pytest.mark.parametrize("place", range(len(CODE)))
def test_no_changed_character_is_believed(place: int) -> None:
    for character in "0A-.":
        if character == CODE[place]:
            continue
        found = parse_code(CODE[:place] + character + CODE[place + 1 :])
        assert isinstance(found, Malformed) or not found.is_signed_by(KEY, "Z2-R1-M3")


@pytest.mark.parametrize(
    "text", ["", "-", CODE[:-1], CODE + "0", CODE.lower(), f"0{CODE}", CODE[7:], "É" + CODE[1:]]
)
def test_a_code_that_is_cut_or_misspelt_is_one_sentence(text: str) -> None:
    assert parse_code(text) == Malformed("the code is not complete; scan it again")


def test_the_text_of_a_code_fits_a_small_qr_code() -> None:
    late = MatchResult(36**4 - 1, 36**4 - 1, ResultPhase.AGREED, (3, 2), (40, 39))
    text = qr_text("255.255.255.255:65535", format_code(late, "f" * 64, "Z2-R1-M3"))
    assert 0 < len(text) <= MAX_QR_CHARS
    assert re.fullmatch(r"[0-9A-Z $%*+\-./:]+", text), "capitals and digits of a QR code"


@pytest.mark.parametrize("hub", ["[fd12::1]:8443", "mesa de truco:8443", "a" * 40 + ".local:8443"])
def test_an_address_that_does_not_fit_has_no_code(hub: str) -> None:
    assert qr_text(hub, CODE) == ""
