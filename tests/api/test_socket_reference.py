"""The examples of docs/reference/socket.md, run in their order at a table in play."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorer.api import hall_report, server, web_status
from scorer.api.error_codes import ErrorCode
from scorer.rules import assigned
from scorer.session.phone_press import KEYS, SHARED_KEYS
from scorer.session.values.hall import CallReason, WishKind
from scorer.session.values.shown import JoinFault
from scorer.table import game_pages, handlers
from tests.api.test_requests import ME
from tests.docs.reading import anchors, blocks, rows_with, section, text_of, words
from tests.support.phone_pairing import show_new_code
from tests.support.table_client import Message, TableClient
from tests.table.table_process import TableDriver

PAGE = text_of("socket.md")
VOLATILE = {"boot", "epoch", "free", "key", "monotonic_ms", "phone", "size", "uptime", "wall"}
# Shown as refused: the table of this page has no owner's code, and all settings fill pages.
OWNERS = {
    "owner_pair",
    "owner",
    "owner_save",
    "owner_copies",
    "owner_restore",
    "owner_leave",
}
SOON = 0.5  # seconds after which a question is still open
CALM = 10.0  # seconds after which no press is taken for a slip of a finger


def examples() -> Iterator[tuple[Message, Message]]:
    """Every request of the page with its answer."""
    lines = "".join(blocks(PAGE, "socket")).splitlines()
    assert [line[:2] for line in lines] == ["> ", "< "] * (len(lines) // 2)
    said = [json.loads(line[2:]) for line in lines]
    return zip(said[::2], said[1::2], strict=True)


@pytest.mark.sampled(0)
def test_the_table_answers_as_the_page_says(told: TableDriver, tmp_path: Path) -> None:
    actual: dict[str, str] = {}  # what this table made, by what the page shows for it
    is_asked = False
    with TableClient(tmp_path / "table.sock") as asks:
        for request, answer in examples():
            if request["do"] == "pair" and "code" not in request:
                digits = show_new_code(told)
            elif request["do"] == "press":
                # A question is over after some seconds.
                told.wait(SOON if is_asked else CALM)
            if request.get("code", "").isdigit():
                actual[request["code"]] = digits
            answer = json.loads(json.dumps(answer).replace("(root)", f"({ME})"))
            wish = {key: actual.get(str(value), value) for key, value in request.items()}
            del wish["id"]
            said = asks.ask(**wish)
            is_asked = said.get("verdict") == "question" or (is_asked and not said["ok"])
            actual |= {answer[key]: said[key] for key in ("phone", "key") if key in answer}
            assert steady({**said, "id": request["id"]}) == steady(answer), request
            if "code" in request and answer["ok"]:
                told.press("menu", duration_s=4.0)


def steady(value: object) -> object:
    """``value`` without what differs from run to run; its keys stay."""
    if isinstance(value, dict):
        return {key: None if key in VOLATILE else steady(each) for key, each in value.items()}
    return [steady(each) for each in value] if isinstance(value, list) else value


def test_every_request_has_an_article_and_an_example() -> None:
    # The first answer names all requests, and the test above compares it with the table's own.
    unknown = next(answer["text"] for _, answer in examples())
    shown = {
        request["do"] for request, answer in examples() if answer["ok"] or request["do"] in OWNERS
    }
    assert shown == set(unknown.partition("one of ")[2].split(", "))
    assert shown <= anchors(PAGE)


def test_every_error_has_a_row() -> None:
    listed = {word for row in rows_with(PAGE, "`error`") for word in words(row["`error`"])}
    assert listed == {*ErrorCode}


def test_the_limits_are_those_of_the_program() -> None:
    written = [row["Value"] for row in rows_with(section(PAGE, "limits"), "Limit")]
    assert written == [
        str(limit)
        for limit in (
            server.MAX_LINE_BYTES,
            int(server.READ_TIMEOUT_S),
            server.MAX_REPLIES,
            server.MAX_PENDING_REQUESTS,
            server.MAX_CLIENTS,
            int(server.IDLE_S),
            server.MAX_ID_BYTES,
            game_pages.MAX_ROWS,
        )
    ]
    for limit in (handlers.MAX_REASON_CHARS, handlers.MAX_NAME_CHARS):
        assert f"at most {limit} characters" in section(PAGE, "step")
    networks = next(
        row for row in rows_with(section(PAGE, "notice"), "Key") if "`network`" in row["Key"]
    )
    assert tuple(words(networks["Value"])) == web_status.NO_ADDRESS_REASONS


def values_of(anchor: str, key: str) -> tuple[str, ...]:
    """The words in the row of ``key`` of an article."""
    rows = rows_with(section(PAGE, anchor), "Key")
    (row,) = [row for row in rows if row["Key"] == f"`{key}`"]
    return tuple(words(row["Value"]))


def test_what_a_link_may_report_is_listed() -> None:
    assert values_of("hall", "state") == hall_report.STATES
    faults = tuple(fault for fault in JoinFault if fault is not JoinFault.NONE)
    assert values_of("hall", "fault")[: len(faults)] == faults
    limits = section(PAGE, "hall")
    for limit in (hall_report.MAX_NAME_CHARS, hall_report.MAX_HALLS, hall_report.MAX_TABLE):
        assert f" {limit}" in limits
    assert f"1 to {hall_report.MAX_QR_CHARS} characters" in limits
    assert f"at most {assigned.MAX_HEADER_CHARS} characters" in section(PAGE, "assign")
    for least in (assigned.MIN_CAP_S, assigned.MIN_TIME_S):
        assert f" {least} to {assigned.MAX_TIME_S}" in section(PAGE, "assign")


def test_the_wishes_and_the_reasons_of_a_call_are_listed() -> None:
    assert set(WishKind) <= set(values_of("wishes", "do"))
    assert values_of("wishes", "why")[1:] == tuple(CallReason)


def test_the_buttons_of_a_phone_are_listed() -> None:
    (row,) = [row for row in rows_with(section(PAGE, "press"), "Key") if row["Key"] == "`button`"]
    assert tuple(words(row["Value"])) == (*KEYS, *SHARED_KEYS)
