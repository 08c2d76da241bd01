"""A practice hall: its players end every match, and all of it ends with it."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import IO, Any

import pytest

from scorer.i18n import languages
from scorer.practice_hall.command import TABLES, main
from scorer.practice_hall.practice_table import Players
from scorer.rules import header_of, new_game
from scorer.rules.model import Match, Start
from scorer.session.values.countries import COUNTRIES
from scorer.session.values.hall import Assignment
from tests.hub.test_server import wait_for
from tests.paths import ROOT
from tools.bench.in_process_table import InProcessTable, folder

Json = dict[str, Any]
MOST_PRESSES = 600  # of a match


@pytest.mark.sampled(0)
@pytest.mark.parametrize("variant", sorted({each.proposed for each in COUNTRIES.values()}))
@pytest.mark.parametrize("best_of", [1, 3])
def test_players_end_and_agree_to_a_match_of_the_truco_of_every_language(
    variant: str, best_of: int
) -> None:
    header = header_of([("Variant", variant), ("Options", f"best_of={best_of}")])
    own = header.game()
    match = new_game(Start(own.rules, mano=own.mano, match=Match("Z1-R1-M1", "9f2c")))
    with folder() as store, ExitStack() as stack:
        table = InProcessTable(header, store, stack)
        table.assign(Assignment(17, match, ("Los Pibes", "La Yunta")))
        table.advance([], 1.0)
        waited = list[float]()
        players = Players(table, 1, waited.append)
        for _ in range(MOST_PRESSES * best_of):
            players.play()
            if table.report.state["match"]["phase"] == "agreed":
                break
        assert table.report.state["match"]["phase"] == "agreed"
        # Without a match to play they press nothing.
        seq = table.report.seq
        players.play()
        assert (table.report.seq, waited[-1]) == (seq, 1.0)


@contextmanager
def practice_hall(*words: str) -> Iterator[subprocess.Popen[str]]:
    """``scorer hub --demo`` with its output as text; it is killed after the block."""
    hall = subprocess.Popen(
        [sys.executable, "-m", "scorer", "hub", "--demo", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={key: each for key, each in os.environ.items() if "DISPLAY" not in key},
    )
    try:
        yield hall
    finally:
        hall.kill()
        hall.communicate()


def lines_until(output: IO[str] | None, last: str) -> str:
    """What a hall says until a line with ``last``."""
    assert output is not None
    said = list[str]()
    while last not in "".join(said):
        said.append(output.readline())
        assert said[-1], said
    return "".join(said)


def asked(address: str) -> Json:
    with urllib.request.urlopen(address, timeout=10) as answer:
        return dict(json.load(answer))


@pytest.mark.sampled(0)
def test_a_hall_plays_by_itself_and_leaves_nothing_behind() -> None:
    words = ("--tables", "2", "--speed", "40", "--language", "es-AR")
    # The path of a socket is short.
    with (
        tempfile.TemporaryDirectory(dir="/tmp") as name,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setenv("TMPDIR", name)
        with practice_hall(*words, "--listen", "127.0.0.1:0", "--secure", "127.0.0.1:0") as hall:
            said = lines_until(hall.stdout, "Ctrl-C")
            assert re.search(r"usuario demo, contraseña \w{10}\n", said)
            wall = re.findall(r"Cartelera: (http://\S+/)", said)[0]
            (kept,) = Path(name).iterdir()

            def results() -> int:
                (shown,) = asked(f"{wall}api/v1/tournaments")["tournaments"]
                document = asked(f"{wall}api/v1/tournaments/{shown['id']}")
                return sum(phase["played"] for phase in document["phases"])

            wait_for(lambda: results() > 2)
            hall.send_signal(signal.SIGTERM)
            assert hall.wait(60) == 0
            assert hall.stderr is not None and hall.stderr.read() == ""
            assert not kept.exists()
            with pytest.raises(OSError):
                asked(f"{wall}healthz")


@pytest.mark.sampled(0)
def test_a_hub_that_cannot_listen_is_said_and_nothing_stays(tmp_path: Path) -> None:
    with closing(socket.socket()) as taken, pytest.MonkeyPatch.context() as patch:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        patch.setenv("TMPDIR", str(tmp_path))
        busy = "{}:{}".format(*taken.getsockname())
        with practice_hall("--listen", busy, "--secure", "127.0.0.1:0") as hall:
            _, errors = hall.communicate(timeout=60)
            assert hall.returncode == 1
            assert f"cannot listen at {busy}" in errors
            assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize("words", [("--tables", "0"), ("--language", "xx"), ("backup", "x")])
def test_what_a_practice_hall_does_not_know_is_said(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main([*words])
    assert capsys.readouterr().err.startswith("usage: scorer hub --demo")


def test_the_tables_are_as_many_as_the_documents_say() -> None:
    assert TABLES == 8
    for name in ("hall.md", "hall.es.md", "hall.pt.md"):
        assert "scorer hub --demo" in (ROOT / "docs" / "operators" / name).read_text("utf-8")
    assert {each.partition("-")[0] for each in languages()} == {"ca", "en", "es", "pt"}
