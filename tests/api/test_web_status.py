"""Web status: what clients may report, how it is shown, and until when."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import pytest

from scorer.api.web_status import parse
from scorer.plain_values import WrongValues
from scorer.session.values.shown import LinkState, LinkView
from tests.support.table_client import TableClient
from tests.table.table_process import TableDriver

HERE = "http://192.168.1.7:8080/"
PAGE = 5  # presses of MENU to the page of the connection


@pytest.mark.parametrize(
    ("notice", "link"),
    [
        ({"address": HERE}, LinkView(LinkState.ONLINE, HERE)),
        ({"address": HERE, "clients": 3}, LinkView(LinkState.ONLINE, HERE, clients=3)),
        ({"address": "http://[fd00::7]:8080/"}, LinkView(LinkState.ONLINE, "http://[fd00::7]:8080/")),
        ({"address": "https://truco.example.org"},
         LinkView(LinkState.ONLINE, "https://truco.example.org")),
        ({"address": HERE, "name": "truco.local", "wifi": "Bar El Ombú", "network": "absent"},
         LinkView(LinkState.ONLINE, HERE, "truco.local", "Bar El Ombú")),
        ({"address": HERE, "wifi": "Truco-7F3A", "password": "kx7m2p9dae"},
         LinkView(LinkState.ONLINE, HERE, wifi="Truco-7F3A", password="kx7m2p9dae")),
        ({"address": ""}, LinkView(LinkState.OFFLINE)),
        ({"address": "", "network": "waiting"}, LinkView(LinkState.WAITING)),
        ({"address": "", "network": "password", "wifi": "Bar"},
         LinkView(LinkState.PASSWORD, wifi="Bar")),
    ],
)  # fmt: skip
def test_a_notice_is_what_the_panel_shows(notice: dict[str, Any], link: LinkView) -> None:
    assert parse(notice) == link


@pytest.mark.parametrize(
    ("wrong", "word"),
    [
        ({}, "address"),
        ({"address": 7}, "address"),
        ({"address": "ftp://192.168.1.7/"}, "address"),
        ({"address": "javascript:alert(1)"}, "address"),
        ({"address": "http://user@192.168.1.7/"}, "address"),
        ({"address": "http://192.168.1.7/\n"}, "address"),
        ({"address": "http://192.168.1.7:123456/"}, "address"),
        ({"address": "http://x/" + "a" * 92}, "address"),
        ({"address": HERE, "name": "la casa"}, "name"),
        ({"address": HERE, "name": "a" * 65}, "name"),
        ({"address": HERE, "wifi": "ñ" * 17}, "wifi"),
        ({"address": HERE, "wifi": "\ud800"}, "wifi"),
        ({"address": HERE, "wifi": 3}, "wifi"),
        ({"address": HERE, "password": "a" * 13}, "password"),
        ({"address": HERE, "password": "mate amargo"}, "password"),
        ({"address": HERE, "clients": True}, "clients"),
        ({"address": HERE, "clients": -1}, "clients"),
        ({"address": HERE, "clients": 10**9}, "clients"),
        ({"address": "", "network": "online"}, "network"),
        ({"address": "", "network": ["offline"]}, "network"),
    ],
)
def test_anything_else_is_refused_in_a_sentence(wrong: dict[str, Any], word: str) -> None:
    with pytest.raises(WrongValues, match=f"^{word}: "):
        parse(wrong)


# ---- at a table of its own process --------------------------------------------------------------


def turned_to_the_page(night: TableDriver) -> tuple[str, ...]:
    for _ in range(PAGE):
        night.press("menu")
    assert night.report.screen == "connection"
    return night.report.text


def test_an_address_is_on_the_panel_as_long_as_its_program_is_connected(
    told: TableDriver, path: Path
) -> None:
    assert "la página para teléfonos está apagada" in turned_to_the_page(told)
    client = TableClient(path)
    here = {"address": HERE, "clients": 2, "name": "truco.local", "wifi": "Bar El Ombú"}
    assert client.ask(do="notice", **here) == {"ok": True}
    shown = told.wait(1.0).text
    assert {"192.168.1.7:8080", "truco.local:8080", "miran 2"} <= set(shown)
    assert client.ask(do="notice", address="gopher://x")["error"] == "UNREADABLE"
    assert told.wait(1.0).text == shown, "what is refused changes nothing"
    client.close()
    wait_until_gone(path)
    assert "la página para teléfonos está apagada" in told.wait(1.0).text


def wait_until_gone(path: Path) -> None:
    """Wait for the close: a later client is greeted after an earlier one is gone."""
    for _ in range(2):
        with socket.socket(socket.AF_UNIX) as later:
            later.settimeout(20.0)
            later.connect(str(path))
            assert later.recv(1)


def test_a_notice_is_no_press_and_nothing_that_is_kept(told: TableDriver, path: Path) -> None:
    with TableClient(path) as client:
        before = told.wait(1.0).state
        client.ask(do="notice", address=HERE)
        after = told.wait(1.0)
        assert (after.state, after.press, after.screen) == (before, (), "playing")
