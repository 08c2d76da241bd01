"""Matches at the tables: their places and results, and the next calls."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import merge
from itertools import chain, groupby
from typing import NamedTuple

from scorer.hall.result_code import MatchResult
from scorer.hub.match_place import AT_END, MatchKey, MatchPlace, PlayingTime
from scorer.hub.scores import Legs, Scores, Sitting, points_before, totals
from scorer.hub.tournaments import RunningTournament, SharedName, Tournaments, names_of
from scorer.rules import Game, Side, find_variant, rules_for
from scorer.rules.assigned import MAX_TIME_S, MIN_CAP_S
from scorer.rules.deal import is_match_over, is_timed, new_game, next_gallo, taken_up
from scorer.rules.model import Match, Start
from scorer.rules.rulebooks import options_of
from scorer.rules.sheet import header_text, tags_of
from scorer.tournament import EventRefusal, Reader, Result
from scorer.tournament.format import CapEnding, PhaseFormat, PhaseKind
from scorer.tournament.model import EMPTY, Ending, Pair, Reason
from scorer.tournament.results import capped, is_level, played

_SIDES = (Side.A, Side.B)
_MINUTE = 60  # seconds


class AssignedMatch(NamedTuple):
    """What the table of a box was assigned last: tags of its match, "" without one.

    ``cap``: seconds that it may take there; None: any time.
    """

    device: int
    rev: int
    match: str = ""
    hall: str = ""
    leg: int = 1
    cap: int | None = None


class Call(NamedTuple):
    """A match to offer at the table of a box."""

    match: MatchKey
    device: int


class OpenTournament(NamedTuple):
    """An open tournament.

    ``at_tables``: the box and the place of each match at a table. ``held``: the number of the table
    at which each match waits whose box has left: its teams sit there.
    """

    running: RunningTournament
    reader: Reader
    at_tables: Mapping[str, tuple[int, MatchPlace]] = {}
    held: Mapping[str, int] = {}

    def names(self, match_id: str) -> frozenset[str]:
        """The keys of the names of the teams of a match and of their players."""
        teams = (self.reader.state.teams[team] for team in self.reader.sides(match_id) if team)
        return frozenset(chain.from_iterable(map(names_of, teams)))

    def tables(self, match_id: str) -> frozenset[int]:
        """The numbers of the tables at which a match can be called alone; none: at all."""
        if match_id in self.held:
            return frozenset([self.held[match_id]])
        fixed = self.reader.state.tables
        sides = self.reader.sides(match_id) if fixed else ()
        return frozenset(fixed[team] for team in sides if team and team in fixed)


def by_tournament(
    tournaments: Tournaments, assigned: Iterable[AssignedMatch]
) -> dict[int, list[AssignedMatch]]:
    """The assignments of matches, by tournament."""
    found: dict[int, list[AssignedMatch]] = {}
    for each in assigned:
        if each.match and (tournament := tournaments.halls.get(each.hall)):
            found.setdefault(tournament, []).append(each)
    return found


def places(
    running: RunningTournament,
    reader: Reader,
    assigned: Iterable[AssignedMatch],
    scores: Scores,
) -> dict[str, tuple[int, MatchPlace]]:
    """The box and the place of every match at a table; ``table`` of the place is 0.

    ``assigned``: those of this tournament.
    """
    found: dict[str, tuple[int, MatchPlace]] = {}
    for each in assigned:
        match = each.match
        # An assignment from before an annulment is void.
        if running.sittings.get(match) == each.hall and reader.state.match(match) is not None:
            sitting = Sitting(match, each.hall)
            progress = scores.progress_of(each.device, sitting, each.leg)
            run = None if progress.state == "offered" else scores.run_of(each.device, sitting)
            place = MatchPlace(
                table=0,
                state=progress.state,
                games=_pair(progress.games),
                points=_pair(progress.points),
                by_time=progress.by_time,
                misses_leg=progress.misses_leg,
                running=_pair(progress.running),
                time=None
                if run is None
                else PlayingTime(run.began, None if each.cap is None else run.began + each.cap),
            )
            found[match] = (each.device, place)
    return found


def void_assignments(
    running: RunningTournament, assigned: Iterable[AssignedMatch]
) -> list[AssignedMatch]:
    """The assignments of a tournament whose games do not count any more.

    ``assigned``: those of this tournament.
    """
    return [each for each in assigned if running.sittings.get(each.match) != each.hall]


def _pair(numbers: Sequence[int]) -> Pair:
    return numbers[0], numbers[1]


class NextGame(NamedTuple):
    """The game that a table opens next for a match.

    ``last``: the game before, which goes on at another table if it is not over.
    """

    leg: int = 1
    last: Game | None = None


def next_game(phase: PhaseFormat, legs: Legs) -> NextGame | None:
    """The game that follows in a sitting with these games; None if the match is over."""
    if not legs:
        return NextGame()
    leg = max(legs)
    game = legs[leg][-1].game
    if is_timed(game):
        return None
    if not is_match_over(game):
        return NextGame(leg, game)
    games, points = map(_pair, totals(legs))
    return NextGame(leg + 1, game) if leg < phase.legs or is_level(phase, games, points) else None


def header_of_match(reader: Reader, sitting: Sitting, following: NextGame) -> str:
    """The header of the game that a table opens for a match."""
    match_id, hall = sitting
    leg, last = following
    phase = reader.phase_of(match_id)
    book = options_of(phase.rulebook, phase.variant)
    chosen = {**book, **phase.options, "target": phase.target}
    if not phase.legs:
        chosen["best_of"] = phase.best_of
    rules = rules_for(find_variant(phase.variant), chosen)
    names = {
        side: reader.state.teams[team].name
        for side, team in zip(_SIDES, reader.sides(match_id), strict=True)
        if team
    }
    match = Match(match_id, hall, leg, max(leg, phase.legs))
    if last is None:
        game = new_game(Start(rules, match=match))
    elif is_match_over(last):
        mano = rules.seating.next_side(last.mano)
        start = Start(rules, mano=mano, gallo=next_gallo(last), match=match)
        game = new_game(start)
    else:
        game = taken_up(last)
    return header_text(tags_of(game, names))


def tolerance_seconds(reader: Reader, match_id: str) -> int | None:
    """The seconds that a match waits for a missing team; None: no time is set."""
    return reader.phase_of(match_id).tolerance * _MINUTE or None


def cap_seconds(reader: Reader, match_id: str, used: float = 0, more: int = 0) -> int | None:
    """The seconds that a match may still take; None: any time.

    ``used``: seconds that it has taken at other tables; ``more``: those that the desk has added.
    """
    cap = reader.phase_of(match_id).cap * _MINUTE
    return max(MIN_CAP_S, min(MAX_TIME_S, cap + more) - int(used)) if cap else None


def used_seconds(
    scores: Scores,
    sitting: Sitting,
    leg: int,
    device: int,
    playing_at: tuple[int, float] | None,
) -> float:
    """The seconds that a sitting has taken before its next table counts.

    ``leg``: the one that the table of ``device`` opens next; ``playing_at``: the box at whose
    table it is now, and the seconds since it began there.
    """
    used = 0.0
    for at, runs in scores.runs_of(sitting).items():
        seconds = [run.seconds for run in runs]
        if at == device and scores.last_match(at) == sitting and runs[-1].match.leg < leg:
            # Its clock goes on from one leg to the next.
            seconds.pop()
        elif playing_at is not None and playing_at[0] == at:
            seconds[-1] = playing_at[1]
        used += sum(seconds)
    return used


def cap_start(reader: Reader, match_id: str) -> int | None:
    """Points at which games begin once the time is over; None: as ever."""
    phase = reader.phase_of(match_id)
    return phase.cap_start if phase.cap_ending is CapEnding.START else None


class WaitingMatches(NamedTuple):
    """The matches that wait, each list in the order in which they are called.

    ``tables``: the numbers of the tables at which those of ``ready`` wait that are called there
    alone.
    """

    ready: list[MatchKey]  # for a table
    missing: list[MatchKey]  # for a team that is not in the hall
    later: list[MatchKey]  # for a person who plays another match before
    tables: Mapping[MatchKey, frozenset[int]] = {}


def waiting_matches(
    played: Iterable[OpenTournament], is_same_person: Mapping[SharedName, bool]
) -> WaitingMatches:
    """The matches whose teams are known and that are at no table.

    A tournament with a higher priority comes first, then the match that waits longest, but in each
    tournament no match before one of an earlier round. Before all others come those that are held
    at a table. A team and a person play one match at a time: the same names in two tournaments are
    one person, unless ``is_same_person`` says that they are two; names that are alike, if it says
    that they are one.
    """
    tournaments = {each.running.id: each for each in played}
    busy = _Busy(tournaments, is_same_person)
    for each in tournaments.values():
        for match in each.at_tables:
            if each.reader.result(match) is None:
                busy.add(MatchKey(each.running.id, match))
    found = WaitingMatches([], [], [])
    queues = map(_queue, tournaments.values())
    for _, key in merge(*queues, key=lambda each: each[0]):
        reader = tournaments[key.tournament].reader
        if busy.has(key):
            found.later.append(key)
        elif reader.state.missing.intersection(reader.sides(key.match)):
            found.missing.append(key)
        else:
            found.ready.append(key)
            busy.add(key)
    own = {key: tournaments[key.tournament].tables(key.match) for key in found.ready}
    return found._replace(tables={key: numbers for key, numbers in own.items() if numbers})


class _Busy:
    """The teams and people who play, or are to be called first."""

    def __init__(
        self,
        tournaments: Mapping[int, OpenTournament],
        is_same_person: Mapping[SharedName, bool],
    ) -> None:
        self._tournaments, self._is_same_person = tournaments, is_same_person
        self._teams: set[tuple[int, int]] = set()  # with their tournament
        self._people: defaultdict[str, set[int]] = defaultdict(set)  # tournaments of a name
        # The same person in another tournament, with one wrong letter.
        self._also: defaultdict[tuple[int, str], list[tuple[int, str]]] = defaultdict(list)
        for (name, tournament, other, other_name), is_same in is_same_person.items():
            if is_same and other_name:
                self._also[tournament, name].append((other, other_name))
                self._also[other, other_name].append((tournament, name))

    def add(self, key: MatchKey) -> None:
        """The teams and people of a match are busy."""
        self._teams.update(self._teams_of(key))
        for name in self._tournaments[key.tournament].names(key.match):
            self._people[name].add(key.tournament)

    def has(self, key: MatchKey) -> bool:
        """Whether a team or a person of a match is busy."""
        names = self._tournaments[key.tournament].names(key.match)
        return not self._teams.isdisjoint(self._teams_of(key)) or any(
            self._is_busy(key.tournament, each) for each in names
        )

    def _teams_of(self, key: MatchKey) -> list[tuple[int, int]]:
        sides = self._tournaments[key.tournament].reader.sides(key.match)
        return [(key.tournament, team) for team in sides if team]

    def _is_busy(self, tournament: int, name: str) -> bool:
        """Whether a person plays in another tournament."""
        others = self._people[name] - {tournament}
        shared = (
            SharedName(name, *(min(tournament, each), max(tournament, each))) for each in others
        )
        return any(self._is_same_person.get(each, True) for each in shared) or any(
            other in self._people[its] for other, its in self._also[tournament, name]
        )


Turn = tuple[int, int, int]  # priority, entry of the log since which it waits, tournament
_HELD = 0  # the priority of a match whose teams sit at its table


def _queue(each: OpenTournament) -> Iterator[tuple[Turn, MatchKey]]:
    """The matches of a tournament that can be played and are at no table, by round.

    First those that are held at a table.
    """
    running, reader = each.running, each.reader
    last: dict[int, int] = {}  # the newest result of each team
    for match_id in reader.state.results:
        if (change := running.changes.get(match_id)) is None:
            continue
        for team in reader.sides(match_id):
            last[team or EMPTY] = max(last.get(team or EMPTY, 0), change.seq)
    listed = sorted(
        reader.state.matches(), key=lambda match: (match.id not in each.held, match.round)
    )
    for match in listed:
        sides = reader.sides(match.id)
        is_known = None not in sides and EMPTY not in sides
        if not is_known or reader.result(match.id) is not None or match.id in each.at_tables:
            continue
        started = running.changes.get(match.phase)
        since = max(started.seq if started else 0, *(last.get(team or EMPTY, 0) for team in sides))
        priority = _HELD if match.id in each.held else running.priority
        yield (priority, since, running.id), MatchKey(running.id, match.id)


def next_calls(
    ready: Iterable[MatchKey],
    readers: Mapping[int, Reader],
    tables: Mapping[int, int],
    played_last: Mapping[int, MatchKey],
    bound: Mapping[MatchKey, frozenset[int]],
) -> list[Call]:
    """The calls of matches in their order to free tables.

    ``tables``: the numbers of free boxes, the longest free one first; ``bound``: those at which a
    match is called alone; it waits until one of them is free. Another match gets such a table only
    if no other one is left. Of the matches of a round, a table gets one of the zone of its match
    in ``played_last``; the other tables get the first ones that are left. No table waits for its
    zone.
    """

    def zone_of(key: MatchKey | None) -> tuple[int, str, int] | None:
        if key is None or key.tournament not in readers:
            return None
        reader = readers[key.tournament]
        match = reader.state.match(key.match)
        if match is None or reader.phase_of(key.match).kind is not PhaseKind.ZONES:
            return None
        return key.tournament, match.phase, match.group

    def round_of(key: MatchKey) -> tuple[int, int]:
        return key.tournament, _round_of(readers[key.tournament], key.match)[1]

    listed, calls = [*ready], list[Call]()
    wanted = frozenset(chain.from_iterable(bound.get(each, ()) for each in listed))
    free = sorted(tables, key=lambda device: tables[device] in wanted)
    for _, matches in groupby(listed, key=round_of):
        waiting = list[MatchKey]()
        for each in matches:
            if each not in bound:
                waiting.append(each)
                continue
            device = next((at for at in free if tables[at] in bound[each]), None)
            if device is not None:
                calls.append(Call(each, device))
                free.remove(device)
        for device in free[:]:
            zone = None if tables[device] in wanted else zone_of(played_last.get(device))
            own = [each for each in waiting if zone and zone_of(each) == zone]
            if own:
                calls.append(Call(own[0], device))
                waiting.remove(own[0])
                free.remove(device)
        calls += [Call(*each) for each in zip(waiting, free, strict=False)]
        free = free[len(waiting) :]
        if not free:
            break
    return calls


def agreed_result(reader: Reader, match_id: str, place: MatchPlace) -> Result | None:
    """The result that both teams have agreed to, if a match of its phase can have it."""
    if place.state != "agreed" or reader.result(match_id) is not None:
        return None
    found = result_at(reader.phase_of(match_id), place)
    return None if isinstance(found, EventRefusal) else found


def result_at(phase: PhaseFormat, place: MatchPlace) -> Result | EventRefusal:
    """The result of a match that is over at its table."""
    if place.misses_leg:
        return EventRefusal(Reason.IMPOSSIBLE)
    if not place.by_time:
        return played(phase, place.games, place.points)
    if phase.cap_ending is not CapEnding.LEADER:
        return EventRefusal(Reason.IMPOSSIBLE)
    return capped(phase, place.games, place.points)


def is_undecided(reader: Reader, match_id: str, place: MatchPlace) -> bool:
    """Whether the teams agree to a result that no match of its phase can have."""
    if place.state != "agreed" or reader.result(match_id) is not None:
        return False
    return agreed_result(reader, match_id, place) is None


def goes_on(reader: Reader, match_id: str, place: MatchPlace) -> bool:
    """Whether one more game has to decide a match whose teams agree that it is level."""
    phase = reader.phase_of(match_id)
    is_open = is_undecided(reader, match_id, place)
    return is_open and is_level(phase, place.games, place.points)


def result_of_code(phase: PhaseFormat, legs: Legs, leg: int, last: MatchResult) -> Result | None:
    """The result of a match whose last game has ended as a code says, or None.

    ``legs``: as far as rows have arrived. The points of a series are unknown without its games.
    """
    before = {number: legs[number] for number in range(1, leg) if number in legs}
    if len(last.games) != len(_SIDES):
        return None
    if len(before) < leg - 1 or not all(is_match_over(each[-1].game) for each in before.values()):
        return None
    by_time = max(last.games) < (1 if phase.legs else phase.games_to_win)
    earlier = points_before(legs.get(leg, ()), sum(last.games) - (not by_time))
    games, points = totals(before)
    if earlier is None:
        points = (0, 0)
    else:
        points = tuple(map(sum, zip(points, earlier, last.points, strict=True)))
    games = tuple(map(sum, zip(games, last.games, strict=True)))
    place = MatchPlace(0, "ended", _pair(games), _pair(points), by_time)
    found = result_at(phase, place)
    return None if isinstance(found, EventRefusal) else found


class AgreedResult(NamedTuple):
    """A result that both teams have agreed to, and the minutes since then."""

    match: str
    result: Result
    minutes: float


def results_to_publish(
    reader: Reader, agreed: Iterable[AgreedResult], after: int | None
) -> list[AgreedResult]:
    """The results that are to become official.

    ``after``: minutes; None: once every match of their round is agreed or official.
    """
    listed = list(agreed)
    if after is not None:
        return [each for each in listed if each.minutes >= after]
    known = {each.match for each in listed}
    open_rounds = {
        (match.phase, match.round)
        for match in reader.state.matches()
        if match.id not in known and not reader.is_over(match.id)
    }
    return [each for each in listed if _round_of(reader, each.match) not in open_rounds]


def _round_of(reader: Reader, match_id: str) -> tuple[str, int]:
    match = reader.state.match(match_id)
    assert match is not None, match_id
    return match.phase, match.round


def is_late(reader: Reader, match_id: str, place: MatchPlace, seconds: float) -> bool:
    """Whether a match, called ``seconds`` ago, is past its tolerance and not accepted."""
    return place.state == "offered" and seconds > reader.phase_of(match_id).tolerance * _MINUTE


class ResultMarks(NamedTuple):
    """Where the result of a match is known: three lights at the desk."""

    table: bool  # it is over at its table
    hub: bool  # both teams agree to what the hub computes from the rows
    published: bool  # official, and the rows say nothing else


def marks_of(reader: Reader, match_id: str, place: MatchPlace | None) -> ResultMarks:
    """``place``: None at no table."""
    is_official = reader.result(match_id) is not None
    if place is None:
        return ResultMarks(table=False, hub=False, published=is_official)
    return ResultMarks(
        table=place.state in AT_END,
        hub=place.state == "agreed",
        published=is_official and not differs(reader, match_id, place),
    )


def differs(reader: Reader, match_id: str, place: MatchPlace) -> bool:
    """Whether the rows of the table say another result than the official one.

    A decision of the director has numbers of its own, or none: it differs by the winner. Rows that
    no match of the phase ends with say nothing against it.
    """
    official = reader.state.results.get(match_id)
    if official is None or place.state not in AT_END:
        return False
    found = result_at(reader.phase_of(match_id), place)
    if official.ending in (Ending.DECIDED, Ending.WALKOVER):
        return not isinstance(found, EventRefusal) and found.winner != official.winner
    return isinstance(found, EventRefusal) or found != official
