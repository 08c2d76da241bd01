"""A real table, server and connections: the television shows what was stored."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest

from scorer.i18n import translator
from tests.support.programs import end
from tests.table.table_process import TableDriver, running_table, table_on
from tests.web.contract import check, check_answer, unnumbered
from tests.web.server_process import PATIENCE, Event, Web, events, first_event, retried, web

FEW = 4  # viewers, where the limit is looked at


class Bar(NamedTuple):
    """A table, its server and a client."""

    told: TableDriver
    server: Web
    client: httpx.Client

    def get(self, path: str, **headers: str) -> httpx.Response:
        return self.client.get(path, headers=headers)

    def state(self) -> dict[str, Any]:
        return dict(self.get("/api/v1/state").json())

    @contextmanager
    def watching(self, **headers: str) -> Iterator[Iterator[Event]]:
        with self.client.stream("GET", "/events", headers=headers) as response:
            assert response.status_code == 200
            yield events(response)


@contextmanager
def opened(folder: Path, settings: str = "[web]\nviewers_each = 1000\n") -> Iterator[Bar]:
    path = folder / "table.sock"
    with (
        running_table(table_on(folder / "store", socket=path)) as told,
        web(path, folder, settings) as server,
        httpx.Client(base_url=server.url, timeout=PATIENCE) as client,
    ):
        bar = Bar(told, server, client)
        # The server serves before the table has answered it.
        assert any(bar.get("/healthz").json()["table"] != "gone" for _ in range(20_000))
        yield bar


@pytest.fixture(scope="module")
def bar(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bar]:
    """One for all tests that leave it as it is, but for the score."""
    folder = tmp_path_factory.mktemp("bar")
    (folder / "www").mkdir()
    settings = f'[web]\nviewers = {FEW}\nviewers_each = 1000\npages = "{folder}/www"\n'
    with opened(folder, settings) as one:
        yield one


def stands_at(seq: int) -> Callable[[Event], bool]:
    """Whether it is a complete report of row ``seq`` or later.

    A busy machine sends the state alone first.
    """

    def is_there(event: Event) -> bool:
        if event.name != "state" or None in (event.data["board"], event.data["night"]):
            return False
        return bool(event.data["state"]["seq"] >= seq)

    return is_there


@pytest.mark.sampled(0)
def test_every_press_is_on_the_television_with_its_history(bar: Bar) -> None:
    with bar.watching() as stream:
        first_event(stream, stands_at(bar.told.report.seq))
        bar.told.press("A.truco")
        report = first_event(stream, stands_at(bar.told.report.seq)).data
        assert unnumbered(report["state"]) == bar.told.state
        assert report["phrases"]["call"] is not None
        bar.told.press("B.no_quiero")
        report = first_event(stream, stands_at(bar.told.report.seq)).data
    assert unnumbered(report["state"]) == bar.told.state
    assert (report["table"], report["since"]) == ("here", None)
    last = report["recent"][-1]
    assert (last["key"], last["word"], last["points"], last["side"]) == (
        "truco_refused", "truco", 1, "A",
    )  # fmt: skip
    assert last["score"] == bar.told.score == report["hands"][-1]["score"]


def test_every_answer_keeps_to_the_papers(bar: Bar) -> None:
    bar.told.press("A.truco")
    with bar.watching() as stream:
        check("Report", first_event(stream, stands_at(bar.told.report.seq)).data)
    bar.told.press("undo")
    for path, status in (
        ("/api/v1/state", 200),
        ("/api/v1/history", 200),
        ("/api/v1/history?game=1&from=2&limit=1", 200),
        ("/api/v1/history?game=99", 404),
        ("/api/v1/history?from=-1", 400),
        ("/api/v1/history?limit=one", 400),
        ("/api/v1/night", 200),
        ("/api/v1/night/games", 200),
        ("/api/v1/address", 200),
        ("/healthz", 200),
    ):
        answer = bar.get(path)
        assert answer.status_code == status, path
        check_answer(path.partition("?")[0], status, answer.json())
    (entry,) = bar.get("/api/v1/history?game=1&from=2&limit=1").json()["entries"]
    assert entry["seq"] == 2


def test_polling_gets_the_same_reports_as_a_stream(bar: Bar) -> None:
    bar.told.press("A.truco")
    with bar.watching() as stream:
        seen = first_event(stream, stands_at(bar.told.report.seq)).data
    asked = bar.state()
    assert {**asked, "at": 0} == {**seen, "at": 0}
    assert asked["at"] >= seen["at"]
    bar.told.press("undo")


def test_an_undo_is_reported_and_undone_steps_are_marked(bar: Bar) -> None:
    with bar.watching() as stream:
        bar.told.press("A.truco")
        bar.told.press("undo")
        report = first_event(stream, stands_at(bar.told.report.seq)).data
    said, undo = report["recent"][-2:]
    assert (said["key"], said["undone"]) == ("truco", True)
    assert (undo["key"], undo["side"], undo["undone"]) == ("undo", None, False)


def test_the_number_of_a_report_only_goes_up(bar: Bar) -> None:
    with bar.watching() as stream:
        revs = [next(stream).data["rev"]]
        for _ in range(3):
            bar.told.press("A.truco")
            bar.told.press("undo")
            revs.append(first_event(stream, stands_at(bar.told.report.seq)).data["rev"])
    assert revs == sorted(set(revs))


def test_who_comes_back_and_missed_nothing_gets_a_sign_of_life(bar: Bar) -> None:
    with bar.watching() as stream:
        newest = first_event(stream, stands_at(bar.told.report.seq)).id
    with bar.watching(**{"Last-Event-ID": newest}) as stream:
        assert next(stream).name == "beat"
    bar.told.press("A.truco")
    there = f'"seq": {bar.told.report.seq}, "sides"'
    assert retried(lambda: bar.get("/api/v1/state").text, there)
    with bar.watching(**{"Last-Event-ID": newest}) as stream:
        assert next(stream).name == "state"
    bar.told.press("undo")


def test_beyond_the_limit_a_viewer_is_sent_to_ask_and_may_come_when_one_has_gone(bar: Bar) -> None:
    def connected() -> socket.socket:
        end = socket.create_connection(("127.0.0.1", bar.server.port), timeout=PATIENCE)
        end.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return end

    def answer(end: socket.socket) -> bytes:
        return end.recv(4096)

    ends = [connected() for _ in range(FEW)]
    try:
        assert all(answer(end).startswith(b"HTTP/1.1 200") for end in ends)
        refused = bar.get("/events")
        assert (refused.status_code, refused.headers["retry-after"]) == (503, "5")
        assert bar.state()["table"] == "here"
        ends.pop().close()
        late = ends.pop()
        late.close()
        # The closed connection is noticed a moment later.
        assert retried(lambda: bar.get("/metrics").text, "truco_web_viewers 2\n")
        ends.append(connected())
        assert answer(ends[-1]).startswith(b"HTTP/1.1 200")
    finally:
        for each in ends:
            each.close()


@pytest.mark.sampled(0)
def test_one_phone_cannot_take_the_places_of_all(tmp_path: Path) -> None:
    with opened(tmp_path, "[web]\nviewers_each = 2\n") as bar:
        with bar.watching(), bar.watching():
            refused = bar.get("/events")
            assert (refused.status_code, refused.headers["retry-after"]) == (503, "5")
            assert bar.state()["table"] == "here", "who is turned away may ask"
        answers = [bar.get("/plain") for _ in range(100)]
        limited = next(answer for answer in answers if answer.status_code == 429)
        assert int(limited.headers["retry-after"]) >= 1
        assert limited.headers["x-content-type-options"] == "nosniff"
        assert bar.told.press("A.truco") == "taken", "the table has noticed nothing"


@pytest.mark.parametrize(
    "host",
    ["evil.example", "localhost.evil.example", "192.168.1.34", "[::1]", "", "127.0.0.1.nip.io"],
)
@pytest.mark.parametrize("path", ["/", "/events", "/api/v1/state", "/static/board.css", "/own/x"])
def test_a_browser_that_was_lied_to_about_our_name_hears_nothing(
    bar: Bar, host: str, path: str
) -> None:
    response = bar.get(path, Host=host)
    assert response.status_code == 421
    assert "score" not in response.text


@pytest.mark.parametrize(
    ("said", "status"),
    [
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n", b"400"),
        (b"GET / HTTP/1.1\r\n\r\n", b"400"),
        (b"GET / HTTP/1.0\r\n\r\n", b"421"),
        (b"GET http://localhost/ HTTP/1.1\r\nHost: evil.example\r\n\r\n", b"421"),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 20_000, b"400"),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", b"400"),
    ],
    ids=["two hosts", "no host", "an old browser", "another target", "without end", "https"],
)
def test_a_request_that_is_none_is_refused(bar: Bar, said: bytes, status: bytes) -> None:
    with socket.create_connection(("127.0.0.1", bar.server.port), timeout=PATIENCE) as end:
        end.sendall(said)
        assert end.recv(4096).split()[1] == status
    assert bar.state()["table"] == "here"


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "LOCALHOST:8080", "localhost."])
def test_by_our_own_names_everybody_is_served(bar: Bar, host: str) -> None:
    assert bar.get("/api/v1/state", Host=host).status_code == 200
    assert bar.get("/healthz", Host=f"{socket.gethostname()}.local").status_code == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_nothing_can_be_changed(bar: Bar, method: str) -> None:
    before = bar.state()["state"]
    for path in ("/", "/events", "/api/v1/state", "/healthz"):
        assert bar.client.request(method, path, content=b"x").status_code == 405
    assert bar.client.request(method, "/", content=b"x" * 5000).status_code == 413
    assert bar.state()["state"] == before
    assert not bar.client.cookies


def test_pages_words_and_files_are_there_in_every_language(bar: Bar) -> None:
    for path in ("/?lang=pt-BR&theme=night", "/overlay?lang=en", "/plain?lang=ca", "/plain"):
        page = bar.get(path)
        assert (page.status_code, "{{" in page.text) == (200, False), path
    assert 'lang="pt-BR"' in bar.get("/?lang=pt-BR").text
    spoken = [bar.get(f"/words/{language}.json").json() for language in ("es-AR", "pt-BR", "en")]
    assert spoken[0].keys() == spoken[1].keys() == spoken[2].keys()
    assert spoken[0] != spoken[1]
    style = bar.get("/static/board.css")
    assert bar.get("/static/board.css", **{"If-None-Match": style.headers["etag"]}).text == ""
    assert bar.get("/static/board.html").status_code == 404
    assert bar.get("/static/..%2F__init__.py").status_code == 404


def test_a_browser_at_an_unknown_address_reads_what_there_is(bar: Bar) -> None:
    for path in ("/none", "/api/v1/none", "/desk", "/static/none.js"):
        page = bar.get(f"{path}?lang=pt-BR", **{"Accept": "text/html,*/*;q=0.8"})
        assert page.status_code == 404
        assert 'lang="pt-BR"' in page.text
        assert translator("pt-BR")("visitor.missing") in page.text
        links = re.findall(r'<a href="([^"]+)"', page.text)
        assert links == ["/?lang=pt-BR", "/plain?lang=pt-BR", "/phone?lang=pt-BR"]
        assert [bar.get(link).status_code for link in links] == [200] * 3
        program = bar.get(path, **{"Accept": "*/*"})
        assert (program.status_code, [*program.json()]) == (404, ["error"])
    style = re.findall(r'href="(/static/\w+\.css)"', page.text)
    assert [bar.get(each).status_code for each in style] == [200] * 2


def test_the_state_is_the_same_for_a_head_and_is_never_kept(bar: Bar) -> None:
    for path in ("/api/v1/state", "/events"):
        response = bar.client.head(path)
        assert (response.status_code, response.text) == (200, "")
        assert response.headers["cache-control"] == "no-store"


@pytest.mark.sampled(0)
def test_a_killed_table_is_grey_at_once_and_right_again_when_it_is_back(tmp_path: Path) -> None:
    with opened(tmp_path) as bar, bar.watching() as stream:
        bar.told.press("A.truco")
        bar.told.press("B.no_quiero")
        shown = first_event(stream, stands_at(2)).data["state"]
        bar.told.process.kill()
        gone = first_event(stream, lambda event: event.name == "gone").data
        assert (gone["table"], gone["state"]) == ("gone", shown)
        assert gone["since"] <= gone["at"]
        assert bar.get("/healthz").status_code == 503
        bar.told.power_on()
        again = first_event(stream, stands_at(2)).data["state"]
        assert unnumbered(again) == bar.told.state == unnumbered(shown)
        assert again["number"] != shown["number"], "presses on the state before are stale"
        bar.told.press("A.truco")
        newest = first_event(stream, stands_at(bar.told.report.seq)).data["state"]
        assert unnumbered(newest) == bar.told.state


@pytest.mark.sampled(0)
def test_a_server_without_a_table_says_so_and_ends_on_a_signal(tmp_path: Path) -> None:
    with (
        web(tmp_path / "no.sock", tmp_path) as server,
        httpx.stream("GET", f"{server.url}events", timeout=PATIENCE) as response,
    ):
        stream = events(response)
        event = next(stream)
        assert (event.name, event.data["state"], event.data["table"]) == ("gone", None, "gone")
        assert end(server.process) == 0, "also while somebody looks on"
        assert list(stream) == []


@pytest.mark.sampled(0)
def test_a_table_whose_store_is_broken_is_no_table_that_has_gone(tmp_path: Path) -> None:
    (tmp_path / "store").write_text("this is no folder", encoding="utf-8")
    with opened(tmp_path) as bar:
        assert retried(lambda: bar.get("/healthz").text, '"trouble"')
        report = bar.state()
        assert (report["table"], report["state"], report["recent"]) == ("trouble", None, [])
        check_answer("/healthz", 503, bar.get("/healthz").json())
        assert bar.get("/api/v1/history").status_code == 503
        check_answer("/api/v1/history", 503, bar.get("/api/v1/history").json())
