"""``scorer voice`` as a process: its start, its configuration, its files, its end."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from scorer.cli import main
from scorer.voice.sound import read_wav
from tests.support.programs import ready
from tests.support.waiting import PATIENCE
from tests.voice.voiced_table import VoicedTable

NEEDS_ESPEAK = pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="needs espeak-ng")


@pytest.mark.parametrize("config", ["", "[voice]\non = false\n", "[voice]\nvolume = 500\n"])
def test_without_on_it_ends_with_a_sentence(
    config: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "scorer.toml").write_text(config)
    files = ["--config", str(tmp_path / "scorer.toml"), "--card", str(tmp_path / "none")]
    assert main(["voice", *files]) == 0
    assert "switched off; write on = true under [voice], or --on" in capsys.readouterr().err


def test_it_is_ready_without_a_table_and_ends_by_a_signal(tmp_path: Path) -> None:
    (tmp_path / "scorer.toml").write_text("[voice]\non = true\n")
    with ready(tmp_path, "voice", "--socket", str(tmp_path / "no.sock")) as process:
        pass
    assert process.returncode == 0


@NEEDS_ESPEAK
def test_it_writes_a_file_and_a_line_for_each_phrase(tmp_path: Path) -> None:
    table = VoicedTable(tmp_path / "table-read.sock")
    table.start()
    try:
        folder = tmp_path / "phrases"
        with ready(tmp_path, "voice", "--socket", str(table.path), "--to", str(folder)) as process:
            assert table.is_read.wait(PATIENCE) and process.stdout is not None
            spoken = []
            for line in ("A truco", "B no_quiero"):
                table.press(line)
                spoken.append(process.stdout.readline().strip())
        assert process.returncode == 0
        assert spoken == [
            "¡truco! vale dos.",
            "no quisieron el truco: uno para Los Pibes. Los Pibes, una mala; La Yunta, en cero.",
        ]
        short, long = (read_wav(path.read_bytes()).seconds for path in sorted(folder.iterdir()))
        assert 0.3 < short < long
    finally:
        table.stop()
