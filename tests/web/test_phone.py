"""Phones over real connections: pairing, presses and attacks on a real server."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest

from scorer.api.rights import Right, socket_path
from tests.support.phone_pairing import open_phones, show_new_code, undo_everything
from tests.table.table_process import TableDriver, running_table, table_on
from tests.web.contract import OPENAPI, check_answer
from tests.web.server_process import PATIENCE, retried, web

OURS = {"X-Truco": "1"}
PATHS = ("/api/v1/pair", "/api/v1/press", "/api/v1/unpair")


ADDRESSES = (f"127.0.1.{number}" for number in range(1, 250))


class Browser:
    """A page in one browser: keeps its cookie and sends its origin.

    Each has its own address, because of the limits per address.
    """

    def __init__(self, url: str) -> None:
        self.address = next(ADDRESSES)
        own = httpx.HTTPTransport(local_address=self.address)
        self.http = httpx.Client(base_url=url, timeout=PATIENCE, transport=own)
        self.headers = {**OURS, "Origin": url.rstrip("/"), "Sec-Fetch-Site": "same-origin"}

    def post(self, name: str, body: object, **headers: str) -> httpx.Response:
        """Send a request like our page, except for ``headers``; checks the response."""
        path = f"/api/v1/{name}"
        answer = self.http.post(path, json=body, headers={**self.headers, **headers})
        check_answer(path, answer.status_code, answer.json(), "post")
        return answer

    def phone(self) -> dict[str, Any]:
        answer = self.http.get("/api/v1/phone")
        check_answer("/api/v1/phone", answer.status_code, answer.json())
        return dict(answer.json())

    def press(self, side: str, button: str, seq: object = None, **more: object) -> httpx.Response:
        seq = self.phone()["seq"] if seq is None else seq
        return self.post("press", {"side": side, "button": button, "seq": seq, **more})


class Bar(NamedTuple):
    told: TableDriver
    url: str
    path: Path


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bar]:
    folder = tmp_path_factory.mktemp("phones")
    path = folder / "table.sock"
    with (
        running_table(table_on(folder / "store", socket=path)) as told,
        web(socket_path(path, Right.PHONE), folder) as server,
    ):
        yield Bar(told, server.url, path)


@pytest.fixture
def bar(evening: Bar) -> Bar:
    """The table of all these tests."""
    undo_everything(evening.told, evening.path)
    return evening


@pytest.fixture
def ana(bar: Bar) -> Iterator[Browser]:
    browser = Browser(bar.url)
    with closing(browser.http):
        yield browser
        browser.post("unpair", {})


@pytest.fixture
def beto(bar: Bar) -> Iterator[Browser]:
    browser = Browser(bar.url)
    with closing(browser.http):
        yield browser
        browser.post("unpair", {})


def pair(bar: Bar, browser: Browser, name: str) -> httpx.Response:
    """Pairs it as people do; set-up is closed behind it."""
    answer = browser.post("pair", {"code": show_new_code(bar.told), "name": name})
    bar.told.press("menu", duration_s=4.0)
    assert answer.status_code == 200, answer.text
    return answer


def test_a_phone_is_paired_presses_and_is_forgotten(bar: Bar, ana: Browser) -> None:
    assert ana.phone() == {"paired": False}
    answer = pair(bar, ana, "Ana")
    assert answer.json() == {"ok": True, "name": "Ana"}
    cookie = answer.headers["set-cookie"].lower()
    for wanted in ("httponly", "samesite=strict", "path=/", "max-age="):
        assert wanted in cookie
    told = ana.phone()
    assert (told["paired"], told["name"]) == (True, "Ana")
    assert "truco" in told["buttons"]["A"]
    nothing = {"say": "refusal.NOTHING_TO_ANSWER", "side": None, "word": ""}
    assert told["reasons"]["A"]["quiero"] == nothing
    assert told["words"] == {"envido": "envido", "falta": "falta envido"}
    assert ana.press("A", "truco").json()["ok"] is True
    bar.told.wait(0.2)
    assert bar.told.state["pending"]["call"] == "truco"
    # The reports read the history on a connection of their own.
    assert retried(lambda: ana.http.get("/api/v1/history").text, '"who": "phone Ana"')
    assert ana.post("unpair", {}).json() == {"ok": True}
    assert ana.phone() == {"paired": False}
    assert not ana.http.cookies
    assert ana.press("A", "truco", bar.told.wait(0.1).seq).status_code == 401


@pytest.mark.sampled(0)
def test_two_phones_at_once_are_never_merged(bar: Bar, ana: Browser, beto: Browser) -> None:
    pair(bar, ana, "Ana"), pair(bar, beto, "Beto")
    seq = ana.phone()["seq"]
    assert ana.press("A", "truco", seq).status_code == 200
    stale = beto.press("A", "truco", seq)
    assert (stale.status_code, stale.json()["error"]) == (409, "STALE")
    senseless: tuple[object, ...] = (None, "", [], 1.5)
    for wrong in senseless:
        assert (
            beto.post("press", {"side": "B", "button": "quiero", "seq": wrong}).status_code == 409
        )
    assert beto.press("B", "no_quiero").status_code == 200
    assert bar.told.wait(0.2).state["score"] == {"A": 1, "B": 0}
    # The history comes by another connection than the answer to a press.
    assert retried(lambda: ana.http.get("/api/v1/history").text, '"phone Beto"')
    whos = [each["who"] for each in ana.http.get("/api/v1/history").json()["entries"]]
    assert whos[-2:] == ["phone Ana", "phone Beto"]


@pytest.mark.sampled(0)
def test_a_phone_that_is_forgotten_at_the_box_loses_its_key(
    bar: Bar, ana: Browser, beto: Browser
) -> None:
    pair(bar, ana, "Ana"), pair(bar, beto, "Beto")
    open_phones(bar.told)
    bar.told.press("B.tantos")
    bar.told.press("A.quiero", duration_s=4.0)
    bar.told.press("A.quiero", duration_s=4.0)
    bar.told.press("menu", duration_s=4.0)
    seq = bar.told.wait(0.1).seq
    refused = ana.press("A", "truco", seq)
    assert (refused.status_code, refused.json()["error"]) == (401, "UNPAIRED")
    assert not ana.http.cookies
    assert beto.press("A", "truco", seq).status_code == 200


def test_three_wrong_codes_close_the_address_that_sent_them(
    bar: Bar, ana: Browser, beto: Browser
) -> None:
    shown = show_new_code(bar.told)
    wrong = "000000" if shown != "000000" else "000001"
    for left in (2, 1, 0):
        answer = beto.post("pair", {"code": wrong, "name": "Eva"})
        assert (answer.status_code, answer.json()["tries"]) == (409, left)
    closed = beto.post("pair", {"code": shown, "name": "Eva"})
    assert (closed.status_code, closed.json()["error"]) == (409, "BLOCKED")
    assert beto.address in bar.told.wait(0.1).text[-1]
    assert ana.post("pair", {"code": shown, "name": "Ana"}).json()["ok"] is True
    bar.told.press("menu", duration_s=4.0)
    for _ in range(2):
        slow = beto.post("pair", {"code": shown, "name": "Eva"})
    assert slow.status_code == 429
    assert int(slow.headers["retry-after"]) > 0


def test_a_page_of_another_site_changes_nothing(bar: Bar, ana: Browser) -> None:
    """With the cookie of a paired phone, as its browser would send it."""
    pair(bar, ana, "Ana")
    seq = bar.told.wait(0.1).seq
    body = {"side": "A", "button": "truco", "seq": seq}
    for headers in (
        {"Origin": "http://evil.example", "Sec-Fetch-Site": "cross-site"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "same-site"},
        {"X-Truco": ""},
        {"Origin": "http://evil.example", "Host": "evil.example"},
    ):
        answer = ana.post("press", body, **headers)
        assert answer.status_code in (403, 421), headers
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        assert ana.post("press", body, **{"Content-Type": kind}).status_code == 415
    asking = ana.http.options(
        "/api/v1/press",
        headers={"Origin": "http://evil.example", "Access-Control-Request-Method": "POST"},
    )
    assert not [name for name in asking.headers if name.startswith("access-control")]
    assert bar.told.wait(0.2).seq == seq


@pytest.mark.parametrize("path", [*PATHS, "/api/v1/phone", "/phone", "/events"])
def test_a_name_that_is_not_ours_is_refused_everywhere(bar: Bar, ana: Browser, path: str) -> None:
    """After DNS rebinding a page is same-origin with its own name, but not with ours."""
    evil = "rebound.example"
    headers = {**OURS, "Host": evil, "Origin": f"http://{evil}", "Sec-Fetch-Site": "same-origin"}
    method = "POST" if path in PATHS else "GET"
    assert ana.http.request(method, path, json={}, headers=headers).status_code == 421


def test_bodies_have_an_end_and_are_one_object(bar: Bar, ana: Browser) -> None:
    kind = {**ana.headers, "Content-Type": "application/json"}
    for path in PATHS[1:]:
        for body in (
            "",
            "[]",
            "7",
            "nonsense",
            "[" * 4000,
            '{"a": NaN}',
            '{"a": "\\ud800"}',
            "\xff",
        ):
            answer = ana.http.post(path, content=body.encode("latin-1"), headers=kind)
            assert answer.status_code == 400, body[:20]
        assert ana.http.post(path, content=b"x" * 5000, headers=kind).status_code == 413
    endless = (b"{}" for _ in range(3))
    assert ana.http.post(PATHS[1], content=endless, headers=kind).status_code == 413


def test_whatever_a_paired_phone_sends_the_table_lives(bar: Bar, ana: Browser) -> None:
    pair(bar, ana, "Ana")
    seq = bar.told.wait(0.1).seq
    nested: object = []
    for _ in range(60):
        nested = [nested]
    for odd in (nested, {"do": "step"}, 2**70, -1, 1e300, "x" * 3000, None, True):
        for name in ("side", "button", "hold", "seq", "question", "do", "id", "phone", "key"):
            body = {"side": "A", "button": "truco", "seq": -1, name: odd}
            assert ana.http.post(PATHS[1], json=body, headers=ana.headers).status_code in (
                400,
                409,
                429,
            )
    assert bar.told.wait(0.2).seq == seq


def test_a_cookie_that_is_none_opens_nothing(bar: Bar, ana: Browser) -> None:
    for value in ("", ".", "x", "x.y", "a" * 200, "a.b.c", '"a.b"', "%00.%00"):
        headers = {**ana.headers, "Cookie": f"truco={value}"}
        answer = ana.http.post(PATHS[1], json={"side": "A"}, headers=headers)
        assert answer.status_code == 401, value
        assert ana.http.get("/api/v1/phone", headers=headers).json() == {"paired": False}


def test_presses_are_slowed_down_an_address(bar: Bar, ana: Browser) -> None:
    statuses = [ana.post("press", {}).status_code for _ in range(30)]
    assert statuses[:20] == [401] * 20
    assert 429 in statuses


def test_what_changes_something_is_only_sent(bar: Bar, ana: Browser) -> None:
    for path in PATHS:
        for method in ("GET", "HEAD", "PUT", "DELETE", "PATCH"):
            assert ana.http.request(method, path, headers=ana.headers).status_code == 405
        assert set(OPENAPI["paths"][path]) == {"post"}


@pytest.mark.sampled(0)
def test_a_table_that_is_away_is_said(bar: Bar, ana: Browser) -> None:
    pair(bar, ana, "Ana")
    bar.told.process.kill()
    answer = ana.post("press", {"side": "A", "button": "truco", "seq": 0})
    assert answer.status_code == 503
    assert answer.headers["retry-after"]
    bar.told.power_on()
    assert retried(lambda: ana.http.get("/healthz").text, '"here"')
    undo_everything(bar.told, bar.path)


@pytest.mark.sampled(0)
def test_a_table_without_its_store_keeps_its_phones(bar: Bar, ana: Browser) -> None:
    pair(bar, ana, "Ana")
    store = bar.path.parent / "store"
    aside = store.rename(store.with_name("aside"))
    store.write_text("this is no folder", encoding="utf-8")
    bar.told.power_cut()
    try:
        assert retried(lambda: ana.http.get("/healthz").text, '"trouble"')
        answer = ana.http.get("/api/v1/phone")
        assert answer.status_code == 503
        check_answer("/api/v1/phone", 503, answer.json())
        assert "set-cookie" not in answer.headers and answer.headers["retry-after"]
        assert ana.post("press", {"side": "A", "button": "truco", "seq": 0}).status_code == 503
    finally:
        store.unlink()
        aside.rename(store)
        bar.told.power_cut()
    assert retried(lambda: ana.http.get("/healthz").text, '"here"')
    assert ana.phone()["paired"] is True
