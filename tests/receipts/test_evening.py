"""A real table and print process with a printer on a pseudo-terminal.

The table's time is simulated; tests wait only for messages of the print process.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from scorer.api.print_protocol import PrintResult
from scorer.api.server import listen
from scorer.config.printer import PrinterAddress
from scorer.table.print_client import AUTO_PRINT_DELAY_S
from tests.paths import ROOT
from tests.receipts.fake_printers import FINE, NO_PAPER, on_a_line, write_config
from tests.support.in_process_table import running_table
from tests.support.programs import killed, start_with_sockets


def environment(folder: Path) -> Mapping[str, str]:
    """Environment of a service; the library's data is read once for all processes."""
    cache = folder.parent / "escpos"
    cache.mkdir(exist_ok=True)
    return {**os.environ, "ESCPOS_CAPABILITIES_PICKLE_DIR": str(cache), "TMPDIR": str(folder)}


def command(folder: Path) -> list[str]:
    return ["-m", "scorer", "print", "--config", str(folder / "scorer.toml"), "--card", "/none"]


@contextmanager
def passed(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """The print process with the socket that systemd would have handed over."""
    with (folder / "stderr").open("w") as errors, listen(folder / "print.sock") as listening:
        sockets = {"": listening}
        yield from killed(
            start_with_sockets(sockets, command(folder), environment(folder), stderr=errors)
        )


@contextmanager
def by_systemd(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """The same, started as if by systemd on a connection."""
    kept = ("ESCPOS_CAPABILITIES_PICKLE_DIR", "TMPDIR", "PYTHONPATH")
    words = ["systemd-socket-activate", "--listen", str(folder / "print.sock")]
    words += [word for name in kept for word in ("--setenv", name)]
    words += [sys.executable, *command(folder)]
    own = environment(folder)
    with (folder / "stderr").open("w") as errors:
        yield from killed(subprocess.Popen(words, cwd=ROOT, env=own, stderr=errors, text=True))


WON = ("A.truco", "B.truco", "A.truco", "B.truco", "A.quiero", "A.tantos")


HAS_SYSTEMD = shutil.which("systemd-socket-activate") is not None


def test_an_evening_with_a_printer(tmp_path: Path) -> None:
    started = by_systemd if HAS_SYSTEMD else passed
    with on_a_line(NO_PAPER) as (printer, place):
        config = write_config(tmp_path, place)
        with running_table(tmp_path, config) as table, started(tmp_path):
            table.press("A.truco", "B.quiero", "A.tantos")
            table.request_slip()
            assert "imprimindo o cupom" in " ".join(table.text)
            assert table.wait_printed() is PrintResult.NO_PAPER
            assert "sem papel: ajustes > cupom" in " ".join(table.text)
            assert "impressora: sem papel" in table.status_text()
            assert printer.paper.lines == []

            printer.behaviour = FINE
            table.request_slip()
            assert table.wait_printed() is PrintResult.PRINTED
            assert "cupom impresso" in " ".join(table.text)
            assert "impressora: sem papel" not in table.status_text()

            table.press(*WON)
            assert table.table.document()["winner"] == "A"
            table.wait(AUTO_PRINT_DELAY_S)
            assert table.wait_printed() is PrintResult.PRINTED

            # Before its first press a game's slip is that of the previous one.
            table.press("A.quiero", "B.quiero")
            assert table.table.document()["score"] == {"A": 0, "B": 0}
            table.request_slip()
            assert table.wait_printed() is PrintResult.PRINTED
    told = [" ".join(line.split()) for line in printer.paper.lines]
    scores = [line.removeprefix("A Os Brabos ") for line in told if line.startswith("A Os")]
    assert scores == ["3", "12", "12"]
    assert told.index("partida não terminada") < told.index("vencedor: Os Brabos")
    assert printer.paper.cuts == 3
    assert bytes(printer.paper.strange) == b""


def test_without_a_print_process_it_is_said_and_nothing_else_happens(tmp_path: Path) -> None:
    with running_table(
        tmp_path, write_config(tmp_path, PrinterAddress(path="/dev/usb/lp77"))
    ) as table:
        table.press("A.tantos")
        table.request_slip()
        assert table.wait_printed() is PrintResult.OFF
        assert "falta scorer-print" in " ".join(table.text)
        assert table.table.document()["score"] == {"A": 1, "B": 0}
