"""``scorer run --mock``: its messages, its places and its presses."""

from __future__ import annotations

import io
import os
import queue
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from scorer.commands import mock_run
from scorer.config.schema import SocketSection, StoreSection
from scorer.config.sources import OWNER_FILE
from scorer.store import file
from scorer.table.loop_commands import LoopCommand
from scorer.table.simulation import SimulatedPower, Simulation
from tests.paths import ROOT
from tests.support.service_process import TIMEOUT_S, connected_client

BOX_STORE, BOX_SOCKET = Path(StoreSection().directory), Path(SocketSection().path)


class MockTable:
    """A running ``scorer run --mock`` with a pipe as its terminal."""

    def __init__(self, arguments: Sequence[str]) -> None:
        environment = {k: v for k, v in os.environ.items() if not k.startswith("DBUS_")}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "scorer", "run", "--mock", "--no-card", *arguments],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self._lines.put(line.rstrip("\n"))

    def line_with(self, words: str) -> str:
        """The next line of stderr that contains these words."""
        while words not in (line := self._lines.get(timeout=TIMEOUT_S)):
            pass
        return line

    def type(self, text: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()

    def close(self) -> None:
        self.process.wait(TIMEOUT_S)
        self._reader.join(TIMEOUT_S)
        for stream in (self.process.stdin, self.process.stderr):
            assert stream is not None
            stream.close()

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(TIMEOUT_S)

    def rest(self) -> str:
        """Everything said that was not read yet, after the end."""
        self._reader.join(TIMEOUT_S)
        return "\n".join(self._lines.get() for _ in range(self._lines.qsize()))


@contextmanager
def mock_table(*arguments: str) -> Iterator[MockTable]:
    table = MockTable(arguments)
    try:
        yield table
    finally:
        table.process.kill()
        table.close()


def places_of(table: MockTable) -> tuple[Path, Path]:
    """Store and socket, as the table names them."""
    line = table.line_with("simulated pins and panels")
    found = re.search(r"the games in (\S+); to see the table: scorer web --socket (\S+) ", line)
    assert found is not None, line
    return Path(found[1]), Path(found[2])


def test_without_a_place_of_its_own_it_uses_a_temporary_folder(tmp_path: Path) -> None:
    config = tmp_path / "scorer.toml"
    config.write_text('table.variant = "argentine"\n', encoding="utf-8")
    before = BOX_STORE.exists()
    with mock_table("--config", str(config)) as table:
        store, socket = places_of(table)
        assert BOX_STORE not in (store, *store.parents)
        assert socket != BOX_SOCKET
        assert "such as A.truco" in table.line_with("type a button and Enter")
        table.type("A.trucco")
        assert "did you mean 'A.truco'?" in table.line_with("no button 'A.trucco'")
        table.type("A.truco")
        with connected_client(socket) as calling:
            assert calling.state_at(1)["pending"]["call"] == "truco"
        assert (store / file.FILE_NAME).exists()
        assert table.stop() == 0
        said = table.rest()
    assert not store.parent.exists(), "the folder was temporary"
    assert BOX_STORE.exists() == before
    assert "logind" not in said
    assert "no socket" not in said


def test_a_named_store_is_kept(tmp_path: Path) -> None:
    with mock_table("--store", str(tmp_path / "games")) as table:
        store, _ = places_of(table)
        table.line_with("type a button")
        assert store == tmp_path / "games"
        table.stop()
    assert (store / file.FILE_NAME).exists()


def test_a_store_without_mock_is_refused(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "scorer", "run", "--store", str(tmp_path), "--no-card"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "--store goes with --mock" in done.stderr


@pytest.mark.parametrize("is_installed", [True, False])
def test_the_places_of_a_box_are_replaced_and_those_of_a_desk_are_used(
    tmp_path: Path, is_installed: bool
) -> None:
    simulation = Simulation(lambda: tmp_path, is_installed=is_installed)
    assert simulation.store_for(BOX_STORE) == tmp_path / "store"
    assert simulation.socket_for(BOX_SOCKET) == tmp_path / "table.sock"
    own = Path("/data/scorer")
    wanted = tmp_path / "store" if is_installed else own
    assert simulation.store_for(own) == wanted
    given = Simulation(lambda: tmp_path, Path("games"), is_installed)
    assert given.store_for(BOX_STORE) == given.store_for(own) == Path("games")


def test_the_installed_file_is_known_by_every_name(tmp_path: Path) -> None:
    link = tmp_path / "mine.toml"
    link.symlink_to(OWNER_FILE)
    assert mock_run._is_installed(OWNER_FILE)
    assert mock_run._is_installed(link)
    assert not mock_run._is_installed(tmp_path / "scorer.toml")


def test_the_temporary_folder_is_created_once_and_only_when_needed(tmp_path: Path) -> None:
    with ExitStack() as stack:
        folder = mock_run._temporary_folder(stack)
        assert folder() is folder()
        place = folder()
        assert place.is_dir()
    assert not place.exists()


def test_a_plus_holds_the_button(monkeypatch: pytest.MonkeyPatch) -> None:
    moves: list[object] = []
    monkeypatch.setattr(mock_run, "set_mock_pin", lambda pin, down: moves.append((pin, down)))
    pins = {"undo": 20, "A.truco": 5}
    mock_run.press_buttons(["undo+\n", "\n", "A.truco\n"], pins, moves.append, moves.append)
    hold, tap = mock_run.HOLD_S, mock_run.TAP_S
    assert moves == [(20, True), hold, (20, False), (5, True), tap, (5, False)]


def test_switching_off_ends_the_simulated_table_only(capsys: pytest.CaptureFixture[str]) -> None:
    commands: list[LoopCommand] = []
    SimulatedPower(commands.append).switch_off()
    assert commands == [LoopCommand.SHUTTING_DOWN]
    assert "would switch off" in capsys.readouterr().err


def test_a_stream_that_is_no_terminal_may_be_read() -> None:
    assert mock_run._may_read(io.StringIO())
    assert not mock_run._may_read(None)
