"""Boxes that join by a card while their table has another box: the desk is asked."""

from __future__ import annotations

import tomllib

import pytest

from scorer.hall import wire
from scorer.hall.joining import JoinState, key_of
from tests.hub.boxes import greet
from tests.hub.hub_process import Client, HubProcess
from tests.hub.joining_box import JoiningBox, join_box, log_in


@pytest.fixture(scope="module")
def desk(hub: HubProcess) -> Client:
    return log_in(hub)


def card_of(hub: HubProcess, table: int) -> str:
    """The key of a new card of a table."""
    made = hub.run("cards", "--tables", str(table), "--address", "hub.local:8443").stdout
    return str(tomllib.loads(made)["link"]["key"])


def test_a_card_of_a_table_that_has_a_box_waits_for_the_desk(hub: HubProcess, desk: Client) -> None:
    first = join_box(hub, desk, "71" * 16, table=41)
    card = card_of(hub, 41)
    box = JoiningBox(hub.client(), hub.pin, "72" * 16)
    assert [box.show_card(card).state for _ in range(2)] == [JoinState.WAITING] * 2
    (waiting,) = desk.get("/desk/state").document["candidates"]
    assert (waiting["code"], waiting["card"], waiting["table"]) == ("", True, 41)
    assert card not in str(waiting) and key_of(card) not in str(waiting)
    assert box.wait().state is JoinState.WAITING
    accept = {"do": "accept", "key": box.key, "table": 41}
    assert desk.desk("/desk/act", accept).document["key"] == "occupied"
    assert first.client.post(wire.GREET_PATH, wire.encode(greet()), first.token).status == 200
    boxes = desk.get("/desk/state").document["boxes"]
    (device,) = (each["device"] for each in boxes if each["table"] == 41)
    assert desk.desk("/desk/act", {**accept, "replaces": device}).status == 200
    assert (box.wait().state, box.wait().table) == (JoinState.ACCEPTED, 41)
    assert box.client.post(wire.GREET_PATH, wire.encode(greet()), box.token).status == 200
    # The card has counted.
    assert JoiningBox(hub.client(), hub.pin, "73" * 16).show_card(card).state is JoinState.REFUSED


def test_the_desk_refuses_a_box_with_a_card(hub: HubProcess, desk: Client) -> None:
    join_box(hub, desk, "74" * 16, table=42)
    card = card_of(hub, 42)
    box = JoiningBox(hub.client(), hub.pin, "75" * 16)
    assert box.show_card(card).state is JoinState.WAITING
    assert desk.desk("/desk/act", {"do": "refuse", "key": box.key}).status == 200
    assert box.wait().state is JoinState.REFUSED
    assert box.show_card(card).state is JoinState.REFUSED
    assert desk.get("/desk/state").document["candidates"] == []
    # The card is still good: for another table that the desk chooses.
    other = JoiningBox(hub.client(), hub.pin, "76" * 16)
    assert other.show_card(card).state is JoinState.WAITING
    accept = {"do": "accept", "key": other.key, "table": 43}
    assert desk.desk("/desk/act", accept).status == 200
    assert (other.wait().state, other.wait().table) == (JoinState.ACCEPTED, 43)
