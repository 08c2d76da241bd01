"""The hall of one table: epoch, assigned matches, link's report, wishes.

Epoch, assignments and the call of the director are settings of the store, so that a power cut keeps
them; reports and the other wishes end with the process.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from scorer.api.client_reports import ClientReports
from scorer.records.game_log import GameLog
from scorer.session.play.timers import expire
from scorer.session.setup.hall_menu import open_wish, set_hall
from scorer.session.values.effects import Effect
from scorer.session.values.hall import Assignment, CallReason, Decision, Wish, WishKind
from scorer.session.values.shown import HallState, HallView
from scorer.session.values.state import Session
from scorer.store import epoch
from scorer.store.epoch import StoreEpoch, new_epoch, read_epoch
from scorer.store.journal import StoreError
from scorer.table.guest import Guest, ServiceReport
from scorer.table.observers import StateObserver
from scorer.table.state_publisher import match_document

if TYPE_CHECKING:
    from scorer.api.hall_report import HallReport
    from scorer.config.sources import SettingsStore
    from scorer.rules.model import Match

ASSIGNMENT_KEY: Final = "assignment"  # of the settings
CALL_KEY: Final = "call"
_WISH_ID_BYTES: Final = 4


class TableHall(Guest):
    """Raises StoreError at the start, and where a method says so."""

    handles = frozenset((Wish,))

    def __init__(self, store: SettingsStore, game_log: GameLog, observer: StateObserver) -> None:
        self._store, self._game_log, self._observer = store, game_log, observer
        settings = store.settings()
        self.epoch: StoreEpoch | None = read_epoch(settings)
        self.decision, self.assignments = _read_assignments(settings.get(ASSIGNMENT_KEY))
        self._reports = ClientReports(observer.has_client, HallView())
        self._kept_call = settings.get(CALL_KEY, "")
        # By id, with the match of a call.
        self._wishes: dict[str, tuple[Wish, str | None]] = _read_call(self._kept_call)
        if self.epoch is None:
            # A full card must not prevent the start; the next one tries again.
            with suppress(StoreError):
                self.renew_epoch()
        else:
            observer.set_epoch(self.epoch_document())

    def handle(self, effect: Effect | ServiceReport, session: Session, now: float) -> Session:
        assert isinstance(effect, Wish)
        match = match_document(session)
        self.add_wish(effect, None if match is None else match["id"])
        return session

    def refresh(self, session: Session, now: float) -> Session:
        """The session with hall and matches; a new offer lights the panels."""
        self.follow_setup(open_wish(session))
        view = self.view(self._game_log.seq)
        if view != session.hall:
            session = set_hall(session, view)
        if self.assignments is not session.assignments:
            before = session.offer
            session = session._replace(assignments=self.assignments)
            if session.offer != before:
                session = expire(session, now)._replace(touched_at=now)
        return session

    # The epoch.

    def renew_epoch(self, old: str | None = None) -> None:
        """Begin a new epoch, with ``old`` only in place of that one. Raises StoreError."""
        if old is None or self.epoch is None or self.epoch.id == old:
            begun = new_epoch(self._game_log.first_row())
            self._store.set_setting(epoch.KEY, json.dumps(begun.document()))
            self.epoch = begun
            self._observer.set_epoch(self.epoch_document())

    def epoch_document(self) -> dict[str, Any] | None:
        """The epoch as the socket sends it; None without one."""
        return None if self.epoch is None else self.epoch.document()

    # Assigned matches.

    def decide(self, new: Decision, assigned: Assignment | None, played: Match | None) -> bool:
        """Store a decision: a match, or None for none. Raises StoreError.

        False if a newer one is stored, or another one of its number; each hall counts its own.
        ``played`` is the match in play, whose assignment is kept.
        """
        known, assignments = self.decision, self.assignments
        if "" not in (new.hall, known.hall) and new.hall != known.hall:
            known, assignments = Decision(), ()
        if new.rev <= known.rev:
            return new.rev == known.rev and known.digest in ("", new.digest)
        kept: tuple[Assignment, ...] = ()
        if assigned is not None:
            if played is not None and not played.is_with(assigned.match):
                kept = tuple(each for each in assignments if played.is_with(each.match))
            kept = (*kept[-1:], assigned)
        self._keep(new._replace(hall=new.hall or known.hall), kept)
        return True

    def forget_decisions(self) -> None:
        """The box is in no hall. Raises StoreError."""
        self._keep(Decision(), ())

    def decision_document(self) -> dict[str, Any] | None:
        """The newest decision as the socket sends it; None without one."""
        return self.decision._asdict() if self.decision.rev else None

    def _keep(self, decision: Decision, assignments: tuple[Assignment, ...]) -> None:
        # Imported lazily: most tables are in no hall.
        from scorer.api import assignment

        listed = [assignment.assignment_document(each) for each in assignments]
        value = json.dumps({**decision._asdict(), "matches": listed}, ensure_ascii=False)
        self._store.set_setting(ASSIGNMENT_KEY, value)
        self.decision, self.assignments = decision, assignments

    # The report of the link, and the wishes for it.

    def put_report(self, client: int, report: HallReport) -> None:
        """Store the report of a link; wishes that it has carried out end."""
        self._reports.put(client, report.view)
        for each in report.done:
            self._wishes.pop(each, None)
        self._keep_call()

    def view(self, seq: int) -> HallView:
        """The newest report; the QR code of an older row than ``seq`` is left out."""
        report = self._reports.newest()
        return report._replace(
            qr=report.qr if report.qr_seq == seq else "",
            is_calling=any(wish.kind is WishKind.CALL for wish, _ in self._wishes.values()),
        )

    def is_unsent(self, seq: int, *, is_match: bool) -> bool:
        """True while rows wait here; while the hall is online, none waits long."""
        report = self._reports.newest()
        if report.state is HallState.ONLINE or not (report.is_member or is_match):
            return False
        begun = 0 if self.epoch is None else self.epoch.first - 1
        return seq > max(report.sent, begun)

    def add_wish(self, wish: Wish, match: str | None) -> None:
        """Publish a wish in place of an older one of its kind.

        A call lasts until the hub has it, over power cuts too, or until the box leaves the hall.
        """
        self._drop(wish.kind)
        if wish.kind is WishKind.JOIN:
            self._drop(WishKind.CANCEL)
            self._drop(WishKind.SAME)
        if wish.kind is WishKind.LEAVE:
            self._drop(WishKind.CALL)
        self._wishes[os.urandom(_WISH_ID_BYTES).hex()] = (wish, match)
        self._keep_call()

    def _keep_call(self) -> None:
        """Store the call that the hub does not have yet."""
        calls = (each for each in self.wish_documents() if each["do"] == WishKind.CALL)
        newest = next(calls, None)
        text = "" if newest is None else json.dumps(newest, ensure_ascii=False)
        if text == self._kept_call:
            return
        # A card that takes nothing must not prevent the call.
        with suppress(StoreError):
            self._store.set_setting(CALL_KEY, text)
            self._kept_call = text

    def follow_setup(self, open_wish: WishKind | None) -> None:
        """Withdraw what set-up does not show any more; a join is then cancelled."""
        if self._reports.newest().is_member:
            for kind in (WishKind.FIND, WishKind.JOIN, WishKind.SAME, WishKind.CANCEL):
                self._drop(kind)
        if open_wish is None:
            self._drop(WishKind.FIND)
        if open_wish is not WishKind.JOIN:
            self._drop(WishKind.SAME)
            if self._drop(WishKind.JOIN):
                self.add_wish(Wish(WishKind.CANCEL), None)

    def wishes(self) -> tuple[tuple[str, Wish, str | None], ...]:
        """The wishes with their ids, oldest first."""
        return tuple((name, wish, match) for name, (wish, match) in self._wishes.items())

    def wish_documents(self) -> list[dict[str, Any]]:
        """The wishes as the state publishes them, oldest first (socket.md#wishes)."""
        documents = []
        for name, wish, match in self.wishes():
            document: dict[str, Any] = {"id": name, "do": wish.kind}
            if wish.kind is WishKind.JOIN:
                document["hall"] = wish.hall
            if wish.kind is WishKind.SAME:
                document["digits"] = wish.digits
            if wish.kind is WishKind.CALL:
                document |= {"why": wish.why, "match": match}
            documents.append(document)
        return documents

    def _drop(self, kind: WishKind) -> bool:
        """Drop the wishes of a kind; return whether there was one."""
        count = len(self._wishes)
        kept = self._wishes.items()
        self._wishes = {name: each for name, each in kept if each[0].kind is not kind}
        return len(self._wishes) < count


def _read_assignments(text: str | None) -> tuple[Decision, tuple[Assignment, ...]]:
    """The newest decision and its matches; none if another version wrote them."""
    if text is None:
        return Decision(), ()
    # Imported lazily: most tables are in no hall.
    from scorer.api import assignment

    try:
        kept = json.loads(text)
        digest, hall = str(kept.get("digest", "")), str(kept.get("hall", ""))
        decision = Decision(int(kept.get("rev", 0)), digest, hall)
        listed = tuple(map(assignment.parse_kept, kept.get("matches", ())))
    except (ValueError, TypeError, AttributeError):
        return Decision(), ()
    return decision, tuple(each for each in listed if not isinstance(each, str))


def _read_call(text: str) -> dict[str, tuple[Wish, str | None]]:
    """The stored call by its id; none if another version wrote it."""
    if not text:
        return {}
    try:
        kept = json.loads(text)
        wish = Wish(WishKind.CALL, why=CallReason(kept["why"]))
        match = kept["match"]
        return {str(kept["id"]): (wish, None if match is None else str(match))}
    except (ValueError, TypeError, KeyError):
        return {}
