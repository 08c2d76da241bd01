"""The service that keeps what the settings page saves: a real process."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from scorer.api.server import listen
from scorer.api.settings_protocol import MAX_LINE_BYTES
from scorer.cli import main
from scorer.commands.settings import UNITS, SettingsKeeper
from scorer.config.config import SECTIONS
from scorer.config.page_file import read_page
from scorer.config.page_keys import Way, reason_of, way_of
from scorer.table.service_request import request_line
from tests.support.programs import start_with_sockets

FAKE_SYSTEMCTL = '#!/bin/sh\nprintf "%s " "$@" >>"{told}"\nexit {status}\n'
Ask = Callable[..., dict[str, Any]]


class Box:
    """The files of a box, and a keeper of its settings in this process."""

    def __init__(self, folder: Path) -> None:
        self.owner, self.card, self.page = folder / "own.toml", folder / "card", folder / "page"
        self.page.mkdir()
        self.told = folder / "systemctl.txt"
        self.keeper = SettingsKeeper(self.owner, self.card, self.page)

    def ask(self, section: str, values: dict[str, object], *back: str) -> dict[str, Any]:
        request = {"section": section, "values": values, "back": back}
        return self.keeper.answer(json.dumps(request).encode())

    @property
    def saved(self) -> object:
        return read_page(self.page).values

    @property
    def restarted(self) -> str:
        return self.told.read_text().strip() if self.told.exists() else ""


def put_systemctl(box: Box, monkeypatch: pytest.MonkeyPatch, status: int = 0) -> None:
    programs = box.page.parent / "bin"
    programs.mkdir(exist_ok=True)
    (programs / "systemctl").write_text(FAKE_SYSTEMCTL.format(told=box.told, status=status))
    (programs / "systemctl").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")


@pytest.fixture
def box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Box:
    made = Box(tmp_path)
    put_systemctl(made, monkeypatch)
    return made


def test_a_value_is_kept_and_its_service_restarted_if_it_runs(box: Box) -> None:
    assert box.ask("web", {"port": 8100, "hosts": ["bar.example.org"]}) == {"ok": True}
    assert box.saved == {"web": {"port": 8100, "hosts": ["bar.example.org"]}}
    assert box.restarted == "--no-block try-restart scorer-web.service"


def test_a_value_is_taken_back(box: Box) -> None:
    box.ask("link", {"mqtt.broker": "10.0.0.5", "mqtt.topic": "bar/truco"})
    assert box.ask("link", {}, "mqtt.topic")["ok"]
    assert box.saved == {"link": {"mqtt": {"broker": "10.0.0.5"}}}
    assert box.ask("link", {}, "mqtt.broker")["ok"]
    assert box.saved == {}


def test_the_files_of_the_owner_are_never_written(box: Box) -> None:
    box.owner.write_text("[web]\nport = 8000\n")
    before = box.owner.stat()
    box.ask("web", {"port": 8100})
    assert box.owner.read_text() == "[web]\nport = 8000\n"
    assert box.owner.stat().st_mtime_ns == before.st_mtime_ns
    assert not box.card.exists()


@pytest.mark.parametrize(
    ("section", "values", "told"),
    [
        ("web", {"port": 0}, "web.port: 0 is not from 1 to 65535"),
        ("web", {"port": True}, "web.port: wants a whole number"),
        ("web", {"port": 10**30}, "web.port: a number that is too large"),
        ("web", {"hosts": ["http://x"]}, "web.hosts.0: 'http://x' is no name"),
        ("backup", {"label": "x" * 12}, "backup.label"),
        ("backup", {"label": "\x00"}, "backup.label"),
        ("voice", {"volume": 101}, "voice.volume: 101 is not from 0 to 100"),
        ("voice", {"device": "-rf /"}, "voice.device"),
        ("printer", {"device": "lp0", "width": 58}, "printer.device"),
        ("link", {"mqtt.password": "hush"}, "link.mqtt.password: a password needs its user too"),
        ("owner", {"code": "12345"}, "owner.code: wants six digits"),
    ],
)
def test_a_wrong_value_is_refused_in_words_and_nothing_is_saved(
    box: Box, section: str, values: dict[str, object], told: str
) -> None:
    box.ask("backup", {"label": "BAR"})
    answer = box.ask(section, values)
    assert answer["ok"] is False
    assert answer["problems"][0].startswith(told.partition(" ")[0].replace(".0:", "").rstrip(":"))
    assert told.partition(": ")[2] in answer["problems"][0]
    assert box.saved == {"backup": {"label": "BAR"}}
    assert "web" not in box.restarted


@pytest.mark.parametrize("value", [{"a": 1}, None])
def test_a_table_over_a_value_of_the_file_is_refused(box: Box, value: object) -> None:
    """Merged with the value below it, it would be left out and kept."""
    box.owner.write_text("[web]\nport = 8000\n")
    assert box.ask("web", {"port": value})["ok"] is False
    assert box.saved == {}


def test_one_wrong_value_of_two_saves_neither(box: Box) -> None:
    assert box.ask("web", {"viewers": 10, "port": -1})["ok"] is False
    assert box.saved == {}


KEPT = (Way.SERVICE, Way.TRIAL)
NEVER = [
    (name, key)
    for name, section in SECTIONS.items()
    for key in section.record._fields
    if way_of(name, key) not in KEPT
]


@pytest.mark.parametrize(
    ("section", "key"),
    [*NEVER, ("web", "pages.x"), ("link", "mqtt.certificate"), ("link", "mqtt"), ("webb", "port")],
)
def test_another_key_is_refused_whatever_its_value(box: Box, section: str, key: str) -> None:
    """What the table keeps, pins, drivers, and files of the machine."""
    assert box.ask(section, {key: "/etc/shadow"})["ok"] is False
    assert box.ask(section, {}, key)["ok"] is False
    assert not list(box.page.iterdir())


@pytest.mark.parametrize("name", ["web.pages", "web.certificate", "web.key", "voice.piper"])
def test_no_value_that_names_a_file_to_read_is_kept(name: str) -> None:
    section, _, key = name.partition(".")
    assert way_of(section, key) is Way.FILE
    assert reason_of(section, key) == "path"


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"\n",
        b"[]\n",
        b"{}\n",
        b"[web]\nport = 1\n",
        b'{"section": "web"}\n',
        b'{"section": "../web", "values": {}}\n',
        b'{"section": "web", "values": [1]}\n',
        b'{"section": "web", "values": {"port": 1}, "folder": "/etc"}\n',
        b'{"section": "web", "values": {"port": 1}, "back": "port"}\n',
        b'{"section": "web", "values": {"\\ud800": 1}}\n',
        b"[" * MAX_LINE_BYTES,
        b'{"section": "web", "values": {' + b'"a": 1, ' * 1000,
        bytes(range(256)),
    ],
)
def test_what_is_no_request_is_refused(box: Box, line: bytes) -> None:
    assert box.keeper.answer(line)["ok"] is False
    assert not list(box.page.iterdir())


def test_what_is_wrong_elsewhere_in_the_files_refuses_nothing(box: Box) -> None:
    box.owner.write_text('[table]\nvariant = "none"\n[sound]\npin = 99\n')
    assert box.ask("web", {"port": 8100}) == {"ok": True}


def test_a_file_of_the_page_that_is_damaged_is_written_anew(box: Box) -> None:
    (box.page / "page.json").write_text("{")
    assert box.ask("web", {"port": 8100}) == {"ok": True}
    assert box.saved == {"web": {"port": 8100}}


def test_systemd_that_restarts_nothing_undoes_nothing(
    box: Box, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    put_systemctl(box, monkeypatch, status=1)
    assert box.ask("web", {"port": 8100}) == {"ok": True}
    assert "the next start reads the change" in capfd.readouterr().err
    monkeypatch.setenv("PATH", "/none")
    assert box.ask("web", {"port": 8200}) == {"ok": True}


def test_a_folder_that_cannot_be_written_is_said(box: Box) -> None:
    box.page.rmdir()
    answer = box.ask("web", {"port": 8100})
    assert answer["ok"] is False
    assert "the card cannot be written" in answer["problems"][0]


def test_the_log_has_no_value(box: Box, capfd: pytest.CaptureFixture[str]) -> None:
    box.ask("owner", {"code": "403911"})
    box.ask("owner", {"code": "4039111"})
    told = capfd.readouterr().err
    assert "[owner] was changed: code" in told
    assert "4039" not in told


def test_every_section_with_such_a_key_has_its_units() -> None:
    dotted = {"link": ["mqtt.broker"]}
    with_keys = {
        name
        for name, section in SECTIONS.items()
        if any(
            way_of(name, key) in KEPT for key in (*section.record._fields, *dotted.get(name, []))
        )
    }
    assert with_keys == UNITS.keys()


# ---- wiring on trial ----------------------------------------------------------------------------

PIN: dict[str, object] = {"lines.A.truco": 7}
MOVED = {"consoles": {"lines": {"A.truco": 7}}}


def end_trial(box: Box, how: str, section: str = "consoles") -> bool:
    request = {"section": section, "values": {}, "back": [], "trial": how}
    return bool(box.keeper.answer(json.dumps(request).encode())["ok"])


def test_pins_are_kept_on_trial_and_no_other_program_reads_them(box: Box) -> None:
    assert box.ask("consoles", PIN) == {"ok": True}
    assert box.saved == {}
    assert read_page(box.page, with_trial=True).values == MOVED
    assert box.restarted == ""


@pytest.mark.parametrize(("how", "saved"), [("keep", MOVED), ("undo", {})])
def test_a_trial_is_ended_once(box: Box, how: str, saved: object) -> None:
    box.ask("consoles", PIN)
    assert end_trial(box, how)
    assert box.saved == saved
    assert read_page(box.page).trial is None
    assert not end_trial(box, how)
    assert box.saved == saved


def test_without_a_trial_or_for_another_section_none_is_ended(box: Box) -> None:
    assert not end_trial(box, "keep")
    box.ask("consoles", PIN)
    assert not end_trial(box, "keep", "lamps")
    assert not end_trial(box, "ended")
    assert box.saved == {}


def test_a_change_of_a_service_leaves_the_trial(box: Box) -> None:
    box.ask("consoles", PIN)
    assert box.ask("web", {"port": 8100}) == {"ok": True}
    assert box.saved == {"web": {"port": 8100}}
    assert end_trial(box, "keep")
    assert box.saved == {"web": {"port": 8100}, **MOVED}


def test_another_trial_begins_with_the_wiring_before_the_older_one(box: Box) -> None:
    box.ask("consoles", PIN)
    assert box.ask("lamps", {"A": 8}) == {"ok": True}
    assert end_trial(box, "keep", "lamps")
    assert box.saved == {"lamps": {"A": 8}}


def test_a_trial_with_a_value_of_another_kind_is_refused(box: Box) -> None:
    assert box.ask("consoles", {**PIN, "hold": 1.0})["ok"] is False
    assert box.ask("sound", {"pin": 7, "on": False})["ok"] is False
    assert not list(box.page.iterdir())


@pytest.mark.parametrize("damage", ["7", "{}", '{"id": "a"}', '{"id": "a", "section": 1}', "[]"])
def test_a_damaged_trial_sets_nothing(box: Box, damage: str) -> None:
    box.ask("consoles", PIN)
    file = box.page / "page.json"
    whole = json.loads(file.read_text())
    file.write_text(json.dumps({**whole, "trial": json.loads(damage)}))
    page = read_page(box.page)
    assert page.values == {} and page.problems


# ---- the process --------------------------------------------------------------------------------


@contextmanager
def service(box: Box) -> Iterator[Path]:
    path = box.page.parent / "settings.sock"
    words = ("--config", box.owner, "--card", box.card, "--folder", box.page)
    with listen(path) as listener:
        process = start_with_sockets({"": listener}, ["-m", "scorer", "settings", *map(str, words)])
        try:
            yield path
        finally:
            process.kill()
            process.wait()


def test_the_service_answers_over_its_socket(box: Box) -> None:
    with service(box) as path:
        line = b'{"section": "backup", "values": {"label": "BAR"}}\n'
        assert request_line(path, line, 60.0, MAX_LINE_BYTES, "settings") == {"ok": True}
        assert box.saved == {"backup": {"label": "BAR"}}
        assert box.restarted.endswith("scorer-backup.service")


def test_half_a_request_changes_nothing(box: Box) -> None:
    """The table was killed in the middle of its line."""
    with service(box) as path:
        with socket.socket(socket.AF_UNIX) as half:
            half.connect(str(path))
            half.sendall(b'{"section": "backup", "values": {"label": "BA')
        line = b'{"section": "voice", "values": {"volume": 50}}\n'
        assert request_line(path, line, 60.0, MAX_LINE_BYTES, "settings") == {"ok": True}
        assert box.saved == {"voice": {"volume": 50}}


def test_by_hand_it_says_who_starts_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["settings"]) == 2
    assert "scorer-settings.socket" in capsys.readouterr().err
