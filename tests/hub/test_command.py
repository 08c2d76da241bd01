"""Commands of ``scorer hub`` that cannot be done: one sentence, no change."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest

from scorer.hub import command
from scorer.hub.page_addresses import own_address


def run(folder: Path, *words: str, state: Path | None = None, settings: str = "") -> int:
    """The exit code of a command."""
    config = folder / "scorer.toml"
    config.write_text(f"[hub]\n{settings}\n", encoding="utf-8")
    own = ["--config", str(config), "--card", os.devnull, "--state", str(state or folder / "hub")]
    try:
        return command.main([*own, *words])
    except SystemExit as ended:
        assert isinstance(ended.code, int)
        return ended.code


@pytest.mark.parametrize("place", ["a file", "below a file", "root's folder"])
def test_a_folder_that_cannot_be_made_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], place: str
) -> None:
    file = tmp_path / "file"
    file.touch()
    # Nothing can be made in /proc, not even by root.
    state = {"a file": file, "below a file": file / "hub", "root's folder": Path("/proc/hub")}
    assert run(tmp_path, "audit", state=state[place]) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"scorer hub: {state[place]} is no folder that can be used: ")
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    "words",
    [
        ("cards", "--tables", "1", "--address", "not an address!"),
        ("cards", "--tables", "1", "--address", "hub.local:99999"),
        ("password", ""),
        ("password", "  "),
        ("password", "x" * 81),
        ("password", "a\nb"),
    ],
)
def test_what_a_box_or_the_database_would_refuse_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    assert run(tmp_path, *words) == 2
    assert "error: argument " in capsys.readouterr().err
    assert not (tmp_path / "hub").exists()


@pytest.mark.parametrize("length", [7, 201])
def test_a_password_has_a_least_and_a_greatest_length(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    length: int,
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("x" * length + "\n"))
    assert run(tmp_path, "password", "ana") == 1
    assert "8 to 200 characters" in capsys.readouterr().err


class Terminal(io.StringIO):
    """Standard input of a person who types."""

    def isatty(self) -> bool:
        return True


def test_two_passwords_that_differ_are_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = {"Password: ": "secret word", "Again: ": "secret work"}
    monkeypatch.setattr("sys.stdin", Terminal())
    monkeypatch.setattr("getpass.getpass", typed.__getitem__)
    assert run(tmp_path, "password", "ana") == 1
    assert "the two passwords differ" in capsys.readouterr().err


def test_wrong_settings_are_no_reason_to_use_another_database(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for words in (("audit",), ("backup", str(tmp_path / "copy")), ("serve",)):
        assert run(tmp_path, *words, settings='database = "postgresq://hub@localhost/hub"') == 1
        said = capsys.readouterr().err.splitlines()
        assert "line 2: hub.database: " in said[0]
        assert said[1:] == ["scorer hub: nothing is done: mend the configuration"]
    assert not (tmp_path / "hub").exists()


@pytest.mark.parametrize(
    "words",
    [
        ("cards", "--tables", "1", "--out"),
        ("backup",),
        ("tournament", "import"),
        ("tournament", "draw"),
        ("tournament", "tables"),
    ],
)
def test_a_file_that_cannot_be_used_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    (tmp_path / "file").touch()
    wanted = tmp_path / "file" / "below"
    assert run(tmp_path, *words, str(wanted)) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"scorer hub: {wanted} cannot be ")
    assert said.endswith(": Not a directory\n")
    assert said.count("\n") == 1


@pytest.mark.parametrize("address", ["127.0.0.1", "::1"])
def test_cards_say_that_no_box_reaches_a_hub_of_this_machine_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], address: str
) -> None:
    settings = f'address = "{address}"\nsecure_port = 9443'
    assert run(tmp_path, "cards", "--tables", "1", settings=settings) == 0
    said = capsys.readouterr()
    where = f"[{address}]:9443" if ":" in address else f"{address}:9443"
    assert f'hub = "{where}"' in said.out
    assert said.err.startswith(f"scorer hub: {address} is reached from this machine alone: ")
    words = ("cards", "--tables", "2", "--address", "127.0.0.1:8443")
    assert run(tmp_path, *words) == 0
    assert "127.0.0.1 is reached from this machine alone" in capsys.readouterr().err


def test_cards_have_the_address_at_which_the_hub_listens(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for settings, address in (
        ('address = "192.168.7.4"', '"192.168.7.4:8443"'),
        ("", f'"{own_address()}:8443"'),
    ):
        assert run(tmp_path, "cards", "--tables", "1", settings=settings) == 0
        said = capsys.readouterr()
        assert f"hub = {address}" in said.out
        assert said.err == ""
