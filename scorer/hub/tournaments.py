"""The tournaments of a hall, folded from the log of the desk.

Every process of the hub folds the log itself. ``TournamentDesk`` checks a decision against the
newest state in the transaction that appends it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import combinations, zip_longest
from typing import Any, NamedTuple

from sqlalchemy.engine import Connection

from scorer.hub.changes import (
    BEGUN,
    CLOSED,
    LastChange,
    subject_of,
    subject_of_setting,
    tournament_of,
)
from scorer.hub.decisions import (
    MORE_TIME,
    DecisionError,
    DecisionFault,
    changed_by,
    impossible_result,
)
from scorer.hub.match_place import ListedTournament
from scorer.hub.scores import match_in
from scorer.hub.store import log
from scorer.hub.store.database import DatabaseError
from scorer.hub.store.kept import Kept, drop, keep, read_kept
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
    AnswerNames,
    BlankName,
    ChangeTeam,
    CorrectResult,
    ExchangeTeams,
    MarkMissing,
    MarkPresent,
    PairRound,
    RecordResult,
    TakeBack,
    Withdraw,
)
from scorer.tournament.export import describe
from scorer.tournament.fold import pairing_task
from scorer.tournament.model import Names, Reason, Team
from scorer.tournament.names import Likeness, NameIndex, likeness, name_key
from scorer.tournament.swiss import PairedRound, PairingTask

Json = dict[str, Any]
NO_PAIRING = f"rounds are paired with a library: {how_to_install('hub', 'python3-networkx')}"
SETTINGS = ("calls_by_itself", "publish_after", "priority")
PRIORITIES = range(1, 4)  # of a tournament whose matches are called first, as ever, last
# It was decided already.
_DONE = (Reason.HAS_RESULT, Reason.NO_RESULT, Reason.ALREADY_STARTED)
_FIELDS = {  # what was typed wrong
    Reason.NAME: "name",
    Reason.DATE: "date",
    Reason.PLAYERS: "players",
    Reason.NOT_DRAWN: "seed",
    Reason.NOT_COMMITTED: "seed",
}
_READ = (*FOLDED, Kind.DESIRED_SET)
_OF_ALL = (  # entries of no tournament alone
    Kind.PEOPLE_COMPARED,
    Kind.SCREEN_SET,
    Kind.GAMES_LEFT,
    Kind.NAMES_FORGOTTEN,
)
_SUMMARY = "tournament {}"  # the name of what is kept of a closed tournament
_RESULTS = {each.__name__ for each in (RecordResult, CorrectResult, AnnulResult)}


@dataclass(frozen=True, slots=True)
class RunningTournament:
    """A tournament of the hall.

    ``id``: seq of its first entry in the log. ``is_open``: False in the archive. ``priority``:
    one of PRIORITIES. ``publish_after``: minutes from the agreement of both teams until their
    result is official; None: until the last match of the round. ``sittings``: the tag Hall under
    which each match was assigned last, unless that was annulled since. ``devices``: the box to
    whose table each match was assigned last, unless it left without a result. ``more_time``: the
    seconds that the sitting with a tag Hall may take beyond the limit of its phase.
    """

    id: int
    state: Tournament
    is_open: bool = True
    calls_by_itself: bool = False  # ready matches to free tables
    publish_after: int | None = 0
    priority: int = 2
    sittings: Mapping[str, str] = field(default_factory=dict)
    devices: Mapping[str, int] = field(default_factory=dict)
    more_time: Mapping[str, int] = field(default_factory=dict)
    changes: Mapping[str, LastChange] = field(default_factory=dict)  # by subject
    withdrawals: Mapping[int, LastChange] = field(default_factory=dict)  # of teams that have left

    @property
    def newest_result(self) -> int:
        """The newest entry of the log that records, corrects or annuls a result, or 0."""
        listed = (each.seq for each in self.changes.values() if each.what in _RESULTS)
        return max(listed, default=0)


class ClosedTournament(NamedTuple):
    """What is known of a tournament in the archive; ``read_closed`` reads the whole.

    ``until``: its newest entry in the log. ``winners``: the side that has won, by the tag Hall of
    each sitting whose result a person has entered.
    """

    listed: ListedTournament
    begun: LastChange
    closed: LastChange
    until: int
    newest_result: int
    winners: Mapping[str, int]


class SharedName(NamedTuple):
    """The key of a name that two tournaments have; the older one is first.

    ``other_name``: the key in the second one, if it is one wrong letter away; "": the same.
    """

    name: str
    tournament: int
    other: int
    other_name: str = ""


class WrittenNames(NamedTuple):
    """A name as each of two tournaments has written it."""

    text: str
    other_text: str


@dataclass(frozen=True, slots=True)
class Tournaments:
    """All tournaments of the hall.

    ``seq``: of the newest entry that was folded; ``newest``: of the tournament begun last.
    ``by_id``: the open ones, ``archive``: the closed ones, each the oldest first. ``halls``: the
    tournament of each tag Hall that was assigned, 0 of one that a lost log has assigned. ``calls``:
    the assignments of each match to each box, as pairs of seq and tournament. ``is_same_person``:
    the answers of the desk that it has not taken back. ``screens``: what each television shows.
    ``forgotten``: the newest entry that forgets a name.
    """

    seq: int = 0
    newest: int = 0
    by_id: Mapping[int, RunningTournament] = field(default_factory=dict)
    archive: Mapping[int, ClosedTournament] = field(default_factory=dict)
    halls: Mapping[str, int] = field(default_factory=dict)
    calls: Mapping[tuple[int, str], Sequence[tuple[int, int]]] = field(default_factory=dict)
    is_same_person: Mapping[SharedName, bool] = field(default_factory=dict)
    screens: Mapping[str, Json] = field(default_factory=dict)
    forgotten: int = 0

    @property
    def open(self) -> list[RunningTournament]:
        """Those that are played, the oldest first."""
        return [*self.by_id.values()]

    @property
    def first_open(self) -> RunningTournament | None:
        """The one that is meant where none is named; None without one."""
        return next(iter(self.open), None)

    def get(self, tournament: int = 0) -> RunningTournament | None:
        """The open tournament with an id; 0: ``first_open``."""
        return self.by_id.get(tournament) if tournament else self.first_open

    def of_call(self, device: int, match: str, seq: int) -> int:
        """The tournament of a match that a box named in the entry ``seq``; 0: unknown."""
        known = [each for at, each in self.calls.get((device, match), ()) if at < seq]
        return known[-1] if known else 0


def names_of(team: Team) -> frozenset[str]:
    """The keys of the names that no match of another tournament may have in play.

    Of the team and its players.
    """
    return frozenset(map(name_key, (*([] if team.is_blank else [team.name]), *team.listed)))


def shared_names(tournaments: Tournaments) -> Iterator[tuple[SharedName, WrittenNames]]:
    """The names that may be of one person in two open tournaments, the oldest first.

    Also those of which the desk has answered whether they are.
    """
    if len(opened := tournaments.open) < 2:
        return
    listed = {each.id: _written_names(each.state) for each in opened}
    for one, other in combinations(listed, 2):
        for text, other_text in _compared(listed[one], listed[other]):
            is_same = likeness(text, other_text) is Likeness.SAME
            other_name = "" if is_same else name_key(other_text)
            shared = SharedName(name_key(text), one, other, other_name)
            yield shared, WrittenNames(text, other_text)


def _written_names(state: Tournament) -> tuple[str, ...]:
    """The names of the teams that have not left, one of each key."""
    teams = [team for team in state.teams.values() if team.id not in state.withdrawn]
    named = [team for team in teams if not team.is_blank]
    found = {name_key(name): name for team in named for name in (team.name, *team.listed)}
    return tuple(found.values())


# The desk asks every two seconds; the names of a tournament rarely change.
@lru_cache(maxsize=64)
def _compared(names: tuple[str, ...], others: tuple[str, ...]) -> tuple[WrittenNames, ...]:
    """The names that are the same, and those that are alike and have no same one."""
    index = NameIndex((name, name) for name in others)
    found = {name: index.find(name) for name in names}
    like = {
        text: other for text, pairs in found.items() for how, other in pairs if how is Likeness.SAME
    }
    taken = set(like.values())
    listed = []
    for name, pairs in found.items():
        if name in like:
            listed.append(WrittenNames(name, like[name]))
        else:
            listed += [WrittenNames(name, other) for _, other in pairs if other not in taken]
    return tuple(listed)


class _Applied(NamedTuple):
    """A decision that this process has just checked by applying it."""

    before: Tournament
    event: Event
    after: Tournament


def follow(
    connection: Connection, known: Tournaments, applied: _Applied | None = None
) -> Tournaments:
    """The tournaments; ``known``: what this process has folded before.

    A first fold reads no entry of closed tournaments whose summary is kept.

    ``applied`` is not applied again: a round of 256 teams takes 4 ms. Raises DatabaseError.
    """
    known = known if known.seq else _read_summaries(connection)
    folding: _Folding | None = None
    for entry in log.entries(connection, known.seq, _READ):
        folding = folding or _Folding(known, connection, applied=applied)
        try:
            folding.add(entry)
        except ModuleNotFoundError:
            raise DatabaseError(NO_PAIRING) from None
    return known if folding is None else folding.found()


def keep_summaries(connection: Connection, known: Tournaments) -> None:
    """Keep what is known of each closed tournament, as a start reads it.

    ``known``: what this process has folded before.
    """
    log.lock(connection)
    tournaments, kept = follow(connection, known), read_kept(connection)
    summaries = {_SUMMARY.format(number): number for number in tournaments.archive}
    for name in kept.keys() - summaries.keys():
        if name.startswith(_SUMMARY.format("")):
            drop(connection, name)  # it was reopened
    missing = {
        name: number
        for name, number in summaries.items()
        if name not in kept or kept[name].until != tournaments.archive[number].until
    }
    for name, number in missing.items():
        # What is known of a closed tournament; ``_read_summaries`` reads it.
        listed, begun, ended, _, newest_result, winners = tournaments.archive[number]
        summary = {
            "listed": listed._asdict(),
            "begun": begun._asdict(),
            "closed": ended._asdict(),
            "newest_result": newest_result,
            "winners": dict(winners),
            "halls": [hall for hall, at in tournaments.halls.items() if at == number],
            "calls": [
                [*call, seq]
                for call, made in tournaments.calls.items()
                for seq, at in made
                if at == number
            ],
        }
        keep(connection, name, Kept(tournaments.archive[number].until, summary))
    if missing:
        log.keep_checked(connection)


def _read_summaries(connection: Connection) -> Tournaments:
    """What is known without an entry of the tournaments that were closed and are kept.

    ``seq`` is that of the newest entry before the first other tournament.
    """
    archive, halls = dict[int, ClosedTournament](), dict[str, int]()
    calls = list[tuple[int, int, str, int]]()
    for name, (until, document) in read_kept(connection).items():
        if not name.startswith(_SUMMARY.format("")):
            continue
        listed = ListedTournament(**document["listed"])
        archive[listed.id] = ClosedTournament(
            listed._replace(names=Names(*listed.names)),
            LastChange(**document["begun"]),
            LastChange(**document["closed"]),
            until,
            document["newest_result"],
            document["winners"],
        )
        halls |= dict.fromkeys(document["halls"], listed.id)
        calls += [(seq, device, match, listed.id) for device, match, seq in document["calls"]]
    begun = log.seqs_of(connection, Kind.TOURNAMENT_BEGUN)
    others = [seq for seq in begun if seq not in archive]
    before = (min(others) if others else log.head_seq(connection) + 1) - 1
    folding = _Folding(Tournaments(archive=archive, halls=halls), connection)
    for seq, device, match, number in sorted(calls):
        folding.add_call(device, match, seq, number)
    for entry in log.entries(connection, 0, _OF_ALL, before):
        folding.add(entry)
    newest = log.last_seq(connection, [Kind.TOURNAMENT_BEGUN], before)
    return replace(folding.found(), seq=log.last_seq(connection, _READ, before), newest=newest)


def read_closed(
    connection: Connection,
    closed: ClosedTournament,
    after_each: Callable[[], None] = lambda: None,
) -> RunningTournament:
    """A tournament of the archive. Raises DatabaseError.

    ``after_each``: called after each entry of the log.
    """
    running = fold_one(connection, closed.listed.id, closed.until, after_each)
    # What was at a table has left it.
    devices = {key: at for key, at in running.devices.items() if key in running.state.results}
    return replace(running, devices=devices)


def fold_one(
    connection: Connection,
    number: int,
    until: int | None = None,
    after_each: Callable[[], None] = lambda: None,
) -> RunningTournament:
    """A tournament as the log has it, open or closed. Raises DatabaseError.

    ``until``: the newest entry that is read.
    """
    folding = _Folding(Tournaments(), connection, only=number)
    for entry in log.entries(connection, number - 1, _READ, until):
        folding.add(entry)
        after_each()
    return folding.by_id[number]


def events_of(connection: Connection, running: RunningTournament) -> list[Event]:
    """The events of a tournament, oldest first."""
    newest, found = running.id, list[Event]()
    kinds = (Kind.TOURNAMENT_BEGUN, Kind.TOURNAMENT_EVENT)
    for entry in log.entries(connection, running.id, kinds):
        if entry.kind == Kind.TOURNAMENT_BEGUN.value:
            newest = entry.seq
        elif tournament_of(entry, newest) == running.id:
            event = parse(entry.body["event"])
            found += [] if isinstance(event, NoEvent) else [event]
    return found


class _Folding:
    """Tournaments to which entries of the log are added."""

    def __init__(
        self,
        known: Tournaments,
        connection: Connection,
        *,
        only: int = 0,
        applied: _Applied | None = None,
    ) -> None:
        """``only``: fold this one alone, which stays when it is closed; 0: all."""
        self._known, self._connection, self._only = known, connection, only
        self._applied = applied
        self._seq, self._newest = known.seq, known.newest
        self.by_id, self._archive = dict(known.by_id), dict(known.archive)
        self._halls, self._calls = dict(known.halls), dict(known.calls)
        self._screens = dict(known.screens)
        self._is_same_person = dict(known.is_same_person)
        self._forgotten = known.forgotten

    def found(self) -> Tournaments:
        return Tournaments(
            seq=self._seq,
            newest=self._newest,
            by_id=dict(sorted(self.by_id.items())),
            archive=dict(sorted(self._archive.items())),
            halls=self._halls,
            calls=self._calls,
            is_same_person=self._is_same_person,
            screens=self._screens,
            forgotten=self._forgotten,
        )

    def add_call(self, device: int, match: str, seq: int, tournament: int) -> None:
        """A match of a tournament was assigned to a box by an entry."""
        # Those of kept tournaments are known before.
        calls = [*self._calls.get((device, match), ()), (seq, tournament)]
        self._calls[device, match] = tuple(sorted(calls))

    def add(self, entry: Entry) -> None:
        body, self._seq = entry.body, entry.seq
        match Kind(entry.kind):
            case Kind.TOURNAMENT_BEGUN:
                self._begin(entry)
                return
            case Kind.SCREEN_SET:
                self._screens[body["screen"]] = body["shows"]
                return
            case Kind.GAMES_LEFT:
                self._halls |= dict.fromkeys(body["halls"], 0)
                return
            case Kind.NAMES_FORGOTTEN:
                self._forget(entry)
                return
            case Kind.PEOPLE_COMPARED:
                self._compare_people(body)
                return
        if entry.kind == Kind.DESIRED_SET.value and log.ABOVE not in body:
            self._leave(body["device"])
        number = tournament_of(entry, self._newest)
        if number in self._archive and entry.seq <= self._archive[number].until:
            return  # its summary was kept
        if entry.kind == Kind.TOURNAMENT_REOPENED.value and number in self._archive:
            self.by_id[number] = read_closed(self._connection, self._archive.pop(number))
        elif entry.kind == Kind.TOURNAMENT_EVENT.value and number in self._archive:
            # A name is blanked in the archive, too.
            closed = self._archive[number]._replace(until=entry.seq)
            self._archive[number] = archived(read_closed(self._connection, closed), entry.seq)
        running = self.by_id.get(number)
        if running is None:
            return
        match Kind(entry.kind):
            case Kind.TOURNAMENT_EVENT:
                self.by_id[running.id] = _after_event(running, entry, self._applied)
            case Kind.DESIRED_SET:
                self._assign(running, entry)
            case Kind.TOURNAMENT_SETTINGS:
                # Each entry has the settings that it changes; a newer program may have others.
                changed = {name: body[name] for name in SETTINGS if name in body}
                subjects = {subject_of_setting(name): name for name in changed}
                self.by_id[running.id] = replace(_changed(running, entry, subjects), **changed)
            case Kind.TOURNAMENT_CLOSED:
                self._close(running, entry)
            case Kind.TOURNAMENT_REOPENED:
                reopened = _changed(running, entry, {CLOSED: "reopened"})
                self.by_id[running.id] = replace(reopened, is_open=True)

    def _compare_people(self, body: Json) -> None:
        # An older program has written folded names, and none that differ.
        pairs = zip_longest(body["names"], body.get("other_names", ()), fillvalue="")
        one, other = body["tournaments"]
        for name, other_name in pairs:
            other_key = name_key(other_name) if other_name else ""
            shared = SharedName(name_key(name), one, other, other_key)
            if body["is_same_person"] is None:
                self._is_same_person.pop(shared, None)
            else:
                self._is_same_person[shared] = body["is_same_person"]

    def _forget(self, entry: Entry) -> None:
        """Fold again the tournaments whose earlier entries have lost a name."""
        self._forgotten = entry.seq
        for number in entry.body["tournaments"] if not self._only else ():
            if number in self.by_id:
                self.by_id[number] = fold_one(self._connection, number, entry.seq)
            elif number in self._archive and self._archive[number].until < entry.seq:
                closed = self._archive[number]._replace(until=entry.seq)
                self._archive[number] = archived(read_closed(self._connection, closed), entry.seq)

    def _begin(self, entry: Entry) -> None:
        self._newest = entry.seq
        # A program with one tournament at a time closed the one before with it.
        for each in entry.body.get("closes", [*self.by_id]):
            if (running := self.by_id.get(each)) is not None and running.is_open:
                self._close(running, entry)
        if self._only not in (0, entry.seq) or entry.seq in self._archive:
            return
        try:
            format_ = define(entry.body["id"], entry.body["format"])
        except FormatError:
            return  # written by a newer program
        begun = RunningTournament(entry.seq, begin(format_))
        self.by_id[entry.seq] = _changed(begun, entry, {BEGUN: BEGUN})

    def _close(self, running: RunningTournament, entry: Entry) -> None:
        closed = replace(_changed(running, entry, {CLOSED: CLOSED}), is_open=False)
        self.by_id[running.id] = closed
        if not self._only:
            self._archive[running.id] = archived(self.by_id.pop(running.id), entry.seq)

    def _leave(self, device: int) -> None:
        """The table of a box has no match without a result any more."""
        for running in self.by_id.values():
            left = {
                match
                for match, at in running.devices.items()
                if at == device and match not in running.state.results
            }
            if left:
                kept = {match: at for match, at in running.devices.items() if match not in left}
                self.by_id[running.id] = replace(running, devices=kept)

    def _assign(self, running: RunningTournament, entry: Entry) -> None:
        match_ = match_in(entry.body["document"].get("header") or "")
        # A decision that is sent again is no new one: its sitting may be annulled since.
        if match_ is None or log.ABOVE in entry.body:
            return
        self.add_call(entry.body["device"], match_.id, entry.seq, running.id)
        self._halls[match_.hall] = running.id
        sittings = {**running.sittings, match_.id: match_.hall}
        devices = {**running.devices, match_.id: entry.body["device"]}
        more = {**running.more_time}
        if seconds := entry.body.get(MORE_TIME, 0):
            more[match_.hall] = more.get(match_.hall, 0) + seconds
        self.by_id[running.id] = replace(
            running, sittings=sittings, devices=devices, more_time=more
        )


def in_few_words(running: RunningTournament, reader: Reader) -> ListedTournament:
    """A tournament as lists have it."""
    names, format_, teams = running.state.names, running.state.format, running.state.teams
    champion = teams[reader.champion].name if reader.champion else ""
    return ListedTournament(
        id=running.id,
        names=names,
        format=format_.id,
        format_title=format_.title,
        teams=len(teams),
        champion=champion,
        is_open=running.is_open,
    )


def archived(running: RunningTournament, until: int) -> ClosedTournament:
    """What is known of a closed tournament; ``until``: its newest entry in the log."""
    winners = {
        running.sittings[match]: result.winner
        for match, result in running.state.results.items()
        if match in running.sittings and running.changes[match].who != log.HUB
        if result.winner is not None
    }
    return ClosedTournament(
        in_few_words(running, Reader(running.state)),
        running.changes[BEGUN],
        running.changes[CLOSED],
        until,
        running.newest_result,
        winners,
    )


def _changed(
    running: RunningTournament, entry: Entry, subjects: Mapping[str, str], reason: str = ""
) -> RunningTournament:
    """The tournament with the newest change of these subjects."""
    made = {
        subject: LastChange(entry.seq, entry.who, entry.at, what, reason)
        for subject, what in subjects.items()
    }
    return replace(running, changes={**running.changes, **made})


def _after_event(
    running: RunningTournament, entry: Entry, applied: _Applied | None
) -> RunningTournament:
    event, state = parse(entry.body["event"]), running.state
    if isinstance(event, NoEvent):
        return running
    if applied is not None and applied.before is state and applied.event == event:
        after: Tournament | EventRefusal = applied.after
    else:
        after = apply(state, event)
    if isinstance(after, EventRefusal):
        return running
    subjects = {subject_of(event): type(event).__name__}
    changed = _changed(running, entry, subjects, getattr(event, "reason", ""))
    if isinstance(event, Withdraw):
        left = {event.team: changed.changes[subject_of(event)]}
        changed = replace(changed, withdrawals={**running.withdrawals, **left})
    kept = _sittings_after(running, event, after)
    devices = {match: at for match, at in running.devices.items() if match in kept}
    return replace(changed, state=after, sittings=kept, devices=devices)


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


class UnpairedRound(Exception):
    """The pairs of a round are not known; they are found outside of a transaction."""

    def __init__(self, tournament: int, state: Tournament) -> None:
        super().__init__(f"tournament {tournament}")
        self.tournament, self.state = tournament, state


class PairedEvent(NamedTuple):
    """A round with its pairs, which were found outside of a transaction.

    ``task``: what gave the pairs; None: the rules of the phase did. ``event``: None if every
    pairing has an excluded pair. ``after``: ``state`` with the event, or why it is refused.
    """

    state: Tournament
    task: PairingTask | None
    event: PairRound | None
    after: Tournament | EventRefusal


def paired_event(
    state: Tournament, event: PairRound, task: PairingTask | None, pairs: PairedRound | None
) -> PairedEvent:
    """The round with its pairs; ``pairs``: those of ``task``, if it has any."""
    if task is None:
        logged = as_logged(state, event)
        assert isinstance(logged, PairRound)
    elif pairs is None:
        return PairedEvent(state, task, None, EventRefusal(Reason.NO_PAIRING))
    else:
        logged = PairRound(event.phase, *pairs)
    return PairedEvent(state, task, logged, apply(state, logged))


class TournamentDesk:
    """Decisions on one tournament in one transaction."""

    def __init__(
        self,
        connection: Connection,
        clock: Clock,
        author: Author,
        known: Tournaments,
        tournament: int = 0,
    ) -> None:
        """``known``: as this process has folded them; ``tournament``: as ``get``."""
        self._connection, self._clock, self._author = connection, clock, author
        log.lock(connection)
        self._tournaments = follow(connection, known)
        found = self._tournaments.get(tournament)
        self._id = tournament or (found.id if found is not None else 0)

    @property
    def tournaments(self) -> Tournaments:
        """All tournaments, with every decision so far."""
        return self._tournaments

    @property
    def running(self) -> RunningTournament:
        """The open tournament with every decision so far. Raises DecisionError."""
        return self._find(self._id)

    def _find(self, tournament: int, seen: int | None = None) -> RunningTournament:
        """An open tournament; ``seen``: refuse it with who has closed it since then.

        Raises DecisionError.
        """
        if (found := self._tournaments.by_id.get(tournament)) is not None:
            return found
        closed = self._tournaments.archive.get(tournament)
        if closed is None:
            raise DecisionError("there is no tournament", DecisionFault.NO_TOURNAMENT)
        if seen is not None and closed.closed.seq > seen:
            raise changed_by(closed.closed)
        raise DecisionError("this tournament is closed", DecisionFault.CLOSED)

    def begin(
        self,
        format_: Format,
        events: Sequence[Event],
        seen: int | None = None,
        closes: Iterable[int] = (),
        *,
        is_alone: bool = False,
    ) -> int:
        """Begin a tournament beside the open ones; returns its id.

        ``events``: its names and teams, or the log of a file as it is. ``seen``: refuse it if
        another one was begun since that entry.
        ``closes``: tournaments that end with it. ``is_alone``: refuse it if one is open.
        """
        newest = self._newest_begun()
        if seen is not None and newest is not None and newest.seq > seen:
            raise changed_by(newest)
        if is_alone and (first := self._tournaments.first_open) is not None:
            raise changed_by(first.changes[BEGUN])
        ends = [self._find(each, 0).id for each in closes]
        state: Tournament = begin(format_)
        for event in events:
            after = apply(state, event)
            if isinstance(after, EventRefusal):
                raise _refused(after)
            state = after
        body = {"id": format_.id, "format": describe(format_), "closes": ends}
        self._id = self._append(Kind.TOURNAMENT_BEGUN, body)
        for event in events:
            self._log(Kind.TOURNAMENT_EVENT, self._body_of(event))
        self._tournaments = follow(self._connection, self._tournaments)
        return self._id

    def close(self, seen: int | None = None) -> None:
        """Put the tournament into the archive."""
        _require_unchanged(self._find(self._id, 0), CLOSED, seen)
        self._append(Kind.TOURNAMENT_CLOSED, {"tournament": self._id})

    def _newest_begun(self) -> LastChange | None:
        """Who has begun the newest tournament, and when."""
        known, newest = self._tournaments, self._tournaments.newest
        if (running := known.by_id.get(newest)) is not None:
            return running.changes[BEGUN]
        return known.archive[newest].begun if newest in known.archive else None

    def reopen(self, seen: int | None = None) -> None:
        """Take the tournament out of the archive."""
        closed = self._tournaments.archive.get(self._id)
        if closed is None:
            raise changed_by(self.running.changes.get(CLOSED) or self.running.changes[BEGUN])
        if seen is not None and closed.closed.seq > seen:
            raise changed_by(closed.closed)
        self._append(Kind.TOURNAMENT_REOPENED, {"tournament": self._id})

    def compare_people(
        self,
        names: Sequence[str],
        other_names: Sequence[str],
        tournaments: tuple[int, int],
        *,
        is_same_person: bool | None,
    ) -> None:
        """Answer whether names in two tournaments are one person each; None: ask again.

        ``other_names``: as of SharedName. Raises DecisionError if a name is not asked about now, or
        has no answer that could be taken back.
        """
        pairs = zip(names, other_names, strict=True)
        named = {SharedName(name, *tournaments, other) for name, other in pairs}
        answered = self._tournaments.is_same_person.keys()
        known = {shared for shared, _ in shared_names(self._tournaments)}
        may = known & answered if is_same_person is None else known - answered
        if not named or not named <= may:
            raise DecisionError("this is not asked any more", DecisionFault.RESOLVED)
        body = {
            "names": [*names],
            "other_names": [*other_names],
            "tournaments": [*tournaments],
            "is_same_person": is_same_person,
        }
        self._append(Kind.PEOPLE_COMPARED, body)

    def decide(
        self,
        event: Event,
        seen: int | None = None,
        how: str = "",
        paired: PairedEvent | None = None,
    ) -> int:
        """Append an event; ``seen``: the newest entry that the page of the director shows.

        ``how``: the source of a result, if it is neither rows nor paper. ``paired``: for a round;
        unless its pairs are those of the newest state, UnpairedRound is raised.
        """
        closed = self._tournaments.archive.get(self._id)
        if isinstance(event, BlankName | AnswerNames) and closed is not None:
            running = read_closed(self._connection, closed)
        else:
            running = self.running
        _require_unchanged(running, subject_of(event), seen)
        state = running.state
        if not isinstance(event, PairRound):
            return self._decide(running, as_logged(state, event), how)
        if paired is None:
            raise UnpairedRound(self._id, state)
        is_newest = paired.state is state
        # A task that is the same has the same pairs, or none.
        if not is_newest and (paired.task is None or paired.task != pairing_task(state, event)):
            raise UnpairedRound(self._id, state)
        if paired.event is None:
            raise _refused(EventRefusal(Reason.NO_PAIRING))
        return self._decide(running, paired.event, how, paired.after if is_newest else None)

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
            _require_unchanged(self.running, subject_of(each), seen)
        for each in events:
            self._decide(self.running, each)

    def _decide(
        self,
        running: RunningTournament,
        event: Event,
        how: str = "",
        after: Tournament | EventRefusal | None = None,
    ) -> int:
        """``after``: the state with the event, if it is known."""
        state = running.state
        if after is None:
            after = apply(state, event)
        if isinstance(after, EventRefusal):
            if isinstance(event, RecordResult | CorrectResult) and after.fault is not None:
                raise impossible_result(Reader(state).phase_of(event.match), after.fault)
            is_done = after.reason in _DONE
            raise _refused(after, running.changes.get(subject_of(event)) if is_done else None)
        body = {**self._body_of(event), **({"how": how} if how else {})}
        return self._append(Kind.TOURNAMENT_EVENT, body, _Applied(state, event, after))

    def mark_all(self, *, is_present: bool, seen: int | None = None) -> None:
        """Mark every team that has not left as present, or as missing."""
        state = self.running.state
        for team in sorted(state.teams.keys() - state.withdrawn):
            if (team not in state.missing) is not is_present:
                self.decide(MarkPresent(team) if is_present else MarkMissing(team), seen)

    def consent(self, seen: int | None = None) -> None:
        """Note that the players of every team agree to be named in public."""
        for team in self.running.state.teams.values():
            if not (team.consents or team.is_blank):
                self.decide(ChangeTeam(*team._replace(consents=True)), seen)

    def set(self, name: str, value: object, seen: int | None = None) -> None:
        """Change one of SETTINGS."""
        _require_unchanged(self.running, subject_of_setting(name), seen)
        self._append(Kind.TOURNAMENT_SETTINGS, {"tournament": self._id, name: value})

    def show(self, screen: str, shows: Json) -> None:
        """Decide what a television shows."""
        self._append(Kind.SCREEN_SET, {"screen": screen, "shows": shows})

    def _body_of(self, event: Event) -> Json:
        return {"tournament": self._id, "event": encode(event)}

    def _log(self, kind: Kind, body: Json) -> int:
        return log.append(self._connection, self._clock.utc(), self._author, kind, body)

    def _append(self, kind: Kind, body: Json, applied: _Applied | None = None) -> int:
        seq, archive = self._log(kind, body), self._tournaments.archive
        self._tournaments = follow(self._connection, self._tournaments, applied)
        if self._tournaments.archive != archive:
            keep_summaries(self._connection, self._tournaments)
        return seq


def _require_unchanged(running: RunningTournament, subject: str, seen: int | None) -> None:
    """Refuse a decision on what has changed since. Raises DecisionError."""
    for each in (BEGUN, subject):
        change = running.changes.get(each)
        if seen is not None and change is not None and change.seq > seen:
            raise changed_by(change)


def _refused(refusal: EventRefusal, change: LastChange | None = None) -> DecisionError:
    """``change``: the decision after which this one is refused."""
    text = " ".join((refusal.reason.value, *refusal.matches))
    return DecisionError(text, refusal.reason, change, _FIELDS.get(refusal.reason, ""))
