"""A hanging table is killed by the real systemd and restarts with its score.

The hang is real too: a debugger stops the relevant thread in the running process.
"""

from __future__ import annotations

import pytest

from tests.longrun.virtual_pi.box import Box
from tests.longrun.virtual_pi.figures import Figures

BACK = 20.0  # seconds from the hang to READY
CRY = "the loop hangs"
# Makes the next tick of the loop its last.
HANG = (
    "import sys, time, scorer.table.main_loop; scorer.table.main_loop.Loop._periodic = "
    f"lambda loop: (print('{CRY}', file=sys.stderr, flush=True), time.sleep(9999))"
)
DEAF = "import lgpio; lgpio._notify_thread.go = False"


@pytest.fixture
def played(box: Box) -> Box:
    """A box in mid-game: two points, and a pending call."""
    for button in ("A.truco", "B.quiero", "A.tantos"):
        box.press(button)
        box.guest.now(1.0)
    box.guest.wait_for(lambda: box.score() == {"A": 2, "B": 0}, 10, "two points")
    box.guest.now(5.0)
    return box


def came_back(box: Box, since: float, what: str, figures: Figures) -> None:
    """Assert a restart within the time limit, with the same score and picture."""
    before = box.pictures()
    box.guest.wait_for(lambda: box.restarts() == 1 and box.ready_at() > since, 60, "READY")
    took = box.ready_at() - since
    figures.note(f"{what} to READY", f"{took:.1f} s")
    assert took < BACK
    assert box.score() == {"A": 2, "B": 0}
    box.shows(before, 30)
    box.press("B.envido")
    box.waits_for("envido")


def test_a_hung_loop_is_restarted(played: Box, figures: Figures) -> None:
    pid = played.show("scorer", "MainPID")["MainPID"]
    played.inject(HANG)
    log = f"journalctl _PID={pid} -b -o short-monotonic --no-pager"
    find = f"{log} | grep '{CRY}' | tail -1"
    played.guest.wait_for(lambda: played.guest.shell(find, check=False), 30, CRY)
    since = float(played.guest.shell(find).strip(" [").split("]")[0])
    came_back(played, since, "hung loop", figures)
    assert "most recent call first" in played.guest.shell(log), "no thread told where it was"
    journal = played.guest.shell("journalctl -u scorer -b -o cat --no-pager | tail -100")
    assert "Watchdog timeout" in journal


@pytest.mark.slow
def test_a_process_that_ignores_signals_is_restarted(played: Box, figures: Figures) -> None:
    played.guest.shell("systemctl kill --signal=STOP scorer")
    came_back(played, played.guest.now(), "a stopped process", figures)


@pytest.mark.slow
def test_a_dead_input_thread_causes_a_restart(played: Box, figures: Figures) -> None:
    played.inject(DEAF)
    dead, *_ = played.press("B.truco")  # the next edge, which is lost, ends the thread
    came_back(played, dead, "a dead input thread", figures)


def test_a_crash_is_restarted(played: Box, figures: Figures) -> None:
    played.guest.shell("systemctl kill --signal=KILL scorer")
    came_back(played, played.guest.now(), "kill -9", figures)
