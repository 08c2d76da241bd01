"""Strangers at the desk of a hub: digits, passwords, calls without end."""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path

from scorer.hall import joining, wire
from scorer.hall.joining import BeginRequest, JoinState, NonceRequest
from scorer.hub.joins import MAX_OPEN
from tests.hub.boxes import greet
from tests.hub.hub_process import Client, HubProcess, running_hub
from tests.hub.joining_box import JoiningBox, join_box, log_in
from tests.longrun.attack.checks import Checks

TOKEN = "7" * 32
NONCE = "cd" * 16


def press_the_desk(checks: Checks, share: int) -> None:
    """Each kind one after another, at one hub."""
    count = 500 // share
    with tempfile.TemporaryDirectory() as name, running_hub(Path(name) / "hub") as hub:
        desk = log_in(hub)
        learned = _grind_digits(checks, hub, desk, count)
        refused = _guess_passwords(checks, hub, desk, count // 2)
        _call_without_end(checks, hub, desk, count)
    checks.note = (
        f"{count} tries to join, {learned} digits learned, each at the desk; {refused} of "
        f"{count // 2} wrong passwords not tried; {count} calls are one alarm"
    )


def _grind_digits(checks: Checks, hub: HubProcess, desk: Client, count: int) -> int:
    """Tries of many addresses: none learns digits that the desk does not show."""
    learned = Counter[str]()
    for number in range(count):
        client = hub.client(f"127.0.{80 + number // 250}.{number % 250 + 1}")
        box = JoiningBox(client, hub.pin, f"{number:032x}", nonce=NONCE)
        begun = box.send(BeginRequest(box.key, "intruder", "1.4"))
        checks.check(begun.nonce == "", "a commitment tells the nonce")
        if begun.state is JoinState.COMMITTED:
            opened = box.send(NonceRequest(box.key, NONCE))
            if opened.nonce:
                learned[joining.code(hub.pin, box.key, NONCE, opened.nonce)] += 1
        client.close()
    state = desk.get("/desk/state").document
    shown = Counter(each["code"] for each in state["candidates"])
    checks.check(shown == learned, f"learned {learned.total()}, shown {shown.total()}")
    checks.check(learned.total() <= MAX_OPEN, f"{learned.total()} tries are open")
    counted = state["counted"].get("joins", 0)
    checks.check(counted == count - learned.total(), f"{counted} refused tries are counted")
    for each in state["candidates"]:
        desk.desk("/desk/act", {"do": "refuse", "key": each["key"]})
    checks.check(bool(join_box(hub, desk, TOKEN, 1)), "no box can join")
    return learned.total()


def _guess_passwords(checks: Checks, hub: HubProcess, desk: Client, count: int) -> int:
    """Wrong passwords lock out neither the machine itself nor a session."""
    statuses = Counter[int]()
    for number in range(count):
        client = hub.client(f"127.0.90.{number % 250 + 1}")
        wrong = {"name": "ana", "password": "no such word"}
        statuses[client.desk("/desk/login", wrong).status] += 1
        client.close()
    checks.check(set(statuses) <= {403, 429}, f"wrong passwords are answered {dict(statuses)}")
    right = {"name": "ana", "password": "secret word"}
    checks.check(hub.client().desk("/desk/login", right).status == 200, "the machine is locked out")
    checks.check(desk.desk("/desk/login", right).status == 200, "a session is locked out")
    return statuses[429]


def _call_without_end(checks: Checks, hub: HubProcess, desk: Client, count: int) -> None:
    """One box calls the director again and again."""
    box = JoiningBox(hub.client(), hub.pin, TOKEN)
    box.client.post(wire.GREET_PATH, wire.encode(greet()), TOKEN)
    for number in range(count):
        call = wire.encode(wire.CallRequest(f"c{number}", f"M{number}"))
        answer = box.client.post(wire.CALL_PATH, call, TOKEN)
        checks.check(answer.status == 200, f"a call is answered {answer.status}")
    alarms = desk.get("/desk/state").document["alarms"]
    checks.check(len(alarms) == 1, f"{len(alarms)} alarms of one box")
