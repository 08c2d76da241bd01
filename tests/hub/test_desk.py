"""The desk: every action tests its role on the server; sessions and passwords."""

from __future__ import annotations

import json
from pathlib import Path
from typing import get_args

import pytest

from scorer.hub.alarms import HUB
from scorer.hub.decisions import Desk as Decisions
from scorer.hub.logins import MAX_SESSIONS, SESSION_SECONDS, Logins
from scorer.hub.passwords import ROLES, Person, hash_password, is_password
from scorer.hub.presence import RECONNECT_SECONDS, SILENT_SECONDS, Presence
from scorer.hub.store.database import Database
from scorer.tournament import Event
from tests.hub.boxes import SetClock
from tests.hub.hub_process import Client, HubProcess, running_hub
from tests.hub.joining_box import log_in
from tests.support import cheap_passwords

MATCH = '[Variant "argentine"]\n[Match "M1"]\n'
# The least role of each action. A new one fails the test until it has a row.
ACTIONS = {
    "accept": "admin",
    "refuse": "admin",
    "reinstate": "admin",
    "close_counted": "director",
    "leave_games": "director",
    "name": "admin",
    "revoke": "admin",
    "end_session": "admin",
    "resolve": "director",
    "renew": "director",
    "assign": "director",
    "release": "director",
    "scan": "desk",
    "t.check": "desk",
    "t.begin": "director",
    "t.event": "desk",
    "t.consequences": "desk",
    "t.leaving": "desk",
    "t.questions": "desk",
    "t.results": "desk",
    "t.correct": "director",
    "t.call": "desk",
    "t.take_back": "desk",
    "t.more_time": "director",
    "t.exchange": "director",
    "t.by_itself": "director",
    "t.presence": "desk",
    "t.consent": "director",
    "t.publish": "desk",
    "t.publish_after": "director",
    "t.why": "desk",
    "t.screen": "desk",
    "t.close": "director",
    "t.reopen": "director",
    "t.priority": "director",
    "t.people": "desk",
    "names.find": "director",
    "names.forget": "director",
}
# The least role of each event of a tournament.
EVENTS = {
    "Enter": "desk",
    "NameTournament": "director",
    "ChangeTeam": "desk",
    "FixTable": "director",
    "BlankName": "director",
    "AnswerNames": "director",
    "MarkMissing": "desk",
    "MarkPresent": "desk",
    "MissRound": "desk",
    "AttendRound": "desk",
    "EnterAgain": "desk",
    "RecordResult": "desk",
    "Withdraw": "director",
    "Return": "director",
    "Forbid": "director",
    "Allow": "director",
    "Commit": "director",
    "Draw": "director",
    "StartPhase": "director",
    "PairRound": "director",
    "PairByHand": "director",
    "ExchangeTeams": "director",
    "AllowRematch": "director",
    "EndPhase": "director",
    "TakeBack": "director",
    "CorrectResult": "director",
    "AnnulResult": "director",
}
PERSON = Person("ana", "admin", hash_password("secret word", "00" * 16))


@pytest.fixture(scope="module")
def clients(hub: HubProcess) -> dict[str, Client]:
    return {role: log_in(hub, role, role) for role in ROLES}


def test_every_action_has_a_row(clients: dict[str, Client]) -> None:
    answer = clients["admin"].desk("/desk/act", {"do": "nothing"})
    assert answer.document["error"] == f"do is one of {', '.join(ACTIONS)}"


@pytest.mark.parametrize("role", ["director", "admin"])
def test_the_page_knows_the_actions_of_its_role(clients: dict[str, Client], role: str) -> None:
    may = clients[role].get("/desk/state").document["may"]
    least = ROLES.index(role)
    assert set(may) == {name for name, each in ACTIONS.items() if ROLES.index(each) <= least}


@pytest.mark.parametrize("role", ["desk", "director", "admin"])
def test_the_page_knows_the_events_of_its_role(clients: dict[str, Client], role: str) -> None:
    events = clients[role].get("/desk/state").document["may_decide"]
    least = ROLES.index(role)
    assert set(events) == {name for name, each in EVENTS.items() if ROLES.index(each) <= least}


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("role", ROLES)
def test_an_action_needs_its_role(clients: dict[str, Client], action: str, role: str) -> None:
    status = clients[role].desk("/desk/act", {"do": action}).status
    is_allowed = ROLES.index(role) >= ROLES.index(ACTIONS[action])
    # Allowed requests are found incomplete, or do nothing.
    assert (status == 403) is not is_allowed


def test_every_event_has_a_row() -> None:
    assert set(EVENTS) == {each.__name__ for each in get_args(Event)}


@pytest.mark.parametrize("name", EVENTS)
@pytest.mark.parametrize("role", ROLES)
def test_an_event_needs_its_role(clients: dict[str, Client], name: str, role: str) -> None:
    message = {"do": "t.event", "event": event_of(name), "seen": 0}
    status = clients[role].desk("/desk/act", message).status
    is_allowed = ROLES.index(role) >= ROLES.index(EVENTS[name])
    # There is no tournament.
    assert status == (409 if is_allowed else 403)


def event_of(name: str) -> dict[str, object]:
    result = {"winner": None, "games": [0, 0], "points": [0, 0], "ending": "walkover"}
    kind = next(each for each in get_args(Event) if each.__name__ == name)
    samples: dict[str, object] = {"result": result, "one": 1, "other": 2, "team": 1, "round": 1}
    samples |= {"pairs": [[1, 2]], "bye": 0, "people": [1], "others": [2], "table": 1}
    needed = kind._fields[: len(kind._fields) - len(kind._field_defaults)]
    return {"do": name, **{key: samples.get(key, "x") for key in needed}}


@pytest.mark.parametrize("action", ACTIONS)
def test_an_action_needs_a_session(hub: HubProcess, action: str) -> None:
    assert hub.client().desk("/desk/act", {"do": action}).status == 401


@pytest.mark.parametrize(
    "message",
    [
        {"do": ["accept"]},
        {"do": "name", "device": "1", "table": 1},
        {"do": "name", "device": 2**70, "table": 1, "name": ""},
        {"do": "name", "device": 1, "table": 1, "name": "x" * 300},
        {"do": "name", "device": 1, "table": 1, "name": "\u200b "},
        {"do": "resolve", "alarm": 1, "how": "maybe"},
        {"do": "assign", "device": 1, "header": 5, "lock": True},
        {"do": "assign", "device": 1, "header": "garbage", "lock": True},
        {"do": "assign", "device": 1, "header": '[Variant "argentine"]', "lock": True},
        {"do": "assign", "device": 1, "header": MATCH + "x" * 8000, "lock": True},
        {"do": "assign", "device": 1, "header": MATCH, "lock": True, "cap": 0},
        {"do": "assign", "device": 1, "header": MATCH, "lock": True, "cap": 2**70},
        {"do": "assign", "device": 1, "header": MATCH.replace("M1", "\ud83d"), "lock": True},
        {"do": "assign", "device": 1, "header": MATCH, "lock": "yes"},
        [],
    ],
)
def test_a_bad_message_is_one_sentence(clients: dict[str, Client], message: object) -> None:
    answer = clients["admin"].desk("/desk/act", message)
    assert answer.status == 400
    assert "\n" not in answer.document["error"]


def test_a_new_password_ends_the_sessions_of_the_old_one(hub: HubProcess) -> None:
    client = log_in(hub, "eva")
    assert client.get("/desk/state").status == 200
    log_in(hub, "eva")
    assert client.get("/desk/state").status == 401


def test_an_audit_is_asked_for_by_commands_of_this_hub_only(hub: HubProcess) -> None:
    for headers in ({}, {"Authorization": "Hub " + "0" * 64}):
        answer = hub.client().request("POST", "/desk/greetings", b"", headers)
        assert answer.status == 403


def test_a_short_password_is_refused(hub: HubProcess) -> None:
    found = hub.run("password", "eva", text="short\n")
    assert (found.returncode, "8 to 200 characters" in found.stderr) == (1, True)


def test_an_unreachable_database_ends_the_command_with_one_sentence(tmp_path: Path) -> None:
    config = tmp_path / "scorer.toml"
    address = f"postgresql+psycopg://nobody@/hub?host={tmp_path}"
    config.write_text(f"[hub]\ndatabase = {json.dumps(address)}\n")
    found = HubProcess(tmp_path, config).run("rebuild")
    assert found.returncode == 1
    assert found.stderr.startswith("scorer hub: the database of [hub] cannot be opened: ")
    assert found.stderr.count("\n") == 1


# ---- passwords and sessions


def test_a_password_is_known_by_its_hash_alone() -> None:
    assert cheap_passwords.COST >= 2**14
    assert is_password("secret word", PERSON.password)
    assert not is_password("secret work", PERSON.password)
    assert not is_password("", None)


class Desk:
    """The sessions of a database, with clocks that a test sets."""

    def __init__(self, database: Database) -> None:
        self.database, self.clock, self.monotonic = database, SetClock(), 0.0
        self.restart()
        for name in ("ana", "eva"):
            self.set_person(PERSON._replace(name=name))

    def restart(self) -> None:
        self.logins = Logins(self.clock, lambda: self.monotonic)

    def set_person(self, person: Person) -> None:
        with self.database.write() as connection:
            Decisions(connection, self.clock, HUB).set_person(*person)

    def open(self, name: str, token: str) -> None:
        with self.database.write() as connection:
            self.logins.open(connection, PERSON._replace(name=name), "10.0.0.7", token)

    def find(self, token: str) -> str:
        with self.database.read() as connection:
            found = self.logins.find(connection, token)
        return "" if found is None else found.name


@pytest.mark.sampled(1)
def test_a_session_ends_with_its_time_and_its_password(database: Database) -> None:
    desk = Desk(database)
    desk.open("ana", "a" * 32)
    desk.open("eva", "e" * 32)
    assert [desk.find(token) for token in ("a" * 32, "e" * 32, "b" * 32, "", "\ud83d")] == [
        "ana", "eva", "", "", "",
    ]  # fmt: skip
    desk.set_person(PERSON._replace(role="director"))
    assert (desk.find("a" * 32), desk.find("e" * 32)) == ("", "eva")
    desk.monotonic += SESSION_SECONDS - 1
    assert desk.find("e" * 32) == "eva"
    desk.monotonic += 1
    assert desk.find("e" * 32) == ""


@pytest.mark.sampled(1)
def test_a_clock_that_jumps_forward_ends_no_session(database: Database) -> None:
    desk = Desk(database)
    for is_trusted in (False, True):
        desk.clock.is_trusted = is_trusted
        desk.open("ana", "a" * 32 if is_trusted else "b" * 32)
        desk.clock.now += 400 * 86_400.0
        assert desk.find("a" * 32 if is_trusted else "b" * 32) == "ana"


@pytest.mark.sampled(5)
@pytest.mark.parametrize(("was", "is_"), [(False, True), (True, False), (True, True)])
def test_after_a_restart_a_session_is_as_old_as_right_clocks_say(
    database: Database, was: bool, is_: bool
) -> None:
    desk = Desk(database)
    desk.clock.is_trusted = was
    desk.open("ana", "a" * 32)
    desk.clock.now, desk.clock.is_trusted = desk.clock.now + SESSION_SECONDS, is_
    desk.restart()
    assert desk.find("a" * 32) == ("" if was and is_ else "ana")


def test_a_session_is_listed_until_it_is_ended(database: Database) -> None:
    desk = Desk(database)
    desk.open("ana", "a" * 32)
    desk.open("eva", "e" * 32)
    with database.write() as connection:
        listed = desk.logins.listed(connection)
        assert {(each.name, each.role, each.address) for each in listed} == {
            ("ana", "admin", "10.0.0.7"),
            ("eva", "admin", "10.0.0.7"),
        }
        desk.logins.end(connection, next(each.id for each in listed if each.name == "ana"))
        assert [each.name for each in desk.logins.listed(connection)] == ["eva"]
    assert desk.find("a" * 32) == ""


def test_a_person_has_few_sessions_the_oldest_of_which_makes_room(database: Database) -> None:
    desk = Desk(database)
    tokens = [f"{number:032x}" for number in range(MAX_SESSIONS + 5)]
    desk.open("eva", "e" * 32)
    for token in tokens:
        desk.clock.now += 1
        desk.open("ana", token)
    assert [bool(desk.find(token)) for token in tokens] == [False] * 5 + [True] * MAX_SESSIONS
    assert desk.find("e" * 32) == "eva"


def test_a_cookie_is_worth_nothing_after_the_logout(hub: HubProcess) -> None:
    client = log_in(hub, "leo")
    cookie = client.cookie
    assert client.desk("/desk/logout", {}).status == 200
    client.cookie = cookie
    assert client.get("/desk/state").status == 401


def test_an_administrator_ends_a_session(hub: HubProcess, clients: dict[str, Client]) -> None:
    other, admin = log_in(hub, "zoe", "director"), clients["admin"]
    sessions = admin.get("/desk/state").document["sessions"]
    assert [each["name"] for each in sessions if each["own"]] == ["admin"]
    (session,) = [each for each in sessions if each["name"] == "zoe"]
    assert (session["role"], session["address"]) == ("director", "127.0.0.1")
    assert other.get("/desk/state").document["sessions"] == []
    message = {"do": "end_session", "session": session["id"]}
    assert admin.desk("/desk/act", message).status == 200
    assert other.get("/desk/state").status == 401


def test_wrong_passwords_are_counted_and_limited(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with running_hub(tmp_path / "hub") as hub:
        admin = log_in(hub)
        wrong = {"name": "ana", "password": "another word"}
        statuses = []
        for number in range(40):
            stranger = hub.client(f"127.0.66.{number % 4}")
            statuses.append(stranger.desk("/desk/login", wrong).status)
            stranger.close()
        # 20 at once of all addresses, besides what comes back meanwhile.
        assert 20 <= statuses.count(403) <= 30
        assert statuses.count(429) == 40 - statuses.count(403)
        waiting = hub.client("127.0.66.9")
        if (answer := waiting.desk("/desk/login", wrong)).status == 429:
            assert int(answer.headers["retry-after"]) == 1
        # Who is at the machine gets in, and who is logged in does again.
        assert hub.client().desk("/desk/login", {**wrong, "password": "secret word"}).status == 200
        waiting.cookie = admin.cookie
        assert waiting.desk("/desk/login", {**wrong, "password": "secret word"}).status == 200
        counted = admin.get("/desk/state").document["counted"]["logins"]
        assert counted >= statuses.count(403)
        assert admin.desk("/desk/act", {"do": "close_counted", "what": "logins"}).status == 200
        assert admin.get("/desk/state").document["counted"] == {}
    assert "wrong name or password at the desk, from 127.0.66.0" in capfd.readouterr().err


@pytest.mark.sampled(0)
def test_a_right_password_costs_no_attempt(hub: HubProcess) -> None:
    for number in range(12):
        log_in(hub, f"person{number}")


def test_aborted_bodies_leave_no_line_in_the_log(
    hub: HubProcess, capfd: pytest.CaptureFixture[str]
) -> None:
    for path in ("/link/v1/join", "/desk/login", "/desk/act"):
        client = hub.client()
        headers = {"X-Truco": "1", "Content-Type": "application/json", "Content-Length": "4000"}
        client.send_head("POST", path, headers)
        client.close()
    assert hub.client().get("/healthz").status == 200
    assert capfd.readouterr().err == ""


# ---- silence


def test_a_box_is_silent_a_minute_after_it_was_last_heard() -> None:
    now = 1000.0
    presence = Presence(lambda: now)
    assert presence.is_silent(1)
    presence.heard(1)
    now += SILENT_SECONDS - 1
    assert not presence.is_silent(1)
    assert presence.silent_at(now) == now + 1
    now += 1
    assert presence.is_silent(1)


def test_a_connected_box_is_never_silent_and_has_a_while_to_reconnect() -> None:
    now = 1000.0
    presence = Presence(lambda: now)
    stream = presence.join("key", 1)
    now += 10 * SILENT_SECONDS
    assert not presence.is_silent(1)
    presence.leave(stream)
    now += RECONNECT_SECONDS - 1
    assert not presence.is_silent(1)
    now += 1
    assert presence.is_silent(1)
