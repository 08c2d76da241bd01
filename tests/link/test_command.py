"""``scorer link`` as a process: its start, its configuration, its end."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from scorer.api.rights import report_absent_table
from scorer.cli import main
from scorer.link import command
from tests.support.programs import ready


@contextmanager
def started(folder: Path, config: str = "", **environment: str) -> Iterator[list[str]]:
    """A link until it is ready, then its end by SIGTERM; yields its log afterwards."""
    (folder / "scorer.toml").write_text(config, encoding="utf-8")
    log: list[str] = []
    table = str(folder / "table.sock")
    with ready(folder, "link", "--socket", table, **environment) as process:
        yield log
    log += (folder / "stderr").read_text().splitlines()
    assert process.returncode == 0


def test_it_is_ready_without_table_hub_and_hall_and_ends_by_a_signal(tmp_path: Path) -> None:
    with started(tmp_path) as log:
        pass
    (waiting,) = log
    assert f"no table at {tmp_path / 'table.sock'} yet" in waiting


def test_its_folder_is_that_of_the_service(tmp_path: Path) -> None:
    state = tmp_path / "state"
    with started(tmp_path, STATE_DIRECTORY=str(state)):
        pass
    assert state.is_dir()


def test_a_folder_that_cannot_be_made_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (state := tmp_path / "file").touch()
    words = ["--config", os.devnull, "--card", os.devnull, "--state", str(state)]
    assert command.main(words) == 1
    said = capsys.readouterr().err
    assert said == f"scorer link: {state} is no folder that can be used: File exists\n"


def test_a_wrong_section_is_reported_and_nothing_is_joined(tmp_path: Path) -> None:
    with started(tmp_path, '[link]\nhub = "?"\nkey = "secret"\n') as log:
        pass
    assert [line.partition(":")[0] for line in log] == ["scorer link"] * len(log)
    assert any("line 2: link.hub: '?' is not like 192.168.1.20:8443" in line for line in log)
    assert not any("secret" in line for line in log)


def test_a_hub_that_is_not_there_is_reported_once(tmp_path: Path) -> None:
    pin, key = "ab" * 32, "cd" * 16
    config = f'[link]\nhub = "127.0.0.1:1"\npin = "{pin}"\nkey = "{key}"\n'
    with started(tmp_path, config) as log:
        pass
    waiting, *refused = log
    assert "no table at" in waiting
    assert len(refused) <= 1


def test_without_its_libraries_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "h11", None)
    monkeypatch.delitem(sys.modules, "scorer.link.service", raising=False)
    monkeypatch.delattr("scorer.link.service", raising=False)
    for name in [name for name in sys.modules if name.startswith("scorer.link.")]:
        if name != "scorer.link.command":
            monkeypatch.delitem(sys.modules, name)
    assert command.main([]) == 1
    assert "run make setup in" in capsys.readouterr().err


@pytest.mark.parametrize("is_there", [True, False])
def test_a_program_without_a_table_names_the_socket_that_it_waits_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], is_there: bool
) -> None:
    socket = tmp_path / "table.sock"
    if is_there:
        socket.touch()
    report_absent_table("scorer link", socket)
    told = capsys.readouterr().err
    assert (f"scorer link: no table at {socket} yet" in told) is not is_there


def test_the_help_has_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["link", "--help"])
    assert ended.value.code == 0
    assert "scorer link --socket table-hall.sock" in capsys.readouterr().out
