"""Joining: both ends show the same six digits, a third party others."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from scorer.hall import joining
from scorer.hall.joining import (
    BeginRequest,
    CardRequest,
    JoinReply,
    JoinState,
    NonceRequest,
    WaitRequest,
)
from tests.hall.strategies import WORDS

HEX32 = st.text("0123456789abcdef", min_size=32, max_size=32)
HEX64 = st.text("0123456789abcdef", min_size=64, max_size=64)


def number(value: int, digits: int) -> str:
    return f"{value:0{digits}x}"


@given(
    st.builds(BeginRequest, HEX64, WORDS, WORDS)
    | st.builds(NonceRequest, HEX64, HEX32)
    | st.builds(WaitRequest, HEX64)
    | st.builds(CardRequest, HEX64, HEX32, WORDS, WORDS)
)
def test_a_request_comes_back_as_it_was_sent(request: joining.JoinRequest) -> None:
    assert joining.parse_join(joining.encode(request)) == request


@given(
    st.builds(
        JoinReply,
        st.sampled_from(JoinState),
        st.just("") | HEX32,
        st.integers(0, 999),
        st.just("") | WORDS,
        st.just("") | WORDS,
        st.just("") | HEX64,
        st.integers(0, 600),
    )
)
def test_an_answer_comes_back_as_it_was_sent(reply: JoinReply) -> None:
    assert joining.parse_join_reply(joining.encode(reply)) == reply


def test_the_digits_depend_on_certificate_key_and_both_nonces() -> None:
    parts = (number(1, 64), number(2, 64), number(3, 32), number(4, 32))
    shown = joining.code(*parts)
    assert len(shown) == 6
    assert shown.isdecimal()
    for at, digits in enumerate((64, 64, 32, 32)):
        other = [*parts]
        other[at] = number(99, digits)
        assert joining.code(*other) != shown


def test_a_third_party_that_chose_before_the_reveal_shows_the_same_digits_by_chance_only() -> None:
    # Its certificate differs, and its nonces were fixed before it knew those of the two ends.
    box = Counter(
        joining.code(number(1, 64), number(2, 64), number(nonce, 32), number(4, 32))
        for nonce in range(2000)
    )
    assert max(box.values()) <= 3
    hub = joining.code(number(9, 64), number(2, 64), number(3, 32), number(4, 32))
    assert box[hub] == 0


def test_a_commitment_shows_nothing_of_the_key() -> None:
    token = number(7, 32)
    assert joining.commitment_to(token) != joining.key_of(token)
