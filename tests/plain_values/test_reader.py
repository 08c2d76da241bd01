"""Plain values become records, or every problem is reported with its path."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, Literal, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.plain_values import (
    LISTED,
    REST,
    SECRET,
    Count,
    Found,
    Key,
    Like,
    OneLine,
    Range,
    Text,
    WrongValues,
    json_object,
    read,
    read_tagged,
    secrets_in,
    without_secrets,
)


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class Inner(NamedTuple):
    port: Annotated[int, Range(1, 9)] = 1
    password: Annotated[str, Like("[a-z]+", "is not of small letters"), SECRET] = "x"


@dataclass(frozen=True)
class Frozen:
    number: int
    text: str = ""


class Outer(NamedTuple):
    """A field of every kind."""

    source: Annotated[int, Key("from")]
    ratio: float = 1.0
    on: bool = True
    colour: Colour = Colour.RED
    width: Literal[58, 80] = 58
    maybe: int | None = None
    one: str | int | bool = 0
    pair: tuple[int, int] = (0, 0)
    names: Annotated[tuple[Annotated[str, Text(5)], ...], Count(0, 2)] = ()
    pins: Mapping[str, int] = {}
    inner: Inner = Inner()
    inners: tuple[Inner, ...] = ()
    frozen: Frozen = Frozen(1)
    any: object = None

    def find_problems(self) -> Iterator[Found]:
        if self.source > 90:
            yield "from", "is too far"


class Device(NamedTuple):
    driver: str = "gpio"
    options: Annotated[Mapping[str, object], REST] = {}


class Point(NamedTuple):
    x: Annotated[int, Range(0)]
    name: Annotated[str, Text(9)]


class Points(NamedTuple):
    points: Annotated[tuple[Annotated[Point, LISTED], ...], Count(0, 2)]
    title: Annotated[str, OneLine(9)] = "none"

    def find_problems(self) -> Iterator[Found]:
        if self.title == "none":
            yield "title", "is not chosen"


class Message(NamedTuple):
    points: Annotated[Points, REST]
    by: str = ""


def problems(kind: type[Any], values: object) -> list[str]:
    with pytest.raises(WrongValues) as caught:
        read(kind, values)
    return [str(problem) for problem in caught.value.problems]


def test_a_record_is_read_with_its_inner_records() -> None:
    values = {
        "from": 5, "ratio": 2, "colour": "blue", "width": 80, "one": True, "pair": [1, 2],
        "names": ["a"], "pins": {"A": 4}, "inner": {"port": 2}, "inners": [{}, {"port": 3}],
        "frozen": {"number": 7}, "any": [{}],
    }  # fmt: skip
    assert read(Outer, values) == Outer(
        5, 2.0, True, Colour.BLUE, 80, None, True, (1, 2), ("a",), {"A": 4}, Inner(2),
        (Inner(), Inner(3)), Frozen(7), [{}],
    )  # fmt: skip


WRONG: tuple[tuple[dict[str, Any], str], ...] = (
    # the values beside "from", and the one problem
    ({"from": True},                   "from: wants a whole number, not True"),
    ({"from": 91},                     "from: is too far"),
    ({"ratio": "1"},                   "ratio: wants a number, not '1'"),
    ({"on": 1},                        "on: wants true or false, not 1"),
    ({"colour": "green"},              "colour: wants one of red, blue, not 'green'"),
    ({"colour": []},                   "colour: wants one of red, blue, not a list"),
    ({"width": 57},                    "width: wants one of 58, 80, not 57"),
    ({"maybe": "x"},                   "maybe: wants a whole number, not 'x'"),
    ({"one": 1.5},                     "one: wants one value, not 1.5"),
    ({"pair": [1]},                    "pair: wants 2 values, not 1"),
    ({"pair": [1, "x"]},               "pair.1: wants a whole number, not 'x'"),
    ({"names": {"a": 1}},              "names: wants a list, not a table"),
    ({"names": ["a", "b", "c"]},       "names: has 3 entries, not 0 to 2"),
    ({"names": ["a", "abcdef"]},       "names.1: 'abcdef' is not a text of 1 to 5 characters"),
    ({"pins": []},                     "pins: wants a table, not a list"),
    ({"pins": {"A": "x"}},             "pins.A: wants a whole number, not 'x'"),
    ({"inner": {"port": 10}},          "inner.port: 10 is not from 1 to 9"),
    ({"inners": [{}, {"prot": 1}]},    "inners.1.prot: no such key; did you mean 'port'?"),
    ({"inners": {}},                   "inners: wants a list, not a table"),
    ({"frozen": {}},                   "frozen.number: is missing"),
    ({"frozen": []},                   "frozen: wants a table, not a list"),
    ({"form": 1},                      "form: no such key; did you mean 'from'?"),
    ({"from": 2**70},                  "from: is too far"),
    ({"maybe": 2**70, "on": 0},        "on: wants true or false, not 0"),
)  # fmt: skip


@pytest.mark.parametrize(("values", "problem"), WRONG)
def test_a_wrong_value_is_a_problem_with_its_path(values: dict[str, Any], problem: str) -> None:
    assert problems(Outer, {"from": 1, **values}) == [problem]


@pytest.mark.parametrize("values", [None, [], [("from", 1)], "from", 1, True])
def test_a_wrong_container_is_a_problem_like_any_other(values: object) -> None:
    (problem,) = problems(Device, values)
    assert problem.startswith("wants a table, not ")
    assert problems(Outer, values) == ["wants a table"], "a secret may stand there"


def test_every_problem_is_reported_beside_those_of_the_record_itself() -> None:
    values = {"from": 99, "on": "x", "inner": {"port": 0, "x": 1}, "nothing": 1}
    paths = [problem.partition(":")[0] for problem in problems(Outer, values)]
    assert paths == ["from", "inner.port", "inner.x", "nothing", "on"]


@pytest.mark.parametrize("secret", [123456789, "ABC123456789", ["123456789"], {"k": "123456789"}])
def test_a_secret_is_never_quoted(secret: object) -> None:
    assert "123456789" not in str(problems(Outer, {"from": 1, "inner": {"password": secret}}))
    assert "123456789" not in str(problems(Outer, {"from": 1, "inner": secret}))


class Wide(NamedTuple):
    """Secrets at every depth."""

    lists: tuple[Inner, ...] = ()
    tables: Mapping[str, Inner | None] = {}
    whole: Annotated[Inner, SECRET] = Inner()
    listed: Annotated[tuple[Annotated[Point, LISTED], ...], Key("points")] = ()
    own: Annotated[str, Key("key"), SECRET] = ""


def test_secrets_are_found_and_left_out_at_every_depth() -> None:
    inner = {"port": 1, "password": "x"}
    values = {"lists": [inner], "tables": {"a": inner}, "whole": inner, "points": [[1, "a"]]}
    secrets = {"lists.0.password": "x", "tables.a.password": "x", "whole": inner, "key": "k"}
    found = secrets_in(Wide, values | {"key": "k"})
    assert {".".join(path): value for path, value in found.items()} == secrets
    public = {"lists": [{"port": 1}], "tables": {"a": {"port": 1}}, "points": [[1, "a"]]}
    assert without_secrets(Wide, values | {"key": "k"}) == public
    assert without_secrets(Wide, "x") == {}, "a secret at the wrong place"
    assert without_secrets(Frozen, values) is values
    assert "123456789" not in str(problems(Wide, {"whole": {"port": "123456789"}}))


def test_the_keys_of_a_driver_are_left_to_it() -> None:
    assert read(Device, {"driver": "box", "port": 1}) == Device("box", {"port": 1})


def test_a_record_may_be_the_list_of_its_values() -> None:
    values = {"points": [[1, "a"], [2, "b"]], "title": "x"}
    assert read(Points, values) == Points((Point(1, "a"), Point(2, "b")), "x")
    for points, problem in (
        ([[1]], "points.0: wants 2 values, not 1"),
        ([{"x": 1}], "points.0: wants a list, not a table"),
        ([[1, "a"], [-1, "nul \0"]], "points.1.name: 'nul \\x00' has characters that cannot be"),
        ([7] * 3, "points: has 3 entries, not 0 to 2"),
    ):
        assert problems(Points, {"points": points, "title": "x"})[0].startswith(problem)


def test_a_record_is_read_from_the_keys_that_are_left() -> None:
    found = Message(Points((Point(1, "a"),), "x"), "me")
    assert read(Message, {"by": "me", "points": [[1, "a"]], "title": "x"}) == found
    assert problems(Message, {"by": 1, "points": 2, "new": 3}) == [
        "by: wants a text, not 1",
        "new: no such key; known are points, title",
        "points: wants a list, not 2",
    ]


@pytest.mark.parametrize("title", ["", "  ", "two\nlines", "x" * 10, 1])
def test_a_key_that_is_unreadable_is_one_problem(title: object) -> None:
    (problem,) = problems(Points, {"points": [], "title": title})
    assert problem.startswith("title: ")


def test_a_sentence_is_short_and_printable_whatever_the_keys_are() -> None:
    values = {f"\ud83d{at}" + "x" * 1000: 1 for at in range(1000)} | {"points": [], "title": "x"}
    found = problems(Points, values)
    assert len(found) == 20
    assert all(len(each) < 200 and each.isprintable() for each in found)


@pytest.mark.parametrize("text", ["", "[]", "{", "[" * 100_000, '{"a": NaN}', b"\xff"])
def test_a_text_that_is_no_object_is_none(text: str | bytes) -> None:
    assert json_object(text) is None
    assert json_object('{"a": [1]}') == {"a": [1]}


def test_a_newer_message_is_read_without_its_unknown_keys() -> None:
    assert read(Outer, {"from": 1, "new": 2, "inner": {"new": 3}}, skips_unknown=True) == Outer(1)


def test_a_tag_chooses_the_record() -> None:
    kinds: Mapping[str, type[Inner | Device]] = {"inner": Inner, "device": Device}
    assert read_tagged("do", kinds, {"do": "device"}) == Device()
    wrong: list[dict[str, object]] = [{}, {"do": "other"}, {"do": []}, {"do": 1}]
    for values in wrong:
        with pytest.raises(WrongValues, match="do: wants one of inner, device"):
            read_tagged("do", kinds, values)
    with pytest.raises(WrongValues, match="wants a table"):
        read_tagged("do", kinds, [])


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from([*Outer._fields, "from", "port"]), inner, max_size=4)
    ),
    max_leaves=8,
)


@given(PLAIN)
def test_no_value_does_more_than_be_refused(values: object) -> None:
    try:
        read(Outer, values)
    except WrongValues as error:
        assert error.problems
        assert all(problem.sentence.isprintable() for problem in error.problems)
