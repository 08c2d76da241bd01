"""A name is forgotten in the log, headers, digests and later games."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import select

from scorer.hall.events import digest_of as decision_digest
from scorer.hall.fields import canonical
from scorer.hall.rows import Opening, digest
from scorer.hall.wire import GreetReply, HeldReply, RowsReply
from scorer.hub.audit import find_problem
from scorer.hub.copies import Copies
from scorer.hub.decisions import DecisionError
from scorer.hub.forgetting import (
    Forgotten,
    NamedPlace,
    PlaceKind,
    find_places,
    forget,
    places_of_team,
    scrub,
)
from scorer.hub.intake import Turn
from scorer.hub.store import log
from scorer.hub.store.backup import back_up, rebuild, restore
from scorer.hub.store.blanking import ForgottenNames
from scorer.hub.store.database import Database, DatabaseError, sqlite_url
from scorer.hub.store.log import find_break
from scorer.hub.store.masks import Masks, find_masks, make_masks
from scorer.hub.store.projections import Kind
from scorer.hub.store.tables import DESIRED, METADATA, OPENING, ROW, SECRET, STREAM
from scorer.hub.tournaments import TournamentDesk, Tournaments, follow
from scorer.tournament.events import ChangeTeam, Draw, Enter, RecordResult, StartPhase, Withdraw
from scorer.tournament.model import Ending, Result
from tests.hub import postgresql
from tests.hub.boxes import DIRECTOR, Hall, digest_of, greet, row, rows_message, submission
from tests.hub.test_server import wait_for
from tests.tournament.play import built_in

TOKEN = "1" * 32
NAME = "Zoilo Quesada"
WORDS = ("Zoilo", "Quesada", "ZOILO")
TEAMS = (
    Enter("Quesada y Paz", ("Zoilo Quesada", "Luis Paz"), club="Club Sur", consents=True),
    Enter("Dos", ("Ana Ruiz", "Eva Sol")),
    Enter("Tres", ("Juan Gil", "Pía Roca")),
    Enter("Cuatro", ("Beto Rey", "Tito Mar")),
    Enter("Cinco", ("Caio Luz", "Dora Paz")),
    Enter("Seis", ("Ema Rey", "Fito Gil")),
)


def header_of(hall: str, name: str, other: str = "Dos") -> str:
    tags = {"Variant": "argentine", "NameA": name, "NameB": other, "Match": "zonas-Z1-R1-M1"}
    return "".join(f'[{tag} "{value}"]\n' for tag, value in {**tags, "Hall": hall}.items())


class Forgetter(Hall):
    """A hall with a tournament in play at one table, whose names stand everywhere."""

    def begin(self) -> int:
        with self.database.write() as connection:
            desk = TournamentDesk(connection, self.clock, DIRECTOR, Tournaments())
            number = desk.begin(built_in("zones_and_bracket"), TEAMS)
            desk.decide(
                ChangeTeam(1, "Los Quesada", ("ZOILO QUESADA", "Luis Paz"), club="Club Sur")
            )
            desk.decide(ChangeTeam(1, "Quesada y Paz", ("Zoilo Quesada", "Luis Paz")))
            desk.decide(Draw("20261123"))
            desk.decide(StartPhase("zonas"))
            desk.decide(Withdraw(6, "lo dijo Zoilo Quesada, de Quesada y Paz"))
            match = next(iter(desk.running.state.matches())).id
            desk.decide(RecordResult(match, Result(0, (1, 0), (30, 4), Ending.PLAYED)))
        return number

    @property
    def header(self) -> str:
        return header_of("aaaaaaaa-1", "Quesada y Paz")

    def assign(self, number: int) -> int:
        device = self.join(TOKEN)
        document = {"do": "assign", "header": self.header, "lock": True, "cap": None}
        with self.desk() as desk:
            desk.desire(device, document, number)
        return device

    def play(self, *openings: Opening) -> None:
        self.send(TOKEN, greet())
        rows = [row(1), row(2), row(3, game=2)]
        assert self.send(TOKEN, rows_message(rows, openings=openings)) == RowsReply(3)
        self.send(TOKEN, greet(3, digest_of(rows[2], *openings)))

    def send_next(self, seq: int, opening: Opening, prev: str) -> None:
        """Send the first row of another game."""
        message = rows_message([row(seq, game=opening.game)], prev=prev, openings=(opening,))
        assert self.send(TOKEN, message) == RowsReply(seq)

    def forget(self, *places: NamedPlace, name: str = NAME, scrubs: bool = True) -> Forgotten:
        with self.database.write() as connection:
            wanted = places or [
                place for place, is_meant in find_places(connection, name).items() if is_meant
            ]
            masks = make_masks(connection, self.digits)
            found = forget(connection, masks, self.clock.utc(), DIRECTOR, wanted, name=name)
        if scrubs:
            scrub(self.database)
        return found


@pytest.fixture
def hall(database: Database) -> Forgetter:
    hall = Forgetter(database)
    hall.assign(hall.begin())
    hall.play(Opening(1, 1, hall.header), Opening(2, 3, free_header(NAME)))
    return hall


def content(database: Database) -> str:
    """Every value of every table."""
    with database.read() as connection:
        rows = [
            [*each]
            for table in METADATA.sorted_tables
            for each in connection.execute(table.select())
        ]
    return json.dumps(rows, ensure_ascii=False, default=str)


def names_left(text: str) -> set[str]:
    return {name for name in WORDS if name in text}


def state_of(database: Database) -> object:
    with database.read() as connection:
        (running,) = follow(connection, Tournaments()).open
        return running.state


def test_the_name_stands_in_places_that_are_found(hall: Forgetter) -> None:
    with hall.database.read() as connection:
        found = find_places(connection, "QUESADA, Zoilo")
    number = next(each.tournament for each in found if each.tournament)
    assert found == {
        NamedPlace(number, 1, PlaceKind.NAME, "Quesada y Paz"): True,
        NamedPlace(number, 1, PlaceKind.NAME, "Los Quesada"): True,
        NamedPlace(number, 1, PlaceKind.PLAYER, "Zoilo Quesada"): True,
        NamedPlace(number, 1, PlaceKind.PLAYER, "ZOILO QUESADA"): True,
        NamedPlace(number, 0, PlaceKind.REASON, "lo dijo Zoilo Quesada, de Quesada y Paz"): True,
        NamedPlace(0, 0, PlaceKind.GAME, "Zoilo Quesada"): True,
    }


@pytest.mark.sampled(1)
def test_a_forgotten_name_is_nowhere_and_the_tournament_is_the_same(hall: Forgetter) -> None:
    before = state_of(hall.database)
    assert names_left(content(hall.database)) == {*WORDS}
    assert hall.forget() == Forgotten(entries=5, games=2)
    assert names_left(content(hall.database)) == set()
    after = state_of(hall.database)
    assert after.teams[1].name == "#1"  # type: ignore[attr-defined]
    assert after.teams[1].players == ("#1.1", "Luis Paz")  # type: ignore[attr-defined]
    assert after._replace(teams={}) == before._replace(teams={})  # type: ignore[attr-defined]
    with hall.database.read() as connection:
        assert (find_break(connection), find_problem(connection)) == (None, None)
        reasons = [
            each.body["event"]["reason"]
            for each in log.entries(connection, kinds=[Kind.TOURNAMENT_EVENT])
            if "reason" in each.body["event"]
        ]
        assert reasons == ["lo dijo #1, de #1"]
    one, other = rebuild(hall.database)
    assert one == other


def test_no_byte_of_the_name_stays_in_the_files_of_sqlite(hall: Forgetter, tmp_path: Path) -> None:
    if hall.database.engine.dialect.name != "sqlite":
        pytest.skip("the files of PostgreSQL are its own")
    files = [tmp_path / "hub.sqlite", tmp_path / "hub.sqlite-wal"]

    def left() -> set[str]:
        return {name for name in WORDS for each in files if name.encode() in each.read_bytes()}

    assert left() == {*WORDS}
    hall.forget()
    assert left() == set()


@pytest.mark.sampled(1)
def test_a_power_cut_before_the_bytes_are_removed_leaves_them_until_the_start(
    hall: Forgetter, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """So does a full disk: what is forgotten stays forgotten, and the log says so."""
    real = Database.scrub

    def fail(database: Database) -> None:
        raise DatabaseError("the disk is full")

    monkeypatch.setattr(Database, "scrub", fail)
    hall.forget()
    assert names_left(content(hall.database)) == set()
    done: list[Database] = []

    def remove(database: Database) -> None:
        done.append(database)
        real(database)

    monkeypatch.setattr(Database, "scrub", remove)
    for _ in range(2):
        scrub(hall.database)
    assert done == [hall.database]
    files = [*tmp_path.glob("hub.sqlite*")]
    assert names_left("".join(each.read_bytes().decode("latin-1") for each in files)) == set()


def guesses(hall: Forgetter, database: Database) -> list[str]:
    """Every digest of a content with the name, for a guess of the name."""
    with database.read() as connection:
        entries = [*log.entries(connection)]
        desired = connection.execute(select(DESIRED.c.document)).scalar_one()
        openings = [Opening(*each) for each in connection.execute(select(*OPENING.c[2:]))]
        rows = [*connection.execute(select(ROW.c.digest).order_by(ROW.c.seq)).scalars()]
    found = [log.digest_of(each) for each in entries if names_left(json.dumps(each.body))]
    found += [log.content_of(each) for each in entries if names_left(json.dumps(each.body))]
    found += [hashlib.sha256(canonical(each.header)).hexdigest()[:16] for each in openings]
    return [*found, decision_digest(json.loads(desired)), rows[0], rows[2]]


@pytest.mark.sampled(1)
def test_no_digest_stays_from_which_a_short_name_is_guessed(hall: Forgetter) -> None:
    """All else of an entry or a row is known: a bare digest is found by trying names."""
    candidates = guesses(hall, hall.database)
    whole = content(hall.database)
    assert sum(each in whole for each in candidates) > 6
    hall.forget()
    whole = content(hall.database)
    assert [each for each in candidates if each in whole] == []
    # Nor does the mask say anything to who has all but the key.
    with hall.database.read() as connection:
        masks = find_masks(connection)
        assert masks is not None
        tip = connection.execute(select(STREAM.c.tip)).scalar_one()
        assert masks.fits(tip, candidates[-1]) and not masks.fits(tip, candidates[-2])
        others = (Masks(f"{key:064x}").mask(candidates[-1]) for key in range(1000))
        assert tip not in others


@pytest.mark.sampled(1)
def test_a_box_that_sends_a_forgotten_row_again_is_accepted_and_told_nothing(
    hall: Forgetter,
) -> None:
    openings = Opening(1, 1, hall.header), Opening(2, 3, free_header(NAME))
    rows = [row(1), row(2), row(3, game=2)]
    hall.forget()
    for newest, at in ((3, 2), (2, 1)):
        reply = hall.send(TOKEN, greet(newest, digest_of(rows[at], *openings)))
        if newest == 3:
            assert isinstance(reply, GreetReply) and reply.digest == digest_of(rows[2], *openings)
            assert hall.send(TOKEN, rows_message(rows, openings=openings)) == RowsReply(3)
            last = rows_message([rows[2]], prev=digest_of(rows[1]), openings=openings[1:])
            assert hall.send(TOKEN, last) == RowsReply(3)
            following = rows_message([row(4, game=2)], prev=digest_of(rows[2], *openings))
            assert hall.send(TOKEN, following) == RowsReply(4)
    assert names_left(content(hall.database)) == set()
    bare = digest_of(rows[2], *openings)
    assert bare not in content(hall.database)


def free_header(name: str) -> str:
    return f'[Variant "argentine"]\n[NameA "{name}"]\n[NameB "Ellos"]\n'


def test_other_rows_in_place_of_forgotten_ones_are_still_found(hall: Forgetter) -> None:
    hall.forget()
    other = Opening(1, 1, header_of("aaaaaaaa-1", "Otros"))
    assert isinstance(hall.send(TOKEN, rows_message([row(1)], openings=(other,))), HeldReply)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("has_row", [True, False])
def test_a_game_that_arrives_later_loses_the_name_too(hall: Forgetter, has_row: bool) -> None:
    """The table knows nothing of it, and begins the next game under the old name."""
    hall.forget()
    openings = Opening(3, 4, hall.header), Opening(4, 4 + has_row, free_header("quesada zoilo"))
    prev = digest_of(row(3, game=2), Opening(2, 3, free_header(NAME)))
    rows = [row(4, game=3), row(5, game=4)] if has_row else []
    message = rows_message(rows, prev=prev, first=4, openings=openings)
    outcome = hall.outcome(TOKEN, message)
    assert outcome.reply == RowsReply(5 if has_row else 3)
    assert outcome.stored is not None
    assert names_left(str(outcome.stored.openings)) == set()
    if not has_row:
        later = rows_message([row(4, game=3)], prev=prev, openings=openings)
        assert hall.send(TOKEN, later) == RowsReply(4)
    left = content(hall.database)
    assert names_left(left) == set()
    assert "quesada" not in left
    assert digest(row(4, game=3), hall.header) not in left
    # What its box says of it is stored as a mask, too.
    hall.send(TOKEN, greet(4, digest(row(4, game=3), hall.header)))
    assert digest(row(4, game=3), hall.header) not in content(hall.database)
    with hall.database.read() as connection:
        assert find_problem(connection) is None


def test_a_match_in_play_is_not_called_again(hall: Forgetter) -> None:
    """The table has the decision with the old name, and shows its digest."""
    with hall.database.read() as connection:
        rev, document = connection.execute(select(DESIRED.c.rev, DESIRED.c.document)).one()
    hall.forget()
    before = decisions(hall.database)
    greeting = greet(3, digest_of(row(3, game=2), Opening(2, 3, free_header(NAME))))
    known = decision_digest(json.loads(document))
    hall.send(TOKEN, greeting._replace(rev=rev, decision=known))
    assert decisions(hall.database) == before
    hall.send(TOKEN, greeting._replace(rev=rev, decision="ab" * 8))
    assert len(decisions(hall.database)) == len(before) + 1
    assert names_left(content(hall.database)) == set()


@pytest.mark.sampled(1)
def test_a_game_that_arrives_meanwhile_is_forgotten_too(hall: Forgetter, url: str) -> None:
    """Another process has stored it, and commits while this one waits."""
    prev = digest_of(row(3, game=2), Opening(2, 3, free_header(NAME)))
    message = rows_message([row(4, game=3)], prev=prev, openings=(Opening(3, 4, hall.header),))
    sent, turn = submission(TOKEN, message), list[Forgotten]()
    with closing(Database.open(url)) as database:
        thread = threading.Thread(target=lambda: turn.append(Forgetter(database).forget()))
        with hall.database.write() as connection:
            made = Turn(connection, hall.clock, hall.digits, [sent], ForgottenNames())
            assert made.answer(sent).reply == RowsReply(4)
            made.write()
            thread.start()
            thread.join(0.3)
        thread.join(60)
    assert turn == [Forgotten(entries=5, games=3)]
    assert names_left(content(hall.database)) == set()


def decisions(database: Database) -> list[int]:
    with database.read() as connection:
        return [each.seq for each in log.entries(connection, kinds=[Kind.DESIRED_SET])]


# ---- copies -------------------------------------------------------------------------------------


def key_in(database: Database) -> str:
    with database.read() as connection:
        return str(
            connection.execute(select(SECRET.c.value).where(SECRET.c.name == "masks")).scalar()
        )


@pytest.mark.sampled(1)
def test_a_copy_has_neither_the_name_nor_the_key(hall: Forgetter, tmp_path: Path) -> None:
    hall.forget()
    key = key_in(hall.database)
    assert len(key) == 64
    copies = [tmp_path / "by-hand"]
    back_up(hall.database, copies[0])
    if hall.database.engine.dialect.name == "sqlite":
        Copies(hall.database, tmp_path / "copies", reserve=0).write(99)
        copies += (tmp_path / "copies").iterdir()
        assert len(copies) == 2
    for copy in copies:
        body = copy.read_bytes()
        assert b"aaaaaaaa-1" in body
        assert not [each for each in (*WORDS, key) if each.encode() in body]
        assert bytes.fromhex(key) not in body


@pytest.mark.sampled(1)
def test_an_old_copy_that_is_restored_forgets_again(hall: Forgetter, tmp_path: Path) -> None:
    before, other = Opening(2, 3, free_header(NAME)), Opening(3, 4, free_header("Ana"))
    hall.send_next(4, other, digest_of(row(3, game=2), before))
    back_up(hall.database, tmp_path / "old")
    hall.forget()
    back_up(hall.database, tmp_path / "new")
    for copy in ("old", "new"):
        assert restore(hall.database, tmp_path / copy) == 4
        assert names_left(content(hall.database)) == set()
        with hall.database.read() as connection:
            assert other.header in connection.execute(select(OPENING.c.header)).scalars()
        with hall.database.read() as connection:
            assert (find_break(connection), find_problem(connection)) == (None, None)
        # Later games of the box lose the name, too.
        hall.intake = type(hall.intake)(hall.database, hall.clock, hall.digits)
        hall.send_next(5, Opening(4, 5, hall.header), digest_of(row(4, game=3), other))
        assert names_left(content(hall.database)) == set()
    kept, made = rebuild(hall.database)
    assert kept == made


@pytest.mark.sampled(0)
def test_elsewhere_a_newer_copy_has_forgotten_and_an_older_one_has_not(
    hall: Forgetter, tmp_path: Path
) -> None:
    """There the key is lost: what a box sends again cannot be compared, and is taken."""
    back_up(hall.database, tmp_path / "old")
    hall.forget()
    back_up(hall.database, tmp_path / "new")
    for copy, left in (("old", {*WORDS}), ("new", set())):
        elsewhere = Forgetter(Database.open(sqlite_url(tmp_path / f"{copy}.sqlite")))
        restore(elsewhere.database, tmp_path / copy)
        assert names_left(content(elsewhere.database)) == left
        openings = Opening(1, 1, hall.header), Opening(2, 3, free_header(NAME))
        rows = [row(1), row(2), row(3, game=2)]
        reply = elsewhere.send(TOKEN, greet(3, digest_of(rows[2], *openings)))
        assert isinstance(reply, GreetReply)
        assert elsewhere.send(TOKEN, rows_message(rows, openings=openings)) == RowsReply(3)
        assert names_left(content(elsewhere.database)) == left
        elsewhere.database.close()


# ---- often, partly, and in vain -----------------------------------------------------------------


@pytest.mark.sampled(1)
def test_one_of_a_pair_or_a_whole_team_is_forgotten(hall: Forgetter) -> None:
    with hall.database.read() as connection:
        (number,) = follow(connection, Tournaments()).by_id
        whole = places_of_team(connection, number, 3)
    hall.forget(NamedPlace(number, 2, PlaceKind.PLAYER, "Eva Sol"), name="Eva Sol")
    hall.forget(*whole, name="")
    state = state_of(hall.database)
    assert state.teams[2][:3] == (2, "Dos", ("Ana Ruiz", "#2.2"))  # type: ignore[attr-defined]
    assert state.teams[3][:3] == (3, "#3", ())  # type: ignore[attr-defined]
    left = content(hall.database)
    assert not [each for each in ("Eva Sol", "Juan Gil", "Pía Roca") if each in left]
    assert names_left(left) == {*WORDS}


@pytest.mark.sampled(0)
def test_a_hundred_people_are_forgotten_one_after_another(hall: Forgetter) -> None:
    first: dict[int, str] = {}
    count = 0
    while True:
        with hall.database.read() as connection:
            entries = [*log.entries(connection, kinds=[Kind.TOURNAMENT_EVENT])]
            known = {each.seq: each.body["first"] for each in entries if "first" in each.body}
            assert all(known[seq] == mask for seq, mask in first.items()), "the first one is kept"
            first = known
            (number,) = follow(connection, Tournaments()).by_id
            people = [
                place
                for team in range(1, 7)
                for place in places_of_team(connection, number, team)
                if place.kind is PlaceKind.PLAYER
            ]
        if not people:
            break
        hall.forget(people[0], name=people[0].text, scrubs=False)
        count += 1
    assert count > 10
    with hall.database.write() as connection:
        desk = TournamentDesk(connection, hall.clock, DIRECTOR, Tournaments(), number)
        for at in range(100):
            desk.decide(ChangeTeam(2, f"Equipo {at}", (f"Persona N{at}", "Otra")))
    for at in range(100):
        hall.forget(
            NamedPlace(number, 2, PlaceKind.PLAYER, f"Persona N{at}"),
            name=f"Persona N{at}",
            scrubs=False,
        )
    assert "Persona" not in content(hall.database)
    with hall.database.read() as connection:
        assert (find_break(connection), find_problem(connection)) == (None, None)
    one, other = rebuild(hall.database)
    assert one == other


def test_what_is_forgotten_already_is_not_found_again(hall: Forgetter) -> None:
    hall.forget()
    with pytest.raises(DecisionError):
        hall.forget()


STEPS = ("replace_bodies", "append")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("step", STEPS)
def test_a_fault_between_the_places_leaves_all_of_the_name(
    hall: Forgetter, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = content(hall.database)
    real: Callable[..., object] = getattr(log, step)

    def fail(*arguments: object) -> None:
        real(*arguments)
        raise RuntimeError("the power fails")

    monkeypatch.setattr(log, step, fail)
    with pytest.raises(RuntimeError):
        hall.forget()
    monkeypatch.undo()
    assert content(hall.database) == before
    hall.forget()
    assert names_left(content(hall.database)) == set()


@pytest.mark.sampled(1)
@pytest.mark.parametrize("step", STEPS)
def test_a_process_that_is_killed_between_the_places_leaves_all_of_the_name(
    hall: Forgetter, url: str, step: str
) -> None:
    before = content(hall.database)
    killed = os.fork()
    if not killed:  # the child uses nothing that is open here
        setattr(log, step, lambda *_: os.kill(os.getpid(), signal.SIGKILL))
        Forgetter(Database.open(url)).forget()
    assert os.waitpid(killed, 0)[1] == signal.SIGKILL
    assert content(hall.database) == before
    hall.forget()
    assert names_left(content(hall.database)) == set()


@pytest.mark.sampled(0)
def test_the_standby_of_a_database_forgets_at_once() -> None:
    if not postgresql.is_installed():
        pytest.skip("PostgreSQL is not installed")
    with postgresql.running_cluster() as primary:
        hall = Forgetter(Database.open(primary.new_database()))
        hall.assign(hall.begin())
        hall.play(Opening(1, 1, hall.header), Opening(2, 3, free_header(NAME)))
        with postgresql.running_standby(primary) as standby:
            hall.forget()
            sent = primary.sql("SELECT pg_current_wal_lsn()")
            behind = f"SELECT pg_last_wal_replay_lsn() < '{sent}'"
            wait_for(lambda: standby.sql(behind) == "f")
            standby.promote()
            name = hall.database.engine.url.database
            url = f"postgresql+psycopg://{postgresql.USER}@/{name}?host={standby.folder}"
            with closing(Database.open(url)) as other:
                assert names_left(content(other)) == set()
                assert content(other) == content(hall.database)
        hall.database.close()
