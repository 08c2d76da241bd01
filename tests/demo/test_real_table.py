"""The demo with the real table process: from presses to pixels, over power cuts."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from scorer.demo import command

# The others fork their table, which starts faster.
own_processes = pytest.mark.usefixtures("own_processes")

Told = dict[str, Any]
Play = Callable[..., list[Told]]


@pytest.fixture
def play(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Play:
    """Plays lines by ``scorer demo --script`` and returns the results."""

    def played(*lines: str, options: tuple[str, ...] = ()) -> list[Told]:
        script = tmp_path / "lines"
        script.write_text("\n".join(lines) + "\n", encoding="utf-8")
        code = command.main(["--script", str(script), "--json", "--language", "es-AR", *options])
        printed = capsys.readouterr()
        assert (code, printed.err) == (0, "")
        return [json.loads(line) for line in printed.out.splitlines()]

    return played


def _score(result: Told) -> tuple[int, int]:
    return result["state"]["score"]["A"], result["state"]["score"]["B"]


@pytest.mark.sampled(0)
@own_processes
def test_a_plain_hand_is_three_presses(play: Play, tmp_path: Path) -> None:
    folder = tmp_path / "frames"
    called, accepted, won = play(
        "A truco", "B quiero", "A tantos", options=("--frames", str(folder))
    )
    assert [result["press"] for result in (called, accepted, won)] == ["taken"] * 3
    assert called["state"]["pending"]["call"] == "truco"
    assert (called["screen"], called["lamps"]) == ("pending", {"A": "off", "B": "on"})
    assert "TRUCO" in called["text"]
    assert accepted["state"]["stake"] == 2
    assert (_score(won), won["screen"]) == ((2, 0), "hand_over")
    assert won["seq"] > accepted["seq"] > called["seq"]
    files = [file for result in (called, accepted, won) for file in result["files"]]
    assert sorted(path.name for path in folder.iterdir()) == sorted(files)
    with Image.open(folder / files[-1]) as last, Image.open(folder / files[-2]) as other:
        assert (last.mode, last.size) == ("1", (128, 64))
        assert last.getbbox() is not None
        assert last.tobytes() != other.tobytes(), "each panel has its own side on the left"


def test_with_one_panel_the_frames_are_numbered_plainly(play: Play, tmp_path: Path) -> None:
    (result,) = play("A truco", options=("--panels", "1", "--frames", str(tmp_path / "frames")))
    assert result["files"] == [f"{number:04}.png" for number in result["frames"]]
    assert len(result["frames"]) >= 2


@own_processes
def test_a_power_cut_in_the_middle_of_a_call_keeps_the_call(play: Play) -> None:
    called, cut, accepted = play("A truco", "power cut", "B quiero")
    assert cut["pid"] != called["pid"]
    assert cut["state"] == called["state"]
    assert (cut["screen"], cut["text"]) == (called["screen"], called["text"])
    assert cut["lamps"] == called["lamps"]
    assert accepted["state"]["stake"] == 2


def test_a_wrong_line_exits_with_two_after_the_results_before_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "night"
    script.write_text("A truco\nA trucco\nB quiero\n")
    assert command.main(["--script", str(script), "--json"]) == 2
    printed = capsys.readouterr()
    assert [json.loads(line)["line"] for line in printed.out.splitlines()] == ["A truco"]
    expected = f"{script}: line 2: 'A trucco': no button 'trucco'; did you mean 'truco'?"
    assert printed.err == f"scorer demo: {expected}\n"


@contextmanager
def _driven(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """A demo that reads its script from a pipe; its temporary files are in ``folder``."""
    process = subprocess.Popen(
        [sys.executable, "-m", "scorer", "demo", "--script", "-", "--json"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(folder)},
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def _ask(process: subprocess.Popen[str], line: str) -> Told:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(line + "\n")
    process.stdin.flush()
    result: Told = json.loads(process.stdout.readline())
    return result


@pytest.mark.sampled(0)
def test_each_line_is_answered_before_the_next_is_sent(tmp_path: Path) -> None:
    with _driven(tmp_path) as process:
        first = _ask(process, "A envido")
        assert first["state"]["pending"]["call"] == "envido"
        assert _ask(process, "B quiero")["line"] == "B quiero"
        assert list(tmp_path.iterdir()), "the temporary store is there while it plays"
        assert _is_alive(first["pid"])
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait() == 0
        assert not _is_alive(first["pid"])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.sampled(0)
def test_a_signal_ends_the_table_and_removes_the_temporary_store(tmp_path: Path) -> None:
    with _driven(tmp_path) as process:
        pid = _ask(process, "A envido")["pid"]
        process.send_signal(signal.SIGTERM)
        assert process.wait() == 128 + signal.SIGTERM
        assert not _is_alive(pid)
    assert list(tmp_path.iterdir()) == []


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
