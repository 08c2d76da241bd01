"""A table in a hall: epoch, assigned matches, reports and wishes."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest

from scorer.api.rights import Right
from scorer.receipts.table_client import fetch_game
from scorer.records.game_log import GameLog
from scorer.records.replay import build_header
from scorer.rules import Start, find_variant, new_game, read_header, rules_for
from scorer.session.phone_press import PhonePress, press
from scorer.session.setup.hall_menu import JOIN_TIMEOUT_S
from scorer.session.values.hall import Assignment, Wish, WishKind
from scorer.session.values.state import Verdict, new_session
from scorer.store import file
from scorer.store.journal import Journal, Stamp
from scorer.store.restore import restore_store
from scorer.table.hall import CALL_KEY, TableHall
from scorer.table.observers import NullObserver
from tests.support.table_client import Message, TableClient
from tests.table.table_process import TableDriver, running_table, table_on

HEADER = (
    '[Variant "argentine"]\n[Options "target=2"]\n[NameA "Los Pibes"]\n[NameB "La Yunta"]\n'
    '[Match "Z2-R1-M3"]\n[Hall "9f2c"]\n'
)
ONLINE = {"state": "online", "name": "Copa del club", "table": 7}


class Link(TableClient):
    """The link of a hall, which has read the states that were published before it."""

    def __init__(self, table: Path, right: Right = Right.HALL) -> None:
        super().__init__(table, right)
        self.look()

    def match(self) -> Message | None:
        """The match of the newest state."""
        found: Message | None = self.look().state["match"]
        return found

    def shown_match(self, *keys: str) -> tuple[object, ...]:
        """These values of the match of the newest state."""
        found = self.match()
        assert found is not None
        return tuple(found[key] for key in keys)

    def report(self, **report: object) -> None:
        assert self.ask(do="hall", **report) == {"ok": True}

    def assign(self, rev: int, header: str = HEADER, **more: object) -> Message:
        return self.ask(do="assign", rev=rev, header=header, **more)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.sock"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "store"


@pytest.fixture
def told(store: Path, path: Path) -> Iterator[TableDriver]:
    with running_table(table_on(store, socket=path)) as playing:
        yield playing


@pytest.fixture
def link(told: TableDriver, path: Path) -> Iterator[Link]:
    with Link(path) as made:
        yield made


@pytest.fixture(scope="module")
def refusing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Link]:
    """A link to one table for all requests that change nothing."""
    folder = tmp_path_factory.mktemp("refusing")
    table = table_on(folder / "store", socket=folder / "table.sock")
    with running_table(table), Link(folder / "table.sock") as made:
        yield made


def epoch_of(path: Path) -> Message:
    with Link(path) as link:
        answer: Message = link.ask(do="journal")["epoch"]
        assert link.hello["epoch"] == answer
        return answer


# ---- the epoch of the store ---------------------------------------------------------------------


def test_a_store_keeps_its_epoch_over_power_cuts(told: TableDriver, path: Path) -> None:
    first = epoch_of(path)
    assert first["from"] == 1
    assert len(first["id"]) == 16
    told.press("A.truco")
    told.power_cut()
    assert epoch_of(path) == first


def test_the_director_may_ask_for_a_new_epoch_once(told: TableDriver, link: Link) -> None:
    told.press("A.tantos", duration_s=8.0)
    old = link.hello["epoch"]
    begun = link.ask(do="epoch", old=old["id"])["epoch"]
    assert begun["id"] != old["id"]
    assert link.ask(do="epoch", old=old["id"])["epoch"] == begun, "the request was repeated"
    assert link.ask(do="journal")["epoch"] == begun


def test_a_new_epoch_begins_with_the_running_game(told: TableDriver, link: Link) -> None:
    told.press_each("A.tantos", "A.tantos", duration_s=8.0)
    rows = link.ask(do="journal")["rows"]
    assert told.state["winner"] is None
    assert link.ask(do="epoch")["epoch"]["from"] == rows[0]["seq"] == 1


def test_the_epoch_of_a_later_game_begins_at_its_first_row(told: TableDriver, link: Link) -> None:
    link.assign(1)
    told.press("A.quiero", duration_s=5.0)
    told.press_each("A.tantos", "A.tantos", duration_s=8.0)
    told.press_each("A.quiero", "B.quiero", duration_s=4.0)
    link.assign(2, HEADER.replace("M3", "M4"))
    told.press_each("B.quiero", "B.truco", duration_s=5.0)
    newest = told.report.seq
    begun = link.ask(do="epoch")["epoch"]
    assert begun["from"] == newest
    assert link.ask(do="journal", **{"from": newest})["games"][0]["opened"] == newest


def test_a_salvaged_store_begins_a_new_epoch(store: Path, path: Path) -> None:
    with running_table(table_on(store, socket=path)) as told:
        told.press_each("A.tantos", "B.tantos", duration_s=8.0)
        before = epoch_of(path)
    data = bytearray((store / file.FILE_NAME).read_bytes())
    data[data.rindex(b"B hand_won")] ^= 3  # the card has changed a letter
    (store / file.FILE_NAME).write_bytes(data)
    with running_table(table_on(store, socket=path)) as told:
        after = epoch_of(path)
        assert after["id"] != before["id"]
        told.power_cut()
        assert epoch_of(path) == after, "salvaged once"


def test_a_restored_copy_begins_a_new_epoch(store: Path, path: Path, tmp_path: Path) -> None:
    with running_table(table_on(store, socket=path)) as told:
        told.press("A.tantos", duration_s=8.0)
        before = epoch_of(path)
    copy = tmp_path / "copy.sqlite3"
    shutil.copy(store / file.FILE_NAME, copy)
    with running_table(table_on(store, socket=path)) as told:
        told.press("B.tantos", duration_s=8.0)
        assert epoch_of(path) == before
    restore_store(copy, store, "2026-11-22", lambda path: None)
    with running_table(table_on(store, socket=path)) as told:
        assert told.score == {"A": 1, "B": 0}
        assert epoch_of(path)["id"] != before["id"]
    with Journal.open(store) as journal:
        assert journal.settings().keys() >= {"epoch"}, "the other settings are sound"


def test_a_store_that_was_exchanged_in_use_begins_a_new_epoch(store: Path, path: Path) -> None:
    with running_table(table_on(store, socket=path)) as told:
        before = epoch_of(path)
    (store / "exchanged").touch()  # left by a table that found another file
    with running_table(table_on(store, socket=path)) as told:
        after = epoch_of(path)
        assert after["id"] != before["id"]
        told.power_cut()
        assert epoch_of(path) == after


def test_a_store_of_an_older_version_gets_an_epoch(store: Path, path: Path) -> None:
    with running_table(table_on(store, socket=path)) as told:
        told.press("A.tantos", duration_s=8.0)
    with Journal.open(store) as journal:
        journal.remove_setting("epoch")
    with running_table(table_on(store, socket=path)):
        assert epoch_of(path)["from"] == 1


def test_a_page_of_the_journal_has_the_header_of_every_game_that_begins_in_it(
    store: Path, path: Path
) -> None:
    header = f'{HEADER}[Event "{"x" * 900}"]\n'
    games = 60
    with Journal.open(store) as journal:
        for game in range(1, games + 1):
            stamp = Stamp("boot", game, "2026-11-22T20:14:05+00:00", True)
            lines = ["A award 2"]
            journal.append(game=game, lines=lines, source="A", stamp=stamp, opens=header)
    with running_table(table_on(store, socket=path)), Link(path) as link:
        start, found = 1, []
        while rows := (answer := link.ask(do="journal", **{"from": start}))["rows"]:
            opened = {each["opened"]: each for each in answer["games"]}
            assert [row["seq"] for row in rows] == sorted(opened)
            found += [opened[row["seq"]]["game"] for row in rows]
            start = rows[-1]["seq"] + 1
        assert found == list(range(1, games + 1))
        assert start - 1 == games


# ---- assigned matches ---------------------------------------------------------------------------


def test_a_match_is_offered_accepted_played_and_agreed(told: TableDriver, link: Link) -> None:
    assert link.match() is None
    limits: Message = {"cap": 5400, "tolerance": 900, "cap_start": 1}
    assert link.assign(17, **limits) == {"ok": True, "rev": 17}
    offered: Message = {"id": "Z2-R1-M3", "rev": 17, "agreed": [], "began": None, **limits}
    teams = ["Los Pibes", "La Yunta"]
    assert link.match() == {**offered, "phase": "offered", "names": teams}
    told.press("B.quiero")
    assert link.match() == {**offered, "phase": "accepted"}
    journal = link.ask(do="journal")
    assert journal["rows"] == []
    opened = {each["game"]: each for each in journal["games"]}
    assert opened[2]["opened"] == 1
    assert '[Match "Z2-R1-M3"]\n[Hall "9f2c"]' in opened[2]["header"]
    told.press("A.tantos", duration_s=8.0)
    assert link.shown_match("phase") == ("playing",)
    told.press("A.tantos", duration_s=10.0)
    told.press("A.quiero", duration_s=5.0)
    told.press("B.quiero")
    rows = [row["line"] for row in link.ask(do="journal")["rows"]]
    assert rows[-2:] == ["A agree", "B agree"]
    assert link.shown_match("phase", "agreed", "rev") == ("agreed", ["A", "B"], 17)


def test_an_assignment_survives_the_power_cut_between_its_answer_and_the_press(
    told: TableDriver, path: Path
) -> None:
    with Link(path) as link:
        link.assign(17, cap=5400)
    told.power_cut()
    assert "Los Pibes" in told.text
    told.press("A.quiero")
    told.power_cut()
    with Link(path) as link:
        assert link.shown_match("phase", "rev", "cap") == ("accepted", 17, 5400)
        assert link.state["names"] == {"A": "Los Pibes", "B": "La Yunta"}
        assert link.assign(16)["error"] == "STALE"


def test_the_pages_of_the_teams_stay_with_their_match_over_a_power_cut(
    told: TableDriver, path: Path
) -> None:
    pages = [f"https://club.example/truco/es/12.html#team-{team}" for team in (5, 7)]
    with Link(path) as link:
        link.assign(17, pages=pages)
        assert link.shown_match("pages") == (pages,)
    told.press("A.quiero")
    told.power_cut()
    with Link(path) as link:
        assert link.shown_match("phase", "pages") == ("accepted", pages)
        told.press("A.tantos", duration_s=8.0)
        assert fetch_game(path, None).pages == tuple(pages)
        link.assign(18)
        assert "pages" not in (link.match() or {})


def test_another_decision_of_the_same_number_is_stale(told: TableDriver, path: Path) -> None:
    with Link(path) as link:
        assert link.assign(17, cap=5400)["ok"]
        assert link.assign(17, cap=5400)["ok"], "the same once more"
        assert link.assign(17, cap=5400, cap_start=1)["ok"], "tables of older versions drop it"
        pages = ["https://club.example/truco/es/12.html#team-5"]
        assert link.assign(17, cap=5400, pages=pages)["ok"], "tables of older versions drop them"
        other = HEADER.replace("M3", "M5")
        for wrong in (link.assign(17, other), link.assign(17), link.ask(do="release", rev=17)):
            assert (wrong["error"], wrong["rev"]) == ("STALE", 17)
    told.power_cut()
    with Link(path) as link:
        assert link.assign(17, other)["error"] == "STALE"
        assert link.assign(17, cap=5400)["ok"]
        assert link.shown_match("id", "rev") == ("Z2-R1-M3", 17)
        assert link.ask(do="release", rev=18)["ok"]
        assert link.assign(18)["error"] == "STALE"


def test_another_hall_numbers_its_decisions_anew(told: TableDriver, path: Path) -> None:
    with Link(path) as link:
        link.assign(300, hall="aaaa")
        told.press("A.quiero", duration_s=5.0)
        told.press("A.tantos", duration_s=8.0)
        other = HEADER.replace("M3", "M9")
        assert link.assign(5, other, hall="bbbb")["ok"]
        # The running game is of no match that this hall knows.
        assert link.shown_match("id", "rev") == ("Z2-R1-M3", None)
        assert link.assign(4, hall="bbbb")["error"] == "STALE"
    told.power_cut()
    with Link(path) as link:
        decision = link.ask(do="journal")["decision"]
        assert (decision["hall"], decision["rev"]) == ("bbbb", 5)
        assert link.assign(4)["error"] == "STALE", "a link that names no hall"


def test_a_box_that_leaves_its_hall_forgets_the_decisions(told: TableDriver, link: Link) -> None:
    link.report(**ONLINE)
    link.assign(300)
    told.press("A.quiero", duration_s=5.0)
    link.report(state="joining")
    assert link.shown_match("rev") == (300,)
    link.report(state="alone")
    assert link.match() is None
    assert link.ask(do="journal")["decision"] is None
    link.report(**{**ONLINE, "name": "Otra copa"})
    assert link.assign(5)["ok"]
    assert link.shown_match("rev", "phase") == (5, "offered")


def test_a_match_shows_its_minutes_and_goes_on_when_they_are_over(
    told: TableDriver, path: Path
) -> None:
    with Link(path) as link:
        link.assign(17, HEADER.replace("=2", "=30"), cap=600)
    told.press("A.quiero", duration_s=90.0)
    assert "'" not in told.text, "the time begins with the first step"
    told.press("A.tantos", duration_s=30.0)
    assert "10'" in told.report.text
    told.wait(60.0)
    assert "9'" in told.report.text
    told.wait(240.0)
    assert "quedan 5 min" in told.text
    told.power_cut()
    told.wait(150.0)
    assert "quedan 2 min" in told.text
    told.wait(60.0)
    assert "queda 1 min" in told.text
    told.wait(60.0)
    assert "tiempo: última mano" in told.text
    before = told.report.seq
    told.press("A.tantos", duration_s=30.0)
    assert told.report.seq > before
    assert "tiempo: última mano" in told.text


@pytest.mark.sampled(0)
def test_a_match_in_play_gets_more_time_by_the_same_match_with_another_limit(
    told: TableDriver, path: Path
) -> None:
    header = HEADER.replace("=2", "=30")
    with Link(path) as link:
        link.assign(17, header, cap=600)
    told.press("A.quiero", duration_s=5.0)
    told.press("A.tantos", duration_s=630.0)
    assert "tiempo: última mano" in told.text
    score, seq = told.score, told.report.seq
    with Link(path) as link:
        assert link.assign(18, header, cap=600 + 30 + 5 * 60)["ok"]
        assert link.shown_match("phase", "rev") == ("playing", 18)
    told.wait(1.0)
    assert "quedan 5 min" in told.text
    assert (told.score, told.report.seq) == (score, seq)
    told.power_cut()
    told.wait(60.0)
    assert "quedan 4 min" in told.text
    told.press("B.tantos", duration_s=240.0)
    assert "tiempo: última mano" in told.text


SERIES = HEADER.replace('target=2"', 'target=2 best_of=3"')


@pytest.mark.sampled(0)
def test_the_start_by_time_is_kept_over_power_cuts_and_undone_at_once(
    told: TableDriver, path: Path
) -> None:
    with Link(path) as link:
        link.assign(17, SERIES, cap=600, cap_start=1)
    told.press("A.quiero", duration_s=5.0)
    told.press("A.tantos", duration_s=600.0)
    assert "tiempo: el otro, 1 a 1" in told.text
    told.press("A.tantos", duration_s=30.0)
    assert "tiempo: el otro, 1 a 1" in told.text
    for cut in (told.power_cut, lambda: told.press("undo", duration_s=5.0)):
        cut()
        assert told.score == {"A": 2, "B": 0}
        told.press("A.quiero", duration_s=5.0)
        told.press("B.quiero", duration_s=1.0)
        assert told.score == {"A": 1, "B": 1}
        assert "tiempo cumplido: empieza 1 a 1" in told.text
    told.power_cut()
    assert told.score == {"A": 1, "B": 1}
    with Link(path) as link:
        assert link.shown_match("phase", "cap_start") == ("playing", 1)
        rows = [row["line"] for row in link.ask(do="journal")["rows"]]
    assert rows[-3:] == ["- new_hand", "A correct 1", "B correct 1  # time limit"]


def test_a_hub_that_knows_no_start_by_time_lets_games_begin_as_ever(
    told: TableDriver, link: Link
) -> None:
    link.assign(17, SERIES, cap=600)
    assert link.shown_match("cap_start") == (None,)
    told.press("A.quiero", duration_s=5.0)
    told.press("A.tantos", duration_s=600.0)
    told.press("A.tantos", duration_s=30.0)
    told.press("A.quiero", duration_s=5.0)
    told.press("B.quiero", duration_s=1.0)
    assert told.score == {"A": 0, "B": 0}


@pytest.mark.sampled(0)
def test_the_time_of_a_match_goes_on_from_one_leg_to_the_next(
    told: TableDriver, path: Path
) -> None:
    with Link(path) as link:
        link.assign(17, f'{HEADER}[Leg "1/2"]\n', cap=600)
    told.press("A.quiero", duration_s=90.0)
    told.press("A.tantos", duration_s=8.0)
    told.press("A.tantos", duration_s=312.0)
    told.press_each("A.quiero", "B.quiero", duration_s=5.0)
    assert "quedan 5 min" in told.text, "before the first step of the leg"
    told.press("A.tantos", duration_s=40.0)
    assert "quedan 4 min" in told.text
    told.power_cut()
    told.wait(20.0)
    assert "quedan 4 min" in told.text
    # Back to the first leg, and to the second one anew.
    told.press_each("undo", "undo", "A.quiero", duration_s=5.0)
    assert told.score == {"A": 2, "B": 0}
    told.press_each("A.quiero", "B.quiero", duration_s=5.0)
    assert told.score == {"A": 0, "B": 0}
    told.wait(30.0)
    assert "quedan 3 min" in told.text
    told.power_cut()
    told.wait(1.0)
    assert "quedan 3 min" in told.text


def test_an_offered_match_shows_how_long_it_waits_and_then_that_the_director_decides(
    told: TableDriver, path: Path
) -> None:
    with Link(path) as link:
        link.assign(17, tolerance=900)
    told.wait(1.0)
    assert "15 min de tolerancia" in told.text
    told.wait(61.0)
    assert "14 min de tolerancia" in told.text
    told.power_cut()
    told.wait(150.0)
    assert "12 min de tolerancia" in told.text
    told.power_cut()
    told.wait(720.0)
    assert "tolerancia vencida" in told.text
    # The table ends nothing by itself: the match is still there to be accepted.
    told.press("A.quiero", duration_s=5.0)
    assert "tolerancia" not in told.text
    with Link(path) as link:
        assert link.shown_match("phase", "tolerance") == ("accepted", 900)


def test_a_match_without_a_tolerance_shows_none(told: TableDriver, link: Link) -> None:
    link.assign(17)
    told.wait(1.0)
    assert "Los Pibes" in told.text
    assert "tolerancia" not in told.text


def test_a_match_that_any_time_is_given_shows_none(told: TableDriver, link: Link) -> None:
    link.assign(17, HEADER.replace("=2", "=30"))
    told.press("A.quiero", duration_s=5.0)
    told.press("A.tantos", duration_s=8.0)
    assert "'" not in told.text
    assert "min" not in told.text


def test_a_next_match_waits_without_changing_the_one_in_play(told: TableDriver, link: Link) -> None:
    link.assign(17, cap=5400)
    told.press_each("A.quiero", "A.truco", duration_s=5.0)
    link.assign(18, HEADER.replace("Z2-R1-M3", "Z3-R1-M9"), cap=600)
    assert link.shown_match("id", "rev", "cap") == ("Z2-R1-M3", 17, 5400)
    assert link.ask(do="journal") and "espera otro partido" not in told.text
    told.power_cut()
    told.press("B.quiero", duration_s=5.0)
    told.press("A.tantos", duration_s=10.0)
    told.press_each("A.quiero", "B.quiero", duration_s=5.0)
    assert "Zona 3" in told.text


@pytest.mark.sampled(1)
@pytest.mark.parametrize("tags", ['[Hall "9f2c-2"]\n', '[Hall "9f2c"]\n[Leg "3/3"]\n'])
def test_a_match_that_is_played_anew_or_goes_on_is_offered_after_its_last_game(
    told: TableDriver, link: Link, tags: str
) -> None:
    link.assign(17)
    told.press("A.quiero", duration_s=5.0)
    told.press("A.tantos", duration_s=8.0)
    told.press("A.tantos", duration_s=10.0)
    told.press("A.quiero", duration_s=5.0)
    link.assign(18, HEADER.replace('[Hall "9f2c"]\n', tags))
    assert link.shown_match("rev", "phase") == (17, "ended")
    told.press("B.quiero", duration_s=5.0)
    assert link.shown_match("rev", "phase") == (18, "offered")
    told.press_each("B.quiero", "B.truco", duration_s=5.0)
    *_, opened = link.ask(do="journal")["games"]
    assert tags in opened["header"]


def test_a_released_match_without_a_step_makes_room_for_a_game_of_the_house(
    told: TableDriver, link: Link
) -> None:
    link.assign(17)
    told.press("A.quiero", duration_s=5.0)
    link.ask(do="release", rev=18)
    assert link.match() is None
    assert link.state["names"] == {"A": "", "B": ""}
    assert told.wait(1.0).screen == "playing"


BAD_ASSIGNMENTS = (
    ("no tag Match",        {"header": '[Variant "argentine"]\n'}),
    ("no such variant",     {"header": '[Variant "bridge"]\n[Match "1"]\n'}),
    ("no header",           {"header": None}),
    ("a long header",       {"header": HEADER + "x" * 9000}),
    ("steps in the header", {"header": HEADER + "\nA truco\n"}),
    ("a wrong score",       {"header": HEADER + '[Start "A=99 B=0"]\n'}),
    ("rev of no number",    {"rev": "17"}),
    ("rev true",            {"rev": True}),
    ("rev below 1",         {"rev": 0}),
    ("a short cap",         {"cap": 0}),
    ("a short tolerance",   {"tolerance": 0}),
    ("a start at the target", {"cap_start": 2}),
    ("a start below 0",     {"cap_start": -1}),
    ("a page of a script",  {"pages": ["javascript:alert(1)"]}),
    ("pages of four sides", {"pages": ["https://club.example/"] * 4}),
    ("a start of true",     {"cap_start": True}),
    ("a lock in words",     {"lock": "yes"}),
    ("a hall of two lines", {"hall": "9f2c\n"}),
)  # fmt: skip


@pytest.mark.parametrize("wrong", [row[1] for row in BAD_ASSIGNMENTS],
                         ids=[row[0] for row in BAD_ASSIGNMENTS])  # fmt: skip
def test_a_wrong_assignment_stores_nothing(refusing: Link, wrong: dict[str, object]) -> None:
    answer = refusing.ask(**{"do": "assign", "rev": 17, "header": HEADER, **wrong})
    assert answer["error"] == "UNREADABLE"
    assert refusing.match() is None


def test_a_phone_does_not_accept_a_match() -> None:
    session = new_session(new_game(Start(rules_for(find_variant("argentine")))))
    match = Assignment(1, read_header(HEADER).game(), ("Los Pibes", "La Yunta"))
    offered = session._replace(assignments=(match,))
    refused = press(offered, PhonePress("quiero", "A"), 1.0)
    assert refused.verdict is Verdict.REFUSED
    assert refused.session.notice is not None
    assert refused.session.notice.key == "phone_match"


# ---- what the link reports, and what players wish -----------------------------------------------


def pages(told: TableDriver) -> list[str]:
    """The texts of all pages of MENU."""
    texts = []
    for _ in range(8):
        told.press("menu", duration_s=0.5)
        texts.append(told.text)
        if told.report.screen in ("playing", "setup"):
            break
    told.wait(40.0)
    return texts


def test_a_box_without_a_link_has_no_entry_of_halls(told: TableDriver, path: Path) -> None:
    assert not [text for text in pages(told) if "director" in text]
    with Link(path) as link:
        link.report(state="alone")
        assert not [text for text in pages(told) if "director" in text], "a page of a member"
        link.report(**ONLINE)
        (page,) = [text for text in pages(told) if "director" in text]
        assert "Copa del club" in page
        assert "Mesa 7" in page
    told.wait(1.0)
    assert not [text for text in pages(told) if "director" in text], "the link has gone"


def show_hall_page(told: TableDriver) -> str:
    for _ in range(8):
        told.press("menu", duration_s=0.5)
        if told.report.screen == "hall":
            return told.text
    raise AssertionError("no page of the hall")


def test_quiero_on_the_page_of_the_hall_calls_the_director(told: TableDriver, link: Link) -> None:
    link.report(**ONLINE)
    show_hall_page(told)
    assert told.press("A.quiero", duration_s=0.5) == "question"
    assert "¿llamar al director?" in told.text
    told.press("A.no_quiero", duration_s=4.0)
    assert link.look().wishes == []
    show_hall_page(told)
    told.press_each("A.quiero", "B.quiero", duration_s=0.5)
    (wish,) = link.look().wishes
    assert {**wish, "id": ""} == {"id": "", "do": "call", "why": "director", "match": None}
    assert "director avisado" in show_hall_page(told)
    link.report(**ONLINE, done=[wish["id"]])
    assert link.look().wishes == []


@pytest.mark.sampled(0)
def test_a_call_of_the_director_survives_a_power_cut_until_the_hub_has_it(
    told: TableDriver, path: Path
) -> None:
    with Link(path) as link:
        link.report(**ONLINE)
        show_hall_page(told)
        told.press_each("A.quiero", "B.quiero", duration_s=0.5)
        (wish,) = link.look().wishes
    told.power_cut()
    with Link(path) as link:
        assert link.look().wishes == [wish]
        # The same id: the hub, which may have it already, raises no second alarm.
        link.report(**ONLINE, done=[wish["id"]])
        assert link.look().wishes == []
    told.power_cut()
    with Link(path) as link:
        assert link.look().wishes == []
        link.report(**ONLINE)
        assert "director avisado" not in show_hall_page(told)


@pytest.mark.parametrize("text", ["", "null", "[]", "{", '{"id": 1}', '{"why": "thirst"}'])
def test_a_stored_call_of_another_version_is_none(tmp_path: Path, text: str) -> None:
    with Journal.open(tmp_path) as journal:
        journal.set_setting(CALL_KEY, text)
        assert hall_of(journal).wishes() == ()


def test_a_box_that_leaves_its_hall_calls_its_director_no_more(tmp_path: Path) -> None:
    with Journal.open(tmp_path) as journal:
        hall_of(journal).add_wish(Wish(WishKind.CALL), "Z2-R1-M3")
        hall = hall_of(journal)
        ((_, wish, match),) = hall.wishes()
        assert (wish, match) == (Wish(WishKind.CALL), "Z2-R1-M3")
        hall.add_wish(Wish(WishKind.LEAVE), None)
        assert hall_of(journal).wishes() == ()


def hall_of(journal: Journal) -> TableHall:
    stamp = Stamp("boot", 0, "", trusted=False)
    games = GameLog(journal, lambda now: stamp)
    if games.resume() is None:
        header = build_header(new_game(Start(rules_for(find_variant("argentine")))), {})
        games.append([], "menu", 0.0, opens=header, forward=False)
    return TableHall(journal, games, NullObserver())


def test_quiero_on_the_page_of_the_hall_answers_a_call_first(told: TableDriver, link: Link) -> None:
    link.report(**ONLINE)
    told.press("A.truco", duration_s=4.0)
    show_hall_page(told)
    assert told.press("B.quiero") == "taken"
    assert told.state["stake"] == 2


def test_a_contest_calls_the_director(told: TableDriver, link: Link) -> None:
    link.assign(1)
    told.press("A.quiero", duration_s=5.0)
    told.press("A.tantos", duration_s=8.0)
    told.press("A.tantos", duration_s=10.0)
    told.press("B.no_quiero", duration_s=1.0)
    (wish,) = link.look().wishes
    assert (wish["do"], wish["why"], wish["match"]) == ("call", "contest", "Z2-R1-M3")


def test_other_clients_see_no_wishes(told: TableDriver, link: Link, path: Path) -> None:
    link.report(state="alone")
    walk_to_hall(told)
    told.press("A.quiero", duration_s=0.5)
    assert [wish["do"] for wish in link.look().wishes] == ["find"]
    with Link(path, Right.READ) as reader:
        assert reader.look().wishes == []
        assert "wishes" not in reader.state


def walk_to_hall(told: TableDriver) -> None:
    """Open set-up and select its entry of the hall, the last one: above the first."""
    told.press("menu", held_s=0.9, duration_s=1.2)
    for _ in range(2):
        told.press("A.tantos", duration_s=0.3)
    assert "sala" in told.text


def test_a_box_joins_a_hall_after_both_have_shown_the_same_digits(
    told: TableDriver, link: Link
) -> None:
    link.report(state="alone")
    walk_to_hall(told)
    told.press("A.quiero", duration_s=0.5)
    assert "buscando salas" in told.text
    (find,) = link.look().wishes
    assert find["do"] == "find"
    link.report(state="alone", halls=[{"id": "copa.local:8443", "name": "Copa del club"}])
    told.wait(0.5)
    assert "Copa del club" in told.text
    told.press("B.quiero", duration_s=0.5)
    assert "preguntando a la sala" in told.text
    join = next(wish for wish in link.look().wishes if wish["do"] == "join")
    assert join["hall"] == "copa.local:8443"
    link.report(state="joining", digits="408153")
    told.press("B.quiero", duration_s=0.5)
    assert "antes, compará los números" in told.text, "a press that came too soon compares nothing"
    assert {wish["do"] for wish in link.look().wishes} == {"find", "join"}
    told.wait(3.0)
    assert "408 153" in told.text
    assert "QUIERO si el director ve los mismos" in told.text
    told.press("A.quiero", duration_s=0.5)
    assert "falta el sí del director" in told.text
    assert wished(link, "same")["digits"] == "408153"
    told.press("B.quiero", duration_s=0.5)
    assert "falta el sí del director" in told.text
    told.wait(3.0)
    link.report(**ONLINE, done=[join["id"]])
    told.wait(0.5)
    assert "ya es de Copa del club" in told.text
    assert link.look().wishes == []
    told.press("A.quiero", duration_s=0.5)
    assert link.look().wishes == [], "a press that comes too late does not call the director"


def test_no_quiero_at_the_digits_cancels_the_join(told: TableDriver, link: Link) -> None:
    link.report(state="alone", halls=[{"id": "a", "name": "Copa"}])
    walk_to_hall(told)
    told.press_each("A.quiero", "A.quiero", duration_s=0.5)
    assert {wish["do"] for wish in link.look().wishes} == {"find", "join"}
    told.press("A.no_quiero", duration_s=0.5)
    assert {wish["do"] for wish in link.look().wishes} == {"find", "cancel"}
    told.press("menu", duration_s=0.5)
    cancels = link.look().wishes
    assert [wish["do"] for wish in cancels] == ["cancel"]
    link.report(state="alone", done=[cancels[0]["id"]])
    assert link.look().wishes == []


def test_other_digits_are_to_be_compared_anew(told: TableDriver, link: Link) -> None:
    link.report(state="alone", halls=[{"id": "a", "name": "Copa"}])
    walk_to_hall(told)
    told.press_each("A.quiero", "A.quiero", duration_s=0.5)
    for digits in ("408153", "000001"):
        link.report(state="joining", digits=digits)
        told.wait(3.0)
        told.press("A.quiero", duration_s=0.5)
        assert wished(link, "same")["digits"] == digits
    told.press("B.no_quiero", duration_s=0.5)
    assert {wish["do"] for wish in link.look().wishes} == {"find", "cancel"}


def test_digits_without_an_answer_end_the_attempt(told: TableDriver, link: Link) -> None:
    link.report(state="alone", halls=[{"id": "a", "name": "Copa"}])
    walk_to_hall(told)
    told.press_each("A.quiero", "A.quiero", duration_s=0.5)
    link.report(state="joining", digits="408153")
    told.wait(JOIN_TIMEOUT_S + 1.0)
    assert {wish["do"] for wish in link.look().wishes} == {"cancel"}


def wished(link: Link, do: str) -> Message:
    """The only wish of this kind."""
    (found,) = (wish for wish in link.look().wishes if wish["do"] == do)
    return found


@pytest.mark.parametrize(
    ("fault", "words"),
    [("denied", "el director dijo que no"), ("unreachable", "la sala no contesta")],
)
def test_a_join_that_fails_says_why(told: TableDriver, link: Link, fault: str, words: str) -> None:
    link.report(state="alone", halls=[{"id": "a", "name": "Copa"}])
    walk_to_hall(told)
    told.press_each("A.quiero", "A.quiero", duration_s=0.5)
    join = next(wish for wish in link.look().wishes if wish["do"] == "join")
    link.report(state="alone", halls=[], fault=fault, done=[join["id"]])
    told.wait(0.3)
    assert words in told.text


def test_rows_that_are_not_sent_yet_have_a_calm_mark(told: TableDriver, link: Link) -> None:
    link.report(**ONLINE)
    told.press("A.tantos", duration_s=20.0)
    sent = told.picture("A")
    offline = {**ONLINE, "state": "offline"}
    link.report(**offline, sent=0)
    told.wait(0.5)
    assert told.picture("A") != sent
    assert "sin conexión; todo queda guardado" in show_hall_page(told)
    told.wait(25.0)
    link.report(**offline, sent=told.report.seq)
    told.wait(0.5)
    assert told.picture("A") == sent
    assert "todo queda guardado" not in show_hall_page(told)


def test_the_result_is_shown_as_a_code_as_long_as_it_is_the_newest_row(
    told: TableDriver, link: Link
) -> None:
    seq = told.report.seq
    link.report(**ONLINE)
    show_hall_page(told)
    plain = told.picture("A")
    told.wait(25.0)
    link.report(**ONLINE, qr="HTTPS://192.168.1.34:8443/Q/7-ABC", seq=seq)
    show_hall_page(told)
    assert told.picture("A") != plain
    told.wait(25.0)
    told.press("A.truco", duration_s=4.0)
    show_hall_page(told)
    assert told.picture("A") == plain


BAD_REPORTS = (
    {"state": "gone"},
    {"state": "online", "name": "x" * 41},
    {"state": "online", "table": 1000},
    {"state": "online", "table": True},
    {"state": "online", "sent": -1},
    {"state": "joining", "digits": "12345"},
    {"state": "online", "qr": "https://small"},
    {"state": "online", "qr": "A" * 78},
    {"state": "alone", "halls": [{"id": "a"}]},
    {"state": "alone", "halls": [{"id": "a b", "name": "x"}]},
    {"state": "alone", "halls": [{"id": "a", "name": "x"}] * 33},
    {"state": "alone", "fault": "why"},
    {"state": "alone", "fault": ["denied"]},
    {"state": ["alone"]},
    {"state": "alone", "done": "0f3a9c21"},
)


@pytest.mark.parametrize("wrong", BAD_REPORTS, ids=json.dumps)
def test_a_wrong_report_is_refused_in_a_sentence(refusing: Link, wrong: dict[str, object]) -> None:
    answer = refusing.ask(do="hall", **wrong)
    assert answer["error"] == "UNREADABLE"
    assert re.split("[.:]", answer["text"])[0] in wrong


# ---- a box in no hall ---------------------------------------------------------------------------


def written(store: Path) -> dict[str, int]:
    """The bytes of each file of the store."""
    return {path.name: path.stat().st_size for path in sorted(store.iterdir())}


def grown(store: Path, path: Path, *, report: Message | None) -> list[int]:
    """How many bytes each of some presses adds to the log of the store."""
    with running_table(table_on(store, socket=path)) as told, Link(path) as link:
        if report is not None:
            link.report(**report)
        sizes = [written(store)[f"{file.FILE_NAME}-wal"]]
        for press in ("A.truco", "B.quiero", "A.tantos", "B.truco"):
            told.press(press, duration_s=5.0)
            sizes.append(written(store)[f"{file.FILE_NAME}-wal"])
    return [after - before for before, after in pairwise(sizes)]


def test_a_press_writes_the_same_bytes_in_a_hall_and_without(tmp_path: Path) -> None:
    alone = grown(tmp_path / "a", tmp_path / "a.sock", report=None)
    member = grown(tmp_path / "b", tmp_path / "b.sock", report=ONLINE)
    assert alone == member
    assert all(alone)


def test_a_start_writes_nothing_for_the_hall_but_the_first_epoch(store: Path, path: Path) -> None:
    with running_table(table_on(store, socket=path)) as told:
        told.press("A.truco")
    before = (store / file.FILE_NAME).read_bytes()
    with running_table(table_on(store, socket=path)):
        pass
    assert (store / file.FILE_NAME).read_bytes() == before
    with closing(sqlite3.connect(store / file.FILE_NAME)) as database:
        keys = {key for (key,) in database.execute("SELECT key FROM setting")}
    assert "assignment" not in keys
