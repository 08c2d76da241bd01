"""The meter of processor time counts what a command and its children take."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tools import processor

# Takes a quarter of a second of a processor.
BUSY = "import time\nwhile time.process_time() < 0.25: pass\nprint('3 passed, 1 failed')"
# Its child goes on when it has ended.
PARENT = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {BUSY!r}])"


def run(code: str, counter: processor.Meter, folder: Path) -> processor.Run:
    return counter.run(sys.executable, "-c", code, folder=folder, environment=os.environ)


def test_a_command_takes_what_its_process_took(tmp_path: Path) -> None:
    with processor.meter() as counter:
        done = run(BUSY, counter, tmp_path)
    assert done.seconds >= 0.25
    assert (done.tests, done.succeeded) == (3, True)


def test_a_child_that_outlives_its_parent_counts_in_a_cgroup(tmp_path: Path) -> None:
    with processor.meter() as counter:
        if not counter.includes_daemons:
            pytest.skip("no cgroup can be made here")
        assert run(PARENT, counter, tmp_path).seconds >= 0.25


def test_without_a_cgroup_children_that_have_ended_count(tmp_path: Path) -> None:
    counter = processor.Meter(None)
    assert not counter.includes_daemons
    assert run(BUSY, counter, tmp_path).seconds >= 0.25


def test_a_command_that_fails_keeps_its_output(tmp_path: Path) -> None:
    done = run("import sys; sys.exit('out of beans')", processor.Meter(None), tmp_path)
    assert (done.output, done.succeeded, done.tests) == ("out of beans\n", False, 0)
