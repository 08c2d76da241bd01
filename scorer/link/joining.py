"""Join a hall: both ends show six digits, which desk and panel compare."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Awaitable, Callable
from typing import Final

from scorer.config.link_section import HostAddress
from scorer.hall.fields import Malformed
from scorer.hall.joining import (
    BeginRequest,
    CardRequest,
    JoinReply,
    JoinRequest,
    JoinState,
    NonceRequest,
    WaitRequest,
    code,
    commitment_to,
    encode,
    key_of,
    parse_join_reply,
)
from scorer.hall.wire import JOIN_PATH, WireStatus
from scorer.link.https import HubConnection, HubUnreachable, open_connection
from scorer.link.membership import Membership

POLL: Final = 1.0  # seconds between questions whether the desk has decided
PATIENCE: Final = 600.0  # seconds that desk and panel may take
_OUTAGE: Final = 20.0  # seconds without an answer of the hub, after which joining has failed


class JoinFailed(Exception):
    """The box does not join. ``fault`` is a word of socket.md#hall.

    ``wait``: seconds until it may try again, 0 for no time.
    """

    def __init__(self, fault: str, sentence: str, wait: int = 0) -> None:
        super().__init__(sentence)
        self.fault, self.wait = fault, wait


def new_token() -> str:
    """A token of 128 bits."""
    return secrets.token_hex(16)


class Joiner:
    """One attempt of one box at one hub."""

    def __init__(self, hub: HostAddress, machine: str, program: str, token: str = "") -> None:
        """``token``: of an attempt that was interrupted."""
        self._hub, self._machine, self._program = hub, machine, program
        self._token = token or new_token()
        self._key = key_of(self._token)
        self._pin = ""
        self._connection: HubConnection | None = None

    async def join(
        self, show_digits: Callable[[str], None], confirmed: Callable[[], Awaitable[object]]
    ) -> Membership:
        """Join with six digits, which are passed to ``show_digits``. Raises JoinFailed.

        ``confirmed`` ends when the panel says that the desk shows them too: whatever a hub answers,
        the box does not belong to it before. Nothing up to the digits is repeated: each repetition
        is a chance for a third party.
        """
        with contextlib.ExitStack() as stack:
            stack.callback(self._close)
            begun = await self._ask(BeginRequest(self._key, self._machine, self._program))
            if begun.state is not JoinState.COMMITTED or not begun.commitment:
                raise JoinFailed("failed", "the hub does not commit to a nonce")
            nonce = secrets.token_hex(16)  # not before the hub has committed
            opened = await self._ask(NonceRequest(self._key, nonce))
            if not opened.nonce or commitment_to(opened.nonce) != begun.commitment:
                raise JoinFailed("failed", "the hub opens another nonce than it has committed to")
            show_digits(code(self._pin, self._key, nonce, opened.nonce))
            return await self._wait(opened, confirmed)

    async def join_by_card(self, pin: str, card: str) -> Membership:
        """Join with the key of a card, which counts once. Raises JoinFailed."""
        self._pin = pin
        with contextlib.ExitStack() as stack:
            stack.callback(self._close)
            request = CardRequest(self._key, card, self._machine, self._program)
            return await self._wait(await self._ask(request))

    async def _wait(
        self, reply: JoinReply, confirmed: Callable[[], Awaitable[object]] | None = None
    ) -> Membership:
        decided = False
        try:
            async with asyncio.timeout(PATIENCE):
                while reply.state is not JoinState.ACCEPTED:
                    await asyncio.sleep(POLL)
                    reply = await self._ask_patiently(WaitRequest(self._key))
                decided = True
                if confirmed is not None:
                    await confirmed()
        except TimeoutError:
            late = "the panel did not compare the digits" if decided else "the desk did not decide"
            raise JoinFailed("expired", late) from None
        return Membership(str(self._hub), self._pin, self._token, reply.hall, reply.table)

    async def _ask_patiently(self, request: JoinRequest) -> JoinReply:
        """Ask again while the network is away for a moment."""
        until = asyncio.get_running_loop().time() + _OUTAGE
        while True:
            try:
                return await self._ask(request)
            except JoinFailed as error:
                late = asyncio.get_running_loop().time() >= until
                if late or error.fault != "unreachable":
                    raise
            await asyncio.sleep(POLL)

    async def _ask(self, request: JoinRequest) -> JoinReply:
        try:
            if self._connection is None or not self._connection.is_open:
                self._close()
                # From the first connection on, another certificate is another hub.
                self._connection, self._pin = await open_connection(self._hub, self._pin)
            status, body = await self._connection.post(JOIN_PATH, encode(request))
        except HubUnreachable as error:
            self._close()
            raise JoinFailed("unreachable", str(error)) from None
        if status == WireStatus.BUSY:
            raise JoinFailed("full", "too many boxes are joining")
        reply = parse_join_reply(body)
        if isinstance(reply, Malformed):
            raise JoinFailed("failed", f"the hub answers {status}: {reply.text}")
        if reply.state is JoinState.REFUSED:
            fault = "full" if reply.wait else "denied"
            raise JoinFailed(fault, reply.text or "the desk has refused this box", reply.wait)
        return reply

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
