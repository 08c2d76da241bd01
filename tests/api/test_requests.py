"""Requests of other programs are judged like presses, on the newest state only."""

from __future__ import annotations

import json
import os
import pwd
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from scorer.api.refusal_messages import SENTENCES
from scorer.rules import Refusal
from scorer.table.game_pages import MAX_ROWS
from tests.support.table_client import Message, TableClient
from tests.table.table_process import TableDriver, running_table, table_on
from tests.web.contract import unnumbered
from tools.bench.start import fill

ME = pwd.getpwuid(os.getuid()).pw_name  # the user of these tests, as the kernel reports it
PATIENCE = 20.0


@pytest.fixture
def phone(told: TableDriver, path: Path) -> Iterator[TableClient]:
    with TableClient(path) as calling:
        yield calling


class Unchanged(NamedTuple):
    """A table for requests that change nothing."""

    told: TableDriver
    path: Path


@pytest.fixture(scope="module")
def unchanged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Unchanged]:
    folder = tmp_path_factory.mktemp("unchanged")
    path = folder / "table.sock"
    with running_table(table_on(folder / "store", socket=path)) as playing:
        yield Unchanged(playing, path)
        assert playing.wait(0.1).seq == 0


@pytest.fixture
def asking(unchanged: Unchanged) -> Iterator[TableClient]:
    with TableClient(unchanged.path) as calling:
        yield calling


def test_a_phone_is_greeted_and_hears_of_every_press(told: TableDriver, phone: TableClient) -> None:
    assert (phone.hello["hello"], phone.hello["seq"]) == (1, 0)
    assert phone.state["score"] == {"A": 0, "B": 0}
    told.press("A.truco")
    assert phone.state_at(1)["pending"]["call"] == "truco"
    assert unnumbered(phone.state) == told.state


def test_a_step_with_the_newest_seq_counts_and_everybody_sees_it(
    told: TableDriver, phone: TableClient
) -> None:
    answer = phone.ask(do="step", line="A truco", seq=phone.state["seq"], who="phone Ana")
    assert answer == {"ok": True, "seq": 1}
    told.wait(0.1)
    assert told.state["pending"]["by"] == "A"
    assert "TRUCO" in told.text
    assert unnumbered(phone.state_at(1)) == told.state
    rows = phone.ask(do="journal")["rows"]
    assert [(row["line"], row["source"]) for row in rows] == [("A truco", f"phone Ana ({ME})")]


def test_a_stale_step_is_refused_and_changes_nothing(told: TableDriver, phone: TableClient) -> None:
    told.press("A.truco")
    for seq in (0, 2, -1, None, "1", 1.5, [1]):
        for request in ({"do": "step", "line": "B quiero"}, {"do": "undo"}):
            answer = phone.ask(**request, seq=seq, who="phone Ana")
            assert (answer["ok"], answer["error"]) == (False, "STALE"), seq
    answer = phone.ask(do="step", line="B quiero")
    assert answer["error"] == "STALE", "no seq at all"
    before = told.state
    told.wait(0.1)
    assert (told.state, told.report.seq) == (before, 1)


def test_what_the_rules_refuse_a_phone_may_not_do_either(
    told: TableDriver, phone: TableClient
) -> None:
    told.press("A.truco")
    for line, error in (
        ("A quiero", "OWN_CALL"),
        ("A hand_won", "ANSWER_FIRST"),
        ("A correct 30", "TOO_MUCH"),
        ("- time", "TIED"),
        ("A flor", "NOT_IN_THIS_VARIANT"),
    ):
        answer = phone.ask(do="step", line=line, seq=1)
        assert (answer["ok"], answer["error"]) == (False, error), line
        assert answer["text"] and answer["text"] != error, line
    told.wait(0.1)
    assert told.report.seq == 1


def test_a_phone_hears_why_a_truco_is_refused_that_no_side_may_raise(
    told: TableDriver, phone: TableClient
) -> None:
    for button in ("A.truco", "B.truco", "A.truco", "B.quiero"):
        told.press(button)
    answer = phone.ask(do="step", line="A truco", seq=phone.state_at(4)["seq"])
    why = Refusal.NOT_YOUR_RAISE
    assert (answer["error"], answer["text"]) == (why, SENTENCES[why])


@pytest.mark.parametrize(
    "line",
    ["A trucco", "", "truco", "A truco B quiero", "D truco", 5, None, ["A truco"], "A" * 900],
)
def test_a_line_that_says_nothing_gets_a_sentence(
    unchanged: Unchanged, asking: TableClient, line: object
) -> None:
    answer = asking.ask(do="step", line=line, seq=0)
    assert answer["ok"] is False
    assert answer["text"]
    assert unchanged.told.wait(0.1).seq == 0


def test_an_unknown_request_gets_the_list_of_requests(
    told: TableDriver, phone: TableClient
) -> None:
    for wish in ("dance", None, 7, {"do": "step"}, ""):
        answer = phone.ask(do=wish)
        assert (answer["ok"], answer["error"]) == (False, "UNKNOWN")
        assert "step" in answer["text"]
    assert phone.ask(do="step", line="A truco", seq=0)["ok"] is True, "it still listens"


def test_undo_takes_back_a_whole_press(told: TableDriver, phone: TableClient) -> None:
    told.press("A.truco")
    told.press("B.tantos")
    assert told.score == {"A": 0, "B": 2}
    assert phone.ask(do="undo", seq=3, who="phone Ana")["ok"] is True
    told.wait(0.1)
    assert told.score == {"A": 0, "B": 0}
    assert told.state["pending"]["call"] == "truco"
    assert "deshecho: +2 · Ellos" in told.text
    rows = phone.ask(do="journal", **{"from": 4})["rows"]
    assert [row["line"] for row in rows] == ["- undo", "- undo"]


def test_a_correction_keeps_its_reason_in_the_journal_and_over_a_power_cut(
    told: TableDriver, phone: TableClient
) -> None:
    answer = phone.ask(do="step", line="A correct 12  # contamos mal\nanoche", seq=0)
    assert answer["ok"], answer
    rows = phone.ask(do="journal")["rows"]
    assert rows[-1]["line"] == "A correct 12  # contamos mal anoche"
    told.power_cut()
    assert told.score == {"A": 12, "B": 0}


def test_the_journal_comes_in_pages_that_meet(told: TableDriver, phone: TableClient) -> None:
    for line in ("A.envido", "B.quiero", "A.tantos", "B.truco", "A.quiero", "B.tantos", "A.truco"):
        told.press(line)
    every = phone.ask(do="journal", **{"from": 1})["rows"]
    assert [row["seq"] for row in every] == list(range(1, told.report.seq + 1))
    assert "- new_hand" in [row["line"] for row in every]
    pages: list[Message] = []
    while page := phone.ask(do="journal", limit=3, **{"from": len(pages) + 1})["rows"]:
        assert len(page) <= 3
        pages += page
    assert pages == every
    assert phone.ask(do="journal", **{"from": 10_000})["rows"] == []


def test_a_long_night_comes_whole_in_answers_that_a_line_can_hold(
    tmp_path: Path, path: Path
) -> None:
    fill(tmp_path / "store", 20)
    with running_table(table_on(tmp_path / "store", socket=path)) as told:
        phone = TableClient(path)
        pages: list[list[Message]] = []
        first = 1
        while page := phone.ask(do="journal", **{"from": first})["rows"]:
            pages.append(page)
            first += len(page)
        phone.close()
        every = [row["seq"] for page in pages for row in page]
        assert every == list(range(1, told.report.seq + 1))
    # The bytes of a line limit them, not the number of rows.
    assert len(pages[0]) < MAX_ROWS < len(every)


def test_a_greeting_after_an_answer_has_the_newest_seq(
    told: TableDriver, phone: TableClient, path: Path
) -> None:
    for seq in range(20):
        line = "A truco" if seq % 2 == 0 else "- undo"
        assert phone.ask(do="step", line=line, seq=seq)["ok"] is True
        later = TableClient(path)
        assert later.hello["seq"] == seq + 1
        later.close()


@pytest.mark.parametrize(
    "page", [{"from": "1"}, {"from": None}, {"limit": 0}, {"limit": -5}, {"limit": "all"}]
)
def test_a_page_that_makes_no_sense_is_refused(asking: TableClient, page: Message) -> None:
    answer = asking.ask(do="journal", **page)
    assert (answer["ok"], answer["error"]) == (False, "UNREADABLE")
    assert answer["text"].startswith(next(iter(page)))


def test_a_game_is_returned_from_its_header_on(told: TableDriver, phone: TableClient) -> None:
    for line in ("A.truco", "B.quiero", "A.tantos"):
        told.press(line)
    answer = phone.ask(do="game")
    assert answer["header"].startswith('[Variant "argentine"]')
    assert [row["line"] for row in answer["rows"]] == ["A truco", "B quiero", "A hand_won"]
    known = {key: answer[key] for key in ("game", "running", "first", "newest", "seq", "language")}
    assert known == {
        "game": 1, "running": 1, "first": 1, "newest": 1, "seq": 3, "language": "es-AR",
    }  # fmt: skip
    later = phone.ask(do="game", number=1, **{"from": 3})["rows"]
    assert [row["line"] for row in later] == ["A hand_won"]
    for beyond in (4, 5000, 10**30):
        assert phone.ask(do="game", **{"from": beyond})["rows"] == []
    assert len(phone.ask(do="game", **{"from": -(10**30)})["rows"]) == 3


@pytest.mark.sampled(0)
def test_the_rows_of_a_game_are_its_own_however_they_are_found(
    told: TableDriver, phone: TableClient, path: Path
) -> None:
    for seq in range(60):
        line = "A truco" if seq % 2 == 0 else "- undo"
        assert phone.ask(do="step", line=line, seq=seq)["ok"] is True
    assert phone.ask(do="step", line="A concede", seq=60)["ok"] is True
    told.press("A.quiero", "B.quiero", apart_s=0.2)
    told.press("A.truco")
    # Not the same one: a phone that listens to nothing for some seconds is hung up on.
    phone = TableClient(path)
    running = phone.ask(do="game")
    assert (running["game"], running["newest"]) == (2, 2)
    last = running["rows"][-1]["seq"]
    whole = [row["seq"] for row in phone.ask(do="game", number=1)["rows"]]
    assert whole == list(range(1, 62))
    for start in (1, 2, 11, 12, 13, 60, 61, 62, last):
        for number in (1, 2):
            rows = phone.ask(do="game", number=number, **{"from": start})["rows"]
            assert all(row["game"] == number and row["seq"] >= start for row in rows)
            assert len(rows) == sum(seq >= start for seq in (whole if number == 1 else [last]))
    phone.close()


@pytest.mark.parametrize(
    ("wish", "error"),
    [
        ({"number": 2}, "NO_SUCH_GAME"),
        ({"number": 0}, "NO_SUCH_GAME"),
        ({"number": -1}, "NO_SUCH_GAME"),
        ({"number": 10**30}, "NO_SUCH_GAME"),
        ({"number": "1"}, "UNREADABLE"),
        ({"number": True}, "UNREADABLE"),
        ({"number": None}, "UNREADABLE"),
        ({"from": "1"}, "UNREADABLE"),
    ],
)
def test_a_game_that_is_not_there_is_refused(
    asking: TableClient, wish: Message, error: str
) -> None:
    answer = asking.ask(do="game", **wish)
    assert (answer["ok"], answer["error"]) == (False, error)


RUBBISH = (
    b"",
    b"{}",
    b"[]",
    b"null",
    b"\xff\xfe",
    b"[" * 60_000,
    b'{"do": "step"}',
    b'{"do": "dance", "id": NaN}',
    b'{"do": "dance", "id": 1e400}',
    b'{"do": "dance", "id": "\\ud800"}',
    b'{"do": "undo", "seq": 0, "id": {"a": [1]}}',
    b'{"do": "step", "line": "A truco", "seq": 0, "who": "\\ud800"}',
    b'{"do": "step", "line": "A truco \\ud800", "seq": 0}',
    b'{"do": "step", "line": "A award ' + b"9" * 5000 + b'", "seq": 0}',
    b'{"do": "step", "line": "A correct -5", "seq": 0}',
    b'{"do": "journal", "from": 1e400}',
    b'{"do": "journal", "from": true}',
    b'{"do": "journal", "limit": 0.5}',
)


@pytest.mark.parametrize("line", RUBBISH, ids=lambda line: line[:40].decode("latin-1"))
def test_lies_and_rubbish_are_refused_in_words_and_change_nothing(
    unchanged: Unchanged, line: bytes
) -> None:
    answer = _said(unchanged.path, line)
    assert answer["ok"] is False
    assert answer["text"]
    assert unchanged.told.wait(0.1).seq == 0


def test_after_rubbish_a_press_counts(told: TableDriver, path: Path) -> None:
    for line in RUBBISH:
        _said(path, line)
    assert told.press("A.truco") == "taken"


@pytest.mark.parametrize("start", ["-" + "9" * 30, "9" * 30, "0", "-1"])
def test_a_page_from_beyond_all_numbers_is_a_page(unchanged: Unchanged, start: str) -> None:
    answer = _said(
        unchanged.path, b'{"do": "journal", "from": %s, "limit": %s}' % (start.encode(), b"9" * 30)
    )
    assert (answer["ok"], answer["rows"]) == (True, [])
    assert unchanged.told.wait(0.1).seq == 0


def _said(path: Path, line: bytes) -> Message:
    """The answer to one line of bytes."""
    with socket.socket(socket.AF_UNIX) as end:
        end.settimeout(PATIENCE)
        end.connect(str(path))
        end.sendall(line + b"\n")
        with end.makefile("rb") as answers:
            for answer in answers:
                message: Message = json.loads(answer)
                if "ok" in message:
                    return message
    raise AssertionError("the table has hung up")


def test_the_buttons_go_on_while_a_phone_asks_and_leaves(told: TableDriver, path: Path) -> None:
    for _ in range(20):
        calling = TableClient(path)
        calling.ask(do="journal")
        calling.close()
    assert told.press("A.truco") == "taken"


# ---- the number of a state ----------------------------------------------------------------------


@pytest.fixture
def short(tmp_path: Path) -> Iterator[TableDriver]:
    """A table whose game ends with one point."""
    with running_table(
        table_on(tmp_path / "store", options="target=1", socket=tmp_path / "table.sock")
    ) as told:
        yield told


def newest(client: TableClient, told: TableDriver, phase: str) -> Message:
    """The first state in ``phase``."""
    told.wait(0.1)
    while client.state["phase"] != phase:
        client.next_state()
    return client.state


def test_a_new_game_without_a_row_is_another_state(short: TableDriver, tmp_path: Path) -> None:
    client = TableClient(tmp_path / "table.sock")
    short.press("A.tantos", duration_s=5.0)
    over = newest(client, short, "match_over")
    short.press("A.quiero")
    short.press("B.quiero")
    fresh = newest(client, short, "playing")
    assert fresh["seq"] == over["seq"] and fresh["number"] > over["number"]
    wish = {"do": "step", "line": "B hand_won"}
    assert client.ask(**wish, seq=over["seq"], number=over["number"])["error"] == "STALE"
    assert client.ask(do="undo", number=over["number"])["error"] == "STALE"
    for alone in ({"do": "undo"}, wish):
        assert client.ask(**alone, seq=over["seq"])["error"] == "STALE", "seq names two states"
    for wrong in (None, "1", 1.5, True, -1, fresh["number"] + 1):
        assert client.ask(**wish, seq=fresh["seq"], number=wrong)["error"] == "STALE"
    assert client.ask(**wish, number=fresh["number"], seq=-5)["ok"] is True, "the number decides"
    assert client.ask(do="undo", seq=fresh["seq"] + 1)["ok"] is True, "a row names its game"
    client.close()


def test_a_state_before_a_restart_is_another_state(short: TableDriver, tmp_path: Path) -> None:
    client = TableClient(tmp_path / "table.sock")
    before = client.state
    client.close()
    short.power_cut()
    client = TableClient(tmp_path / "table.sock")
    assert client.state["seq"] == before["seq"] and client.state["number"] != before["number"]
    assert client.ask(do="step", line="A truco", number=before["number"])["error"] == "STALE"
    assert client.ask(do="step", line="A truco", number=client.state["number"])["ok"] is True
    client.close()
