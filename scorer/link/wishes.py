"""What players want of the link: find, join and leave a hall, call the director."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from scorer.config.link_section import HostAddress, parse_hub
from scorer.hall.wire import CallRequest
from scorer.link.finding import FoundHall, watch_halls
from scorer.link.joining import Joiner, JoinFailed
from scorer.link.link_log import write_log
from scorer.link.membership import AttemptFile, Membership
from scorer.link.status import MAX_HALLS, MAX_ID_CHARS, clean_name, one_line

Wish = Mapping[str, Any]


class WishContext(NamedTuple):
    """What the wishes use.

    ``join``: makes an attempt at a hub; ``joined``: takes its result, None to leave; ``changed``:
    called whenever the status has changed; ``attempt``: the last one that was made.
    """

    hub: str  # of [link], "" for none
    join: Callable[[HostAddress], Joiner]
    joined: Callable[[Membership | None], None]
    changed: Callable[[], None]
    attempt: AttemptFile
    bus: str = "SYSTEM"


class Wishes:
    """The wishes of the newest state of the table."""

    def __init__(self, context: WishContext) -> None:
        self._context = context
        self._wanted: dict[str, Wish] = {}
        self._done: set[str] = set()
        self._finding: asyncio.Task[None] | None = None
        self._joining: tuple[str, asyncio.Task[None]] | None = None
        self.calls: dict[str, CallRequest] = {}
        self.new_call = asyncio.Event()
        self.halls: tuple[FoundHall, ...] | None = None  # None: not looked for
        self.digits = self.fault = ""
        self._confirmed = asyncio.Event()  # of the newest attempt
        self.wait = 0  # seconds until the box may try to join again; 0: not said

    @property
    def is_joining(self) -> bool:
        return self._joining is not None

    @property
    def done(self) -> list[str]:
        """The wishes that are carried out, or have failed, and are still in the state."""
        return sorted(self._done)

    def update(self, wishes: Iterable[Wish]) -> None:
        """Begin what is new, and end what is wanted no more."""
        self._wanted = {str(wish["id"]): wish for wish in wishes}
        self._done &= self._wanted.keys()
        self.calls = {id: call for id, call in self.calls.items() if id in self._wanted}
        if self._joining is not None and self._joining[0] not in self._wanted:
            self._stop_joining()
        is_wanted = any(wish.get("do") == "find" for wish in self._wanted.values())
        if self._finding is not None and not is_wanted:
            self._finding.cancel()
            self._finding = None
        for id, wish in self._wanted.items():
            if id not in self._done:
                self._begin(id, wish)

    def call_answered(self, id: str) -> None:
        """The hub knows of the call."""
        self.calls.pop(id, None)
        self._finish(id)

    def close(self) -> None:
        """Stop everything."""
        self.update(())

    def _begin(self, id: str, wish: Wish) -> None:
        match wish.get("do"):
            case "find" if self._finding is None:
                self._finding = asyncio.create_task(self._find())
            case "join" if self._joining is None:
                self._joining = (id, asyncio.create_task(self._join(id, str(wish.get("hall")))))
                self._context.changed()
            case "same" if self.digits and wish.get("digits") == self.digits:
                self._confirmed.set()
            case "cancel":
                self._stop_joining()
                self._finish(id)
            case "leave":
                self._context.joined(None)
                self._finish(id)
            case "call" if id not in self.calls:
                why = str(wish.get("why") or "director")
                self.calls[id] = CallRequest(id, str(wish.get("match") or ""), why)
                self.new_call.set()

    async def _find(self) -> None:
        try:
            await watch_halls(self._report, self._context.bus)
        except (ImportError, OSError, RuntimeError, ValueError, KeyError) as error:
            write_log(f"cannot look for halls: {error}")
            self._report(())

    def _report(self, found: tuple[FoundHall, ...]) -> None:
        with contextlib.suppress(ValueError):
            hub = parse_hub(self._context.hub)
            others = (each for each in found if each.hub != hub)
            found = (FoundHall(clean_name(str(hub)), hub), *others)
        self.halls = tuple(each for each in found if len(each.id) <= MAX_ID_CHARS)[:MAX_HALLS]
        self._context.changed()

    async def _join(self, id: str, hall: str) -> None:
        self.digits, self._confirmed = "", asyncio.Event()
        try:
            self._begin_attempt(id)
            joiner = self._context.join(parse_hub(hall))
            joined = await joiner.join(self._show_digits, self._confirmed.wait)
        except (JoinFailed, ValueError) as error:
            write_log(one_line(f"{hall} is not joined: {error}"))
            self._end_joining(id, getattr(error, "fault", "failed"), getattr(error, "wait", 0))
            return
        self._end_joining(id, "")
        self._context.joined(joined)

    def _begin_attempt(self, id: str) -> None:
        """Let no restart repeat the attempt of this wish. Raises JoinFailed."""
        if id == self._context.attempt.newest:
            raise JoinFailed("failed", "the attempt was interrupted; choose the hall again")
        try:
            self._context.attempt.save(id)
        except OSError as error:
            raise JoinFailed("failed", f"it cannot be stored: {error.strerror}") from None

    def _show_digits(self, digits: str) -> None:
        self.digits = digits
        self._context.changed()

    def _stop_joining(self) -> None:
        if self._joining is not None:
            self._joining[1].cancel()
            self._joining, self.digits = None, ""
            self._context.changed()

    def _end_joining(self, id: str, fault: str, wait: int = 0) -> None:
        self._joining, self.digits = None, ""
        self._finish(id, fault, wait)

    def _finish(self, id: str, fault: str = "", wait: int = 0) -> None:
        if id in self._wanted:
            self._done.add(id)
        self.fault, self.wait = fault, wait
        self._context.changed()
