"""``scorer check``: the file to check, and the commonest mistakes."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorer import cli

MISTAKES = (
    ("[table]\nvariant = paulista\n", 2, "straight quotes"),
    ("[table]\nvariant = “paulista”\n", 2, "straight quotes"),
    ('[table]\nlanguage = "en"\nlanguage = "es"\n', 3, "language is there twice, first in line 2"),
    ('[consoles.lines]\n"A.truco" = 26\n', 2, "GPIO 26 is already the button A.no_quiero"),
)


@pytest.mark.parametrize("how", [(), ("--config",)], ids=["the file", "--config"])
@pytest.mark.parametrize(("text", "line", "advice"), MISTAKES)
def test_a_common_mistake_is_explained(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    how: tuple[str, ...],
    text: str,
    line: int,
    advice: str,
) -> None:
    file = tmp_path / "scorer.toml"
    file.write_text(text, encoding="utf-8")
    assert cli.main(["check", *how, str(file), "--variants", str(tmp_path / "none")]) == 1
    (told,) = capsys.readouterr().out.splitlines()
    assert told.startswith(f"{file}:{line}: ") and advice in told


CHANGING = """
[consoles]
driver = "none"

[[box]]
driver = "keypad"
console = "A"
device = "/dev/input/event3"

[[box]]
console = "B"
port = "/dev/ttyACM0"

[[scoreboard]]
port = "/dev/serial/by-id/usb-Arduino_Uno-if00"
"""


def test_names_that_change_are_warned_about(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "scorer.toml"
    file.write_text(CHANGING, encoding="utf-8")
    assert cli.main(["check", str(file), "--variants", str(tmp_path / "none")]) == 0
    warnings = [line for line in capsys.readouterr().out.splitlines() if "look:" in line]
    assert warnings == [
        f"{file}: look: [box]: /dev/input/event3 may be another device after a start; "
        "scorer doctor --keys names it",
        f"{file}: look: [box]: /dev/ttyACM0 may be another device after a start; "
        "ls /dev/serial/by-id names it",
    ]
