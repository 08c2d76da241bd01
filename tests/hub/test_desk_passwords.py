"""New passwords of the desk: a table, the service and a hub, all of them real.

The table asks, the service stores what scrypt makes of the password, and the hub lets its bearer
in. Nothing else has it: every file that was written and every line that was printed is searched.
"""

from __future__ import annotations

import queue
import socket
import subprocess
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from sqlalchemy import select

from scorer import cli
from scorer.api.server import listen
from scorer.hall.desk_protocol import DeskReport, DeskResult
from scorer.hub import command
from scorer.hub.passwords import is_password
from scorer.hub.store.database import Database, sqlite_url
from scorer.hub.store.tables import PERSON
from scorer.rules import Start, find_variant, new_game, rules_for
from scorer.session.values.setup_view import DeskPasswordView, ListView
from scorer.session.values.state import new_session
from scorer.system.shown_password import LENGTH
from scorer.table.desk_client import DeskClient, desk_socket_path, send_request
from scorer.table.desk_passwords import DeskPasswords, hub_folder
from tests.hub.hub_process import HubProcess, running_hub
from tests.hub.test_secrets import doctor
from tests.receipts.test_print_client import answering
from tests.support.in_process_table import PATIENCE, InProcessTable, running_table
from tests.support.programs import start_with_sockets

CONFIG = """
[table]
language = "pt-BR"
[socket]
path = "{folder}/table.sock"
[store]
directory = "{folder}/store"
"""


class Heard:
    """Everything that a socket of the table says to one client."""

    def __init__(self, path: Path) -> None:
        self.text = b""
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(str(path))
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        while received := self._socket.recv(65536):
            self.text += received

    def close(self) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._thread.join(PATIENCE)
        self._socket.close()


@contextmanager
def evening(folder: Path, *, has_hub: bool = True) -> Iterator[InProcessTable]:
    """A table in ``folder``/scorer; a running hub has its folder beside it."""
    place = folder / "scorer"
    place.mkdir()
    if has_hub:
        hub_folder(place / "table.sock").mkdir()
    config = CONFIG.format(folder=place)
    (place / "scorer.toml").write_text(config, encoding="utf-8")
    with running_table(place, config) as table:
        yield table


@contextmanager
def service(hub: HubProcess, path: Path) -> Iterator[list[str]]:
    """The service as systemd starts it; yields what it has printed, once it has ended."""
    printed: list[str] = []
    with listen(path) as listening:
        words = ["-m", "tests.support.cheap_passwords", *hub.command[3:], "passwords"]
        process = start_with_sockets(
            {"": listening}, words, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        try:
            yield printed
        finally:
            process.terminate()
            printed += process.communicate(timeout=PATIENCE)


def ask_for_password(table: InProcessTable) -> DeskReport:
    """Set-up > hall > new password of the desk, with QUIERO of both teams."""
    table.choose("hall")
    setup = table.table.view.setup
    assert setup is not None and isinstance(setup.content, ListView)
    assert setup.content.selected.key == "desk_password", "without a link it is the only line"
    table.press("A.quiero", "A.quiero", then=1.0)
    table.press("B.quiero", then=1.0)
    return table.wait_password()


def shown(table: InProcessTable) -> DeskPasswordView:
    setup = table.table.view.setup
    assert setup is not None and isinstance(setup.content, DeskPasswordView)
    return setup.content


def log_in(hub: HubProcess, password: str) -> int:
    return hub.client().desk("/desk/login", {"name": "truco", "password": password}).status


@pytest.mark.sampled(0)
def test_both_teams_get_a_password_that_nothing_else_has(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "scorer"
    with running_hub(tmp_path / "hub") as hub, evening(tmp_path) as table:
        heard = [Heard(place / name) for name in ("table.sock", "table-read.sock")]
        table.press("A.tantos")
        with service(hub, desk_socket_path(place / "table.sock")) as printed:
            assert ask_for_password(table).result is DeskResult.DONE
            first = shown(table)
            assert (first.name, len(first.password)) == ("truco", LENGTH)
            assert first.password in "".join(table.text)
            client = hub.client()
            words = {"name": first.name, "password": first.password}
            assert client.desk("/desk/login", words).document["role"] == "admin"
            table.press("undo", "A.truco", "B.quiero")
            assert ask_for_password(table).result is DeskResult.DONE
            second = shown(table).password
            assert client.get("/desk/state").status == 401, "the session of the one before"
            assert log_in(hub, first.password) == 403
            assert client.desk("/desk/login", words | {"password": second}).status == 200
            table.press("A.quiero", "undo", "A.tantos")
        documents = [client.get(path).body for path in ("/desk/state", "/desk")]
        wall = f"http://{hub.wall[0]}:{hub.wall[1]}"
        for path in ("/", "/api/v1/hall", "/healthz"):
            documents.append(urllib.request.urlopen(f"{wall}{path}", timeout=PATIENCE).read())
        documents.append(repr(table.table.document()).encode())
        documents.append(repr(table.table.view).encode())
        assert hub.run("backup", str(tmp_path / "hub-copy")).returncode == 0
        for each in heard:
            each.close()
        file = str(place / "scorer.toml")
        assert cli.main(["backup", "--config", file, str(tmp_path / "copy.sqlite3")]) == 0
        assert cli.main(["export", "--config", file, str(tmp_path / "exported")]) == 0
    # After the table, which answers it in this thread alone.
    doctor(file, "--report", str(tmp_path / "doctor.txt"))
    passwords = (first.password, second)
    assert all(b'"state"' in each.text for each in heard)
    said = [*printed, *capfd.readouterr()]
    assert any("a new password of the desk for truco" in text for text in said)
    found = [text for text in said if any(each in text for each in passwords)]
    contents = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    contents |= {Path(str(at)): text for at, text in enumerate(documents)}
    contents |= {Path(f"heard {at}"): each.text for at, each in enumerate(heard)}
    found += [
        str(path)
        for path, text in contents.items()
        if any(each.encode() in text for each in passwords)
    ]
    assert found == []
    assert {"hub.sqlite", "hub-copy", "copy.sqlite3"} <= {path.name for path in contents}
    url = sqlite_url(tmp_path / "hub" / "hub.sqlite")
    with closing(Database.open(url)) as database, database.read() as connection:
        person = connection.execute(select(PERSON)).one()
    assert (person.name, person.role) == ("truco", "admin")
    assert is_password(second, person.password)
    assert not is_password(first.password, person.password)


def test_a_table_without_a_hub_on_its_machine_offers_none(tmp_path: Path) -> None:
    with evening(tmp_path, has_hub=False) as table:
        table.press("menu", held=1.0)
        offered = []
        for _ in range(40):
            setup = table.table.view.setup
            assert setup is not None and isinstance(setup.content, ListView)
            offered.append(setup.content.selected.key)
            table.press("B.tantos", then=1.0)
        assert "backup" in offered
        assert "hall" not in offered


def test_without_its_service_the_panel_says_what_is_missing(tmp_path: Path) -> None:
    with evening(tmp_path) as table:
        assert ask_for_password(table) == DeskReport(DeskResult.OFF)
        assert "falta scorer-desk" in " ".join(table.text)


@pytest.mark.sampled(0)
def test_a_service_that_cannot_make_one_answers_and_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "desk.sock"
    with running_hub(tmp_path / "hub") as hub:
        good = hub.config.read_text(encoding="utf-8")
        with service(hub, path) as printed:
            for wrong in ("[hub", "[hub]\nport = 8443\n", '[hub]\ndatabase = "sqlite:////no/x"\n'):
                hub.config.write_text(wrong, encoding="utf-8")
                assert send_request(path, PATIENCE) == DeskReport(DeskResult.FAILED)
            hub.config.write_text(good, encoding="utf-8")
            report = send_request(path, PATIENCE)
        assert (report.result, report.port) == (DeskResult.DONE, 8443)
        assert log_in(hub, report.password) == 200
    assert "mend the configuration" in printed[1]
    assert report.password not in "".join(printed)


def test_one_password_at_a_time_without_waiting(tmp_path: Path) -> None:
    reports: queue.SimpleQueue[DeskReport] = queue.SimpleQueue()
    client = DeskClient(tmp_path / "desk.sock", reports.put)
    answer = b'{"ok": true, "name": "truco", "password": "h4kwmzt7pd", "port": 8443}\n'
    with answering(tmp_path / "desk.sock", answer) as goes_on:
        assert client.request() == DeskReport(DeskResult.SENT)
        assert client.request() == DeskReport(DeskResult.WAIT)
        goes_on.set()
        made = reports.get(timeout=PATIENCE)
    assert made == DeskReport(DeskResult.DONE, "truco", "h4kwmzt7pd", 8443)
    assert "h4kwmzt7pd" not in repr(made)


@pytest.mark.parametrize(
    "answer",
    [
        b'{"ok": false, "name": "truco", "password": "h4kwmzt7pd", "port": 8443}\n',
        b'{"ok": true, "name": "truco", "password": 7, "port": 8443}\n',
        b'{"ok": true, "name": "truco", "password": "h4kwmzt7pd", "port": "8443"}\n',
        b'{"ok": true, "password": "h4kwmzt7pd", "port": 8443}\n',
        b'{"ok": 1}\n',
        b"[]\n",
        b"[" * 4090 + b"\n",
        b"",
    ],
)
def test_whatever_else_is_answered_is_a_failure(tmp_path: Path, answer: bytes) -> None:
    with answering(tmp_path / "desk.sock", answer) as goes_on:
        goes_on.set()
        assert send_request(tmp_path / "desk.sock", PATIENCE) == DeskReport(DeskResult.FAILED)


def test_it_is_started_by_its_socket_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["passwords"]) == 2
    assert "scorer-desk.socket" in capsys.readouterr().err


def test_the_table_sees_a_hub_that_starts_and_one_that_ends() -> None:
    runs = [False]
    guest = DeskPasswords(lambda: DeskReport(DeskResult.OFF), lambda: runs[0])
    session = new_session(new_game(Start(rules_for(find_variant("argentine")))))
    looks = []
    for now, is_there in ((0.0, False), (1.0, True), (6.0, True), (7.0, False), (12.0, False)):
        runs[0] = is_there
        session = guest.refresh(session, now)
        looks.append(session.box.has_hub)
    assert looks == [False, False, True, True, False]


@pytest.mark.parametrize(
    ("owner", "card", "code"),
    [
        ("", "", 1),
        ("", '[hub]\nname = "Club"\n', 0),
        ("[hub]\n", "", 0),
        ("", "hub = {}\n", 0),
        ("", "#[hub]\n", 1),
        ("", '[link]\nhub = "192.168.1.20"\n', 1),
        ("", "[hub\n", 1),
    ],
)
def test_a_box_is_a_hub_if_its_settings_have_the_section(
    owner: str, card: str, code: int, tmp_path: Path
) -> None:
    (tmp_path / "owner.toml").write_text(owner)
    (tmp_path / "card.toml").write_text(card)
    files = ["--config", str(tmp_path / "owner.toml"), "--card", str(tmp_path / "card.toml")]
    assert command.main([*files, "wanted"]) == code


def test_a_file_that_becomes_wrong_leaves_a_hub_a_hub(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CACHE_DIRECTORY", str(tmp_path))
    card = tmp_path / "card.toml"
    words = ["--config", str(tmp_path / "none"), "--card", str(card), "wanted"]
    codes = []
    for text in ('[hub]\nname = "Club"\n', '[hub]\nname = "Club\n', "[table]\n"):
        card.write_text(text)
        codes.append(command.main(words))
    assert codes == [0, 0, 1]
