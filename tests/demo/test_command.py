"""The command line of ``scorer demo``: rejected arguments and environment."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from scorer.demo import command
from scorer.demo.table_process import TableCommand

REFUSED = (
    # arguments                                       part of stderr
    ((),                                              "use --script FILE"),
    (("--json",),                                     "--frames and --clock go with --script"),
    (("--frames", "out"),                             "--frames and --clock go with --script"),
    (("--script", "-", "--variant", "argentina"),     "did you mean 'argentine'?"),
    (("--script", "-", "--options", "taget=3"),       "did you mean 'target'?"),
    (("--script", "-", "--options", "target"),        "'target' in Options is not key=value"),
    (("--script", "-", "--options", "target=9999"),   "target=9999"),
)  # fmt: skip


@pytest.mark.parametrize(("arguments", "sentence"), REFUSED, ids=lambda each: str(each))
def test_an_impossible_demo_is_reported_with_exit_code_two(
    arguments: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    # Under pytest standard input is not a terminal.
    assert command.main(list(arguments)) == 2
    printed = capsys.readouterr()
    assert (printed.out, printed.err.count("\n")) == ("", 1)
    assert sentence in printed.err


def test_an_unknown_option_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        command.main(["--layout", "tiny"])
    assert ended.value.code == 2
    assert "full" in capsys.readouterr().err


def test_the_help_fits_one_screen_and_shows_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        command.main(["--help"])
    lines = capsys.readouterr().out.splitlines()
    assert ended.value.code == 0
    assert len(lines) <= 24
    assert all(len(line) <= 80 for line in lines)
    assert any(line.startswith("example") for line in lines)


def test_the_table_is_started_with_all_chosen_options() -> None:
    table = TableCommand("paulista", "target=9", "pt-BR", "compact", 1, "/s", "/k", ("Ana", "Rui"))
    assert table.command(7.5, ["A.truco", "undo"]) == [
        sys.executable,
        *("-m", "scorer", "run", "--desk", "--variant", "paulista", "--options", "target=9"),
        *("--language", "pt-BR", "--layout", "compact", "--panels", "1", "--store", "/s"),
        *("--at", "7.5", "--socket", "/k", "--names", "Ana", "Rui", "--down", "A.truco undo"),
    ]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("arguments", "variant"),
    [
        (("--language", "pt-BR"), "paulista"),
        (("--language", "es-UY"), "uruguayan"),
        (("--language", "en"), "argentine"),
        (("--language", "pt-BR", "--variant", "mineiro"), "mineiro"),
    ],
)
def test_the_truco_is_the_usual_one_of_the_language(
    arguments: tuple[str, ...],
    variant: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    script = tmp_path / "hand.script"
    script.write_text("A truco\n")
    assert command.main([*arguments, "--script", str(script), "--json"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[0])["state"]["variant"] == variant


def test_a_missing_script_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    missing = tmp_path / "night.script"
    assert command.main(["--script", str(missing)]) == 2
    assert capsys.readouterr().err == f"scorer demo: {missing}: No such file or directory\n"


def test_without_textual_the_error_says_how_to_install_it(tmp_path: Path) -> None:
    # A package of that name that cannot be imported shadows the real one.
    (tmp_path / "textual.py").write_text("raise ModuleNotFoundError('no', name='textual')\n")
    controller, terminal = pty.openpty()
    path = os.pathsep.join([str(tmp_path), str(Path.cwd())])
    played = subprocess.run(
        [sys.executable, "-m", "scorer", "demo"],
        env={**os.environ, "PYTHONPATH": path, "TERM": "xterm"},
        stdin=terminal,
        stdout=terminal,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(controller)
    os.close(terminal)
    assert played.returncode == 2
    assert "run make setup in" in played.stderr


def test_the_script_driver_never_imports_textual() -> None:
    program = (
        "import sys; from scorer.demo import command; from scorer.demo import script_player;"
        "sys.exit('textual' in sys.modules or 'rich' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
