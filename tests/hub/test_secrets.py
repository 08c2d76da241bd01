"""No secret of a configuration reaches a file, a database or a printed line.

The secret fields are found from the annotations of all records, so that a new one fails here until
it has a value below.
"""

from __future__ import annotations

import importlib
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scorer import cli
from scorer.commands import check
from scorer.config.config import SECTIONS
from scorer.config.sources import resolve, save_choices
from scorer.config.standalone import Program, load_for_program
from scorer.plain_values import is_record, secret_paths
from scorer.store.journal import Journal
from tests.hub.hub_process import running_hub
from tests.hub.postgresql import USER, Cluster, tool
from tests.link.test_command import started
from tests.paths import ROOT
from tests.support.fake_settings import FakeSettings
from tests.support.service_process import configuration, running_service
from tests.support.table_client import TableClient

MARK = "5ec2e75ec2e75ec2e75ec2e75ec2e75e"  # as digits of a key, and as a text
DATABASE = f"postgresql+psycopg://{USER}:{MARK}@/hub?host=/nowhere"
CONFIGURED = {
    "wifi.name": MARK,
    "wifi.password": MARK,
    "wifi.country": "AR",  # no text of more letters is one
    "wifi.remove_after_joining": True,
    "wifi.hidden": True,
    "owner.code": "482913",  # no text of letters is one
    "link.key": MARK,
    "link.mqtt.password": MARK,
    "hub.database": DATABASE,
    "hook.address": f"http://127.0.0.1:9/{MARK}",
    "hook.secret": MARK,
}
BESIDE = {"link.hub": "127.0.0.1:9", "link.pin": "ab" * 32, "link.mqtt.user": "box"}
# Not of a configuration: the token in the link's own file, and the passwords that the panel shows.
# test_desk_passwords.py searches for that of the desk.
SHOWN = {"_Status", "DeskReport", "DeskPasswordView", "SetupView"}
HALLS = {"Home", "HallRecord"}  # of `scorer hubs`: tests/hubs searches its lists for passwords
RECORDS = {
    "WifiNetwork",
    "LinkSection",
    "MqttSection",
    "HookSection",
    "HubSection",
    "OwnerSection",
    "Membership",
    *HALLS,
    *SHOWN,
}
WITH_A_TEXT = [path for path, value in CONFIGURED.items() if MARK in str(value)]
WRONG = [
    f'["{MARK}"]', f'{{a = "{MARK}"}}', f'"{MARK}\\u0007"', f'"{MARK}\\ud800"', f'"{MARK}', MARK,
    f"[{MARK}]", f'"""{MARK}', f'"{MARK}"\nx = "{MARK}"', f'"{MARK}" "{MARK}"', f'"{MARK * 9}"',
]  # fmt: skip


def toml(values: dict[str, Any]) -> str:
    shown = {True: "true", False: "false"}
    lines = {
        path: f"{shown[value] if isinstance(value, bool) else repr(value)}"
        for path, value in values.items()
    }
    # Each [[hook]] is of a list.
    hook = {path.removeprefix("hook."): each for path, each in lines.items() if "hook." in path}
    found = "".join(f"{path} = {each}\n" for path, each in lines.items() if "hook." not in path)
    listed = ", ".join(f"{key} = {each}" for key, each in hook.items())
    return found + (f"hook = [{{{listed}}}]\n" if hook else "")


def secret_records() -> Iterator[type]:
    """The records with a secret field, of all modules that name one."""
    for path in sorted((ROOT / "scorer").rglob("*.py")):
        if "SECRET]" in path.read_text(encoding="utf-8"):
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            module = importlib.import_module(name.removesuffix(".__init__"))
            for kind in vars(module).values():
                if is_record(kind) and kind.__module__ == module.__name__ and secret_paths(kind):
                    yield kind


def test_every_secret_field_has_a_value_here() -> None:
    configured = {
        ".".join((name, *path))
        for name, section in SECTIONS.items()
        for path in secret_paths(section.record)
    }
    assert configured == CONFIGURED.keys()
    assert {kind.__name__ for kind in secret_records()} == RECORDS


def test_nothing_of_a_table_and_its_link_has_a_secret(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    absent = {"consoles.driver": "box", "consoles.port": "/dev/nowhere"}
    text = configuration(tmp_path, toml(CONFIGURED | BESIDE | absent))
    file = str(tmp_path / "scorer.toml")
    with Journal.open(tmp_path / "store") as journal:
        resolve(text, text, journal)
        save_choices(text, journal, [(("light", "large_digits"), True)])
    with running_service(tmp_path, text) as table:
        table.messages_until("READY=1")
        with TableClient(tmp_path / "table-phone.sock") as web:
            status = {"address": "http://10.0.0.1/", "password": MARK[:12]}
            assert web.ask(do="notice", **status)["ok"]
            assert web.ask(do="notice", **status | {"password": MARK})["ok"] is False
        own = folders(tmp_path, "link")
        (tmp_path / "link" / "table.sock").symlink_to(tmp_path / "table-hall.sock")
        with started(tmp_path / "link", text, **own) as log:
            pass
        doctor(file)
        table.kill()  # with its log, as a power cut leaves it
    for words in (
        ["check", file, "--store", str(tmp_path / "store")],
        ["backup", "--config", file, str(tmp_path / "copy.sqlite3")],
        ["export", "--config", file, str(tmp_path / "exported")],
    ):
        assert cli.main(words) == 0, words
    doctor(file, "--report", str(tmp_path / "doctor.txt"))
    assert_absent(tmp_path, *capfd.readouterr(), *log)
    wanted = {"copy.sqlite3", "scorer.sqlite3-wal", "doctor.txt", "last_good.json"}
    assert wanted <= {path.name for path in tmp_path.rglob("*")}


def test_nothing_of_a_hub_has_a_secret(
    tmp_path: Path,
    cluster: Cluster,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, folder in folders(tmp_path, "hub").items():
        monkeypatch.setenv(name, folder)
    url = cluster.new_database().replace(f"{USER}@", f"{USER}:{MARK}@")
    with running_hub(tmp_path / "hub", f'database = "{url}"') as hub:
        for words in (
            ("cards", "--tables", "1-2", "--out", str(tmp_path / "cards")),
            ("backup", str(tmp_path / "copy")),
        ):
            assert hub.run(*words).returncode == 0
    done = [hub.run(*words) for words in (("rebuild",), ("audit",))]
    hub.config.write_text(toml({"hub.database": DATABASE}))
    done += [hub.run(*words) for words in (("audit",), ("serve",))]
    assert [each.returncode for each in done] == [0, 3, 1, 1], done
    name = url.partition("@/")[2].partition("?")[0]
    dump = [tool("pg_dump"), "-h", str(cluster.folder), "-U", USER, "-d", name]
    stored = subprocess.run(dump, check=True, capture_output=True, text=True).stdout
    said = [text for each in done for text in (each.stdout, each.stderr)]
    assert_absent(tmp_path, *capfd.readouterr(), *said, stored)


@pytest.mark.parametrize("path", WITH_A_TEXT)
def test_no_wrong_value_at_the_place_of_a_secret_is_quoted_or_stored(
    path: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    section, _, key = path.rpartition(".")
    head = f"[[{section}]]" if section == "hook" else f"[{section}]"
    texts = [f"{head}\n{key} = {wrong}\n" for wrong in WRONG]
    texts += [f'[[{section}]]\n{key} = "{MARK}"\n', f'[{section}]\n{key}x = "{MARK}"\n']
    texts += [f'{section} = "{MARK}"\n', f'{section} = ["{MARK}"]\n', f'{path}.x = "{MARK}"\n']
    file, cache, store = tmp_path / "scorer.toml", tmp_path / "cache", FakeSettings()
    cache.mkdir()
    name = section.partition(".")[0]
    for text in texts:
        file.write_text(text, encoding="utf-8")
        assert check.main([str(file)]) == 1, text
        for card in (None, text):
            assert MARK not in repr(resolve(text, card, store).problems)
        load_for_program(Program("it", (name, "table"), {}, cache), file, tmp_path / "none")
    (cache / "store").write_text(str(dict(store)))
    assert_absent(tmp_path, *capfd.readouterr())


def doctor(file: str, *words: str) -> None:
    """Its findings are of this machine, so any result is right."""
    assert cli.main(["doctor", "--config", file, "--card", file, *words]) in (0, 1)


def folders(tmp_path: Path, name: str) -> dict[str, str]:
    """The folders that systemd gives a service."""
    state, cache = tmp_path / name, tmp_path / f"{name}-cache"
    state.mkdir(mode=0o700, exist_ok=True)
    cache.mkdir(mode=0o700, exist_ok=True)
    return {"STATE_DIRECTORY": str(state), "CACHE_DIRECTORY": str(cache)}


def assert_absent(folder: Path, *printed: str) -> None:
    found = [line for text in printed for line in text.splitlines() if MARK[:12] in line]
    files = [path for path in folder.rglob("*") if path.is_file() and path.name != "scorer.toml"]
    found += [path.name for path in files if MARK[:12].encode() in path.read_bytes()]
    assert not found
    assert files and any(printed), "there is something to search"
