"""Results that panels show as codes: accepted once, compared with the rows."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from scorer.hall import wire
from scorer.hall.joining import key_of
from scorer.hall.result_code import MatchResult, ResultPhase, format_code
from scorer.hall.rows import Opening
from scorer.hub.decisions import DecisionError
from scorer.hub.scores import read_results
from scorer.hub.store.backup import rebuild
from scorer.hub.store.database import Database, sqlite_url
from scorer.hub.store.log import entries
from scorer.hub.store.projections import Kind
from tests.hub.boxes import Hall, greet, row, rows_message
from tests.hub.hub_process import Client, HubProcess, running_hub
from tests.hub.joining_box import JoiningBox, join_box, log_in
from tests.hub.test_server import wait_for
from tests.hub.test_tournament import Director, Table, begin, join

TOKEN = "ab" * 16
MATCH = "Z2-R1-M3"
HEADER = f'[Variant "argentine"]\n[Options "target=30"]\n[NameA "La Yunta"]\n[Match "{MATCH}"]\n'
# The rows say 30 to 0.
ROWS = [row(1, "A award 30")]


def code(rev: int, seq: int = 1, token: str = TOKEN, match: str = MATCH, points: int = 0) -> str:
    result = MatchResult(rev, seq, ResultPhase.ENDED, (1, 0), (30, points))
    return format_code(result, key_of(token), match)


@pytest.fixture
def hall(database: Database) -> Hall:
    return Hall(database)


def assigned(hall: Hall, device: int) -> int:
    document = {"do": "assign", "header": HEADER, "lock": True, "cap": None}
    with hall.desk() as desk:
        return desk.desire(device, document)


def accept(hall: Hall, text: str) -> int:
    with hall.desk() as desk:
        return desk.add_result(text)


def test_a_result_is_accepted_with_who_and_how(hall: Hall) -> None:
    device = hall.join(TOKEN)
    rev = assigned(hall, device)
    assert accept(hall, code(rev)) == device
    with hall.database.read() as connection:
        (result,) = read_results(connection)
        *_, entry = entries(connection)
    assert (result.rev, result.match, result.names) == (rev, MATCH, ("La Yunta", ""))
    assert (result.games, result.points, result.who) == ((1, 0), (30, 0), "Ana")
    assert (entry.kind, entry.role, entry.body["how"]) == (Kind.RESULT_SCANNED, "director", "qr")
    before, after = rebuild(hall.database)
    assert before == after


def test_a_code_is_refused_with_its_reason(hall: Hall) -> None:
    device, other = hall.join(TOKEN, table=1), hall.join("cd" * 16, table=2)
    rev = assigned(hall, device)
    refused = {
        "": "code_unreadable",
        code(rev)[:-1]: "code_unreadable",
        code(rev)[:-1] + ("0" if code(rev)[-1] != "0" else "1"): "code_foreign",
        code(rev, token="ef" * 16): "code_foreign",
        code(rev, match="Z2-R1-M4"): "code_foreign",
        code(rev + 1): "code_foreign",
        code(assigned(hall, other)): "code_foreign",
        code(10**12): "code_foreign",
    }
    for text, key in refused.items():
        with pytest.raises(DecisionError) as error:
            accept(hall, text)
        assert error.value.key == key, text
        assert "\n" not in str(error.value)


def test_a_code_counts_once_and_a_newer_one_replaces_it(hall: Hall) -> None:
    rev = assigned(hall, hall.join(TOKEN))
    accept(hall, code(rev, seq=5))
    for seq, key in ((5, "code_known"), (4, "code_old")):
        with pytest.raises(DecisionError) as error:
            accept(hall, code(rev, seq=seq))
        assert error.value.key == key
    accept(hall, code(rev, seq=6, points=3))


@pytest.mark.parametrize("kind", ["revoked", "replaced"])
def test_a_box_that_has_left_has_no_valid_code(hall: Hall, kind: str) -> None:
    device = hall.join(TOKEN, table=1)
    rev = assigned(hall, device)
    if kind == "revoked":
        with hall.desk() as desk:
            desk.revoke(device)
    else:
        hall.join("cd" * 16, table=1)
    with pytest.raises(DecisionError) as error:
        accept(hall, code(rev))
    assert error.value.key == "code_box"


# ---- the process


@pytest.fixture(scope="module")
def desk(hub: HubProcess) -> Client:
    return log_in(hub)


def playing(hub: HubProcess, desk: Client, token: str, table: int) -> tuple[JoiningBox, int]:
    """A box with an assigned match, and the rev of the assignment."""
    box = join_box(hub, desk, token, table)
    (device,) = [each["device"] for each in boxes(desk) if each["table"] == table]
    message = {"do": "assign", "device": device, "header": HEADER, "lock": True}
    assert desk.desk("/desk/act", message).status == 200
    greeted = box.client.post(wire.GREET_PATH, wire.encode(greet()), token)
    return box, greeted.document["desired"]


def boxes(desk: Client) -> list[dict[str, object]]:
    found: list[dict[str, object]] = desk.get("/desk/state").document["boxes"]
    return found


def rows_of(desk: Client, rev: int) -> str:
    results = desk.get("/desk/state").document["results"]
    return next(str(each["rows"]) for each in results if each["rev"] == rev)


@pytest.mark.parametrize(
    ("table", "points", "said"), [(5, 0, "equal"), (6, 7, "different")], ids=["equal", "different"]
)
def test_the_rows_that_come_later_must_agree(
    hub: HubProcess, desk: Client, table: int, points: int, said: str
) -> None:
    token = f"{table}" * 32
    box, rev = playing(hub, desk, token, table)
    text = code(rev, token=token, points=points)
    found = desk.get(f"/desk/code/{text}").document
    assert (found["table"], found["match"], found["known"]) == (table, MATCH, False)
    assert desk.desk("/desk/act", {"do": "scan", "code": text}).status == 200
    assert desk.get(f"/desk/code/{text}").document["known"] is True
    assert rows_of(desk, rev) == "waiting"
    message = rows_message(ROWS, openings=(Opening(1, 1, HEADER),))
    assert box.client.post(wire.ROWS_PATH, wire.encode(message), token).status == 200
    wait_for(lambda: rows_of(desk, rev) == said)

    def alarms() -> list[str]:
        open_ones = desk.get("/desk/state").document["alarms"]
        return [each["kind"] for each in open_ones if each["table"] == table]

    if said == "different":
        wait_for(lambda: alarms() == ["result"])
    else:
        assert alarms() == []


def test_a_code_is_opened_by_a_browser_and_read_with_a_login_only(
    hub: HubProcess, desk: Client
) -> None:
    stranger = hub.client()
    page = stranger.get(f"/Q/{code(1)}")
    assert (page.status, b"/static/desk.js" in page.body) == (200, True)
    assert stranger.get(f"/desk/code/{code(1)}").status == 401
    assert stranger.desk("/desk/act", {"do": "scan", "code": code(1)}).status == 401
    refused = desk.desk("/desk/act", {"do": "scan", "code": "A-1"})
    assert (refused.status, refused.document["key"]) == (409, "code_unreadable")
    assert json.dumps(refused.document["error"]).isprintable()


# ---- a tournament


@pytest.fixture
def director(hub: HubProcess) -> Iterator[Director]:
    made = Director(hub, log_in(hub))
    for box in made.desk["boxes"]:
        made.act("revoke", device=box["device"])
    begin(made)
    yield made
    for box in made.desk["boxes"]:
        made.act("revoke", device=box["device"])


def called(director: Director, table: Table) -> tuple[str, int]:
    """A match of the queue at the table, and the rev of its assignment."""
    match = str(director.tournament["queue"][0]["id"])
    director.act("t.call", match=match, device=table.device)
    greeted = table.box.client.post(wire.GREET_PATH, wire.encode(greet()), table.box.token)
    return match, int(greeted.document["desired"])


def alarms_of(director: Director, table: Table) -> list[str]:
    return [each["kind"] for each in director.desk["alarms"] if each["device"] == table.device]


def test_a_code_is_the_official_result_of_its_match(hub: HubProcess, director: Director) -> None:
    (table,) = join(director, [1])
    match, rev = called(director, table)
    header = table.assigned()["header"]
    text = code(rev, token=table.box.token, match=match, points=12)
    helper = log_in(hub, "helper", "desk")
    assert helper.get(f"/desk/code/{text}").status == 200
    assert helper.desk("/desk/act", {"do": "scan", "code": text}).status == 200
    (found,) = director.tournament["official"]
    assert (found["id"], found["result"]["points"]) == (match, [30, 12])
    assert table.assigned() == {"do": "release"}
    with closing(Database.open(sqlite_url(hub.state / "hub.sqlite"))) as database:
        with database.read() as connection:
            *_, event = entries(connection, kinds=(Kind.TOURNAMENT_EVENT,))
        assert (event.who, event.body["how"]) == ("helper", "qr")
    # The rows that come later say 30 to 0.
    table.play("A award 30", header=header)
    wait_for(lambda: alarms_of(director, table) == ["result"])
    assert [each["result"] for each in director.tournament["official"]] == [found["result"]]


def test_a_code_that_decides_nothing_is_an_alarm(director: Director) -> None:
    (table,) = join(director, [1])
    match, rev = called(director, table)
    contested = MatchResult(rev, 5, ResultPhase.CONTESTED, (1, 0), (30, 12))
    director.act("scan", code=format_code(contested, key_of(table.box.token), match))
    assert alarms_of(director, table) == ["result.undecided"]
    assert director.tournament["official"] == []
    # What the desk has entered meanwhile is not changed by a code.
    result = {"winner": 1, "games": [0, 1], "points": [9, 30], "ending": "played"}
    director.event("RecordResult", match=match, result=result)
    other = code(rev, seq=6, token=table.box.token, match=match, points=12)
    assert director.refused("scan", code=other) == "t.has_result"
    assert not director.client.get(f"/desk/code/{other}").document["known"]


def test_results_survive_a_restart(tmp_path: Path) -> None:
    with running_hub(tmp_path / "hub") as hub:
        desk = log_in(hub)
        _, rev = playing(hub, desk, TOKEN, 1)
        assert desk.desk("/desk/act", {"do": "scan", "code": code(rev)}).status == 200
        hub.kill()
        hub.start()
        again = hub.client()
        again.cookie = desk.cookie
        assert rows_of(again, rev) == "waiting"
