"""The link process: one table, one hub, until a signal stops it.

An error here ends this process, which systemd restarts; the table is not affected.
"""

from __future__ import annotations

import asyncio
import math
import random
import time
from pathlib import Path
from typing import Any, NamedTuple

from scorer import __version__
from scorer.api.table_source import TableUnavailable
from scorer.config.hook_section import HookSection
from scorer.config.link_section import HostAddress, LinkSection, parse_hub
from scorer.hall.events import HALL_DIGITS, Desired, Release, assignment_of
from scorer.hall.joining import key_of
from scorer.hall.result_code import format_code, qr_text
from scorer.link import finding
from scorer.link.backoff import LONGEST, Backoff
from scorer.link.events import event_document, events_between
from scorer.link.hooks import Hook
from scorer.link.https import HubUnreachable
from scorer.link.hub_link import HubContext, HubLink
from scorer.link.joining import Joiner, JoinFailed, new_token
from scorer.link.link_log import write_log
from scorer.link.machine import box_id, machine_name
from scorer.link.membership import PENDING_NAME, AttemptFile, Membership, MembershipFile
from scorer.link.outlet import Outlet
from scorer.link.result import result_in
from scorer.link.sender import Sender
from scorer.link.status import (
    MAX_DONE,
    MAX_TABLE,
    MAX_WAIT,
    STATES,
    StatusPublisher,
    clean_name,
    one_line,
)
from scorer.link.wishes import WishContext, Wishes
from scorer.serving.service_loop import ping_watchdog, run_until_signal
from scorer.system.sd_notify import Notifier
from scorer.table_link import LinkStatus, TableLink

WATCHDOG_INTERVAL = 60.0  # maximum seconds between watchdog pings
LOOK_AROUND = 3.0  # seconds for which a hub that has moved is looked for
DECISION_PAUSE = 1.0  # seconds between two decisions, each of which the table stores
_FAILURES_BEFORE_LOOKING = 4
# Keys of the state that change with a new game, which may have no row yet.
_GAME_KEYS = ("variant", "options", "names", "hand", "winner", "games", "match")


class LinkOptions(NamedTuple):
    """``folder``: of the token; ``bus``: where Avahi is asked."""

    table: Path
    link: LinkSection
    folder: Path | None
    bus: str = "SYSTEM"
    machine: str = ""  # "" for that of the board
    hooks: tuple[HookSection, ...] = ()


def run(options: LinkOptions, notifier: Notifier) -> None:
    """Run until SIGTERM or SIGINT."""
    run_until_signal(LinkService(options).run(notifier), notifier)


class LinkService:
    """Composes table, sender, hub, wishes and broker."""

    def __init__(self, options: LinkOptions) -> None:
        self._options = options
        self._machine = options.machine or machine_name()
        self._table = TableLink(options.table)
        self._memberships = MembershipFile(options.folder)
        self._sender = Sender(self._machine, __version__, random.random)
        self._status = StatusPublisher(self._table, self._status_fields)
        self._poked, self._moved = asyncio.Event(), asyncio.Event()
        self._decided = asyncio.Event()  # the table does not know the newest decision
        self._decision: Desired | Release | None = None  # the newest of the hub
        self._greetings, self._game = 0, ""
        self._reason = ""
        self._remarks: set[str] = set()  # about a hub that asks too much
        self._has_left = False  # a card would join again at once
        self._hooks = [Hook(number, each) for number, each in enumerate(options.hooks, 1)]
        self._seen: dict[str, Any] | None = None  # the state whose events are published
        self._wishes = Wishes(
            WishContext(
                options.link.hub,
                lambda hub: Joiner(hub, self._machine, __version__),
                self._join,
                self._status.changed,
                AttemptFile(options.folder),
                options.bus,
            )
        )

    async def run(self, notifier: Notifier) -> None:
        """Run until cancelled."""
        box = box_id(self._machine, self._options.table)
        outlet = Outlet(self._options.link.mqtt, box, self._options.folder)
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._table.run())
                group.create_task(self._follow_table(outlet))
                group.create_task(self._status.run())
                group.create_task(self._stay_connected())
                group.create_task(self._pass_decisions())
                group.create_task(ping_watchdog(notifier, WATCHDOG_INTERVAL))
                if self._options.link.mqtt.broker:
                    group.create_task(outlet.run())
                for hook in self._hooks:
                    group.create_task(hook.run())
                notifier.ready("linking")
        finally:
            self._wishes.close()

    # ---- the table ------------------------------------------------------------------------------

    async def _follow_table(self, outlet: Outlet) -> None:
        while True:
            await self._table.news.wait()
            self._table.news.clear()
            state = self._table.state
            if self._table.status is not LinkStatus.ONLINE or state is None:
                self._sender.table_lost()
                self._seen = None
                outlet.publish(None, self._table.device)
                continue
            self._on_state(state)
            outlet.publish(state, self._table.device)
            # Pass on what has changed since the state before.
            before, self._seen = self._seen, state
            for event in events_between(before, state):
                number = self._sender.table_number
                document = event_document(event, state, self._table.device, number)
                outlet.publish_event(document)
                for hook in self._hooks:
                    hook.publish(document)
            if self._greetings != self._table.greetings:
                self._greetings = self._table.greetings
                if self._decision is not None:
                    self._decided.set()

    def _on_state(self, state: dict[str, Any]) -> None:
        game = repr([state.get(key) for key in _GAME_KEYS])
        if (self._table.seq, game) != (self._sender.newest, self._game):
            self._game = game
            score = tuple(sorted(state["score"].items()))
            self._sender.news(self._table.seq, int(state["number"]), score)
        if self._greetings != self._table.greetings or not self._sender.has_table:
            self._sender.table_found()
        self._wishes.update(self._table.wishes)
        self._poked.set()
        self._status.changed()

    def _assign(self, decision: Desired | Release) -> None:
        """Let the table know a decision of the hub, now and after each of its starts."""
        if self._memberships.newest is None:
            return
        if self._decided.is_set():
            self._remark("the hub decides faster than once a second: its newest decision counts")
        self._decision = decision
        self._decided.set()

    async def _pass_decisions(self) -> None:
        while True:
            await self._decided.wait()
            self._decided.clear()
            await self._pass_decision()
            await asyncio.sleep(DECISION_PAUSE)

    async def _pass_decision(self) -> None:
        membership, decision = self._memberships.newest, self._decision
        if membership is None or decision is None:
            return
        hall = membership.pin[:HALL_DIGITS]
        try:
            answer = await self._table.request(**assignment_of(decision), hall=hall)
        except TableUnavailable:
            return
        if answer.get("ok"):
            return
        write_log(f"the table refuses decision {decision.rev}: {answer.get('text')}")
        if answer.get("error") == "STALE":
            # The greeting says what the table has; the hub decides again above it.
            self._sender.greet_again()
            self._poked.set()

    def _on_standing(self) -> None:
        """Log once why the hub stores nothing, that it does again, or asks too much."""
        if self._sender.is_slowed:
            self._remark("the hub asks for new epochs or keys again and again; it has to wait")
        reason = self._sender.reason
        if reason != self._reason:
            self._reason = reason
            write_log(f"the hub says: {one_line(reason)}" if reason else "the hub stores again")
        self._status.changed()

    def _status_fields(self) -> dict[str, Any]:
        membership, wishes = self._memberships.newest, self._wishes
        fields: dict[str, Any] = {"state": "alone"}
        if membership is not None:
            fields = {"state": STATES[self._sender.standing], "sent": self._sender.stored}
            if name := clean_name(membership.hall):
                fields["name"] = name
            number = self._sender.table_number or membership.table
            if 1 <= number <= MAX_TABLE:
                fields["table"] = number
            fields |= self._result_fields(membership)
        if wishes.is_joining:
            fields["state"] = "joining"
            if wishes.digits:
                fields["digits"] = wishes.digits
        if wishes.halls is not None:
            fields["halls"] = [{"id": hall.id, "name": hall.name} for hall in wishes.halls]
        minutes = min(math.ceil(wishes.wait / 60), MAX_WAIT)
        return {
            **fields,
            "done": wishes.done[:MAX_DONE],
            "fault": wishes.fault,
            **({"wait": minutes} if minutes else {}),
        }

    def _result_fields(self, membership: Membership) -> dict[str, Any]:
        """The result on the panel as a QR code, until the hub has its rows."""
        state = self._table.state
        result = None if state is None else result_in(state)
        if state is None or result is None or self._sender.stored >= result.seq:
            return {}
        code = format_code(result, key_of(membership.token), state["match"]["id"])
        hub = parse_hub(self._options.link.hub or membership.hub)
        text = qr_text(hub.place, code)
        return {"qr": text, "seq": result.seq} if text else {}

    # ---- the hub --------------------------------------------------------------------------------

    def _join(self, membership: Membership | None) -> None:
        """Belong to this hall from now on; None: to none."""
        self._has_left = membership is None
        if membership is not None and self._options.link.key:
            # Joined by digits or by this card: it does not count again, for any hall.
            membership = membership._replace(card=_card_name(self._options.link))
        self._keep(membership)
        self._decision = None
        self._moved.set()
        self._status.changed()

    def _keep(self, membership: Membership | None) -> None:
        try:
            self._memberships.save(membership)
        except OSError as error:
            self._memberships.newest = membership
            write_log(f"the hall cannot be stored: {error.strerror}")

    async def _stay_connected(self) -> None:
        backoff, failures = Backoff(random.random), 0
        while True:
            self._moved.clear()
            began = time.monotonic()
            try:
                await self._until_moved(self._connect_once(failures))
            except (HubUnreachable, JoinFailed, OSError) as error:
                write_log(str(error))
            if time.monotonic() - began > LONGEST:
                backoff.reset()
                failures = 0
            failures += 1
            self._status.changed()
            if not self._moved.is_set():
                await self._until_moved(asyncio.sleep(backoff.next_pause()))

    async def _until_moved(self, work: Any) -> None:  # noqa: ANN401 - any coroutine
        """Run ``work`` until it ends, or until this box belongs to another hall."""
        tasks = [asyncio.ensure_future(work), asyncio.ensure_future(self._moved.wait())]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            results = await asyncio.gather(*tasks, return_exceptions=True)
        if isinstance(results[0], Exception):
            raise results[0]

    async def _connect_once(self, failures: int) -> None:
        link, membership = self._options.link, self._memberships.newest
        # Does [link] have a card by which this box has neither joined nor left?
        former = "" if membership is None else membership.card
        if link.key and not self._has_left and former != _card_name(link):
            try:
                await self._join_by_card()
                return
            except JoinFailed as error:
                if membership is None or error.fault == "unreachable":
                    raise
                write_log(str(error))
        if membership is None:
            await self._moved.wait()
            return
        hub = parse_hub(link.hub or membership.hub)
        if failures % _FAILURES_BEFORE_LOOKING == _FAILURES_BEFORE_LOOKING - 1:
            hub = await self._find_moved_hub(membership.pin) or hub
        context = HubContext(
            table=self._table,
            sender=self._sender,
            wishes=self._wishes,
            poked=self._poked,
            keep_token=self._keep_token,
            assign=self._assign,
            changed=self._on_standing,
        )
        await HubLink(context, hub, membership.pin, membership.token).run()

    async def _join_by_card(self) -> None:
        """Join by the key of [link]. The token is kept first: the key counts for it alone."""
        link, hub = self._options.link, parse_hub(self._options.link.hub)
        file = MembershipFile(self._options.folder, PENDING_NAME)
        card, begun = _card_name(link), file.newest
        if begun is None or begun.card != card:
            begun = Membership(str(hub), link.pin, new_token(), card=card)
            file.save(begun)
        joiner = Joiner(hub, self._machine, __version__, begun.token)
        self._join(await joiner.join_by_card(link.pin, link.key))

    async def _find_moved_hub(self, pin: str) -> HostAddress | None:
        """Look for the hub's certificate at the halls that are announced."""
        halls: tuple[finding.FoundHall, ...] = ()

        def report(found: tuple[finding.FoundHall, ...]) -> None:
            nonlocal halls
            halls = found

        try:
            async with asyncio.timeout(LOOK_AROUND):
                await finding.watch_halls(report, self._options.bus)
        except (ImportError, OSError, RuntimeError, ValueError, KeyError):
            pass
        return await finding.hub_of(halls, pin)

    def _keep_token(self, token: str) -> None:
        membership = self._memberships.newest
        if membership is not None:
            self._keep(membership._replace(token=token))

    def _remark(self, sentence: str) -> None:
        """Write a sentence once."""
        if sentence not in self._remarks:
            self._remarks.add(sentence)
            write_log(sentence)


def _card_name(link: LinkSection) -> str:
    """Names the card of [link] without its key."""
    return key_of(link.key)[:16]
