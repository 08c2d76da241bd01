"""A running hub: what boxes send, what follows from it, and what pages are shown."""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from sqlalchemy import select

from scorer import __version__
from scorer.config.tournament_formats import FORMATS_FOLDER
from scorer.hall.events import RenewEpoch, Resend
from scorer.hall.fields import Malformed
from scorer.hall.joining import CardRequest, JoinReply, JoinState, key_of
from scorer.hub.addresses import Addresses
from scorer.hub.alarms import OF_MATCH, Counted, NewAlarm
from scorer.hub.closed_answers import ClosedAnswers
from scorer.hub.copies import Copies
from scorer.hub.decisions import (
    DecisionError,
    DecisionFault,
    Desk,
    NewDevice,
    buttons_of,
    read_code,
)
from scorer.hub.hub_log import write_log
from scorer.hub.identity import Identity
from scorer.hub.intake import Intake, Outcome, Stored, Submission
from scorer.hub.joins import Joins
from scorer.hub.logins import Logins
from scorer.hub.match_cache import MatchCache
from scorer.hub.match_caller import MatchCaller
from scorer.hub.passwords import Person
from scorer.hub.published.publisher import SitePublisher
from scorer.hub.round_pairing import RoundPairing
from scorer.hub.scores import (
    Agreement,
    Box,
    GameScore,
    Scores,
    Sitting,
    TableScore,
    find_sittings,
    newest_ends,
    newest_greetings,
    newest_streams,
    read_table,
)
from scorer.hub.state import HubState, Json
from scorer.hub.store import log
from scorer.hub.store.blanked_headers import names_in, tag_in
from scorer.hub.store.database import Connection, Database, DatabaseError
from scorer.hub.store.log import Author
from scorer.hub.store.projections import AlarmKind, Resolution
from scorer.hub.store.tables import CARD, DEVICE, PERSON
from scorer.hub.times import Clock
from scorer.hub.tournament_documents import table_documents, tournaments_document
from scorer.hub.tournament_phrases import Phrases
from scorer.hub.troubles import Trouble, TroubleKind, find_troubles
from scorer.hub.turns import Turns
from scorer.i18n import translator
from scorer.serving.prices import Rank
from scorer.tournament import Event, Reader
from scorer.tournament.events import PairRound, RecordResult

_NEXT = 8  # matches that wait, on the wall
_REPLAY_SECONDS = 0.5  # the wall waits so long for a storm of requests


class Hub:
    """One hub process. Methods that are coroutines raise DatabaseError."""

    def __init__(
        self,
        database: Database,
        identity: Identity,
        clock: Clock,
        name: str = "Truco",
        formats_folder: Path = FORMATS_FOLDER,
        *,
        copies: Copies | None = None,
        publisher: SitePublisher | None = None,
        page_of: Callable[[int, int], str] = lambda tournament, team: "",
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """``name``: of the hall; ``formats_folder``: of the owner's formats.

        ``page_of``: the address of the evening of a team of a tournament on the published site, ""
        without one. ``monotonic``: seconds, for the presence of boxes and the age of calls and
        results.
        """
        self.name, self.identity = name, identity
        self.copies, self.publisher = copies, publisher
        self.formats_folder = formats_folder
        self.state = HubState(database, clock, monotonic)
        self.closed = ClosedAnswers(database)  # for visitors
        self.turns = Turns(Intake(database, clock, random_hex), self.state.thread)
        self.joins = Joins(identity.pin, random_hex)
        self.addresses = Addresses()
        self._known_keys: set[str] = set()  # of tokens that were valid once
        self.logins = Logins(clock, time.monotonic)
        self.page_of = page_of
        new_id = partial(random_hex, 8)
        self.matches = MatchCaller(self.state, identity.pin[:8], monotonic, new_id, page_of)
        self.rounds = RoundPairing(self.state)
        self.match_cache = MatchCache()  # for the desk
        self._replaced: set[int] = set()  # boxes that lost their tables since the start
        self.counted: Counter[Counted] = Counter()  # until the desk closes it
        self._sent_seq = 0  # of the log, to which every box has been sent its decision
        self._greeted_ms: dict[int, int] = {}  # the last greeting of each box that is known here
        self._to_replay: deque[tuple[float, Stored]] = deque()  # with the time of its answer
        # What came while its table, by device, is read from the database.
        self._to_read: dict[int, list[Stored]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._hall = f"{identity.pin[:8]}-"  # with it begin the tags Hall of this hub
        # Of its games, as far as rows have arrived, with the names of the teams.
        self._sittings: dict[Sitting, list[str]] = {}

    async def load(self) -> None:
        """Read everything; called once before serving."""
        await self.state.load()
        await self.state.read(self.addresses.load)
        self._sent_seq = self.state.view.log_seq
        self._sittings = await self.state.read(partial(find_sittings, hall=self.identity.pin[:8]))
        self._greeted_ms = await self.state.read(newest_greetings)

    # ---- boxes ----------------------------------------------------------------------------------

    async def submit(self, submission: Submission) -> Outcome:
        """The answer to a box; what follows from it for the wall is done after the answer."""
        outcome, presence = await self.turns.submit(submission), self.state.presence
        if outcome.device:
            if outcome.greeted_ms:
                self._greeted_ms[outcome.device] = outcome.greeted_ms
            was_silent = presence.is_silent(outcome.device)
            presence.heard(outcome.device)
            if was_silent:
                # Its table can have a match now.
                self._start(self.state.announce())
        asyncio.get_running_loop().call_soon(self._follow, outcome)
        return outcome

    def refuse_unread(self, key: str, fault: Malformed) -> None:
        """Raise the alarm of an unreadable message, whose answer is already sent."""
        self._start(self.submit(Submission(key, fault)))

    def _follow(self, outcome: Outcome) -> None:
        if outcome.stored is not None:
            self._to_replay.append((time.monotonic(), outcome.stored))
        if outcome.alarm:
            self._start(self.state.refresh())
        if outcome.decided:
            self._start(self._send_new_decision(outcome.device))
        # Replay what was stored; while boxes wait for answers, only what is old.
        while self._to_replay:
            since, stored = self._to_replay[0]
            if not self.turns.is_idle and time.monotonic() < since + _REPLAY_SECONDS:
                break
            self._to_replay.popleft()
            self._show(stored)
        self.state.changed.set()

    def _show(self, stored: Stored) -> None:
        """Replay what was stored, or read its table if rows before it are not known here."""
        scores = self.state.scores
        for opening in stored.openings:
            if (hall := tag_in(opening.header, "Hall")).startswith(self._hall):
                sitting = Sitting(tag_in(opening.header, "Match"), hall)
                self._sittings[sitting] = [*names_in(opening.header).values()]
        if (waiting := self._to_read.get(stored.device)) is not None:
            waiting.append(stored)
            return
        if scores.is_continued_by(stored):
            scores.add(stored)
            # A task costs as much as the replay of a row, and as a rule there is nothing to do.
            if self.state.tournaments.open:
                self._start(self.state.announce())
        elif not scores.includes(stored):
            self._to_read[stored.device] = []
            self._start(self._read_score(stored))
            return
        if not scores.agrees(stored) or any(
            result.device == stored.device for result in self.state.view.results
        ):
            self._start(self._check_score(stored))

    async def _read_score(self, stored: Stored) -> None:
        """Read a table of which another process has stored rows, or whose epoch is new.

        Rows that come meanwhile wait: a long game takes longer to read than its next row to come.
        """
        try:
            await self._read_tables({stored.device: stored.epoch})
        finally:
            waiting = self._to_read.pop(stored.device)
        await self._check_score(stored)
        for later in waiting:
            self._show(later)

    async def _check_score(self, stored: Stored) -> None:
        """Raise an alarm if the table plays by other rules, or contradicts a result."""
        if self.state.scores.agrees(stored):
            await self._check_results(stored.device)
            return
        text = "the table shows another score than the hub computes from the same rows"
        epoch = stored.epoch
        alarm = NewAlarm(stored.device, AlarmKind.RULES, text, epoch, subject=epoch)
        await self.state.report(alarm)

    async def _read_tables(self, epochs: dict[int, str]) -> None:
        written = self.state.scores.written

        def read(connection: Connection) -> dict[int, TableScore]:
            return {
                device: read_table(connection, device, epoch, written)
                for device, epoch in epochs.items()
            }

        for device, table in (await self.state.read(read)).items():
            self.state.scores.put(device, table)
            for sitting in table.sittings():
                if sitting.hall.startswith(self._hall):
                    self._sittings[sitting] = table.names_of(sitting)
        await self.state.announce()

    async def _hear_of_others(self, rank: Rank = Rank.DESK) -> None:
        """Note the boxes that have greeted another process, as each does to connect."""
        for device, at in (await self.state.read(newest_greetings, rank)).items():
            if self._greeted_ms.get(device) != at:
                self._greeted_ms[device] = at
                self.state.presence.heard_elsewhere(device)

    async def _check_results(self, device: int) -> None:
        """Raise an alarm for every result whose rows say another one.

        Of a closed tournament nothing is asked any more.
        """
        tournaments = self.state.tournaments
        for result in self.state.view.results:
            if tournaments.halls.get(result.hall, 0) in tournaments.archive:
                continue
            agreement = self.state.scores.agreement(result)
            if result.device == device and agreement is Agreement.DIFFERENT:
                subject = f"{result.rev} {result.seq}"
                await self.state.report(
                    NewAlarm(device, AlarmKind.RESULT, result.match, subject=subject)
                )

    async def knows(self, key: str, rank: Rank = Rank.VISITORS) -> bool:
        """Whether a token with this SHA-256 is, or was, that of a box.

        ``rank``: of its address.
        """
        if key not in self._known_keys and await self.find_device(key, rank) is not None:
            self._known_keys.add(key)
        return key in self._known_keys

    def rank_of(self, address: str) -> Rank:
        """Whose share an address takes that shows a token, a session or neither."""
        return Rank.TABLES if self.addresses.is_known(address) else Rank.VISITORS

    def know_address(self, address: str) -> None:
        """A token or a session came from there."""
        if not self.addresses.is_known(address):
            self.addresses.add(address)
            self._start(self._store_address(address))

    async def _store_address(self, address: str) -> None:
        at = self.state.clock.utc()
        await self.state.write(partial(self.addresses.store, address=address, at=at))

    async def find_device(self, key: str, rank: Rank = Rank.VISITORS) -> int | None:
        """The box that has a token with this SHA-256, unless it is revoked."""
        known = (DEVICE.c.key == key) | ((DEVICE.c.next_key == key) & (DEVICE.c.next_key != ""))
        query = select(DEVICE.c.id).where(known, DEVICE.c.state != "revoked")
        found = await self.state.read(lambda connection: connection.execute(query).scalar(), rank)
        return None if found is None else int(found)

    async def join_by_card(self, request: CardRequest) -> JoinReply:
        """Accept a box that shows a card.

        While its table has another one, the desk is asked.
        """
        card = key_of(request.card)
        device = NewDevice(request.key, 0, request.machine, request.program, card=card)
        try:
            await self.state.decide(
                Author("card", log.HUB), lambda desk: desk.accept_by_card(device)
            )
        except DecisionError as error:
            if error.key != DecisionFault.OCCUPIED:
                return JoinReply(JoinState.REFUSED, text=str(error))
            query = select(CARD.c.table_number).where(CARD.c.key == card)
            table = await self.state.read(lambda connection: connection.execute(query).scalar_one())
            return self.joins.ask_about(request, card, int(table), time.monotonic())
        query = select(DEVICE.c.table_number).where(DEVICE.c.key == request.key)
        table = await self.state.read(lambda connection: connection.execute(query).scalar_one())
        return JoinReply(JoinState.ACCEPTED, table=int(table), hall=self.name)

    # ---- the desk -------------------------------------------------------------------------------

    async def decide(
        self, author: Author, event: Event, seen: int | None = None, tournament: int = 0
    ) -> None:
        """Append an event to a tournament. Raises DecisionError.

        ``seen``: the newest entry that the page of the director shows.
        """
        if isinstance(event, PairRound):
            await self.rounds.pair(author, event, seen, tournament)
        else:
            await self.matches.decide(author, event, seen, tournament)

    async def accept(self, author: Author, key: str, table: int, name: str, replaces: int) -> None:
        """Accept a box that waits for the desk. Raises DecisionError.

        ``replaces``: the box that gives up the table; 0: it is free.
        """
        found = [each for each in self.joins.candidates(time.monotonic()) if each.key == key]
        if not found:
            raise DecisionError("this box does not wait any more", DecisionFault.GONE)
        _, _, machine, program, card, _ = found[0]
        device = NewDevice(key, table, machine, program, name, card)
        accept = Desk.accept_by_card if card else Desk.accept
        await self.state.decide(author, lambda desk: accept(desk, device, replaces))
        self._replaced.add(replaces)
        self.joins.accept(key, table, self.name, time.monotonic())

    async def reinstate(self, author: Author, device: int, table: int, replaces: int) -> None:
        """Give a table to a box that was replaced. Raises DecisionError.

        Its match comes back from a table to which it was called but where it has not begun.
        """
        await self.state.decide(author, lambda desk: desk.reinstate(device, table, replaces))
        self._replaced.add(replaces)
        own = {each.hall for each in self.state.view.assigned if each.device == device}
        for key in self.matches.offered_elsewhere(device, own):
            await self.matches.take_back(author, key)
        self.state.presence.send(device, Resend())

    async def resolve(self, author: Author, alarm: int, how: Resolution, machine: str) -> None:
        """Close an alarm; the box greets again. Raises DecisionError."""
        device = await self.state.decide(author, lambda desk: desk.resolve(alarm, how, machine))
        self.state.presence.send(device, Resend())

    async def renew_epoch(self, device: int) -> None:
        """Ask the table of a box for a new epoch."""
        streams = await self.state.read(newest_streams)
        if device in streams:
            self.state.presence.send(device, RenewEpoch(streams[device]))

    async def _send_desired(self, device: int) -> None:
        if (event := await self.state.desired(device)) is not None:
            self.state.presence.send(device, event)

    async def _send_new_decision(self, device: int) -> None:
        """The intake has decided."""
        await self.state.refresh()
        await self._send_desired(device)

    async def revoke(self, author: Author, device: int) -> None:
        """Take the token of a box. Raises DecisionError."""
        await self.state.decide(author, lambda desk: desk.revoke(device))
        self.state.presence.drop(device)

    async def read_code(self, code: str) -> Json:
        """What the code of a panel says, for the desk to accept. Raises DecisionError."""
        found = await self.state.read(partial(read_code, text=code))
        return {
            **found.result._asdict(),
            "table": found.table,
            "match": found.match,
            "names": found.names,
            "known": found.known_seq == found.result.seq,
        }

    async def accept_code(self, author: Author, code: str) -> None:
        """Accept the result of a panel as that of its match. Raises DecisionError.

        A result that does not decide a match of the tournament raises an alarm.
        """
        scanned = await self.state.read(partial(read_code, text=code))
        key, result = self.matches.match_of_code(scanned), self.matches.result_of_code(scanned)

        def accept(connection: Connection) -> None:
            Desk(connection, self.state.clock, author).add_result(code)
            if key is None or result is None:
                return
            if self.matches.reader(key.tournament).result(key.match) != result:
                desk = self.state.desk_of(connection, author, key.tournament)
                desk.decide(RecordResult(key.match, result), how="qr")

        await self.state.write(accept)
        await self._check_results(scanned.device)
        if key is not None and result is None:
            source = f"code {scanned.result.rev}"
            await self.matches.report_undecided(scanned.device, key, source)

    async def find_person(self, name: str) -> Person | None:
        """Who may use the desk under this name."""
        query = select(PERSON.c.name, PERSON.c.role, PERSON.c.password).where(PERSON.c.name == name)
        found = await self.state.read(lambda connection: connection.execute(query).first())
        return None if found is None else Person(*found)

    def desk_document(self, language: str) -> Json:
        """What the desk is shown."""
        tables = {box.device: box.table for box in self.state.view.boxes}
        candidates = self.joins.candidates(time.monotonic())
        matches: dict[int, Json] = {}
        for each in self.matches.open_tournaments():
            matches |= table_documents(Phrases(each.reader, language), each, self.match_cache)
        return {
            "hall": self.name,
            "now": self.state.clock.utc(),
            "seq": self.state.view.log_seq,
            "clock_is_trusted": self.state.clock.is_trusted,
            "boxes": [
                {**self._box_document(box), "match": matches.get(box.table)}
                for box in self.state.view.boxes
            ],
            # Not those that were replaced years ago.
            "replaced": [
                self._box_document(box)
                for box in self.state.view.replaced
                if box.device in self._replaced
                or self.state.presence.minutes_since(box.device) is not None
            ],
            "candidates": [{**each._asdict(), "card": bool(each.card)} for each in candidates],
            "counted": dict(self.counted),
            "tournaments": tournaments_document(
                self.matches.all_tournaments(), translator(language)
            ),
            "alarms": [
                {
                    **json.loads(json.dumps(each._asdict())),
                    "table": tables.get(each.device, 0),
                    "buttons": [button.value for button in buttons_of(each.kind)],
                    "tournament": key.tournament if key is not None else 0,
                }
                for each in self.state.view.alarms
                for key in [self.matches.match_of_alarm(each)]
            ],
            "results": [
                {
                    **each._asdict(),
                    "table": tables.get(each.device, 0),
                    "tournament": self.state.tournaments.halls.get(each.hall, 0),
                    "rows": self.state.scores.agreement(each),
                }
                for each in self.state.view.results
            ],
        }

    def _box_document(self, box: Box) -> Json:
        return {
            **box._asdict(),
            "silent": self.state.presence.is_silent(box.device),
            "minutes": self.state.presence.minutes_since(box.device),
            "held": box.device in self.state.view.held,
            "game": _game_document(self.state.scores, box.device),
        }

    async def troubles(self, rank: Rank = Rank.DESK) -> list[Trouble]:
        """The troubles of the hall, besides alarms. ``rank``: of the client."""
        problem = await self.state.store_problem(rank)
        if missed := self._missed_tables():
            await self._hear_of_others(rank)
            missed = self._missed_tables()
        faults = {
            TroubleKind.COPIES: self.copies.faults() if self.copies else (),
            TroubleKind.SITE: self.publisher.faults() if self.publisher else (),
        }
        return find_troubles(problem, missed, faults, len(self._unknown_sittings()))

    def _unknown_sittings(self) -> set[Sitting]:
        """The sittings of this hub of which its log knows neither call nor match.

        A copy that is older than their tournament was restored. Of a tournament that is there,
        they count when their match is called again.
        """
        halls, readers = self.state.tournaments.halls, self.matches.open_tournaments()
        unknown = {key: each for key, each in self._sittings.items() if key.hall not in halls}
        return {
            sitting
            for sitting, names in unknown.items()
            if not any(_has_match(each.reader, sitting.match, names) for each in readers)
        }

    async def leave_games(self, author: Author) -> None:
        """Ask no more about the games whose sittings are unknown now."""
        halls = sorted({each.hall for each in self._unknown_sittings()})
        if not halls:
            raise DecisionError("nothing is unknown any more", DecisionFault.RESOLVED)
        await self.state.decide(author, lambda desk: desk.leave_games(halls))

    def _missed_tables(self) -> list[int]:
        """The tables whose boxes should be connected."""
        presence, playing = self.state.presence, self.matches.boxes_in_play()
        return [
            box.table
            for box in self.state.view.boxes
            if presence.is_missed(box.device, has_match=box.device in playing)
        ]

    # ---- the wall -------------------------------------------------------------------------------

    def wall_document(self) -> Json:
        """What the wall shows; it has no machine names and no digits."""
        # An alarm about a match is not one of the next teams at that table.
        alarmed = {
            alarm.device
            for alarm in self.state.view.alarms
            if alarm.kind not in OF_MATCH or alarm.text in ("", self.matches.match_of(alarm.device))
        }
        called, clocks = self.matches.called(), self.matches.clocks()
        tournaments = self.matches.tournaments_of_tables()
        return {
            "version": __version__,
            "hall": self.name,
            "has_teams": bool(self.state.tournaments.newest),
            "queue": self.matches.next_teams(_NEXT),
            "tournaments": [
                # ``format``: a title, or its key.
                {"id": each.id, **each.state.names._asdict(), "format": each.state.format.title}
                for each in self.state.tournaments.open
            ],
            "tables": [
                {
                    "table": box.table,
                    "name": box.name,
                    "tournament": tournaments.get(box.device, 0),
                    "silent": self.state.presence.is_silent(box.device),
                    "alarm": box.device in alarmed or box.device in self.state.view.held,
                    "called": called.get(box.device, []),
                    "time": clocks.get(box.device),
                    "game": self._wall_game(box.device),
                }
                for box in self.state.view.boxes
            ],
        }

    def _wall_game(self, device: int) -> Json | None:
        """The game of a table; a corrected result of its match names another winner."""
        game = _game_document(self.state.scores, device)
        if game is None or not game["winner"]:
            return game
        winner = self.matches.official_winner(device)
        return game if winner is None else {**game, "winner": game["sides"][winner]["side"]}

    # ---- running --------------------------------------------------------------------------------

    async def follow_others(self, pause: float) -> None:
        """Notice what other processes of this hub have decided and stored.

        ``pause``: seconds between two looks.
        """
        while True:
            await asyncio.sleep(pause)
            try:
                await self.state.refresh()
                # Read the tables whose rows other processes have stored.
                await self._hear_of_others()
                ends = await self.state.read(newest_ends)
                behind = {
                    device: epoch
                    for device, (epoch, last) in ends.items()
                    if self.state.scores.is_behind(device, epoch, last)
                }
                for device in behind:
                    self.state.presence.heard_elsewhere(device, is_greeting=False)
                if behind:
                    await self._read_tables(behind)
                # Time has passed: a result may be due.
                await self.matches.follow()
                # A refresh for another reason may have read what another process has decided.
                seq = self.state.view.log_seq
                if seq != self._sent_seq:
                    for box in self.state.view.boxes:
                        await self._send_desired(box.device)
                    self._sent_seq = seq
            except DatabaseError as error:
                write_log(f"the database cannot be read: {error}")

    def _start(self, coroutine: Any) -> None:  # noqa: ANN401
        """Run beside the requests; an error is written once and ends nothing."""
        task: asyncio.Task[None] = asyncio.ensure_future(_reporting(coroutine))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def close(self) -> None:
        self.state.presence.close()
        self.rounds.close()


def random_hex(digits: int) -> str:
    """That many hexadecimal digits that cannot be predicted."""
    return secrets.token_hex(digits // 2)


async def _reporting(coroutine: Any) -> None:  # noqa: ANN401
    try:
        await coroutine
    except DatabaseError as error:
        write_log(str(error))


def _has_match(reader: Reader, match: str, names: Sequence[str]) -> bool:
    """Whether a tournament has a match of these teams."""
    if reader.state.match(match) is None:
        return False
    return [reader.state.teams[each].name for each in reader.sides(match) if each] == [*names]


def _game_document(scores: Scores, device: int) -> Json | None:
    game = scores.of(device)
    return None if game is None else _document_of(game)


@lru_cache(maxsize=1000)
def _document_of(game: GameScore) -> Json:
    """A game, made once for all walls and desks that show it."""
    return {**game._asdict(), "sides": [side._asdict() for side in game.sides]}
