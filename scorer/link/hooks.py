"""The events of a table by HTTP POST, to each address of the owner.

An address that is away, slow or hostile delays nothing else: its events wait in a short queue of
its own, of which the oldest go, and each is tried a few times within seconds.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import ipaddress
import json
import secrets
import socket
import ssl
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Any, Final, NamedTuple

import h11

from scorer import __version__
from scorer.config.hook_section import SAMPLE, HookSection, HookTarget, filled
from scorer.link.link_log import write_log

PAUSES: Final = (1.0, 3.0)  # seconds before the second and the third try
MAX_WAITING: Final = 64  # events of one address
MAX_AGE: Final = 30.0  # seconds after which an event is of no use
_TIMEOUT: Final = 5.0  # seconds of one try
_MAX_HEAD: Final = 16 * 1024  # bytes of the head of an answer
_CHUNK: Final = 16 * 1024
SIGNATURE: Final = "X-Truco-Signature"


class HookFailed(Exception):
    """The address has not taken an event; the text says why."""


class _Waiting(NamedTuple):
    """An event for one address; ``since``: monotonic seconds."""

    name: str
    body: bytes
    since: float


class Hook:
    """One address."""

    def __init__(
        self,
        number: int,
        section: HookSection,
        pauses: Sequence[float] = PAUSES,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """``number``: among those of the file, from 1, by which the log names it."""
        self._number, self._section, self._pauses = number, section, pauses
        self._monotonic = monotonic
        self._waiting: deque[_Waiting] = deque(maxlen=MAX_WAITING)
        self._news = asyncio.Event()
        self._said = ""

    def publish(self, document: Mapping[str, Any]) -> None:
        """Let the address get an event soon, if it wants it."""
        name = str(document["event"])
        if self._section.wants(name):
            body = body_of(self._section, document)
            self._waiting.append(_Waiting(name, body, self._monotonic()))
            self._news.set()

    async def run(self) -> None:
        """Send what is published until cancelled."""
        while True:
            await self._news.wait()
            self._news.clear()
            while self._waiting:
                event = self._waiting.popleft()
                for pause in (*self._pauses, None):
                    if self._monotonic() - event.since > MAX_AGE:
                        break
                    if await self._try(event) or pause is None:
                        break
                    await asyncio.sleep(pause)

    async def _try(self, event: _Waiting) -> bool:
        """Send an event; False: another try may do."""
        why, is_done = "", True
        try:
            async with asyncio.timeout(_TIMEOUT):
                status = await post(self._section, event.name, event.body)
            if not 200 <= status < 300:
                why, is_done = f"it answers {status}", status < 500 and status != 429
        except TimeoutError:
            why, is_done = "it does not answer", False
        except HookFailed as error:
            why = str(error)
        except (OSError, h11.RemoteProtocolError) as error:
            why, is_done = getattr(error, "strerror", None) or str(error), False
        if why != self._said:
            self._said = why
            write_log(f"hook {self._number}: {why or 'it takes events again'}")
        return is_done


def body_of(section: HookSection, document: Mapping[str, Any]) -> bytes:
    """What an address gets of an event.

    The usual body has an ``id``, the same in each try.
    """
    if section.body:
        return filled(section.body, {key: str(document[key]) for key in SAMPLE}).encode()
    return json.dumps({**document, "id": secrets.token_hex(16)}, ensure_ascii=False).encode()


def signature_of(secret: str, body: bytes) -> str:
    """The value of the header SIGNATURE."""
    return f"sha256={hmac.new(secret.encode(), body, sha256).hexdigest()}"


async def post(section: HookSection, event: str, body: bytes) -> int:
    """Send a body; the status of the answer, of which nothing else is read.

    Raises HookFailed, OSError or h11.RemoteProtocolError.
    """
    target = section.target
    address = await _find_address(target, is_public=section.public)
    context = ssl.create_default_context() if target.is_secure else None
    name = target.host if target.is_secure else None
    reader, writer = await asyncio.open_connection(
        *address, ssl=context, server_hostname=name, limit=_MAX_HEAD
    )
    try:
        client = h11.Connection(h11.CLIENT, max_incomplete_event_size=_MAX_HEAD)
        host = f"[{target.host}]" if ":" in target.host else target.host
        headers = [
            ("Host", f"{host}:{target.port}"),
            ("User-Agent", f"truco-scorer/{__version__}"),
            ("Content-Type", "application/json"),
            ("Content-Length", str(len(body))),
            ("Connection", "close"),
            ("X-Truco-Event", event),
        ]
        if section.secret:
            headers.append((SIGNATURE, signature_of(section.secret, body)))
        request = h11.Request(method="POST", target=target.path, headers=headers)
        for each in (request, h11.Data(data=body), h11.EndOfMessage()):
            writer.write(client.send(each) or b"")
        await writer.drain()
        while True:
            found = client.next_event()
            if isinstance(found, h11.Response):
                return found.status_code
            if found is h11.NEED_DATA:
                client.receive_data(await reader.read(_CHUNK))
            elif not isinstance(found, h11.InformationalResponse):
                raise HookFailed("it ends the connection without an answer")
    finally:
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()


async def _find_address(target: HookTarget, *, is_public: bool) -> tuple[str, int]:
    """An address of the host, and the port. Raises HookFailed or OSError."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    hosts = [str(each[4][0]) for each in found]
    allowed = [each for each in hosts if is_public or is_private(each)]
    if not allowed:
        raise HookFailed("its address is outside of the private network: public = true allows it")
    return allowed[0], target.port


def is_private(host: str) -> bool:
    """Whether an address is of this machine or of a private network."""
    address = ipaddress.ip_address(host.partition("%")[0])
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address).is_private
