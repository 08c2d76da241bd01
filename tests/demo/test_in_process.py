"""The simulated table in this process shows what it shows as a process of its own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scorer.demo import command
from scorer.demo.table_process import TableCommand
from tests.support.in_process_desk import desk_of

SCRIPT = """A truco
B quiero
A tantos hold 3
menu
unplug panel B
B envido
plug panel B
stuck A truco
A envido, power cut
wait 3
release A truco
A truco, power cut
power cut
undo
wait 400
"""
OF_A_PROCESS = ("pid",)


def played(script: Path, store: Path, capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    options = ["--script", str(script), "--json", "--light", "--language", "es-AR"]
    assert command.main([*options, "--clock", "2026-05-01T21:00", "--store", str(store)]) == 0
    results = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    return [{k: v for k, v in line.items() if k not in OF_A_PROCESS} for line in results]


@pytest.mark.sampled(0)
def test_a_script_has_the_same_results_in_this_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "script"
    script.write_text(SCRIPT, encoding="utf-8")
    in_a_child = played(script, tmp_path / "child", capsys)
    monkeypatch.setattr(TableCommand, "power_on", desk_of)
    here = played(script, tmp_path / "here", capsys)
    assert here == in_a_child
    assert len(here) == len(SCRIPT.splitlines())
