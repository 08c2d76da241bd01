"""Calls matches to tables, and follows them until their results are official."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, NamedTuple

from scorer.hall.result_code import ResultPhase
from scorer.hub.alarms import HUB, OF_MATCH, NewAlarm
from scorer.hub.changes import subject_of_table
from scorer.hub.decisions import DecisionError, DecisionFault, Desk, ScannedResult
from scorer.hub.match_place import AT_END, HallTournament, MatchPlace
from scorer.hub.matches import (
    AgreedResult,
    Call,
    NextGame,
    WaitingMatches,
    agreed_result,
    cap_seconds,
    cap_start,
    differs,
    goes_on,
    header_of_match,
    is_undecided,
    next_calls,
    next_game,
    places,
    result_of_code,
    results_to_publish,
    tolerance_seconds,
    void_assignments,
    waiting_matches,
)
from scorer.hub.scores import Sitting
from scorer.hub.state import Alarm, HubState, HubView, Json, Wish
from scorer.hub.store import log
from scorer.hub.store.log import Author
from scorer.hub.store.projections import AlarmKind, Resolution
from scorer.hub.tournaments import RunningTournament, TournamentDesk
from scorer.tournament import Event, Reader, Result
from scorer.tournament.events import RecordResult
from scorer.tournament.model import Ending

_MINUTE = 60  # seconds
_RELEASE: Final = {"do": "release"}
# Alarms that a later result or correction answers.
_SETTLED = (
    AlarmKind.CALL_TABLE,
    AlarmKind.CALL_CONTEST,
    AlarmKind.RESULT,
    AlarmKind.RESULT_UNDECIDED,
)


class _FoundPlaces(NamedTuple):
    """The matches at the tables, and what they were found in."""

    running: RunningTournament
    view: HubView
    changes: int  # of the scores
    at_tables: Mapping[str, tuple[int, MatchPlace]]

    def is_of(self, running: RunningTournament, view: HubView, changes: int) -> bool:
        # Both are replaced as a whole when they change; to compare them would cost as much.
        return self.running is running and self.view is view and self.changes == changes


class MatchCaller:
    """The matches at the tables of a hub. Coroutines raise DatabaseError."""

    def __init__(
        self,
        state: HubState,
        hall: str,
        monotonic: Callable[[], float],
        new_id: Callable[[], str],
    ) -> None:
        """Follow ``state``.

        ``hall``: what the tag Hall of every sitting begins with; ``new_id``: the rest of it.
        ``monotonic``: seconds; each process of the hub counts from its own start.
        """
        self._state, self._hall = state, hall
        self._monotonic, self._new_id = monotonic, new_id
        self._newest: Reader | None = None
        self._found: _FoundPlaces | None = None
        self._agreed_since: dict[str, float] = {}
        self._ended: dict[Sitting, MatchPlace] = {}  # at the table of each sitting that is over
        self._is_following = False
        self._is_wanted = False  # again: something has changed meanwhile
        state.subscribe(self.follow)

    @property
    def tournament(self) -> HallTournament | None:
        """What walls and the desk show; None without a tournament."""
        running = self._state.running
        if running is None:
            return None
        at_tables = self.at_tables()
        later = waiting_matches(self.reader, at_tables).later
        found = {match: MatchPlace(0, "later") for match in later}
        found |= {match: place for match, (_, place) in at_tables.items()}
        return HallTournament(self.reader, found, running.screens)

    @property
    def reader(self) -> Reader:
        """What follows from the tournament. Raises DecisionError if there is none."""
        running = self._state.running
        if running is None:
            raise DecisionError("there is no tournament", DecisionFault.NO_TOURNAMENT)
        if self._newest is None or self._newest.state is not running.state:
            self._newest = Reader(running.state)
        return self._newest

    def at_tables(self) -> Mapping[str, tuple[int, MatchPlace]]:
        """The box and the place of every match at a table."""
        view, running, scores = self._state.view, self._state.running, self._state.scores
        if running is None:
            return {}
        if self._found is None or not self._found.is_of(running, view, scores.changes):
            tables = {box.device: box.table for box in view.boxes}
            # A box that was replaced hides no other one that has the match.
            assigned = [each for each in view.assigned if each.device in tables]
            at_tables = {
                match: (device, place._replace(table=tables[device]))
                for match, (device, place) in places(running, self.reader, assigned, scores).items()
            }
            self._found = _FoundPlaces(running, view, scores.changes, at_tables)
        return self._found.at_tables

    def place_of(self, match: str) -> MatchPlace | None:
        """The place of a match: at a table, or of an official one as it left its table."""
        running = self._state.running
        if (at := self.at_tables().get(match)) is not None:
            return at[1]
        result = None if running is None else running.state.results.get(match)
        if running is None or result is None or match not in running.devices:
            return None
        device = running.devices[match]
        table = next((box.table for box in self._state.view.boxes if box.device == device), 0)
        if (left := self._ended.get(Sitting(match, running.sittings[match]))) is not None:
            return left._replace(table=table)
        # Before this process has started. The hub itself decides what both teams agree to.
        state = "agreed" if running.changes[match].who == log.HUB else "official"
        by_time = result.ending is Ending.CAP
        return MatchPlace(table, state, result.games, result.points, by_time)

    def match_of(self, device: int) -> str:
        """The match that a table has, or has played last; "" without one."""
        assigned = (each.match for each in self._state.view.assigned if each.device == device)
        return next(assigned, "") or self._state.scores.last_match(device)

    def has_open_match(self) -> frozenset[int]:
        """The boxes at whose tables a match is called or played, of the tournament or not."""
        running, scores = self._state.running, self._state.scores
        found = {
            device
            for match, (device, _) in self.at_tables().items()
            if self.reader.result(match) is None
        }
        of_tournament = {} if running is None else running.sittings
        since = 0 if running is None else running.id
        for each in self._state.view.assigned:
            # What a replaced tournament has assigned is not waited for.
            if each.match and each.match not in of_tournament and each.rev > since:
                progress = scores.progress_of(each.device, Sitting(each.match, each.hall), each.leg)
                if progress.state not in AT_END:
                    found.add(each.device)
        return frozenset(found)

    def called(self) -> dict[int, list[str]]:
        """The teams called to the table of each box, until they accept their match."""
        running, scores = self._state.running, self._state.scores
        if running is None:
            return {}
        return {
            each.device: [
                self.reader.state.teams[team].name for team in self.reader.sides(each.match) if team
            ]
            for each in self._state.view.assigned
            if running.sittings.get(each.match) == each.hall
            and self.reader.state.match(each.match) is not None
            and self.reader.result(each.match) is None
            and not scores.has_opened(each.device, Sitting(each.match, each.hall), each.leg)
        }

    def waiting(self) -> WaitingMatches:
        """The matches that wait for a table, or for a team."""
        return waiting_matches(self.reader, self.at_tables())

    def free_tables(self) -> list[int]:
        """The boxes without a match, the longest free one first.

        An agreed match that is published with its round does not keep its table until then.
        """
        view, running = self._state.view, self._state.running
        waits_for_round = running is not None and running.publish_after is None
        busy = {
            device
            for match, (device, place) in self.at_tables().items()
            if self.reader.result(match) is None
            and not (waits_for_round and place.state == "agreed")
        }
        revs = {each.device: each.rev for each in view.assigned}
        free = (each.device for each in view.boxes if each.device not in busy | view.held)
        return sorted(free, key=lambda device: revs.get(device, 0))

    def next_calls(self) -> list[Call]:
        """The ready matches that free tables are to get, in order."""
        tables = [each for each in self.free_tables() if not self._state.presence.is_silent(each)]
        last = {device: self._state.scores.last_match(device) for device in tables}
        return next_calls(self.reader, self.at_tables(), tables, last)

    async def call(
        self,
        author: Author,
        match: str,
        device: int,
        seen: int | None = None,
        head: int | None = None,
    ) -> None:
        """Offer a match at the table of a box; it leaves its table before.

        ``seen``: refuse it if the match or the table has changed since then; ``head``: if the log
        has any newer entry. Raises DecisionError.
        """
        subjects = {match, subject_of_table(device)}
        await self._state.require_unchanged(seen, subjects)
        at = self.at_tables().get(match)
        is_moving = at is not None and self.reader.result(match) is None
        if not is_moving and match not in self.waiting().ready:
            raise DecisionError("this match cannot be called now", DecisionFault.NOT_READY)
        if device not in self.free_tables():
            raise DecisionError("this table is not free", DecisionFault.NOT_FREE)
        wishes: list[Wish] = [(device, self._assignment(match))]
        if at is not None and is_moving:
            wishes.append((at[0], _RELEASE))

        def before(desk: Desk) -> None:
            if head is not None:
                desk.require_head(head)
            desk.require_unchanged(seen, subjects)
            self._publish_at(device, desk)

        await self._state.desire(author, wishes, before)

    async def exchange(
        self, author: Author, match: str, other: str, seen: int | None = None
    ) -> None:
        """Let two tables exchange their matches, which go on with their scores.

        Closes the alarms of the two tables that it is not theirs. ``seen``: refuse it if a match
        or a table has changed since then. Raises DecisionError.
        """
        await self._state.require_unchanged(seen, {match, other})
        found = self.at_tables()
        open_ = [found[each] for each in (match, other) if self._is_open(found.get(each), each)]
        if match == other or len(open_) != 2:
            raise DecisionError(
                "these matches are not both at tables and open", DecisionFault.NO_EXCHANGE
            )
        (one, _), (two, _) = open_
        # A table that is not released goes on with the match that it plays.
        wishes: list[Wish] = [
            (one, _RELEASE),
            (one, self._assignment(other)),
            (two, _RELEASE),
            (two, self._assignment(match)),
        ]
        alarms = [
            each.id
            for each in self._state.view.alarms
            if each.kind == AlarmKind.CALL_TABLE and each.device in (one, two)
        ]

        def before(desk: Desk) -> None:
            desk.require_unchanged(seen, {match, other, *map(subject_of_table, (one, two))})
            for alarm in alarms:
                desk.resolve(alarm, Resolution.IGNORE)

        await self._state.desire(author, wishes, before)

    def _is_open(self, at: tuple[int, MatchPlace] | None, match: str) -> bool:
        """Whether a match is at a table that is not held, and not over."""
        if at is None or at[0] in self._state.view.held or self.reader.result(match) is not None:
            return False
        return at[1].state not in AT_END

    def _next_game(self, match: str) -> tuple[Sitting, NextGame]:
        """The game that a table opens for a match: its sitting goes on unless it is over."""
        running, scores = self._state.running, self._state.scores
        assert running is not None  # or the match could not be called
        # A hub that was restored from a copy does not know what it assigned since then.
        hall = running.sittings.get(match) or scores.unknown_hall(match, running.known_halls)
        if hall:
            sitting = Sitting(match, hall)
            following = next_game(self.reader.phase_of(match), scores.legs_of(sitting))
            if following is not None or match not in running.sittings:
                return sitting, following or NextGame()
        return Sitting(match, f"{self._hall}-{self._new_id()}"), NextGame()

    def _assignment(self, match: str) -> Json:
        """What offers a match at a table, where a game that has begun elsewhere goes on."""
        return {
            "do": "assign",
            "header": header_of_match(self.reader, *self._next_game(match)),
            "lock": True,
            "cap": cap_seconds(self.reader, match),
            "tolerance": tolerance_seconds(self.reader, match),
            "cap_start": cap_start(self.reader, match),
        }

    def _publish_at(self, device: int, desk: Desk) -> None:
        """Make the agreed result at a table official, before its next match."""
        for match, (at, place) in self.at_tables().items():
            result = agreed_result(self.reader, match, place)
            if at == device and result is not None:
                event = RecordResult(match, result)
                self._state.desk_of(desk.connection, HUB).decide(event)

    async def take_back(self, author: Author, match: str, seen: int | None = None) -> None:
        """Free the table of a match. Raises DecisionError."""
        await self._state.require_unchanged(seen, {match})
        at = self.at_tables().get(match)
        if at is None:
            raise DecisionError("this match is at no table", DecisionFault.NO_TABLE)
        subjects = {match, subject_of_table(at[0])}
        before = partial(Desk.require_unchanged, seen=seen, subjects=subjects)
        await self._state.desire(author, [(at[0], _RELEASE)], before)

    async def decide(self, author: Author, event: Event, seen: int | None = None) -> None:
        """Append an event to the tournament. Raises DecisionError."""
        await self._state.direct(author, partial(TournamentDesk.decide, event=event, seen=seen))

    async def publish(self, author: Author, match: str, seen: int | None = None) -> None:
        """Make the agreed result of a match official now. Raises DecisionError."""
        await self._state.require_unchanged(seen, {match})
        agreed = next((each for each in self._agreed_results() if each.match == match), None)
        if agreed is None:
            raise DecisionError("the teams have not agreed to a result", DecisionFault.NOT_AGREED)
        await self.decide(author, RecordResult(match, agreed.result), seen)

    def result_of_code(self, scanned: ScannedResult) -> Result | None:
        """The result that a code gives its match; None: it does not decide it."""
        running, tags = self._state.running, scanned.tags
        if running is None or tags is None or running.sittings.get(tags.id) != tags.hall:
            return None
        if not self.is_match(tags.id) or scanned.result.phase is ResultPhase.CONTESTED:
            return None
        legs = self._state.scores.legs_of(Sitting(tags.id, tags.hall), scanned.device)
        return result_of_code(self.reader.phase_of(tags.id), legs, tags.legs, scanned.result)

    def is_match(self, match: str) -> bool:
        """Whether the tournament has a match of this id."""
        return self._state.running is not None and self.reader.state.match(match) is not None

    async def report_undecided(self, device: int, match: str, source: str) -> None:
        """Raise an alarm: the result of a sitting or a code cannot be official."""
        subject = f"undecided {match} {source}"
        alarm = NewAlarm(device, AlarmKind.RESULT_UNDECIDED, match, subject=subject)
        await self._state.report(alarm)

    async def follow(self) -> None:
        """Make agreed results official, free tables, and call the next matches.

        One at a time: what it decides leads here again.
        """
        self._is_wanted = True
        if self._is_following or self._state.running is None:
            return
        self._is_following = True
        try:
            while self._is_wanted:
                self._is_wanted = False
                while await self._follow_once():
                    pass
        finally:
            self._is_following = False

    async def _close_settled(self, running: RunningTournament) -> bool:
        """Close the alarms of matches that were decided or replaced since.

        A team may call again after the result. Returns whether there were any.
        """
        alarms = [each.id for each in self._state.view.alarms if self._is_settled(running, each)]

        def close(desk: Desk) -> None:
            for alarm in alarms:
                desk.resolve(alarm, Resolution.IGNORE)

        try:
            if alarms:
                await self._state.decide(HUB, close)
        except DecisionError:
            return False  # a director was first
        return bool(alarms)

    def _is_settled(self, running: RunningTournament, alarm: Alarm) -> bool:
        if alarm.kind not in OF_MATCH:
            return False
        if alarm.id < running.id:
            return alarm.text in running.replaced
        change = running.changes.get(alarm.text)
        is_answered = change is not None and alarm.id < change.seq
        return is_answered and alarm.kind in _SETTLED and self.reader.result(alarm.text) is not None

    async def _follow_once(self) -> bool:
        """Take the next step; whether there was one."""
        running = self._state.running
        if running is None:
            return False
        after, seen, sittings = running.publish_after, running.seq, running.sittings
        for each in results_to_publish(self.reader, self._agreed_results(), after):
            try:
                await self.decide(HUB, RecordResult(each.match, each.result), seen)
            except DecisionError:
                continue  # another process of the hub was first
            return True
        if await self._close_settled(running):
            return True
        for match, (device, place) in self.at_tables().items():
            if place.state in AT_END:
                self._ended[Sitting(match, sittings[match])] = place
            elif self.reader.is_over(match):
                # Decided at the desk: a walk-over, or on paper; or not needed any more.
                self._ended.pop(Sitting(match, sittings[match]), None)  # an undo led back
                await self._state.desire(HUB, [(device, _RELEASE)])
                return True
            if goes_on(self.reader, match, place):
                return await self._go_on(match, device)
            if differs(self.reader, match, place):
                # Each decision is compared anew; the next tournament has the same ids.
                subject = f"official {match} {running.changes[match].seq}"
                alarm = NewAlarm(device, AlarmKind.RESULT, match, subject=subject)
                await self._state.report(alarm)
            elif is_undecided(self.reader, match, place):
                await self.report_undecided(device, match, sittings[match])
        for void in void_assignments(running, self._state.view.assigned):
            await self._state.desire(HUB, [(void.device, _RELEASE)])
            return True
        return await self._call_next()

    async def _go_on(self, match: str, device: int) -> bool:
        """Offer one more game at the table of a level match."""
        guard = partial(Desk.require_head, seq=self._state.view.log_seq)
        try:
            await self._state.desire(HUB, [(device, self._assignment(match))], guard)
        except DecisionError:
            # Another process of the hub was first.
            await self._state.refresh()
            return False
        return True

    def _agreed_results(self) -> list[AgreedResult]:
        now, found = self._monotonic(), []
        for match, (_, place) in self.at_tables().items():
            result = agreed_result(self.reader, match, place)
            if result is not None:
                since = self._agreed_since.get(match, now)
                found.append(AgreedResult(match, result, (now - since) / _MINUTE))
        # Undone and agreed again, it waits anew.
        self._agreed_since = {each.match: now - each.minutes * _MINUTE for each in found}
        return found

    async def _call_next(self) -> bool:
        running = self._state.running
        if running is None or not running.calls_by_itself:
            return False
        head = self._state.view.log_seq
        for call in self.next_calls()[:1]:
            try:
                # Another process of the hub may call the same match.
                await self.call(HUB, call.match, call.device, head=head)
            except DecisionError:
                await self._state.refresh()
                return False
            return True
        return False
