"""``scorer demo --voice``: the voice process, and what it needs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from scorer.api.rights import Right, socket_path
from scorer.demo.command import main
from scorer.demo.voice_process import speaking
from tests.support.waiting import PATIENCE
from tests.voice.voiced_table import VoicedTable


@pytest.mark.sampled(0)
def test_it_speaks_for_the_table_of_the_demo_and_ends_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard = tmp_path / "heard"
    os.mkfifo(heard)
    (tmp_path / "espeak-ng").write_text(f"#!/bin/sh\ncat > {heard}\n")
    (tmp_path / "espeak-ng").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    socket = tmp_path / "table.sock"
    table = VoicedTable(socket_path(socket, Right.READ))
    table.start()
    try:
        with speaking(socket):
            assert table.is_read.wait(PATIENCE)
            table.press("A truco")
            assert heard.read_text(encoding="utf-8") == "¡truco! vale dos.\n"
    finally:
        table.stop()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--voice", "--front", "off", "--script", "-"], "--voice is for playing by hand"),
        (["--front", "8081", "--script", "-"], "--front is for playing by hand"),
        (["--voice", "--front", "0"], "--voice needs espeak-ng and aplay: apt install"),
        (["--voice", "phrases/", "--front", "0"], "--voice needs espeak-ng: apt install"),
    ],
)
def test_what_cannot_be_done_is_a_sentence(
    words: list[str],
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert main(words) == 2
    assert sentence in capsys.readouterr().err
