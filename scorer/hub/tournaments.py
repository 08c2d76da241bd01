"""The tournament of a hall, folded from the log of the desk.

Every process of the hub folds the log itself. ``TournamentDesk`` checks a decision against the
newest state in the transaction that appends it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy.engine import Connection

from scorer.hub.changes import BEGUN, LastChange, subject_of, subject_of_setting
from scorer.hub.decisions import DecisionError, DecisionFault, changed_by, impossible_result
from scorer.hub.scores import match_in
from scorer.hub.store import log
from scorer.hub.store.database import DatabaseError
from scorer.hub.store.log import Author, Entry
from scorer.hub.store.projections import FOLDED, Kind
from scorer.hub.times import Clock
from scorer.system.libraries import how_to_install
from scorer.tournament import (
    Event,
    EventRefusal,
    Format,
    FormatError,
    NoEvent,
    Reader,
    Tournament,
    apply,
    as_logged,
    begin,
    consequences,
    define,
    encode,
    parse,
)
from scorer.tournament.consequences import start_taken_back
from scorer.tournament.events import (
    AnnulResult,
    CorrectResult,
    ExchangeTeams,
    MarkMissing,
    MarkPresent,
    RecordResult,
    TakeBack,
    Withdraw,
)
from scorer.tournament.export import describe
from scorer.tournament.model import Reason

Json = dict[str, Any]
_NO_PAIRING = f"rounds are paired with a library: {how_to_install('hub', 'python3-networkx')}"
SETTINGS = ("calls_by_itself", "publish_after")
# It was decided already.
_DONE = (Reason.HAS_RESULT, Reason.NO_RESULT, Reason.ALREADY_STARTED)
_FIELDS = {  # what was typed wrong
    Reason.NAME: "name",
    Reason.PLAYERS: "players",
    Reason.NOT_DRAWN: "seed",
    Reason.NOT_COMMITTED: "seed",
}
_READ = (*FOLDED, Kind.DESIRED_SET)


@dataclass(frozen=True, slots=True)
class RunningTournament:
    """The tournament that runs, or ran last.

    ``id``: seq of its first entry in the log; ``seq``: of the newest one that was folded.
    ``publish_after``: minutes from the agreement of both teams until their result is official;
    None: until the last match of the round. ``sittings``: the tag Hall under which each match was
    assigned last, unless that was annulled since; ``known_halls``: all such tags of the log.
    ``devices``: the box to whose table each match was assigned last, unless it left without a
    result. ``replaced``: the matches of the tournaments before, whose ids may be those of this one.
    """

    id: int
    state: Tournament
    seq: int
    calls_by_itself: bool = False  # ready matches to free tables
    publish_after: int | None = 0
    sittings: Mapping[str, str] = field(default_factory=dict)
    known_halls: frozenset[str] = frozenset()
    devices: Mapping[str, int] = field(default_factory=dict)
    replaced: frozenset[str] = frozenset()
    changes: Mapping[str, LastChange] = field(default_factory=dict)  # by subject
    withdrawals: Mapping[int, LastChange] = field(default_factory=dict)  # of teams that have left
    screens: Mapping[str, Json] = field(default_factory=dict)  # what each television shows


def follow(connection: Connection, known: RunningTournament | None) -> RunningTournament | None:
    """The newest tournament; ``known``: what this process has folded before.

    Raises DatabaseError.
    """
    for entry in log.entries(connection, known.seq if known else 0, _READ):
        try:
            known = _fold(known, entry)
        except ModuleNotFoundError:
            raise DatabaseError(_NO_PAIRING) from None
    return known


def events_of(connection: Connection, running: RunningTournament) -> list[Event]:
    """The events of the newest tournament, oldest first."""
    listed = log.entries(connection, running.id, (Kind.TOURNAMENT_EVENT,))
    events = (parse(entry.body["event"]) for entry in listed)
    return [each for each in events if not isinstance(each, NoEvent)]


def _fold(known: RunningTournament | None, entry: Entry) -> RunningTournament | None:
    body = entry.body
    match Kind(entry.kind):
        case Kind.TOURNAMENT_BEGUN:
            try:
                format_ = define(body["id"], body["format"])
            except FormatError:
                return known  # written by a newer program
            changes = {BEGUN: LastChange(entry.seq, entry.who, entry.at, BEGUN)}
            begun = RunningTournament(entry.seq, begin(format_), entry.seq, changes=changes)
            if known is None:
                return begun
            replaced = known.replaced.union(each.id for each in known.state.matches())
            return replace(
                begun, screens=known.screens, known_halls=known.known_halls, replaced=replaced
            )
        case _ if known is None:
            return None
        case Kind.TOURNAMENT_EVENT:
            event = parse(body["event"])
            after = None if isinstance(event, NoEvent) else apply(known.state, event)
            if isinstance(event, NoEvent) or not isinstance(after, Tournament):
                return replace(known, seq=entry.seq)
            change = LastChange(
                entry.seq, entry.who, entry.at, type(event).__name__, getattr(event, "reason", "")
            )
            changes = {**known.changes, subject_of(event): change}
            kept = _sittings_after(known, event, after)
            known = replace(known, state=after, seq=entry.seq, changes=changes)
            if isinstance(event, Withdraw):
                known = replace(known, withdrawals={**known.withdrawals, event.team: change})
            if kept is known.sittings:
                return known
            devices = {match: at for match, at in known.devices.items() if match in kept}
            return replace(known, sittings=kept, devices=devices)
        case Kind.DESIRED_SET:
            match_ = match_in(body["document"].get("header") or "")
            # A decision that is sent again is no new one: its sitting may be annulled since.
            if log.ABOVE in body:
                return replace(known, seq=entry.seq)
            at, results = body["device"], known.state.results
            devices = {
                match: device
                for match, device in known.devices.items()
                if device != at or match in results
            }
            if match_ is None:
                return replace(known, seq=entry.seq, devices=devices)
            return replace(
                known,
                seq=entry.seq,
                devices={**devices, match_.id: at},
                sittings={**known.sittings, match_.id: match_.hall},
                known_halls=known.known_halls | {match_.hall},
            )
        case Kind.TOURNAMENT_SETTINGS:
            # Each entry has the settings that it changes; a newer program may have others.
            changed = {name: body[name] for name in SETTINGS if name in body}
            changes = {
                subject_of_setting(name): LastChange(entry.seq, entry.who, entry.at, name)
                for name in changed
            }
            return replace(known, seq=entry.seq, changes={**known.changes, **changes}, **changed)
        case _:
            screens = {**known.screens, body["screen"]: body["shows"]}
            return replace(known, seq=entry.seq, screens=screens)


def _sittings_after(known: RunningTournament, event: Event, after: Tournament) -> Mapping[str, str]:
    """The sittings that still count.

    Void are those of an annulled match, of a round that was taken back, and of a match that other
    teams play now.
    """
    match event:
        case AnnulResult(annulled):
            kept = {key: hall for key, hall in known.sittings.items() if key != annulled}
        case CorrectResult() | TakeBack() | ExchangeTeams():
            kept = {**known.sittings}
        case _:
            return known.sittings
    old, new = Reader(known.state), Reader(after)
    return {
        key: hall
        for key, hall in kept.items()
        if known.state.match(key) is None
        or (after.match(key) is not None and new.sides(key) == old.sides(key))
    }


class TournamentDesk:
    """Decisions on the tournament in one transaction."""

    def __init__(
        self,
        connection: Connection,
        clock: Clock,
        author: Author,
        known: RunningTournament | None,
    ) -> None:
        """``known``: as this process has folded it."""
        self._connection, self._clock, self._author = connection, clock, author
        log.lock(connection)
        self._running = follow(connection, known)

    @property
    def running(self) -> RunningTournament:
        """The tournament with every decision so far. Raises DecisionError."""
        if self._running is None:
            raise DecisionError("there is no tournament", DecisionFault.NO_TOURNAMENT)
        return self._running

    def begin(self, format_: Format, events: Sequence[Event], replaces: int) -> int:
        """Begin a tournament in place of the one with the id ``replaces``; returns its id.

        ``events``: its teams, or the log of a file as it is. ``replaces`` 0: there is none.
        """
        if replaces != (self._running.id if self._running else 0):
            if self._running is not None:
                raise changed_by(self._running.changes[BEGUN])
            raise DecisionError("this hub has no tournament now", DecisionFault.NO_TOURNAMENT)
        state: Tournament = begin(format_)
        for event in events:
            state = _checked(apply(state, event))
        body = {"id": format_.id, "format": describe(format_)}
        seq = self._append(Kind.TOURNAMENT_BEGUN, body)
        for event in events:
            self._append_event(event)
        return seq

    def decide(self, event: Event, seen: int | None = None, how: str = "") -> int:
        """Append an event; ``seen``: the newest entry that the page of the director shows.

        ``how``: the source of a result, if it is neither rows nor paper.
        """
        self._require_unchanged(subject_of(event), seen)
        return self._decide(event, how)

    def correct(
        self, event: CorrectResult | AnnulResult, seen: int, annuls: set[str], takes_back: set[str]
    ) -> None:
        """Change a result, after annulling what rests on it.

        ``annuls``: the matches of which the director was asked, which must be those that block
        it now. ``takes_back``: the phases without results whose start is taken back.
        """
        if self.running.state.match(event.match) is None:
            raise DecisionError("unknown_match", Reason.UNKNOWN_MATCH)
        result = event.result if isinstance(event, CorrectResult) else None
        found = consequences(self.running.state, event.match, result)
        backs = {
            each.phase: start_taken_back(self.running.state, each.phase) for each in found.entrants
        }
        if annuls != set(found.blocking) or not takes_back <= backs.keys():
            raise DecisionError("what rests on this result has changed", DecisionFault.CHANGED)
        events: list[Event] = [
            *(back for phase in takes_back for back in backs[phase]),
            *(AnnulResult(match, event.reason) for match in found.blocking),
            event,
        ]
        for each in events:
            self._require_unchanged(subject_of(each), seen)
        for each in events:
            self._decide(each)

    def _require_unchanged(self, subject: str, seen: int | None) -> None:
        for each in (BEGUN, subject):
            change = self.running.changes.get(each)
            if seen is not None and change is not None and change.seq > seen:
                raise changed_by(change)

    def _decide(self, event: Event, how: str = "") -> int:
        state = self.running.state
        try:
            event = as_logged(state, event)
            after = apply(state, event)
        except ModuleNotFoundError:
            raise DecisionError(_NO_PAIRING) from None
        if isinstance(after, EventRefusal):
            if isinstance(event, RecordResult | CorrectResult) and after.fault is not None:
                raise impossible_result(Reader(state).phase_of(event.match), after.fault)
            is_done = after.reason in _DONE
            raise _refused(after, self.running.changes.get(subject_of(event)) if is_done else None)
        return self._append_event(event, **({"how": how} if how else {}))

    def mark_all(self, *, is_present: bool, seen: int | None = None) -> None:
        """Mark every team that has not left as present, or as missing."""
        state = self.running.state
        for team in sorted(state.teams.keys() - state.withdrawn):
            if (team not in state.missing) is not is_present:
                self.decide(MarkPresent(team) if is_present else MarkMissing(team), seen)

    def set(self, name: str, value: object, seen: int | None = None) -> None:
        """Change one of SETTINGS."""
        self._require_unchanged(subject_of_setting(name), seen)
        self._append(Kind.TOURNAMENT_SETTINGS, {name: value})

    def show(self, screen: str, shows: Json) -> None:
        """Decide what a television shows."""
        self._append(Kind.SCREEN_SET, {"screen": screen, "shows": shows})

    def _append_event(self, event: Event, **more: str) -> int:
        return self._append(Kind.TOURNAMENT_EVENT, {"event": encode(event), **more})

    def _append(self, kind: Kind, body: Json) -> int:
        seq = log.append(self._connection, self._clock.utc(), self._author, kind, body)
        self._running = follow(self._connection, self._running)
        return seq


def _checked(after: Tournament | EventRefusal) -> Tournament:
    if isinstance(after, EventRefusal):
        raise _refused(after)
    return after


def _refused(refusal: EventRefusal, change: LastChange | None = None) -> DecisionError:
    """``change``: the decision after which this one is refused."""
    text = " ".join((refusal.reason.value, *refusal.matches))
    return DecisionError(text, refusal.reason, change, _FIELDS.get(refusal.reason, ""))
