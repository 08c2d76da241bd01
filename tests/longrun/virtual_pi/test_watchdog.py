"""A table that hangs is shot and comes back with its score, by the real systemd.

How it hangs is not mocked either: a debugger stops the thread that matters in the living process.
"""

from __future__ import annotations

import pytest

from tests.longrun.virtual_pi.box import Box
from tests.longrun.virtual_pi.figures import Figures

BACK = 20.0  # seconds from the hang to READY
CRY = "the loop hangs"
# The next tick of the loop is its last.
HANG = (
    "import sys, time, scorer.table.main_loop; scorer.table.main_loop.Loop._periodic = "
    f"lambda loop: (print('{CRY}', file=sys.stderr, flush=True), time.sleep(9999))"
)
DEAF = "import lgpio; lgpio._notify_thread.go = False"


@pytest.fixture
def played(box: Box) -> Box:
    """A box with something to lose: two points, and a call that waits."""
    for button in ("A.truco", "B.quiero", "A.tantos"):
        box.press(button)
        box.guest.now(1.0)
    box.guest.wait_for(lambda: box.score() == {"A": 2, "B": 0}, 10, "two points")
    box.guest.now(5.0)
    return box


def came_back(box: Box, since: float, what: str, figures: Figures) -> None:
    """It was started again within the time that is promised, with the same score and picture."""
    seen = box.pictures()
    box.guest.wait_for(lambda: box.restarts() == 1 and box.ready_at() > since, 60, "READY")
    took = box.ready_at() - since
    figures.note(f"{what} to READY", f"{took:.1f} s")
    assert took < BACK
    assert box.score() == {"A": 2, "B": 0}
    box.shows(seen, 30)
    box.press("B.envido")
    box.waits_for("envido")


def test_a_hung_loop(played: Box, figures: Figures) -> None:
    pid = played.show("scorer", "MainPID")["MainPID"]
    played.inject(HANG)
    log = f"journalctl _PID={pid} -b -o short-monotonic --no-pager"
    told = f"{log} | grep '{CRY}' | tail -1"
    played.guest.wait_for(lambda: played.guest.shell(told, check=False), 30, CRY)
    since = float(played.guest.shell(told).strip(" [").split("]")[0])
    came_back(played, since, "hung loop", figures)
    assert "most recent call first" in played.guest.shell(log), "no thread told where it was"
    said = played.guest.shell("journalctl -u scorer -b -o cat --no-pager | tail -100")
    assert "Watchdog timeout" in said


@pytest.mark.slow
def test_a_process_that_hears_no_signal(played: Box, figures: Figures) -> None:
    played.guest.shell("systemctl kill --signal=STOP scorer")
    came_back(played, played.guest.now(), "a stopped process", figures)


@pytest.mark.slow
def test_an_input_thread_that_has_died(played: Box, figures: Figures) -> None:
    played.inject(DEAF)
    dead, *_ = played.press("B.truco")  # what ends the thread is the next edge, which is lost
    came_back(played, dead, "a dead input thread", figures)


def test_a_crash(played: Box, figures: Figures) -> None:
    played.guest.shell("systemctl kill --signal=KILL scorer")
    came_back(played, played.guest.now(), "kill -9", figures)
