"""The paths of the settings page over real connections, and attacks on them."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from scorer.web.owner import OwnerRoutes
from tests.web.owner_box import CODE, OwnerBox, owner_box, show_phone_code
from tests.web.server_process import PATIENCE, retried
from tests.web.test_phone import ADDRESSES, OURS

API = "/api/v1/owner"


OPENED: list[httpx.Client] = []


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    yield
    while OPENED:
        OPENED.pop().close()


class Browser:
    """A page in one browser, with an address and a cookie of its own."""

    def __init__(self, url: str) -> None:
        own = httpx.HTTPTransport(local_address=next(ADDRESSES))
        self.http = httpx.Client(base_url=url, timeout=PATIENCE, transport=own)
        OPENED.append(self.http)
        self.headers = {**OURS, "Origin": url.rstrip("/"), "Sec-Fetch-Site": "same-origin"}
        self.rev = ""

    def post(self, name: str, body: object, **headers: str) -> httpx.Response:
        return self.http.post(f"{API}/{name}", json=body, headers={**self.headers, **headers})

    def look(self) -> dict[str, Any]:
        found: dict[str, Any] = self.http.get(API).json()
        self.rev = found.get("rev", "")
        return found

    def save(self, section: str, *back: str, **values: object) -> httpx.Response:
        self.look()
        body = {"section": section, "values": values, "back": back, "rev": self.rev}
        return self.post("save", body)

    def row(self, path: str) -> dict[str, Any]:
        rows = [row for section in self.look()["sections"] for row in section["rows"]]
        return next(row for row in rows if row["path"] == path)


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OwnerBox]:
    folder = tmp_path_factory.mktemp("owner")
    programs = folder / "bin"
    programs.mkdir()
    (programs / "systemctl").write_text("#!/bin/sh\n")
    (programs / "systemctl").chmod(0o755)
    with owner_box(folder) as made:
        yield made


def given(box: OwnerBox, name: str) -> Browser:
    browser = Browser(box.url)
    answer = browser.post("pair", {"code": box.show_digits(), "name": name})
    box.leave_setup()
    assert answer.status_code == 200, answer.text
    return browser


@pytest.fixture
def ana(box: OwnerBox) -> Iterator[Browser]:
    browser = given(box, "Ana")
    yield browser
    browser.save("light", "dim")
    browser.post("leave", {})


def test_the_right_is_given_used_and_given_back(box: OwnerBox) -> None:
    browser = Browser(box.url)
    assert browser.look() == {"owner": False}
    assert browser.save("light", dim=5).status_code == 401
    answer = browser.post("pair", {"code": box.show_digits(), "name": "Ana"})
    box.leave_setup()
    cookie = answer.headers["set-cookie"].lower()
    for wanted in ("httponly", "samesite=strict", "path=/api/v1;", "max-age="):
        assert wanted in cookie
    assert "key" not in answer.json()
    assert browser.look()["name"] == "Ana"
    assert browser.save("light", dim=5).json()["ok"] is True
    assert box.do(lambda table: table.table.session.settings.light.dim) == 5.0
    assert browser.save("light", "dim").status_code == 200
    assert browser.row("light.dim")["value"] == 90.0
    assert browser.post("leave", {}).json() == {"ok": True}
    assert browser.look() == {"owner": False}
    assert not browser.http.cookies


def test_a_value_of_a_service_reaches_the_file_of_the_page(box: OwnerBox, ana: Browser) -> None:
    answer = ana.save("backup", label="BAR")
    assert answer.json()["saving"]["status"] == "saving"
    assert retried(lambda: json.dumps(ana.look()["saving"]), '"saved"')
    assert box.saved == {"backup": {"label": "BAR"}}
    assert ana.row("backup.label")["layers"] == {"page": "BAR"}
    assert ana.save("backup", "label").status_code == 200
    assert retried(lambda: json.dumps(ana.look()["saving"]), '"saved"')
    assert box.saved == {}


def test_a_wrong_value_is_refused_with_the_sentence_of_the_reader(ana: Browser) -> None:
    answer = ana.save("web", port=70000)
    assert answer.status_code == 422
    assert answer.json()["problems"] == ["web.port: 70000 is not from 1 to 65535"]


def test_a_secret_is_refused_over_plain_http_and_never_sent_back(ana: Browser) -> None:
    assert ana.look()["private"] is False
    answer = ana.save("owner", code="123456")
    assert (answer.status_code, answer.json()["error"]) == (403, "INSECURE")
    assert CODE not in ana.http.get(API).text


def test_a_console_gets_no_right(box: OwnerBox) -> None:
    phone = Browser(box.url)
    phone.http.cookies.set("truco", "3d157952.0")
    answer = phone.post("pair", {"code": box.show_digits(), "name": "Beto"})
    box.leave_setup()
    assert (answer.status_code, answer.json()["error"]) == (409, "CONSOLE")


def test_an_owner_that_becomes_a_console_gives_the_right_back(box: OwnerBox, ana: Browser) -> None:
    def pair(code: str) -> int:
        body = {"code": code, "name": "Ana"}
        return ana.http.post("/api/v1/pair", json=body, headers=ana.headers).status_code

    code = box.do(show_phone_code)
    assert pair("000000" if code != "000000" else "111111") == 409
    assert ana.look()["owner"] is True
    assert pair(code) == 200
    box.leave_setup()
    assert ana.look() == {"owner": False}
    assert ana.http.post("/api/v1/unpair", json={}, headers=ana.headers).status_code == 200


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"X-Truco": "0"}, 403),
        ({"Origin": "http://evil.example.org"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Content-Type": "text/plain"}, 415),
    ],
)
def test_the_page_of_another_site_saves_nothing(
    ana: Browser, headers: dict[str, str], status: int
) -> None:
    body = json.dumps({"section": "light", "values": {"dim": 1}, "rev": ana.look()["rev"]})
    sent = {**ana.headers, "Content-Type": "application/json", **headers}
    answer = ana.http.post(f"{API}/save", content=body, headers=sent)
    assert answer.status_code == status
    assert ana.row("light.dim")["value"] == 90.0


def test_the_key_of_another_box_counts_nothing(box: OwnerBox, tmp_path: Path) -> None:
    stranger = Browser(box.url)
    stranger.http.cookies.set("truco_owner", f"3d157952.{'0' * 32}", path="/api/v1")
    assert stranger.look() == {"owner": False}
    stranger.http.cookies.set("truco_owner", f"3d157952.{'0' * 32}", path="/api/v1")
    assert stranger.save("light", dim=1).status_code == 401


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    "body",
    [b"", b"[]", b"{", b"[" * 4000, b'{"a": NaN}', b'"\\ud800"', b"\xff", b"3"],
)
def test_a_body_that_is_no_object_is_refused(ana: Browser, body: bytes) -> None:
    headers = {**ana.headers, "Content-Type": "application/json"}
    assert ana.http.post(f"{API}/save", content=body, headers=headers).status_code == 400


def test_a_huge_body_is_refused_unread(ana: Browser) -> None:
    answer = ana.post("save", {"section": "light", "values": {"dim": "9" * 5000}, "rev": "x"})
    assert answer.status_code == 413


@pytest.mark.sampled(0)
def test_two_owners_at_once_save_one_after_the_other(box: OwnerBox, ana: Browser) -> None:
    beto = given(box, "Beto")
    ana.look(), beto.look()
    first = ana.post("save", {"section": "light", "values": {"dim": 5}, "rev": ana.rev})
    second = beto.post("save", {"section": "light", "values": {"dim": 9}, "rev": beto.rev})
    assert first.status_code == 200
    assert (second.status_code, second.json()["error"]) == (409, "STALE")
    assert second.json()["last"] == {"name": "Ana", "section": "light", "keys": ["dim"]}
    assert box.do(lambda table: table.table.session.settings.light.dim) == 5.0
    beto.post("leave", {})


def test_a_connection_that_is_lost_in_the_middle_saves_nothing(box: OwnerBox, ana: Browser) -> None:
    """Half of a request: the browser was switched off while it was sent."""
    host, port = ana.http.base_url.host, ana.http.base_url.port
    assert port is not None
    rev = ana.look()["rev"]
    body = json.dumps({"section": "light", "values": {"dim": 1, "dark": 2}, "rev": rev})
    cookie = f"truco_owner={ana.http.cookies['truco_owner']}"
    head = (
        f"POST {API}/save HTTP/1.1\r\nHost: {host}:{port}\r\nX-Truco: 1\r\nCookie: {cookie}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    for cut in (1, len(body) // 2, len(body) - 1):
        with socket.create_connection((host, port)) as half:
            half.sendall((head + body[:cut]).encode())
    assert ana.look()["rev"] == rev
    assert box.do(lambda table: table.table.session.settings.light.dim) == 90.0


def test_during_a_game_no_phone_gets_the_right_and_what_may_not_change_waits(
    box: OwnerBox, ana: Browser
) -> None:
    box.play()
    assert ana.post("pair", {"code": "000000", "name": "x"}).json()["error"] == "GAME"
    answer = ana.save("table", device="barra")
    assert answer.json()["waits"] is True
    assert ana.look()["waiting"] == {"table.device": "barra"}
    box.end_game()
    assert ana.look()["waiting"] == {}
    assert ana.save("table", "device").json()["waits"] is False


def test_without_a_service_of_copies_the_page_says_so(ana: Browser) -> None:
    assert ana.post("copies", {}).json()["owner"] is True
    assert retried(lambda: json.dumps(ana.look()["copies"]), '"backup_off"')


def test_a_copy_is_put_back_by_an_owner_alone_and_only_if_it_was_listed(
    box: OwnerBox, ana: Browser
) -> None:
    stranger = Browser(box.url)
    for name in ("copies", "restore"):
        assert stranger.post(name, {"name": "a.sqlite3"}).status_code == 401
        assert ana.post(name, {}, Origin="http://evil.example.org").status_code == 403
    answer = ana.post("restore", {"name": "a.sqlite3"})
    assert (answer.status_code, answer.json()["error"]) == (409, "STALE")
    assert ana.post("restore", {}).status_code == 400


def test_an_address_that_asks_without_pause_has_to_wait(ana: Browser) -> None:
    statuses = [ana.post("save", {}).status_code for _ in range(15)]
    assert 429 in statuses


class Scope:
    """A request as far as its privacy is judged."""

    def __init__(self, scheme: str, server: str) -> None:
        self.scope = {"scheme": scheme, "server": (server, 8080)}


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("scheme", "server", "has_own", "private"),
    [
        ("https", "192.168.1.7", False, True),
        ("http", "192.168.1.7", False, False),
        ("http", "192.168.1.7", True, False),
        ("http", "10.42.0.1", True, True),
        ("http", "10.42.0.1", False, False),  # the network of another router
        ("http", "127.0.0.1", True, False),
    ],
)
def test_private_is_https_or_the_network_of_the_box(
    scheme: str, server: str, *, has_own: bool, private: bool
) -> None:
    routes = OwnerRoutes(None, has_own_network=lambda: has_own)  # type: ignore[arg-type]
    assert routes._is_private(Scope(scheme, server)) is private  # type: ignore[arg-type]
