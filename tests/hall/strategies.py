"""Random rows, games and messages of link/v1."""

from __future__ import annotations

from hypothesis import strategies as st

from scorer.hall import wire
from scorer.hall.rows import Batch, Opening, Row

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=40)
WORDS = TEXTS.filter(bool)
HEX16 = st.text("0123456789abcdef", min_size=16, max_size=16)
NUMBERS = st.integers(0, 2**62)
POSITIVE = st.integers(1, 2**40)
POINTS = st.integers(-(2**62), 2**62)  # a correction takes more than a side has


def rows_at(seq: int) -> st.SearchStrategy[Row]:
    return st.builds(
        Row, st.just(seq), POSITIVE, POSITIVE, WORDS, TEXTS, TEXTS, NUMBERS, TEXTS, st.booleans()
    )


ROWS = POSITIVE.flatmap(rows_at)
OPENINGS = st.builds(Opening, POSITIVE, POSITIVE, WORDS)


@st.composite
def batches(draw: st.DrawFn) -> Batch:
    first, count = draw(POSITIVE), draw(st.integers(0, 5))
    rows = tuple(draw(rows_at(first + at)) for at in range(count))
    openings = st.builds(Opening, POSITIVE, st.integers(first, first + count), WORDS)
    games = draw(st.lists(openings, max_size=3, unique_by=lambda each: each.game))
    return Batch(first, rows, tuple(games))


SHOWN = st.builds(
    wire.Shown,
    POSITIVE,
    NUMBERS,
    NUMBERS,
    st.dictionaries(st.sampled_from("ABC"), POINTS),
)
ROWS_REQUESTS = st.builds(
    wire.RowsRequest, HEX16, st.just("") | HEX16, batches(), st.none() | SHOWN
)


@st.composite
def greetings(draw: st.DrawFn) -> wire.GreetRequest:
    first = draw(POSITIVE)
    newest = draw(st.integers(first - 1, 2**41))
    echo, decision = draw(st.just("") | HEX16), draw(st.just("") | HEX16)
    return wire.GreetRequest(
        draw(HEX16),
        first,
        draw(WORDS),
        newest,
        draw(HEX16),
        draw(WORDS),
        echo,
        draw(NUMBERS),
        decision,
    )
