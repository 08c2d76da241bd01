"""``scorer print`` on the command line: settings, arguments and messages."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from scorer.cli import main
from scorer.config.loader import parse_config
from scorer.config.printer import PrinterAddress, PrinterSection, parse_address
from scorer.config.sources import resolve
from scorer.config.toml_reader import ConfigError
from scorer.receipts.command import NO_GAME_WON
from scorer.receipts.escpos_simulator import DOTS, SimulatedPrinter
from scorer.table.startup import applied_settings
from tests.receipts.fake_printers import NO_PAPER, on_the_network, write_config
from tests.support.fake_settings import FakeSettings
from tests.support.in_process_table import InProcessTable, running_table

LIKE = "is not like /dev/usb/lp0, /dev/ttyUSB0 or tcp:192.168.1.50:9100"
LETTERS = "is not one of CP858, CP850, CP860, CP437, CP1252, ISO_8859-15, ASCII"
BAUDS = "is not one of 1200, 2400, 4800, 9600, 19200, 38400, 57600, 115200"
NOWHERE = PrinterAddress(path="/dev/usb/lp77")


# ---- [printer] ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "has_printer"),
    [
        ("", False),
        ("[printer]\n", False),
        ('[printer]\ndevice = "/dev/usb/lp0"\n', True),
        ('[printer]\ndevice = "/dev/usb/lp0"\nwhen = "off"\n', False),
    ],
)
def test_a_table_has_a_printer_if_a_section_names_its_device(text: str, has_printer: bool) -> None:
    applied = applied_settings(resolve(text, None, FakeSettings()))
    assert applied.settings.has_printer is has_printer


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ('device = "lp0"', f"device: 'lp0' {LIKE}"),
        ('device = "tcp:a b"', f"device: 'tcp:a b' {LIKE}"),
        ('device = "tcp:a:0"', f"device: 'tcp:a:0' {LIKE}"),
        ("width = 57", "width: wants one of 58, 80, not 57"),
        ('when = "never"', "when: wants one of game, asked, off, not 'never'"),
        ('letters = "UTF-8"', f"letters: 'UTF-8' {LETTERS}"),
        ("table_number = 256", "table_number: 256 is not from 0 to 255"),
        ("baud = 9601", f"baud: 9601 {BAUDS}"),
        ('devise = "/dev/usb/lp0"', "devise: no such key; did you mean 'device'?"),
    ],
)  # fmt: skip
def test_a_wrong_setting_is_reported_with_its_line(line: str, sentence: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_config(f"[printer]\n{line}\n")
    assert [(each.line, each.sentence) for each in caught.value.problems] == [
        (2, f"printer.{sentence}")
    ]


def test_check_tells_the_printer_where_there_is_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "scorer.toml").write_text('[printer]\ndevice = "/dev/usb/lp0"\n')
    assert main(["check", str(tmp_path / "scorer.toml")]) == 0
    told = capsys.readouterr().out
    assert "printer    device = /dev/usb/lp0  (the owner's file)" in told
    assert "printer    when = game  (default)" in told


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("/dev/usb/lp0",            PrinterAddress(path="/dev/usb/lp0")),
        ("tcp:192.168.1.50",        PrinterAddress(host="192.168.1.50", port=9100)),
        ("tcp:printer.local:9101",  PrinterAddress(host="printer.local", port=9101)),
        ("tcp:[fd00::7]:9100",      PrinterAddress(host="fd00::7", port=9100)),
    ],
)  # fmt: skip
def test_a_place_is_a_path_or_an_address(text: str, place: PrinterAddress) -> None:
    assert parse_address(text) == place


# ---- by hand ------------------------------------------------------------------------------------


@pytest.fixture
def table(tmp_path: Path) -> Iterator[InProcessTable]:
    with running_table(tmp_path, write_config(tmp_path, NOWHERE, "asked")) as made:
        made.press("A.truco", "B.quiero", "A.tantos")
        yield made


def run(table: InProcessTable, folder: Path, *words: str) -> int:
    """The command beside the table, which answers it meanwhile; its exit code."""
    codes: list[int] = []
    own = ["print", "--config", str(folder / "scorer.toml"), "--card", "/none", *words]
    thread = threading.Thread(target=lambda: codes.append(main(own)))
    thread.start()
    table.answer_until(lambda: not thread.is_alive())
    return codes[0]


def test_on_the_terminal(
    table: InProcessTable, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(table, tmp_path, "--to", "-") == 0
    printed = capsys.readouterr().out.splitlines()
    assert "A Os Brabos                    3" in printed
    assert " 1 3-0 A truco, B desce: A +3" in printed


def test_in_another_language_on_wider_paper(
    table: InProcessTable, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(table, tmp_path, "--to", "-", "--language", "ca", "--width", "80") == 0
    printed = capsys.readouterr().out
    assert "cama sense acabar" in printed
    assert max(map(len, printed.splitlines())) == 48


def test_the_sheet_has_the_digest_of_the_slip(
    table: InProcessTable, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(table, tmp_path, "--sheet") == 0
    sheet = capsys.readouterr().out
    assert run(table, tmp_path, "--to", "-") == 0
    digest = hashlib.sha256(sheet.encode()).hexdigest()
    assert digest[:16] in capsys.readouterr().out.replace(" ", "")
    (tmp_path / "game.truco").write_text(sheet, encoding="utf-8")
    assert main(["replay", str(tmp_path / "game.truco")]) == 0


@pytest.mark.parametrize("words", [("--night", "--sheet"), ("--night", "--game", "1")])
def test_the_evening_has_no_sheet_and_no_number(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["print", *words])
    assert stopped.value.code == 2
    assert "--night" in capsys.readouterr().err


def test_the_evening_by_pair(
    table: InProcessTable, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for _ in range(3):
        table.press("A.truco", "B.quiero", "A.tantos")
    table.press("A.quiero", "B.quiero", "B.truco", "A.no_quiero")
    assert run(table, tmp_path, "--night", "--to", "-") == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[1].strip() == "hoje: 1 partida"
    assert "Os Brabos                 1 de 1" in printed
    assert "As Feras                  0 de 1" in printed
    assert "trucos 4 · correram 0" in " ".join(printed)
    assert "envido" not in " ".join(printed)


def test_without_a_won_game_the_evening_is_the_slip_of_the_unfinished_one(
    table: InProcessTable, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(table, tmp_path, "--to", "-") == 0
    slip = capsys.readouterr().out
    assert run(table, tmp_path, "--night", "--to", "-") == 0
    printed = capsys.readouterr()
    assert printed.out == slip and " 1 3-0 A truco, B desce: A +3" in slip
    assert printed.err == f"scorer print: {NO_GAME_WON}\n"


def test_an_evening_without_a_press_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with running_table(tmp_path, write_config(tmp_path, NOWHERE)) as table:
        assert run(table, tmp_path, "--night") == 1
    assert capsys.readouterr().err == "scorer print: nothing has been played this evening yet\n"


@pytest.mark.sampled(0)
def test_a_preview_is_the_picture_of_the_paper(table: InProcessTable, tmp_path: Path) -> None:
    assert run(table, tmp_path, "--preview", str(tmp_path / "slip.png")) == 0
    with Image.open(tmp_path / "slip.png") as picture:
        assert DOTS[58] < picture.width < picture.height


def test_into_a_file_that_a_printer_can_be_fed_with(table: InProcessTable, tmp_path: Path) -> None:
    assert run(table, tmp_path, "--to", str(tmp_path / "slip.bin")) == 0
    paper = SimulatedPrinter(58)
    paper.feed((tmp_path / "slip.bin").read_bytes())
    assert "A Os Brabos                    3" in paper.lines


def test_on_a_printer_that_is_named(table: InProcessTable, tmp_path: Path) -> None:
    with on_the_network() as (printer, place):
        assert run(table, tmp_path, "--to", str(place), "--width", "80") == 0
    assert printer.paper.cuts == 1


def test_what_keeps_it_from_printing_is_one_sentence(
    table: InProcessTable, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with on_the_network(NO_PAPER) as (_, place):
        assert run(table, tmp_path, "--to", str(place)) == 1
        told = f"scorer print: {place}: the printer is out of paper; put a roll in\n"
        assert capsys.readouterr().err == told
    assert run(table, tmp_path) == 1
    assert capsys.readouterr().err.startswith("scorer print: /dev/usb/lp77: there is no printer")
    assert run(table, tmp_path, "--game", "7") == 1
    assert capsys.readouterr().err == "scorer print: there is no game 7\n"
    assert run(table, tmp_path, "--preview", str(tmp_path)) == 1
    assert capsys.readouterr().err.startswith(f"scorer print: {tmp_path} cannot be written")


def test_before_the_first_press_of_a_box_there_is_nothing_to_print(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with running_table(tmp_path, write_config(tmp_path, NOWHERE)) as table:
        assert run(table, tmp_path) == 1
    assert capsys.readouterr().err == "scorer print: nothing has been played yet\n"


def test_without_a_table_it_says_where_it_looked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["print", "--config", "/none", "--socket", str(tmp_path / "table.sock")]) == 1
    told = f"scorer print: no table answers at {tmp_path}/table.sock: No such file or directory\n"
    assert capsys.readouterr().err == told


def test_a_wrong_file_costs_its_section_and_no_slip(
    table: InProcessTable, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "scorer.toml").write_text("[printer]\nwidth = 7\n", encoding="utf-8")
    assert run(table, tmp_path, "--socket", str(tmp_path / "table.sock")) == 0
    said = capsys.readouterr()
    assert "configuration, line 2: printer.width: wants one of 58, 80, not 7" in said.err
    assert "A Os Brabos" in said.out


def test_an_address_that_is_none_is_used_wrongly(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as leaving:
        main(["print", "--to", "tcp:a:b"])
    assert leaving.value.code == 2
    assert "'tcp:a:b' is not like" in capsys.readouterr().err


def test_the_section_has_defaults() -> None:
    assert PrinterSection() == PrinterSection(
        "", "game", 58, "CP858", table_number=-1, model="default", baud=9600, cut=True
    )
