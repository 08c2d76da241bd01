"""Messages of link/v1 come back as sent, bad ones as one sentence."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.hall import wire
from scorer.hall.events import (
    MAX_EVENT_BYTES,
    Beat,
    Desired,
    Event,
    EventReader,
    Release,
    RenewEpoch,
    Resend,
    format_event,
)
from scorer.hall.fields import MAX_BODY, Json, Malformed
from scorer.hall.joining import parse_join
from scorer.hall.wire import HoldReason, WireStatus
from tests.hall.strategies import HEX16, NUMBERS, POSITIVE, ROWS_REQUESTS, WORDS, greetings

EPOCH = "5f3a9c01d2e4b687"
GREET: Json = {
    "v": 1,
    "epoch": EPOCH,
    "from": 1,
    "machine": "a91c",
    "newest": 1320,
    "digest": "77b1e0c9a4d25f13",
    "program": "1.4",
}
WIRE_ROW = [1303, 88, 1303, "A truco", "console A", "b0c7", 1, "2026-11-22T20:14:05Z", True]
ROWS: Json = {
    "v": 1,
    "epoch": EPOCH,
    "first": 1303,
    "prev": "",
    "games": [{"game": 88, "opened": 1303, "header": "[Variant]"}],
    "rows": [WIRE_ROW],
    "shown": {"game": 88, "state": 412, "seq": 1304, "score": {"A": 12, "B": 9}},
}
REASONS = ("director", "table", "contest", "something newer")
TIME = st.none() | POSITIVE
REPLIES = st.one_of(
    st.builds(
        wire.GreetReply,
        NUMBERS,
        st.just("") | HEX16,
        NUMBERS,
        WORDS,
        st.none() | NUMBERS,
        st.just("") | st.just("0123456789abcdef" * 2),
        st.booleans(),
    ),
    st.builds(wire.ConfirmReply, HEX16),
    st.builds(wire.HeldReply, st.sampled_from(HoldReason), WORDS),
    st.builds(wire.RefusedReply, st.sampled_from([401, 413, 422, 429, 503]), WORDS),
)
EVENTS: st.SearchStrategy[Event] = st.one_of(
    st.builds(
        Desired,
        *(POSITIVE, WORDS, st.booleans(), TIME, TIME, st.none() | NUMBERS),
        pages=st.just(()) | st.tuples(WORDS, WORDS),
    ),
    st.builds(Release, POSITIVE),
    st.just(Resend()),
    st.builds(RenewEpoch, HEX16),
    st.just(Beat()),
)


def sentence(found: object) -> str:
    assert isinstance(found, Malformed), found
    assert found.text
    assert "\n" not in found.text
    assert len(found.text) < 200
    return found.text


def changed(message: Json, path: str, value: object) -> bytes:
    """``message`` with one value replaced; ``path`` is like ``rows.0.3``."""
    copy = json.loads(json.dumps(message))
    *above, last = path.split(".")
    inner = copy
    for key in above:
        inner = inner[int(key)] if key.isdigit() else inner[key]
    inner[int(last) if last.isdigit() else last] = value
    return json.dumps(copy).encode()


@given(greetings())
def test_a_greeting_comes_back_as_it_was_sent(message: wire.GreetRequest) -> None:
    assert wire.parse_greet(wire.encode(message)) == message


@given(ROWS_REQUESTS)
def test_rows_come_back_as_they_were_sent(message: wire.RowsRequest) -> None:
    assert wire.parse_rows(wire.encode(message)) == message


@given(st.builds(wire.CallRequest, WORDS, st.just("") | WORDS, st.sampled_from(REASONS)))
def test_a_call_comes_back_as_it_was_sent(message: wire.CallRequest) -> None:
    assert wire.parse_call(wire.encode(message)) == message


@given(REPLIES)
def test_an_answer_comes_back_as_it_was_sent(reply: wire.Reply) -> None:
    assert wire.parse_greet_reply(wire.status_of(reply), wire.encode(reply)) == reply


@given(st.builds(wire.RowsReply, NUMBERS) | st.builds(wire.ConflictReply, NUMBERS, HEX16))
def test_an_answer_to_rows_comes_back_as_it_was_sent(reply: wire.Reply) -> None:
    assert wire.parse_rows_reply(wire.status_of(reply), wire.encode(reply)) == reply


@given(st.lists(EVENTS, max_size=5), st.lists(st.integers(0, 400), max_size=6))
def test_events_come_back_as_they_were_sent_however_they_are_cut(
    events: list[Event], cuts: list[int]
) -> None:
    stream = b"".join(map(format_event, events))
    reader, found, start = EventReader(), [], 0
    for end in [*sorted(cuts), len(stream)]:
        found += reader.feed(stream[start:end])
        start = max(start, end)
    assert found == events


@pytest.mark.parametrize(
    "stream",
    [
        b"event: desired\ndata: {}\n\n",
        b"event: desired\ndata: [\n\n",
        b'event: release\ndata: {"do":"release","rev":"7"}\n\n',
        b'event: epoch\ndata: {"old":"x"}\n\n',
        b"x" * (MAX_EVENT_BYTES + 1),
    ],
)
def test_a_bad_event_is_one_sentence(stream: bytes) -> None:
    for found in EventReader().feed(stream):
        sentence(found)


def test_unknown_events_and_comments_are_skipped() -> None:
    assert EventReader().feed(b": hello\n\nevent: later\ndata: 1\n\nevent: beat\ndata: {}\n\n") == [
        Beat()
    ]


@pytest.mark.parametrize(
    ("path", "value", "word"),
    [
        ("v", 2, "version"),
        ("v", True, "version"),
        ("epoch", "xyz", "epoch"),
        ("epoch", EPOCH.upper(), "epoch"),
        ("from", 0, "from"),
        ("from", 1400, "newest"),
        ("newest", 2**63, "newest"),
        ("newest", 1.5, "newest"),
        ("machine", "", "machine"),
        ("machine", "m" * 65, "machine"),
        ("program", ["1"], "program"),
        ("digest", "77", "digest"),
        ("digest", None, "digest"),
    ],
)
def test_a_bad_greeting_is_one_sentence_that_names_the_field(
    path: str, value: object, word: str
) -> None:
    assert word in sentence(wire.parse_greet(changed(GREET, path, value)))


@pytest.mark.parametrize(
    ("path", "value", "word"),
    [
        ("first", 1304, "consecutive"),
        ("first", -1, "first"),
        ("prev", 5, "prev"),
        ("rows", None, "rows"),
        ("rows", [WIRE_ROW] * 51, "51 entries, not 0 to 50"),
        ("rows", [WIRE_ROW[:-1]], "9 values"),
        ("rows", [WIRE_ROW, WIRE_ROW], "consecutive"),
        ("rows.0", {"seq": 1}, "rows.0: wants a list"),
        ("rows.0.0", 1305, "consecutive"),
        ("rows.0.0", "1303", "seq"),
        ("rows.0.3", "x" * 2001, "line"),
        ("rows.0.3", "", "line"),
        ("rows.0.3", "nul \0", "cannot be stored"),
        ("rows.0.4", "half \ud83d", "cannot be stored"),
        ("rows.0.8", 1, "trusted"),
        ("games", [1], "games.0: wants a table"),
        ("games.0.opened", 1200, "opened"),
        ("games.0.opened", 1305, "opened"),
        ("games.0.header", "h" * 60_001, "header"),
        ("games", [{"game": 88, "opened": 1303, "header": "x"}] * 2, "once"),
        ("shown", 7, "shown"),
        ("shown.score", {"A": -(2**63)}, "score"),
        ("shown.score", dict.fromkeys("ABCDE", 1), "score"),
    ],
)
def test_bad_rows_are_one_sentence_that_names_the_fault(
    path: str, value: object, word: str
) -> None:
    assert word in sentence(wire.parse_rows(changed(ROWS, path, value)))


@pytest.mark.parametrize("parse", [wire.parse_greet, wire.parse_rows, wire.parse_call, parse_join])
@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\xff",
        b"[]",
        b"null",
        b"{",
        b'{"v":NaN}',
        b"[" * 100_000,
        b'{"v":' + b"9" * 5000 + b"}",
        b'{"v":1}',
        b"x" * (MAX_BODY + 1),
    ],
    ids=["empty", "no UTF-8", "list", "null", "half", "NaN", "deep", "digits", "bare", "long"],
)
def test_what_is_no_message_is_one_sentence(parse: Callable[[bytes], object], body: bytes) -> None:
    sentence(parse(body))


@given(
    st.sampled_from([wire.parse_greet, wire.parse_rows, wire.parse_call, parse_join]), st.binary()
)
def test_any_bytes_are_a_value(parse: Callable[[bytes], object], body: bytes) -> None:
    assert parse(body) is not None


def test_an_answer_of_a_proxy_is_a_refusal() -> None:
    found = wire.parse_rows_reply(502, b"<html>bad gateway</html>")
    assert found == wire.RefusedReply(502, "the hub answered 502")


def test_a_hold_says_why() -> None:
    held = wire.HeldReply(HoldReason.CLONE, "two boxes have the token of table 7")
    assert wire.status_of(held) == WireStatus.HELD
    assert wire.parse_rows_reply(423, wire.encode(held)) == held
