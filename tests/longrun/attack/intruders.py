"""Intruders: guessed pairing codes, and idle clients that fill every socket."""

from __future__ import annotations

import socket
from contextlib import ExitStack, closing

from scorer.api.error_codes import ErrorCode
from scorer.api.rights import Right, socket_path
from scorer.api.server import MAX_CLIENTS
from scorer.session.setup.pairing_menu import MAX_TRIES, MAX_TRIES_EACH
from tests.longrun.attack.checks import Checks
from tests.longrun.attack.rig import Rig, running
from tests.support.phone_pairing import show_new_code
from tests.support.table_client import TableClient

ADDRESSES = MAX_TRIES // MAX_TRIES_EACH + 1
# The last address takes what is left of the tries of all.
SHUT = (ErrorCode.BLOCKED, ErrorCode.NO_CODE)
GUESSES = MAX_TRIES_EACH  # of each address


def guess_codes(checks: Checks, share: int) -> None:
    """Wrong codes from many addresses, then the right one, until it is void."""
    codes = 15 // share
    with running() as rig:
        for turn in range(codes):
            code = show_new_code(rig.table)
            for number in range(ADDRESSES):
                _guess(checks, rig, f"127.0.{turn + 9}.{number + 1}", code)
            late = _pairing_error(rig, f"127.0.{turn + 9}.100", code)
            checks.check(late != "", "the right code pairs after too many wrong ones")
            rig.table.press("menu", duration_s=4.0)
        checks.check(rig.table.press("A.truco") == "taken", "a press does not count")
        checks.note = f"{codes} codes, {codes * ADDRESSES * GUESSES} guesses, no phone paired"


def _guess(checks: Checks, rig: Rig, address: str, code: str) -> None:
    """Wrong codes, and then the right one, which this address may not use any more."""
    errors = [
        _pairing_error(rig, address, f"{(int(code) + 1 + guess) % 1_000_000:06}")
        for guess in range(GUESSES)
    ]
    checks.check(all(errors), f"{address} was paired by a wrong code")
    late = _pairing_error(rig, address, code)
    checks.check(late in SHUT, f"{address} after wrong codes: {late or 'paired'}")


def _pairing_error(rig: Rig, address: str, code: str) -> str:
    """The error of a request to pair; empty if the phone is paired."""
    with rig.client(address) as phone:
        answer = phone.post("/api/v1/pair", json={"code": code, "name": "Eva"})
        return "" if answer.status_code == 200 else str(answer.json().get("error"))


def fill_sockets(checks: Checks, share: int) -> None:
    """More idle clients than places on every socket, during presses of a phone."""
    rounds = 10 // share
    with running() as rig, ExitStack() as stack:
        phone = stack.enter_context(closing(rig.paired("127.0.5.1", "Ana")))
        for turn in range(rounds):
            for right in Right:
                for _ in range(2 * MAX_CLIENTS):
                    stack.enter_context(_idle_client(rig, right))
            if turn == rounds // 2:
                rig.kill_web()
                rig.wait_until_ready()
            seq = phone.get("/api/v1/phone").json().get("seq")
            press = {"side": "A", "button": "tantos", "seq": seq}
            answer = phone.post("/api/v1/press", json=press)
            checks.check(answer.status_code == 200, f"a press of the phone: {answer.text}")
            rig.table.wait(60.0)
            with TableClient(rig.socket) as client:
                client.look()
        count = rounds * 2 * MAX_CLIENTS * len(Right)
        checks.note = f"{count} idle clients, every press of the phone counted"


def _idle_client(rig: Rig, right: Right) -> socket.socket:
    end = socket.socket(socket.AF_UNIX)
    end.connect(str(socket_path(rig.socket, right)))
    return end
