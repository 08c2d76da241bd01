"""Calls matches to tables, and follows them until their results are official."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple

from scorer.hall.result_code import ResultPhase
from scorer.hub.alarms import HUB, OF_MATCH, NewAlarm
from scorer.hub.changes import BEGUN, subject_of_match, subject_of_table
from scorer.hub.decisions import (
    DecisionError,
    DecisionFault,
    Desk,
    ScannedResult,
    changed_by,
    desired_of,
)
from scorer.hub.match_place import (
    AT_END,
    HallTournament,
    ListedTournament,
    MatchKey,
    MatchPlace,
)
from scorer.hub.matches import (
    AgreedResult,
    AssignedMatch,
    Call,
    NextGame,
    OpenTournament,
    WaitingMatches,
    agreed_result,
    by_tournament,
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
    used_seconds,
    void_assignments,
    waiting_matches,
)
from scorer.hub.scores import Sitting
from scorer.hub.state import Alarm, HubState, HubView, Json, TableWish
from scorer.hub.store import log
from scorer.hub.store.log import Author
from scorer.hub.store.projections import AlarmKind, Resolution
from scorer.hub.tournaments import (
    RunningTournament,
    TournamentDesk,
    Tournaments,
    in_few_words,
)
from scorer.rules.assigned import MAX_TIME_S
from scorer.tournament import Event, Reader, Result
from scorer.tournament.events import RecordResult
from scorer.tournament.model import Ending
from scorer.tournament.public_names import unjudged

_MINUTE = 60  # seconds
_READERS = 4  # of closed tournaments, that are kept
_RELEASE: Final = {"do": "release"}
# Alarms that a later result or correction answers.
_SETTLED = (
    AlarmKind.CALL_TABLE,
    AlarmKind.CALL_CONTEST,
    AlarmKind.RESULT,
    AlarmKind.RESULT_UNDECIDED,
)


class _Found(NamedTuple):
    """The matches at the tables, and what they were found in.

    ``assigned``: to the boxes of the hall, by sitting; ``void``: assignments whose games do not
    count any more.
    """

    tournaments: Tournaments
    view: HubView
    changes: int  # of the scores
    open: Mapping[int, OpenTournament]
    assigned: Mapping[Sitting, Sequence[AssignedMatch]]
    void: Sequence[AssignedMatch]

    def is_of(self, tournaments: Tournaments, view: HubView) -> bool:
        # Both are replaced as a whole when they change; to compare them would cost as much.
        return self.tournaments is tournaments and self.view is view


class MatchCaller:
    """The matches at the tables of a hub. Coroutines raise DatabaseError."""

    def __init__(
        self,
        state: HubState,
        hall: str,
        monotonic: Callable[[], float],
        new_id: Callable[[], str],
        page_of: Callable[[int, int], str] = lambda tournament, team: "",
    ) -> None:
        """Follow ``state``.

        ``hall``: what the tag Hall of every sitting begins with; ``new_id``: the rest of it.
        ``monotonic``: seconds; each process of the hub counts from its own start. ``page_of``: as
        of ``Hub``.
        """
        self._state, self._hall = state, hall
        self._monotonic, self._new_id, self._page_of = monotonic, new_id, page_of
        self._readers: dict[int, Reader] = {}
        self._found: _Found | None = None
        # The places that nothing follows from, by tournament and match.
        self._followed: dict[int, tuple[RunningTournament, dict[str, MatchPlace]]] = {}
        self._waiting: tuple[Tournaments, HubView, WaitingMatches] | None = None
        self._agreed_since: dict[MatchKey, float] = {}
        self._ended: dict[Sitting, MatchPlace] = {}  # at the table of each sitting that is over
        self._is_following = False
        self._is_wanted = False  # again: something has changed meanwhile
        state.subscribe(self.follow)

    # ---- what is known

    def running(self, tournament: int = 0) -> RunningTournament:
        """The tournament with an id, as ``HubState.tournament``. Raises DecisionError."""
        found = self._state.tournament(tournament)
        if found is None:
            raise DecisionError("there is no tournament", DecisionFault.NO_TOURNAMENT)
        return found

    def tournament(self, tournament: int = 0) -> HallTournament | None:
        """What walls and the desk show of a tournament; None if there is none.

        A closed one was read before.
        """
        running = self._state.tournament(tournament)
        if running is None:
            return None
        reader, one = self.reader(running.id), self._open().get(running.id)
        if one is None:
            return HallTournament(running.id, reader, {}, is_open=False)
        waiting = self.waiting()
        found = {key.match: MatchPlace(0, "later") for key in waiting.later if _is_of(one, key)}
        found |= {
            key.match: MatchPlace(
                0, "ready", queue=at, waits_at=waiting.tables.get(key, frozenset())
            )
            for at, key in enumerate(waiting.ready, 1)
            if _is_of(one, key)
        }
        now = self._monotonic()
        for match, (_, place) in one.at_tables.items():
            time = None if place.time is None else place.time._replace(now=now)
            found[match] = place._replace(time=time)
        return HallTournament(running.id, reader, found)

    def open_tournaments(self) -> list[HallTournament]:
        """Those that are played, the oldest first."""
        found = map(self.tournament, self._open())
        return [each for each in found if each is not None]

    def all_tournaments(self) -> list[ListedTournament]:
        """Those that are played, then the archive, each the oldest first."""
        known = self._state.tournaments
        open_ = [in_few_words(each, self.reader(each.id)) for each in known.open]
        return [*open_, *(each.listed for each in known.archive.values())]

    def reader(self, tournament: int = 0) -> Reader:
        """What follows from a tournament. Raises DecisionError if there is none."""
        running = self.running(tournament)
        known = self._readers.pop(running.id, None)
        if known is None or known.state is not running.state:
            known = Reader(running.state)
        self._readers[running.id] = known
        for each in [*self._readers][: -len(self._state.tournaments.by_id) - _READERS]:
            del self._readers[each]
        return known

    def _open(self) -> Mapping[int, OpenTournament]:
        """The open tournaments with their matches at the tables, by id."""
        return self._now().open

    def _now(self) -> _Found:
        found, scores = self._found, self._state.scores
        if found is None or not found.is_of(self._state.tournaments, self._state.view):
            found = self._find()
        elif found.changes != scores.changes:
            found = self._with_rows(found)
        self._found = found
        return found

    def _find(self) -> _Found:
        tournaments, view = self._state.tournaments, self._state.view
        boxes = {box.device for box in view.boxes}
        # A box that was replaced hides no other one that has the match.
        active = [each for each in view.assigned if each.device in boxes]
        by_sitting: dict[Sitting, list[AssignedMatch]] = {}
        for each in active:
            by_sitting.setdefault(Sitting(each.match, each.hall), []).append(each)
        own, all_own = (by_tournament(tournaments, each) for each in (active, view.assigned))
        open_, left = {}, {box.device: box.table for box in (*view.replaced, *view.removed)}
        for running in tournaments.open:
            reader = self.reader(running.id)
            at_tables = self._at_tables(running, reader, own.get(running.id, ()))
            held = {
                match: left[device]
                for match, device in running.devices.items()
                if device in left and match not in at_tables and reader.result(match) is None
            }
            open_[running.id] = OpenTournament(running, reader, at_tables, held)
        kept = self._followed.keys() & open_.keys()
        self._followed = {each: self._followed[each] for each in kept}
        void = [
            each
            for running in tournaments.open
            for each in void_assignments(running, all_own.get(running.id, ()))
        ]
        return _Found(tournaments, view, self._state.scores.changes, open_, by_sitting, void)

    def _with_rows(self, found: _Found) -> _Found:
        """The same after rows of some tables: there are many tables, and each sends rows."""
        scores, open_ = self._state.scores, dict(found.open)
        for sitting in scores.changed_since(found.changes):
            one = open_.get(found.tournaments.halls.get(sitting.hall, 0))
            if one is not None and sitting in found.assigned:
                changed = self._at_tables(one.running, one.reader, found.assigned[sitting])
                at_tables = {**one.at_tables, **changed}
                open_[one.running.id] = one._replace(at_tables=at_tables)
        return found._replace(changes=scores.changes, open=open_)

    def _at_tables(
        self, running: RunningTournament, reader: Reader, assigned: Iterable[AssignedMatch]
    ) -> dict[str, tuple[int, MatchPlace]]:
        tables = {box.device: box.table for box in self._state.view.boxes}
        at_boxes = places(running, reader, assigned, self._state.scores)
        return {
            match: (device, place._replace(table=tables[device]))
            for match, (device, place) in at_boxes.items()
        }

    def at_tables(self, tournament: int) -> Mapping[str, tuple[int, MatchPlace]]:
        """The box and the place of every match of a tournament at a table."""
        one = self._open().get(tournament)
        return one.at_tables if one is not None else {}

    def held(self, tournament: int) -> Mapping[str, int]:
        """The number of the table at which each match waits whose box has left."""
        one = self._open().get(tournament)
        return one.held if one is not None else {}

    def place_of(self, key: MatchKey) -> MatchPlace | None:
        """The place of a match: at a table, or of an official one as it left its table."""
        if (at := self.at_tables(key.tournament).get(key.match)) is not None:
            return at[1]
        running = self.running(key.tournament)
        result = running.state.results.get(key.match)
        if result is None or key.match not in running.devices:
            return None
        device = running.devices[key.match]
        table = next((box.table for box in self._state.view.boxes if box.device == device), 0)
        sitting = Sitting(key.match, running.sittings[key.match])
        if (left := self._ended.get(sitting)) is not None:
            return left._replace(table=table)
        # Before this process has started. The hub itself decides what both teams agree to.
        state = "agreed" if running.changes[key.match].who == log.HUB else "official"
        by_time = result.ending is Ending.CAP
        return MatchPlace(table, state, result.games, result.points, by_time)

    def match_of(self, device: int) -> str:
        """The id of the match that a table has, or has played last; "" without one."""
        assigned = (each.match for each in self._state.view.assigned if each.device == device)
        last = self._state.scores.last_match(device)
        return next(assigned, "") or (last.match if last is not None else "")

    def official_winner(self, device: int) -> int | None:
        """The side, 0 or 1, that has won the match of the game that a table shows.

        None: it is of no tournament, has no official result, or no side has won; of a closed
        tournament also what the hub has recorded from the rows.
        """
        sitting = self._state.scores.sitting_of(device)
        tournament = self._state.tournaments.halls.get(sitting.hall) if sitting else None
        if sitting is None or tournament is None:
            return None
        if (closed := self._state.tournaments.archive.get(tournament)) is not None:
            return closed.winners.get(sitting.hall)
        if self.running(tournament).sittings.get(sitting.match) != sitting.hall:
            return None
        result = self.reader(tournament).result(sitting.match)
        return result.winner if result is not None else None

    def boxes_in_play(self) -> frozenset[int]:
        """The boxes at whose tables a match is called or played, of a tournament or not."""
        scores, halls = self._state.scores, self._state.tournaments.halls
        found = {
            device
            for each in self._open().values()
            for match, (device, _) in each.at_tables.items()
            if each.reader.result(match) is None
        }
        for each in self._state.view.assigned:
            # What a closed tournament has assigned is not waited for.
            if each.match and each.hall not in halls:
                progress = scores.progress_of(each.device, Sitting(each.match, each.hall), each.leg)
                if progress.state not in AT_END:
                    found.add(each.device)
        return frozenset(found)

    def called(self) -> dict[int, list[str]]:
        """The teams called to the table of each box, until they accept their match."""
        found = {}
        for each in self._open().values():
            for match, (device, place) in each.at_tables.items():
                if place.state == "offered" and each.reader.result(match) is None:
                    teams = (team for team in each.reader.sides(match) if team)
                    found[device] = [each.reader.state.teams[team].name for team in teams]
        return found

    def tournaments_of_tables(self) -> dict[int, int]:
        """The tournament of the match to which each box is called, or whose game it shows."""
        halls, found = self._state.tournaments.halls, {}
        for box in self._state.view.boxes if halls else ():
            shown = self._state.scores.sitting_of(box.device)
            if shown is not None and shown.hall in halls:
                found[box.device] = halls[shown.hall]
        for each in self._open().values():
            for match, (device, place) in each.at_tables.items():
                if place.state == "offered" and each.reader.result(match) is None:
                    found[device] = each.running.id
        return found

    def clocks(self) -> dict[int, Json]:
        """The minutes of the timed match at the table of each box."""
        now, found = self._monotonic(), {}
        for each in self._open().values():
            for match, (device, place) in each.at_tables.items():
                time = place.time
                if time is None or time.ends is None or place.state in AT_END:
                    continue
                if each.reader.result(match) is None:
                    at = time._replace(now=now)
                    found[device] = {"left": at.left, "over": at.over}
        return found

    def waiting(self) -> WaitingMatches:
        """The matches that wait for a table, or for a team."""
        found, known = self._now(), self._waiting
        # It walks all matches, and depends on no row.
        if known is None or known[0] is not found.tournaments or known[1] is not found.view:
            same = found.tournaments.is_same_person
            waiting = waiting_matches(found.open.values(), same)
            known = self._waiting = found.tournaments, found.view, waiting
        return known[2]

    def next_teams(self, most: int) -> list[list[str]]:
        """The names of both teams of the first matches that wait for a table."""
        found = []
        for key in self.waiting().ready[:most]:
            reader = self.reader(key.tournament)
            teams = (team for team in reader.sides(key.match) if team)
            found.append([reader.state.teams[team].name for team in teams])
        return found

    def free_tables(self) -> list[int]:
        """The boxes without a match, the longest free one first.

        An agreed match that is published with its round does not keep its table until then.
        """
        view, busy = self._state.view, set[int]()
        for each in self._open().values():
            waits_for_round = each.running.publish_after is None
            busy |= {
                device
                for match, (device, place) in each.at_tables.items()
                if each.reader.result(match) is None
                and not (waits_for_round and place.state == "agreed")
            }
        revs = {each.device: each.rev for each in view.assigned}
        free = (each.device for each in view.boxes if each.device not in busy | view.held)
        return sorted(free, key=lambda device: revs.get(device, 0))

    def next_calls(self, tournaments: Iterable[int] | None = None) -> list[Call]:
        """The ready matches that free tables are to get, in order.

        ``tournaments``: of these alone; None: of all.
        """
        silent = self._state.presence.is_silent
        numbers = {box.device: box.table for box in self._state.view.boxes}
        tables = {each: numbers[each] for each in self.free_tables() if not silent(each)}
        if not tables:
            return []
        waiting = self.waiting()
        wanted = None if tournaments is None else set(tournaments)
        ready = (key for key in waiting.ready if wanted is None or key.tournament in wanted)
        readers = {each.running.id: each.reader for each in self._open().values()}
        found, halls = {}, self._state.tournaments.halls
        for device in tables:
            sitting = self._state.scores.last_match(device)
            if sitting is not None and (tournament := halls.get(sitting.hall)):
                found[device] = MatchKey(tournament, sitting.match)
        return next_calls(ready, readers, tables, found, waiting.tables)

    def match_of_alarm(self, alarm: Alarm) -> MatchKey | None:
        """The match that an alarm names; None if it names none that is known."""
        tournament = self._state.tournaments.of_call(alarm.device, alarm.text, alarm.id)
        running = self._state.tournaments.by_id.get(tournament)
        is_known = running is not None and running.state.match(alarm.text) is not None
        return MatchKey(tournament, alarm.text) if is_known else None

    # ---- calls

    async def call(
        self,
        author: Author,
        key: MatchKey,
        device: int,
        seen: int | None = None,
        head: int | None = None,
    ) -> None:
        """Offer a match at the table of a box; it leaves its table before.

        ``seen``: refuse it if the match or the table has changed since then; ``head``: if the log
        has any newer entry. Raises DecisionError.
        """
        subjects = {subject_of_match(key), subject_of_table(device)}
        await self._require_unchanged(key, seen, subjects)
        at = self.at_tables(key.tournament).get(key.match)
        is_moving = at is not None and self.reader(key.tournament).result(key.match) is None
        waiting = self.waiting()
        if not is_moving and key not in waiting.ready:
            fault = DecisionFault.BUSY if key in waiting.later else DecisionFault.NOT_READY
            raise DecisionError("this match cannot be called now", fault)
        if device not in self.free_tables():
            raise DecisionError("this table is not free", DecisionFault.NOT_FREE)
        wishes = [self._assignment(key, device)]
        if at is not None and is_moving:
            wishes.append(TableWish(at[0], _RELEASE))

        def before(desk: Desk) -> None:
            if head is not None:
                desk.require_head(head)
            desk.require_unchanged(seen, subjects)
            self._publish_at(device, desk)

        await self._state.desire(author, wishes, before)

    async def _require_unchanged(self, key: MatchKey, seen: int | None, subjects: set[str]) -> None:
        """Refuse a decision on a match that has changed, or is closed.

        Raises DecisionError.
        """
        running = self.running(key.tournament)
        begun = running.changes[BEGUN]
        if seen is not None and begun.seq > seen:
            raise changed_by(begun)
        if not running.is_open:
            raise DecisionError("this tournament is closed", DecisionFault.CLOSED)
        await self._state.require_unchanged(seen, subjects)

    async def exchange(
        self, author: Author, match: MatchKey, other: MatchKey, seen: int | None = None
    ) -> None:
        """Let two tables exchange their matches, which go on with their scores.

        Closes the alarms of the two tables that it is not theirs. ``seen``: refuse it if a match
        or a table has changed since then. Raises DecisionError.
        """
        subjects = {subject_of_match(match), subject_of_match(other)}
        for each in (match, other):
            await self._require_unchanged(each, seen, subjects)
        found = {
            MatchKey(each.running.id, match): at
            for each in self._open().values()
            for match, at in each.at_tables.items()
        }
        open_ = [found[each] for each in (match, other) if self._is_open(found.get(each), each)]
        if match == other or len(open_) != 2:
            raise DecisionError(
                "these matches are not both at tables and open", DecisionFault.NO_EXCHANGE
            )
        (one, _), (two, _) = open_
        # A table that is not released goes on with the match that it plays.
        wishes = [
            TableWish(one, _RELEASE),
            self._assignment(other, one),
            TableWish(two, _RELEASE),
            self._assignment(match, two),
        ]
        alarms = [
            each.id
            for each in self._state.view.alarms
            if each.kind == AlarmKind.CALL_TABLE and each.device in (one, two)
        ]

        def before(desk: Desk) -> None:
            desk.require_unchanged(seen, {*subjects, *map(subject_of_table, (one, two))})
            for alarm in alarms:
                desk.resolve(alarm, Resolution.IGNORE)

        await self._state.desire(author, wishes, before)

    def _is_open(self, at: tuple[int, MatchPlace] | None, key: MatchKey) -> bool:
        """Whether a match is at a table that is not held, and not over."""
        if at is None or at[0] in self._state.view.held:
            return False
        return self.reader(key.tournament).result(key.match) is None and at[1].state not in AT_END

    def _next_game(self, key: MatchKey) -> tuple[Sitting, NextGame]:
        """The game that a table opens for a match: its sitting goes on unless it is over."""
        running, reader = self.running(key.tournament), self.reader(key.tournament)
        # A hub that was restored from a copy does not know what it assigned since then.
        hall = running.sittings.get(key.match) or self._unknown_hall(key)
        if hall:
            sitting = Sitting(key.match, hall)
            legs = self._state.scores.legs_of(sitting)
            following = next_game(reader.phase_of(key.match), legs)
            if following is not None or key.match not in running.sittings:
                return sitting, following or NextGame()
        return Sitting(key.match, f"{self._hall}-{self._new_id()}"), NextGame()

    def _unknown_hall(self, key: MatchKey) -> str:
        """The tag Hall of games of a match that a lost log has assigned, or ""."""
        tournaments = self._state.tournaments
        others = (each for each in tournaments.by_id.values() if each.id != key.tournament)
        names = None
        # Of the matches of closed tournaments the ids are not known.
        if tournaments.archive or any(each.state.match(key.match) is not None for each in others):
            reader = self.reader(key.tournament)
            sides = reader.sides(key.match)
            names = [reader.state.teams[team].name if team else "" for team in sides]
        return self._state.scores.unknown_hall(key.match, tournaments.halls, names)

    def _assignment(self, key: MatchKey, device: int) -> TableWish:
        """What offers a match at the table of a box, where a game begun elsewhere goes on."""
        reader, match = self.reader(key.tournament), key.match
        sitting, following = self._next_game(key)
        at = self.at_tables(key.tournament).get(match)
        playing_at = None
        if at is not None and at[1].time is not None and at[1].state not in AT_END:
            playing_at = at[0], max(0, self._monotonic() - at[1].time.began)
        more = self.running(key.tournament).more_time.get(sitting.hall, 0)
        used = used_seconds(self._state.scores, sitting, following.leg, device, playing_at)
        document = {
            "do": "assign",
            "header": header_of_match(reader, sitting, following),
            "lock": True,
            "cap": cap_seconds(reader, match, used, more),
            "tolerance": tolerance_seconds(reader, match),
            "cap_start": cap_start(reader, match),
        }
        pages = [self._page_of(key.tournament, team or 0) for team in reader.sides(match)]
        if all(pages) and not unjudged(reader.state):
            document["pages"] = pages
        return TableWish(device, document, key.tournament)

    def _publish_at(self, device: int, desk: Desk) -> None:
        """Make the agreed result at a table official, before its next match."""
        for each in self._open().values():
            for match, (at, place) in each.at_tables.items():
                result = agreed_result(each.reader, match, place)
                if at == device and result is not None:
                    event = RecordResult(match, result)
                    self._state.desk_of(desk.connection, HUB, each.running.id).decide(event)

    async def take_back(self, author: Author, key: MatchKey, seen: int | None = None) -> None:
        """Free the table of a match, or let one of ``held`` go to any table.

        Raises DecisionError.
        """
        subject = subject_of_match(key)
        await self._require_unchanged(key, seen, {subject})
        if (at := self.at_tables(key.tournament).get(key.match)) is not None:
            device = at[0]
        elif key.match in self._open()[key.tournament].held:
            device = self.running(key.tournament).devices[key.match]
        else:
            raise DecisionError("this match is at no table", DecisionFault.NO_TABLE)
        subjects = {subject, subject_of_table(device)}
        before = partial(Desk.require_unchanged, seen=seen, subjects=subjects)
        await self._state.desire(author, [TableWish(device, _RELEASE)], before)

    async def add_time(
        self, author: Author, key: MatchKey, minutes: int, seen: int | None = None
    ) -> None:
        """Let a match with a limit go on longer, from now if its time is over.

        Raises DecisionError.
        """
        subject = subject_of_match(key)
        await self._require_unchanged(key, seen, {subject})
        device, place = self.at_tables(key.tournament).get(key.match, (0, None))
        time = None if place is None or place.state in AT_END else place.time
        is_open = self.reader(key.tournament).result(key.match) is None
        if time is None or time.ends is None or not is_open:
            raise DecisionError("no time of this match runs", DecisionFault.NO_TIME)
        known = await self._state.read(partial(desired_of, device=device))
        more = int(max(0.0, self._monotonic() - time.ends)) + minutes * _MINUTE
        if known is None or known["cap"] + more > MAX_TIME_S:
            raise DecisionError("the time is too long", DecisionFault.NO_TIME)
        document = {name: value for name, value in known.items() if name != "rev"}
        wish = TableWish(device, {**document, "cap": known["cap"] + more}, key.tournament, more)

        def before(desk: Desk) -> None:
            desk.require_unchanged(seen, {subject, subject_of_table(device)})
            if desired_of(desk.connection, device) != known:
                raise DecisionError("the table has another match now", DecisionFault.CHANGED)

        await self._state.desire(author, [wish], before)

    def offered_elsewhere(self, device: int, halls: Collection[str]) -> list[MatchKey]:
        """The matches that are called at other tables, of those with these tags Hall."""
        return [
            MatchKey(each.running.id, match)
            for each in self._open().values()
            for match, (at, place) in each.at_tables.items()
            if each.running.sittings[match] in halls and at != device and place.state == "offered"
        ]

    async def close(self, author: Author, tournament: int, seen: int | None = None) -> None:
        """Put a tournament into the archive, unless one of its matches is in play.

        Raises DecisionError.
        """
        reader = self.reader(tournament)
        if any(reader.result(match) is None for match in self.at_tables(tournament)):
            raise DecisionError("a match of it is at a table", DecisionFault.IN_PLAY)
        await self._state.direct(author, partial(TournamentDesk.close, seen=seen), tournament)

    # ---- results

    async def decide(
        self, author: Author, event: Event, seen: int | None = None, tournament: int = 0
    ) -> None:
        """Append an event to a tournament. Raises DecisionError."""
        decision = partial(TournamentDesk.decide, event=event, seen=seen)
        await self._state.direct(author, decision, tournament)

    async def publish(self, author: Author, key: MatchKey, seen: int | None = None) -> None:
        """Make the agreed result of a match official now. Raises DecisionError."""
        await self._require_unchanged(key, seen, {subject_of_match(key)})
        one = self._open()[key.tournament]
        agreed = next((each for each in self._agreed_results(one) if each.match == key.match), None)
        if agreed is None:
            raise DecisionError("the teams have not agreed to a result", DecisionFault.NOT_AGREED)
        await self.decide(author, RecordResult(key.match, agreed.result), seen, key.tournament)

    def match_of_code(self, scanned: ScannedResult) -> MatchKey | None:
        """The match of the tournament that a code is of; None if it is of none."""
        tags = scanned.tags
        tournament = self._state.tournaments.halls.get(tags.hall) if tags is not None else None
        running = self._state.tournaments.by_id.get(tournament or 0)
        if running is None or not running.is_open or running.state.match(scanned.match) is None:
            return None
        return MatchKey(running.id, scanned.match)

    def result_of_code(self, scanned: ScannedResult) -> Result | None:
        """The result that a code gives its match; None: it does not decide it."""
        key, tags = self.match_of_code(scanned), scanned.tags
        if key is None or tags is None or scanned.result.phase is ResultPhase.CONTESTED:
            return None
        if self.running(key.tournament).sittings.get(tags.id) != tags.hall:
            return None
        legs = self._state.scores.legs_of(Sitting(tags.id, tags.hall), scanned.device)
        phase = self.reader(key.tournament).phase_of(tags.id)
        return result_of_code(phase, legs, tags.legs, scanned.result)

    async def report_undecided(self, device: int, key: MatchKey, source: str) -> None:
        """Raise an alarm: the result of a sitting or a code cannot be official."""
        subject = f"undecided {key.match} {source}"
        alarm = NewAlarm(device, AlarmKind.RESULT_UNDECIDED, key.match, subject=subject)
        await self._state.report(alarm)

    async def follow(self) -> None:
        """Make agreed results official, free tables, and call the next matches.

        One at a time: what it decides leads here again.
        """
        self._is_wanted = True
        if self._is_following or not self._state.tournaments.newest:
            return
        self._is_following = True
        try:
            while self._is_wanted:
                self._is_wanted = False
                while await self._follow_once():
                    pass
        finally:
            self._is_following = False

    async def _follow_once(self) -> bool:
        """Take the next step; whether there was one."""
        for tournament in [*self._open()]:
            one = self._open().get(tournament)
            if one is not None and await self._follow_tournament(one):
                return True
        if await self._close_settled():
            return True
        for void in self._now().void:
            await self._state.desire(HUB, [TableWish(void.device, _RELEASE)])
            return True
        by_itself = [each.id for each in self._state.tournaments.open if each.calls_by_itself]
        head = self._state.view.log_seq
        for call in self.next_calls(by_itself)[:1] if by_itself else ():
            try:
                # Another process of the hub may call the same match.
                await self.call(HUB, call.match, call.device, head=head)
            except DecisionError:
                await self._state.refresh()
                return False
            return True
        return False

    async def _follow_tournament(self, one: OpenTournament) -> bool:
        """Take the next step in one tournament; whether there was one."""
        running, reader = one.running, one.reader
        seen = self._state.tournaments.seq
        agreed = self._agreed_results(one)
        for each in results_to_publish(reader, agreed, running.publish_after):
            event = RecordResult(each.match, each.result)
            try:
                await self.decide(HUB, event, seen, running.id)
            except DecisionError:
                continue  # another process of the hub was first
            return True
        known, followed = self._followed.get(running.id, (None, {}))
        if known is not running:
            followed = {}
            self._followed[running.id] = running, followed
        for match, (device, place) in one.at_tables.items():
            # Each row leads here: what is the same at the other tables is passed over.
            if followed.get(match) is place:
                continue
            key, hall = MatchKey(running.id, match), running.sittings[match]
            if place.state in AT_END:
                self._ended[Sitting(match, hall)] = place
            elif reader.is_over(match):
                # Decided at the desk: a walk-over, or on paper; or not needed any more.
                self._ended.pop(Sitting(match, hall), None)  # an undo led back
                await self._state.desire(HUB, [TableWish(device, _RELEASE)])
                return True
            if goes_on(reader, match, place):
                return await self._go_on(key, device)
            if differs(reader, match, place):
                # Each decision is compared anew; another tournament has the same ids.
                subject = f"official {match} {running.changes[match].seq}"
                alarm = NewAlarm(device, AlarmKind.RESULT, match, subject=subject)
                await self._state.report(alarm)
            elif is_undecided(reader, match, place):
                await self.report_undecided(device, key, hall)
            followed[match] = place
        return False

    async def _close_settled(self) -> bool:
        """Close the alarms of matches that were decided since, or of closed tournaments.

        Returns whether there were any. A team may call again after the result.
        """
        alarms = [each.id for each in self._state.view.alarms if self._is_settled(each)]

        def close(desk: Desk) -> None:
            for alarm in alarms:
                desk.resolve(alarm, Resolution.IGNORE)

        try:
            if alarms:
                await self._state.decide(HUB, close)
        except DecisionError:
            return False  # a director was first
        return bool(alarms)

    def _is_settled(self, alarm: Alarm) -> bool:
        if alarm.kind not in OF_MATCH:
            return False
        tournaments = self._state.tournaments
        if tournaments.of_call(alarm.device, alarm.text, alarm.id) in tournaments.archive:
            return True
        key = self.match_of_alarm(alarm)
        if key is None:
            return False
        running = self.running(key.tournament)
        change = running.changes.get(key.match)
        is_answered = change is not None and alarm.id < change.seq
        has_result = self.reader(key.tournament).result(key.match) is not None
        return is_answered and alarm.kind in _SETTLED and has_result

    async def _go_on(self, key: MatchKey, device: int) -> bool:
        """Offer one more game at the table of a level match."""
        guard = partial(Desk.require_head, seq=self._state.view.log_seq)
        try:
            await self._state.desire(HUB, [self._assignment(key, device)], guard)
        except DecisionError:
            # Another process of the hub was first.
            await self._state.refresh()
            return False
        return True

    def _agreed_results(self, one: OpenTournament) -> list[AgreedResult]:
        now, found, tournament = self._monotonic(), [], one.running.id
        for match, (_, place) in one.at_tables.items():
            result = agreed_result(one.reader, match, place)
            if result is not None:
                since = self._agreed_since.get(MatchKey(tournament, match), now)
                found.append(AgreedResult(match, result, (now - since) / _MINUTE))
        # Undone and agreed again, it waits anew.
        others = {key: at for key, at in self._agreed_since.items() if key.tournament != tournament}
        own = {MatchKey(tournament, each.match): now - each.minutes * _MINUTE for each in found}
        self._agreed_since = others | own
        return found


def _is_of(one: OpenTournament, key: MatchKey) -> bool:
    return key.tournament == one.running.id
