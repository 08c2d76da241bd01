"""Lines of a service: repeats are counted, and a log that fails costs nothing."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path

import pytest

from scorer.system.service_log import PAUSE, ServiceLog
from tests.paths import ROOT


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_equal_lines_are_one_and_a_count(capsys: pytest.CaptureFixture[str]) -> None:
    clock = Clock()
    log = ServiceLog("scorer hub", clock)
    for _ in range(5):
        log("nothing was stored: the disk is full")
    log("the disk is back")
    log("the disk is back")
    clock.now = PAUSE
    log("the disk is back")
    log("the disk is back")
    assert capsys.readouterr().err.splitlines() == [
        "scorer hub: nothing was stored: the disk is full",
        "scorer hub: nothing was stored: the disk is full (4 times more)",
        "scorer hub: the disk is back",
        "scorer hub: the disk is back (1 times more)",
    ]


def test_two_lines_in_turn_are_both_written(capsys: pytest.CaptureFixture[str]) -> None:
    log = ServiceLog("scorer hub", Clock())
    for line in ("one", "two", "one"):
        log(line)
    assert capsys.readouterr().err.count("\n") == 3


@pytest.mark.parametrize("is_closed", [False, True])
def test_a_log_that_cannot_be_written_raises_nothing(
    monkeypatch: pytest.MonkeyPatch, is_closed: bool
) -> None:
    full = Path("/dev/full").open("w", encoding="utf-8")  # noqa: SIM115 - closing it fails
    if is_closed:
        full.close()
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stderr", full)
        ServiceLog("scorer hub", Clock())("x" * 100_000)
    with suppress(OSError):  # of what its buffer keeps
        full.close()


@pytest.mark.parametrize("package", ["hub", "link"])
def test_hub_and_link_write_their_log_by_it_alone(package: str) -> None:
    found = [
        path.name
        for path in (ROOT / "scorer" / package).rglob("*.py")
        if "sys.stderr.write" in path.read_text("utf-8")
    ]
    assert found == []
