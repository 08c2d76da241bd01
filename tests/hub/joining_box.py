"""A box of a test: joins over real HTTPS, as scorer link does."""

from __future__ import annotations

import time
from dataclasses import dataclass

from scorer.hall import joining
from scorer.hall.joining import (
    BeginRequest,
    CardRequest,
    JoinReply,
    JoinState,
    NonceRequest,
    WaitRequest,
)
from scorer.hall.wire import JOIN_PATH
from tests.hub.hub_process import Client, HubProcess


@dataclass
class JoiningBox:
    """``token`` and ``nonce``: hexadecimal digits of the box's own."""

    client: Client
    pin: str
    token: str = "ab" * 16
    nonce: str = "cd" * 16
    machine: str = "a91c"

    @property
    def key(self) -> str:
        return joining.key_of(self.token)

    def send(self, request: joining.JoinRequest) -> JoinReply:
        """The hub's reply; the boxes of a test share the limit of one address."""
        while True:
            answer = self.client.post(JOIN_PATH, joining.encode(request))
            found = joining.parse_join_reply(answer.body)
            assert isinstance(found, JoinReply), answer
            if "too many requests" not in found.text:
                return found
            time.sleep(0.1)

    def show_digits(self) -> str:
        """The first two steps; the digits on the panel."""
        begun = self.send(BeginRequest(self.key, self.machine, "1.4"))
        assert begun.state is JoinState.COMMITTED, begun
        opened = self.send(NonceRequest(self.key, self.nonce))
        assert opened.state is JoinState.WAITING, opened
        assert joining.commitment_to(opened.nonce) == begun.commitment
        return joining.code(self.pin, self.key, self.nonce, opened.nonce)

    def wait(self) -> JoinReply:
        return self.send(WaitRequest(self.key))

    def show_card(self, card: str) -> JoinReply:
        return self.send(CardRequest(self.key, card, self.machine, "1.4"))


def log_in(hub: HubProcess, name: str = "ana", role: str = "admin") -> Client:
    """A client of the desk with a new password."""
    assert hub.run("password", name, "--role", role, text="secret word\n").returncode == 0
    client = hub.client()
    assert client.desk("/desk/login", {"name": name, "password": "secret word"}).status == 200
    return client


def join_box(
    hub: HubProcess, desk: Client, token: str, table: int, replaces: int = 0
) -> JoiningBox:
    """A box that has joined; ``replaces``: the one that gives up the table."""
    box = JoiningBox(hub.client(), hub.pin, token)
    code = box.show_digits()
    assert {"key": box.key, "code": code} in [
        {"key": each["key"], "code": each["code"]}
        for each in desk.get("/desk/state").document["candidates"]
    ]
    message = {"do": "accept", "key": box.key, "table": table, "replaces": replaces}
    assert desk.desk("/desk/act", message).status == 200
    assert box.wait().state is JoinState.ACCEPTED
    return box
