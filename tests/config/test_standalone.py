"""Settings of the web and print processes: own, last good, narrowest."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorer.config.config import Config
from scorer.config.standalone import Program, ProgramConfig, load_for_program
from scorer.receipts import command as print_command
from scorer.web import command as web_command

LOCAL = '[web]\naddress = "127.0.0.1"\nport = 19090\n'


class Files:
    """The files of one machine, and the folder for the last good settings."""

    def __init__(self, folder: Path) -> None:
        self.owner, self.card, self.cache = folder / "own", folder / "card", folder / "cache"
        self.cache.mkdir()

    def web(self) -> ProgramConfig:
        program = Program("scorer web", ("web", "socket"), web_command.NARROWEST, self.cache)
        return load_for_program(program, self.owner, self.card)

    def printer(self) -> Config:
        narrowest = print_command.NARROWEST
        program = Program("scorer print", ("printer", "socket"), narrowest, self.cache)
        return load_for_program(program, self.owner, self.card).config


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)


@pytest.mark.parametrize(
    "mistake",
    ['[table]\nlanguaje = "es-AR"\n', "[sound]\npin = 99\n", '[table]\nvariant = "none"\n'],
)
def test_a_mistake_in_a_section_of_the_table_changes_nothing(files: Files, mistake: str) -> None:
    files.owner.write_text(mistake + LOCAL)
    config, is_narrowed = files.web()
    assert (config.web.address, config.web.port, is_narrowed) == ("127.0.0.1", 19090, False)


MISTAKES = [
    '[web]\naddres = "10.0.0.1"\n',
    "[web]\nport = 0\n",
    "[webb]\nport = 80\n",
    "port = 80\n",
    "web = 3\n",
    "[web]\nport = \n",
    "[web",
    "[web]\nport = 80\n# \x00",
]


@pytest.mark.parametrize("mistake", MISTAKES)
def test_without_last_good_settings_a_mistake_narrows(
    files: Files, mistake: str, capsys: pytest.CaptureFixture[str]
) -> None:
    files.owner.write_text(mistake)
    config, is_narrowed = files.web()
    assert (config.web.address, is_narrowed) == ("127.0.0.1", True)
    assert "scorer web: configuration, line " in capsys.readouterr().err


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_leaves_the_last_good_settings(
    files: Files, mistake: str, capsys: pytest.CaptureFixture[str]
) -> None:
    files.owner.write_text('[web]\naddress = "10.1.2.3"\n')
    files.web()
    files.owner.write_text(mistake)
    config, is_narrowed = files.web()
    assert (config.web.address, is_narrowed) == ("10.1.2.3", False)
    assert "the last good settings are used" in capsys.readouterr().err


@pytest.mark.parametrize(
    "kept",
    [b"", b"{", b"[1]", b'{"web": {"port": 0}}', b'{"secrets": [[]]}', b"\xff", b"[" * 99999],
)
def test_damaged_last_good_settings_narrow(files: Files, kept: bytes) -> None:
    files.owner.write_text("[web]\nport = 0\n")
    (files.cache / "last_good.json").write_bytes(kept)
    assert files.web().is_narrowed


def test_a_file_that_cannot_be_read_narrows(files: Files) -> None:
    files.owner.mkdir()
    assert files.web().is_narrowed


def test_without_files_the_defaults_apply(files: Files) -> None:
    config, is_narrowed = files.web()
    assert (config.web.address, is_narrowed) == ("0.0.0.0", False)


def test_a_byte_order_mark_and_windows_lines_are_read(files: Files) -> None:
    files.card.write_bytes(b"\xef\xbb\xbf" + LOCAL.replace("\n", "\r\n").encode())
    config, is_narrowed = files.web()
    assert (config.web.address, config.web.port, is_narrowed) == ("127.0.0.1", 19090, False)


def test_a_file_without_end_is_not_read_whole(files: Files) -> None:
    files.owner.symlink_to("/dev/zero")
    assert files.web().is_narrowed


def test_the_card_comes_after_the_owner(files: Files) -> None:
    files.owner.write_text('[web]\naddress = "127.0.0.1"\nport = 1\n[table]\nlanguage = "ca"\n')
    files.card.write_text("[web]\nport = 2\n")
    config = files.web().config
    assert (config.web.address, config.web.port, config.table.language) == ("127.0.0.1", 2, "ca")


def test_a_wrong_card_is_reported_as_the_card(
    files: Files, capsys: pytest.CaptureFixture[str]
) -> None:
    files.card.write_text("[web]\nprot = 1\n")
    assert files.web().is_narrowed
    assert "line 2: on the card: web.prot: no such key" in capsys.readouterr().err


def test_a_wrong_language_changes_nothing_else(files: Files) -> None:
    files.owner.write_text("[table]\nlanguage = 3\n" + LOCAL)
    config, is_narrowed = files.web()
    assert (config.web.port, config.table.language, is_narrowed) == (19090, "es-AR", False)


def test_a_mistake_leaves_the_printer(files: Files) -> None:
    files.owner.write_text('[printer]\ndevice = "/dev/usb/lp0"\n')
    assert files.printer().printer == files.printer().printer is not None
    files.owner.write_text('[printer]\ndevise = "/dev/usb/lp1"\n')
    printer = files.printer().printer
    assert printer is not None and printer.device == "/dev/usb/lp0"


def test_without_last_good_settings_there_is_no_printer(files: Files) -> None:
    files.owner.write_text('[printer]\ndevise = "/dev/usb/lp0"\n')
    assert files.printer().printer is None


def test_a_read_only_cache_does_not_stop_the_program(files: Files) -> None:
    (files.cache / "last_good.json.new").mkdir()
    files.owner.write_text(LOCAL)
    assert files.web().config.web.port == 19090
