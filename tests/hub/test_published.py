"""A published site: its documents, its files, and that it is whole whatever fails."""

from __future__ import annotations

import asyncio
import errno
import http.client
import json
import os
import re
import resource
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from scorer.config.tournament_formats import built_in_formats
from scorer.hub.changes import BEGUN, CLOSED, LastChange
from scorer.hub.folder_fault import FolderFault
from scorer.hub.published import publisher as publisher_module
from scorer.hub.published.documents import SiteTournament
from scorer.hub.published.files import INDEX, SiteOptions, SiteRenderer, published_ids
from scorer.hub.published.publisher import ReadClosed, SitePublisher, publish, site_tournament
from scorer.hub.store.database import DatabaseError
from scorer.hub.times import utc_text
from scorer.hub.tournaments import ClosedTournament, RunningTournament, Tournaments, archived
from scorer.i18n import languages
from scorer.static_site import folder as folder_module
from scorer.static_site.folder import SITE, replace_site
from scorer.tournament.events import BlankName, Enter, RecordResult, StartPhase
from scorer.tournament.names import plain
from tests.hub.boxes import NOON
from tests.hub.hub_process import HubProcess, running_hub
from tests.hub.joining_box import log_in
from tests.hub.test_server import wait_for
from tests.hub.test_tournament import Director, begin
from tests.hub.tournament_pages import bracket, swiss, zones
from tests.paths import ROOT
from tests.tournament.play import Played, built_in, coin, result_of

SCHEMA = json.loads((ROOT / "docs/reference/api/site.schema.json").read_text("utf-8"))
OPTIONS = SiteOptions("Club Tres de Copas", "es-AR")
AT, LATER = "2026-11-28T21:40:00Z", "2026-11-28T21:45:10Z"
TEAMS = {"gaucho": 40, "jau_2020": 52, "jau_2022": 42, "lnt": 40, "acla_2025": 14}


class SetClock:
    """The clock of a hub, as a test sets it."""

    def __init__(self, now: float = NOON, *, is_trusted: bool = True) -> None:
        self.now, self.is_trusted = now, is_trusted

    def time(self) -> float:
        return self.now

    def utc(self) -> str:
        return utc_text(self.now)


def files_of(*played: Played, now: str = AT, options: SiteOptions = OPTIONS) -> dict[str, bytes]:
    """A first site of these tournaments, whose ids are 1, 2 and so on."""
    shown = [SiteTournament(at, each.state, is_open=True) for at, each in enumerate(played, 1)]
    return SiteRenderer(options).files(shown, lambda _: None, now)


def files_in(folder: Path) -> dict[str, bytes]:
    site = folder / SITE
    paths = (each for each in site.rglob("*") if each.is_file())
    return {str(each.relative_to(site)): each.read_bytes() for each in paths}


def names(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


def check(document: object) -> None:
    # Imported lazily: it takes a second in each process that collects tests.
    from jsonschema import Draft202012Validator

    Draft202012Validator(SCHEMA).validate(document)


# ---- documents ----------------------------------------------------------------------------------


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", built_in_formats())
def test_the_documents_are_as_their_schema_says(name: str) -> None:
    played = Played(built_in(name), TEAMS.get(name, 12), clubs=4)
    for _ in range(2):
        files = files_of(played)
        for path in ("1.json", INDEX):
            check(json.loads(files[path]))
        if not played.state.seed:
            played.draw().play(coin(5))
    assert json.loads(files["1.json"])["champion"]


def test_a_document_that_is_not_as_the_schema_says_is_found() -> None:
    from jsonschema import ValidationError

    document = json.loads(files_of(zones())["1.json"])
    for change in ({"colour": 1}, {"written": "yesterday"}, {"teams": [{"team": 1}]}):
        with pytest.raises(ValidationError):
            check({**document, **change})


def named() -> Played:
    """Teams with and without consent, some with results."""
    played = Played(built_in("zones_and_bracket"))
    played.do(Enter("Los Ñandúes", ("Ana Ruiz", "Luis Paz"), ("Eva Sosa",), "Club Olimpo"))
    # Names of people, by what a person said or by the players; a name with "y" that is none.
    played.do(Enter("Raúl Vega / Ema Gil", ("Raúl Vega", "Ema Gil"), club="Club Sur"))
    played.do(Enter("Los Díaz", ("Juan Díaz", "Pía Roca")))
    played.do(Enter("Tito & Sol"))
    played.do(
        Enter("Los Publicados", ("Bruno Luz", "Dora Mar"), ("Ina Rey",), "Club Norte", 0, True)
    )
    played.do(Enter("Seis"))
    played.answer_names(4)
    played.draw().do(StartPhase("zonas"))
    played.play_open("zonas", coin(1))
    return played


PRIVATE = (
    *("Ana", "Ruiz", "Luis", "Paz", "Eva", "Sosa", "Olimpo", "Raúl", "Vega", "Ema", "Gil"),
    *("Club Sur", "Díaz", "Juan", "Pía", "Roca", "Tito", "Sol"),
)


def found_in(files: Mapping[str, bytes], names: tuple[str, ...]) -> set[str]:
    """The names that are in a file as words, in any spelling of its characters."""
    text = "\n".join(each.decode() for each in files.values())
    text += json.dumps([json.loads(body) for path, body in files.items() if path.endswith("json")])
    return {name for name in names if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)}


@pytest.mark.parametrize("language", languages())
def test_no_file_names_a_player_without_consent(language: str) -> None:
    files = files_of(named(), options=OPTIONS._replace(language=language))
    assert found_in(files, PRIVATE) == set()
    public = ("Los Ñandúes", "Los Publicados", "Bruno Luz", "Ina Rey", "Club Norte", "Seis", "#2")
    assert found_in(files, public) == set(public)


def test_numbers_in_place_of_names_are_listed_last_in_their_order() -> None:
    played = zones(12)
    for team in (2, 10, 11):
        played.do(BlankName(team))
    page = files_of(played)["es/1.html"].decode()
    _, _, teams = page.partition('<ol class="teams">')
    listed = re.findall(r"<(?:summary><span|li id=[^>]+)><bdi>(.+?)</bdi>", teams)
    assert listed == [*sorted(listed[:-3], key=plain), "#2", "#10", "#11"]


def test_a_name_that_is_blanked_leaves_the_site_and_its_results_stay() -> None:
    played = named()
    before = files_of(played)
    played.do(BlankName(5))
    after = files_of(played)
    gone = ("Los Publicados", "Bruno Luz", "Dora Mar", "Ina Rey", "Club Norte")
    assert found_in(before, gone) == set(gone)
    assert found_in(after, gone) == set()
    old, new = (json.loads(each["1.json"]) for each in (before, after))
    renamed = json.loads(json.dumps(old).replace("Los Publicados", "#5"))
    assert renamed["phases"] == new["phases"]


def test_every_page_has_every_match_of_a_tournament_once() -> None:
    for played in (bracket(24), swiss(21), named()):
        files = files_of(played)
        page = files["es/1.html"].decode()
        for match in played.state.matches():
            name = match.id.removeprefix(f"{match.phase}-")
            assert page.count(f"<small><bdi>{name}<") + page.count(f"<bdi>{name} · ") >= 1, name
        assert page.count('<li><div class="match">') == len([*played.state.matches()])


def test_names_are_text_and_no_elements() -> None:
    played = Played(built_in("zones_and_bracket"), 5)
    played.do(Enter("<img src=x onerror=alert(1)>", club="\"'><script>", consents=True))
    played.draw().do(StartPhase("zonas"))
    pages = [body.decode() for path, body in files_of(played).items() if path.endswith("html")]
    assert not any("<img" in page or "'><script>" in page for page in pages)
    assert sum("&lt;img src=x" in page for page in pages) == 4


def test_a_page_leads_to_pages_that_are_there() -> None:
    files = files_of(bracket(24), swiss(21))
    for path, body in files.items():
        if not path.endswith("html"):
            continue
        for link in re.findall(r'(?:href|src)="([^"#:]+?)(?:\?[^"]*)?"', body.decode()):
            assert os.path.normpath(Path(path).parent / link) in files, (path, link)
        ids = re.findall(r' id="([^"]+)"', body.decode())
        assert len(ids) == len(set(ids)), path
        for anchor in re.findall(r'href="#([^"]+)"', body.decode()):
            assert anchor in ids, (path, anchor)


# ---- the folder ---------------------------------------------------------------------------------


def put(folder: Path, files: Mapping[str, bytes]) -> bool:
    return replace_site(folder, lambda _: files, INDEX, reserve=0)


def written(folder: Path, *played: Played, now: str) -> bool:
    shown = [SiteTournament(at, each.state, is_open=True) for at, each in enumerate(played, 1)]
    return replace_site(
        folder, lambda old: SiteRenderer(OPTIONS).files(shown, old, now), INDEX, reserve=0
    )


def with_result(played: Played) -> Played:
    """The same with one more result."""
    after = Played(played.state.format)
    after.state, after.log = played.state, [*played.log]
    (phase, *_) = [*after.state.stages][::-1]
    match = after.open_matches(phase)[0]
    after.do(RecordResult(match, result_of(after.phase(phase), 0)))
    return after


def test_what_has_not_changed_keeps_its_bytes_and_its_time(tmp_path: Path) -> None:
    one, other = zones(12), swiss(8)
    assert written(tmp_path, one, other, now=AT)
    site = tmp_path / SITE
    before = {path: (site / path).stat() for path in files_in(tmp_path)}
    # The same state later is the same site.
    assert not written(tmp_path, one, other, now=LATER)
    # A clock that was set back makes no older file.
    future = time.time() + 5000
    for path in before:
        os.utime(site / path, (future, future))
    assert written(tmp_path, with_result(one), other, now=LATER)
    changed = set()
    for path in before:
        at = (site / path).stat().st_mtime
        assert at == future or int(at) > int(future), path
        if at != future:
            changed.add(path)
    assert changed == {"1.json", *(f"{each}/1.html" for each in ("es", "pt", "en", "ca"))}
    assert json.loads((site / "1.json").read_bytes())["written"] == LATER
    assert json.loads((site / "2.json").read_bytes())["written"] == AT


def test_a_folder_of_another_program_is_left_alone(tmp_path: Path) -> None:
    other = tmp_path / SITE / "photos"
    other.mkdir(parents=True)
    with pytest.raises(OSError, match="it has another folder of that name"):
        put(tmp_path, NEW)
    assert names(tmp_path) == [SITE]
    assert other.is_dir()


GARBAGE = (
    *(b"", b"no", b"[]", b"{}", b"\xff", b'{"tournaments": 3}', b'{"tournaments": [3, {}, null]}'),
    *(b'{"written": 3}', b'{"written": "x"}', b'{"written": {}}'),
)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("body", GARBAGE)
def test_documents_that_another_program_has_changed_are_written_again(
    tmp_path: Path, body: bytes
) -> None:
    played = zones(12)
    for path in ("1.json", INDEX):
        written(tmp_path, played, now=AT)
        (tmp_path / SITE / path).write_bytes(body)
        assert published_ids(body) == set()
        assert written(tmp_path, played, now=LATER)
        assert files_in(tmp_path)["es/1.html"]
        check(json.loads(files_in(tmp_path)[path]))


def test_others_may_read_it_whatever_the_umask(tmp_path: Path) -> None:
    old = os.umask(0o077)
    try:
        written(tmp_path, zones(12), now=AT)
    finally:
        os.umask(old)
    site = tmp_path / SITE
    for each in (site, *site.rglob("*")):
        assert each.stat().st_mode & 0o777 == (0o755 if each.is_dir() else 0o644), each


def test_without_a_clock_no_time_is_said(tmp_path: Path) -> None:
    publish(
        tmp_path,
        [SiteTournament(1, zones(12).state, True)],
        SiteRenderer(OPTIONS),
        SetClock(is_trusted=False),
        0,
    )
    files = files_in(tmp_path)
    assert json.loads(files["1.json"])["written"] is None
    check(json.loads(files["1.json"]))
    assert b"<time" not in files["es/1.html"]
    publish(
        tmp_path, [SiteTournament(1, swiss(8).state, True)], SiteRenderer(OPTIONS), SetClock(), 0
    )
    assert b'<time datetime="2026-' in files_in(tmp_path)["es/1.html"]


class Faults:
    """Fails at one of the calls by which a folder is changed.

    In a fork only: the hook stays for the life of its process, and each of its calls passes it.
    """

    def __init__(self, folder: Path) -> None:
        self.left, self._folder = -1, str(folder)
        sys.addaudithook(self._hook)

    EVENTS = frozenset(
        "open os.mkdir os.rename os.link os.chmod os.utime os.chown os.remove os.rmdir os.listdir"
        " os.scandir ctypes.dlopen".split()
    )

    def _hook(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self.left < 0 or event not in self.EVENTS:
            return
        if event != "ctypes.dlopen" and not self._is_there(arguments[0]):
            return
        self.left -= 1
        if self.left < 0:
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    def _is_there(self, path: object) -> bool:
        """Whether it is in the folder: by its path, or by what is open."""
        name = str(path)
        return self._folder in name or not name.startswith("/") or name.startswith("/proc/self/fd/")


def run_forked(check: Callable[[], None]) -> int:
    """Run it in a fork of this process; the exit status, 0 if it returned."""
    child = os.fork()
    if not child:
        try:
            check()
            os._exit(0)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


OLD = {"a.html": b"old", "b.html": b"same", "es/a.html": b"old", "gone.html": b"x", INDEX: b"{}"}
NEW = {
    "a.html": b"new " * 2000,
    "b.html": b"same",
    "es/a.html": b"new",
    "pt/a.html": b"new",
    INDEX: b"{}",
}


def test_whatever_fails_the_old_or_the_new_site_is_whole(tmp_path: Path) -> None:
    def check() -> None:
        faults = Faults(tmp_path)
        failed = calls = 0
        for call in range(1000):
            put(tmp_path, OLD)
            faults.left = call
            try:
                put(tmp_path, NEW)
            except OSError as error:
                assert error.errno == errno.EIO
                has_failed = had_fault = True
            else:
                has_failed, had_fault = False, faults.left < 0
            faults.left = -1
            if not had_fault:
                break
            calls += 1
            failed += has_failed
            assert files_in(tmp_path) in (OLD, NEW), call
            if has_failed:
                assert files_in(tmp_path) == OLD, call
        # What fails after the exchange is the removal of the old one.
        assert 15 < failed < calls < 200

    assert run_forked(check) == 0
    assert put(tmp_path, OLD)
    assert names(tmp_path) == [SITE]


def test_on_a_full_disk_the_old_site_stays(tmp_path: Path) -> None:
    put(tmp_path, OLD)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4000, hard))
    try:
        with pytest.raises(OSError, match="File too large"):
            put(tmp_path, NEW)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert files_in(tmp_path) == OLD
    assert names(tmp_path) == [SITE]
    with pytest.raises(OSError, match=os.strerror(errno.ENOSPC)):
        replace_site(tmp_path, lambda _: NEW, INDEX, reserve=1 << 62)
    assert files_in(tmp_path) == OLD


def test_a_stick_that_exchanges_nothing_and_has_no_links_gets_the_site(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))

    monkeypatch.setattr(folder_module, "exchange_paths", refuse)
    monkeypatch.setattr(Path, "hardlink_to", refuse)
    put(tmp_path, OLD)
    assert put(tmp_path, NEW)
    assert files_in(tmp_path) == NEW
    assert names(tmp_path) == [SITE]


@contextmanager
def plain_server(folder: Path) -> Iterator[http.client.HTTPConnection]:
    """The static server of Python, started inside a folder."""
    words = [sys.executable, "-u", "-m", "http.server", "--bind", "127.0.0.1", "0"]
    process = subprocess.Popen(
        words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        assert process.stdout is not None
        found = re.search(r"port (\d+)", process.stdout.readline())
        assert found is not None
        connection = http.client.HTTPConnection("127.0.0.1", int(found[1]), timeout=30)
        with closing(connection):
            yield connection
    finally:
        process.terminate()
        process.wait(30)
        assert process.stdout is not None
        process.stdout.close()


def asked(server: http.client.HTTPConnection, path: str, since: str = "") -> tuple[int, bytes, str]:
    server.request("GET", path, headers={"If-Modified-Since": since} if since else {})
    answer = server.getresponse()
    return answer.status, answer.read(), answer.headers.get("Last-Modified", "")


def test_a_server_in_the_site_goes_on_and_its_validators_are_right(tmp_path: Path) -> None:
    one, other = zones(12), swiss(8)
    written(tmp_path, one, other, now=AT)
    with plain_server(tmp_path / SITE) as server:
        status, body, at = asked(server, "/es/1.html")
        _, _, other_at = asked(server, "/es/2.html")
        assert (status, body) == (200, files_in(tmp_path)["es/1.html"])
        assert asked(server, "/es/1.html", at)[0] == 304
        # Twice in one second.
        for _ in range(2):
            one = with_result(one)
            written(tmp_path, one, other, now=LATER)
            status, newer, newer_at = asked(server, "/es/1.html", at)
            assert (status, newer != body) == (200, True)
            body, at = newer, newer_at
        assert asked(server, "/es/1.html", at)[0] == 304
        assert asked(server, "/es/2.html", other_at)[0] == 304


# ---- the hub ------------------------------------------------------------------------------------


def running(number: int, played: Played, *, is_open: bool = True) -> RunningTournament:
    change = LastChange(number, "ana", "", "")
    return RunningTournament(number, played.state, is_open, changes={BEGUN: change, CLOSED: change})


def all_of(*listed: RunningTournament) -> Tournaments:
    return Tournaments(
        by_id={each.id: each for each in listed if each.is_open},
        archive={each.id: archived(each, each.id) for each in listed if not each.is_open},
    )


def read_of(*listed: RunningTournament) -> ReadClosed:
    """What reads these closed tournaments."""
    found = {each.id: site_tournament(each) for each in listed}
    return lambda closed: found[closed.listed.id]


NONE = read_of()


def ids_in(folder: Path) -> list[int]:
    index = json.loads(files_in(folder)[INDEX])
    return [each["id"] for each in index["tournaments"]]


def answer_names(director: Director, *people: int) -> None:
    """The desk says of each open tournament which of its names are names of people."""
    for each in director.desk["tournaments"]:
        asked = [team["team"] for team in director.read(each["id"])["unjudged"]]
        others = [team for team in asked if team not in people]
        event = {"do": "AnswerNames", "people": [*people], "others": others}
        director.act("t.event", tournament=each["id"], event=event, seen=director.desk["seq"])


def test_the_open_ones_are_published_and_those_that_were(tmp_path: Path) -> None:
    old = running(3, swiss(8), is_open=False)
    closed = running(7, zones(12), is_open=False)
    publisher = SitePublisher(tmp_path, OPTIONS, SetClock(), read_of(old), reserve=0)
    publisher.write(all_of())
    assert names(tmp_path) == []
    publisher.write(all_of(old))
    assert ids_in(tmp_path) == [3]
    first, second = running(7, zones(12)), running(9, zones(12))
    publisher.write(all_of(running(1, zones(12), is_open=False), old, first, second))
    assert ids_in(tmp_path) == [9, 7, 3]
    # Closed ones stay, also after a restart, and are not removed by others.
    again = SitePublisher(tmp_path, OPTIONS, SetClock(), read_of(old, closed), reserve=0)
    again.write(all_of(old, closed, second))
    assert ids_in(tmp_path) == [9, 7, 3]
    assert json.loads(files_in(tmp_path)["7.json"])["is_open"] is False


def test_a_closed_tournament_of_the_site_is_read_once_and_again_when_it_changes(
    tmp_path: Path,
) -> None:
    """Each result writes the whole site; a name may be blanked in the archive."""
    old, first = running(3, swiss(8), is_open=False), running(7, zones(12))
    asked_for: list[int] = []

    def read(closed: ClosedTournament) -> SiteTournament:
        asked_for.append(closed.until)
        if closed.until == 99:
            raise DatabaseError("it is locked")
        return site_tournament(old)

    publisher = SitePublisher(tmp_path, OPTIONS, SetClock(), read, reserve=0)
    publisher.write(all_of(old))
    for played in (zones(12), zones(13)):
        publisher.write(all_of(old, running(7, played)))
    assert (ids_in(tmp_path), asked_for) == ([7, 3], [3])
    changed = all_of(old, first)
    publisher.write(replace(changed, archive={3: archived(old, 99)}))
    assert (ids_in(tmp_path), publisher.faults()) == ([7, 3], [])
    publisher.write(replace(changed, archive={3: archived(old, 100)}))
    assert asked_for == [3, 99, 100]


@pytest.mark.sampled(0)
def test_a_tournament_that_is_closed_stays_in_the_site_of_its_hub(tmp_path: Path) -> None:
    folder = tmp_path / "srv"
    folder.mkdir()
    settings = f'name = "Club"\npublish = "{folder}"'
    with running_hub(tmp_path / "hub", settings) as hub:
        director = Director(hub, log_in(hub))
        begin(director)
        number = director.tournament["id"]
        answer_names(director)
        wait_for(lambda: (folder / "site").exists() and ids_in(folder) == [number])
        director.act("t.begin", format="swiss", teams="A\nB\nC\nD\nE\nF", name="Consuelo")
        answer_names(director)
        director.act("t.close", tournament=number)
        wait_for(lambda: ids_in(folder)[1:] == [number])
        wait_for(lambda: json.loads(files_in(folder)[f"{number}.json"])["is_open"] is False)


def test_a_folder_that_lacks_the_site_is_tried_again_after_some_looks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publisher_module, "PAUSE", 0)
    folder = tmp_path / "none"
    monkeypatch.setattr(publisher_module, "publish", lambda to, *_: to.stat())
    tournament = running(1, swiss(8))
    publisher = SitePublisher(folder, OPTIONS, SetClock(), NONE, reserve=0)
    faults: list[int] = []

    def newest() -> Tournaments:
        faults.append(len(publisher.faults()))
        if len(faults) == 2:
            folder.mkdir()
        if len(faults) == 3:
            raise asyncio.CancelledError
        return all_of(tournament)

    async def run() -> None:
        async with asyncio.timeout(20):
            await publisher.run(newest)

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(run())
    assert faults == [0, 1, 0, 0]


def test_a_fault_is_said_once_and_ends_with_the_next_site(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "none"
    publisher = SitePublisher(folder, OPTIONS, SetClock(), NONE, reserve=0)
    for _ in range(2):
        publisher.write(all_of(running(1, zones(12))))
    assert publisher.faults() == [FolderFault(folder, "No such file or directory")]
    said = [line for line in capsys.readouterr().err.splitlines() if "no site" in line]
    assert said == [f"scorer hub: no site in {folder}: No such file or directory"]
    folder.mkdir()
    publisher.write(all_of(running(1, zones(12))))
    assert publisher.faults() == []
    full = SitePublisher(folder, OPTIONS, SetClock(), NONE, reserve=1 << 62)
    full.write(all_of(running(1, swiss(8))))
    assert full.faults() == [FolderFault(folder, os.strerror(errno.ENOSPC), is_full=True)]
    assert json.loads(files_in(folder)["1.json"])["phases"][0]["id"] == "zonas"


def test_what_is_kept_from_the_last_site_is_what_would_be_made_anew() -> None:
    one, other, renderer = zones(12), swiss(8), SiteRenderer(OPTIONS)
    for _ in range(3):
        shown = [SiteTournament(1, one.state, True), SiteTournament(2, other.state, False)]
        anew = SiteRenderer(OPTIONS).files(shown, lambda _: None, AT)
        assert renderer.files(shown, lambda _: None, AT) == anew
        one = with_result(one)


def test_a_hub_publishes_after_each_result_and_says_when_it_cannot(tmp_path: Path) -> None:
    folder, away = tmp_path / "srv", tmp_path / "away"
    folder.mkdir()
    with running_hub(tmp_path / "hub", f'name = "Club"\npublish = "{folder}"') as hub:
        director = Director(hub, log_in(hub))
        begin(director)
        answer_names(director)
        number = director.tournament["id"]

        def results() -> int:
            found = files_in(folder).get(f"{number}.json", b'{"phases": []}')
            return sum(each["played"] for each in json.loads(found)["phases"])

        def record() -> None:
            match = director.tournament["queue"][0]["id"]
            result = {"winner": 0, "games": [1, 0], "points": [30, 12], "ending": "played"}
            director.event("RecordResult", match=match, result=result)

        record()
        wait_for(lambda: results() == 1)
        assert director.desk["troubles"] == []
        folder.rename(away)
        record()
        wait_for(lambda: bool(director.desk["troubles"]))
        (found,) = director.client.get("/desk/state?lang=es-AR").document["troubles"]
        assert found["line"] == "El sitio publicado no tiene los últimos resultados"
        assert str(folder) in found["detail"] and found["what"]
        assert director.client.get("/healthz").status == 200
        away.rename(folder)
        director.event("BlankName", team=1)
        # The last changes are written when it stops.
        assert hub.stop() == 0
    assert results() == 2
    assert b"Equipo Ana" not in b"".join(files_in(folder).values())


@pytest.mark.sampled(0)
def test_the_command_writes_a_site_and_changes_nothing_when_repeated(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "srv"
    with running_hub(tmp_path / "hub", 'name = "Club"') as hub:
        director = Director(hub, log_in(hub))
        nothing = hub.run("publish", str(folder))
        assert (nothing.returncode, nothing.stderr) == (1, "scorer hub: there is no tournament\n")
        begin(director)
        first = director.tournament["id"]
        director.act("t.begin", format="swiss", teams="A\nB\nC\nD\nE\nF", name="Consuelo")
        for chosen in ([], ["--tournament", str(first)]):
            refused = hub.run("publish", str(folder), *chosen)
            assert refused.returncode == 1
            assert "which names of teams are names of people" in refused.stderr
        assert not folder.exists()
        answer_names(director)
        done = hub.run("publish", str(folder))
        assert done.returncode == 0, done.stderr
        assert done.stdout == f"{folder}/site: Consuelo, Zonas y llave\n"
        again = hub.run("publish", str(folder))
        assert again.stdout == f"{folder}/site: Consuelo, Zonas y llave, as before\n"
        done = hub.run("publish", str(folder), "--tournament", str(first))
        assert ids_in(folder) == [first]
        assert hub.run("publish", str(folder), "--tournament", "999").returncode == 1
        file = tmp_path / "file"
        file.touch()
        failed = hub.run("publish", str(file))
        assert failed.returncode == 1
        assert str(file) in failed.stderr


def test_a_command_of_root_gives_the_site_to_the_owner_of_the_folder(tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root gives files away")
    os.chown(tmp_path, 1234, 1234)
    written(tmp_path, zones(12), now=AT)
    assert {each.stat().st_uid for each in (tmp_path / SITE).rglob("*")} == {1234}


def test_a_hub_that_has_no_folder_publishes_nothing(tmp_path: Path) -> None:
    config = tmp_path / "scorer.toml"
    config.write_text('[hub]\npublish = "srv"\n')
    done = HubProcess(tmp_path / "hub", config).run("tournament", "list")
    assert "'srv' is no whole path like /srv/truco" in done.stderr
