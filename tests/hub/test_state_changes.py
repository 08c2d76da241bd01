"""The state of the desk as changes: nothing is lost, and little is sent."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.hub.state_changes import SentStates, changes_of
from tests.sampling import amount
from tests.support.page_scripts import PageScript, needs_node, page_script

Json = dict[str, Any]
HEADERS = 800  # bytes of an answer, and of TLS
LEAVES = st.none() | st.booleans() | st.integers(-2, 2) | st.text("ab", max_size=2)
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["id", "device", "a", "b"]), inner, max_size=3)
    ),
    max_leaves=12,
)
STATES = st.dictionaries(st.sampled_from(["boxes", "now", "tournament"]), VALUES, max_size=3)


# Each step asks for the state, or answers an earlier request; the states that the page then has.
DRIVER = """
import { fetchState } from "./desk_state.js";
const requests = [];
globalThis.document = { documentElement: { lang: "es" } };
globalThis.XMLHttpRequest = class {
  open() {}
  send() { requests.push(this); }
  getResponseHeader() { return `"${this.tag}"`; }
};
export default async function (steps) {
  const fetches = [], states = [];
  const first = requests.length;
  for (const [step, at, body, tag] of steps) {
    if (step === "ask") fetches.push(fetchState());
    else {
      Object.assign(requests[first + at], { status: 200, responseText: body, tag });
      requests[first + at].onloadend();
      states.push((await fetches[at]).state);
    }
  }
  return states;
}
"""


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PageScript]:
    """scorer/hub/pages/desk_state.js in node."""
    with page_script(tmp_path_factory.mktemp("pages"), DRIVER) as running:
        yield running


def answered(at: int, body: object) -> tuple[str, int, str, str]:
    """The answer to request number ``at``."""
    return ("answer", at, json.dumps(body), f"tag {at}")


def text(value: object) -> str:
    return json.dumps(value, sort_keys=True)


@pytest.mark.sampled
@needs_node
@given(STATES, STATES, st.randoms())
@settings(max_examples=amount(75, 300), deadline=None)
def test_the_changes_make_the_new_state_of_the_old_one_in_any_order(
    script: PageScript, old: Json, new: Json, chance: random.Random
) -> None:
    changes = list(changes_of(old, new))
    chance.shuffle(changes)
    whole = [("ask",), answered(0, old)]
    states = script.ask([*whole, ("ask",), answered(1, {"since": "tag 0", "changes": changes})])
    assert [text(found) for found in states] == [text(old), text(new)]


@needs_node
def test_an_answer_that_was_overtaken_is_not_shown(script: PageScript) -> None:
    older, newer = {"now": 1}, {"now": 2}
    steps = [("ask",), ("ask",), answered(1, newer), answered(0, older)]
    assert script.ask(steps) == [newer, newer]
    in_order = [("ask",), ("ask",), answered(0, older), answered(1, newer)]
    assert script.ask(in_order) == [older, newer]


def test_a_number_and_a_truth_value_differ() -> None:
    assert list(changes_of({"a": [{"id": 1, "b": 1}]}, {"a": [{"id": 1, "b": True}]})) == [
        [["a", 0, "b"], True]
    ]
    assert list(changes_of({"a": [1]}, {"a": [True]})) == [[["a"], [True]]]


def test_lists_of_the_same_entries_are_compared_entry_by_entry() -> None:
    one, other = {"id": "R1", "points": [3, 0]}, {"id": "R2", "points": [5, 5]}
    changed = {**other, "points": [5, 6]}
    assert list(changes_of([one, other], [one, changed])) == [[[1, "points"], [5, 6]]]
    assert list(changes_of([one, other], [other, one])) == [[[], [other, one]]]
    box, next_box = {"device": 1, "a": 1, "b": 1}, {"device": 2, "a": 1, "b": 1}
    assert list(changes_of([box], [next_box])) == [[[], [next_box]]]
    assert list(changes_of([one], [one, other])) == [[[], [one, other]]]


def state(at: int) -> Json:
    return {"now": at, "boxes": [{"device": each, "name": "x" * 40} for each in range(20)]}


def test_a_page_gets_the_whole_state_once_and_then_what_differs() -> None:
    sent = SentStates()
    tag, whole = sent.answer(state(1), "")
    assert json.loads(whole) == state(1)
    newer, body = sent.answer(state(2), tag)
    assert json.loads(body) == {"since": tag, "changes": [[["now"], 2]]}
    assert newer != tag
    assert json.loads(sent.answer(state(2), newer)[1]) == {"since": newer, "changes": []}


def test_eight_pages_have_their_own_bases() -> None:
    sent = SentStates()
    tags = [sent.answer(state(at), "")[0] for at in range(8)]
    for tag in tags:
        body = json.loads(sent.answer(state(9), tag)[1])
        assert (body["since"], body["changes"]) == (tag, [[["now"], 9]])


@pytest.mark.parametrize("since", ["", "0123456789abcdef", "no tag at all"])
def test_an_unknown_base_is_answered_with_the_whole(since: str) -> None:
    assert json.loads(SentStates().answer(state(1), since)[1]) == state(1)


def test_a_base_that_is_not_kept_any_more_is_answered_with_the_whole() -> None:
    sent = SentStates(most=3)
    tags = [sent.answer(state(at), "")[0] for at in range(4)]
    assert json.loads(sent.answer(state(9), tags[0])[1]) == state(9)
    assert "changes" in json.loads(sent.answer(state(9), tags[3])[1])


def test_changes_that_are_longer_than_the_state_are_not_sent() -> None:
    sent = SentStates()
    tag, _ = sent.answer({f"a long key {at}": 1 for at in range(50)}, "")
    assert json.loads(sent.answer({"now": 1}, tag)[1]) == {"now": 1}


def box(device: int, points: int) -> Json:
    """A box of the desk's state in a tournament, with all that one row changes of it."""
    sides = [{"name": f"Equipo {device} {at}", "score": points, "games": 0} for at in (0, 1)]
    match = {
        "id": f"zonas-Z{device}-R1-M1",
        "title": "Zona 1, fecha 1",
        "place": f"Mesa {device} · jugando",
        "points": [points, 0],
        "scores": [[points], [0]],
        "score": f"{points}–0",
        "state": "playing",
        "sides": [{"team": 2 * device + at, "name": side["name"]} for at, side in enumerate(sides)],
    }
    return {"device": device, "table": device, "match": match, "game": {"sides": sides}}


@pytest.mark.sampled(0)
def test_an_hour_of_128_tables_is_less_than_ten_megabytes() -> None:
    """A part of it: a row each 20 s at every table, a look each two seconds."""
    tables, pause, looks = 128, 10, amount(40, 300)  # pause: looks between two rows of a table
    parts = 1800 / looks  # of the hour
    sent, tag, received, whole = SentStates(), "", 0, 0
    points = dict.fromkeys(range(tables), 0)
    for look in range(looks):
        for device in range(look % pause, tables, pause):
            points[device] += 1
        boxes = [box(each, points[each]) for each in points]
        at_tables = [{"device": each["device"], "match": each["match"]} for each in boxes]
        found = {"now": look, "boxes": boxes, "tournament": {"seq": 1, "tables": at_tables}}
        whole += len(json.dumps(found).encode())
        tag, body = sent.answer(found, tag)
        received += len(gzip.compress(body, 5)) + HEADERS
    assert received * parts < 5_000_000 < 100_000_000 < whole * parts
