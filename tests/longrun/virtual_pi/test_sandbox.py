"""What the table's unit may access and what not, tried inside its sandbox.

The probe runs in a copy of the installed unit that differs only in the program. It also runs
outside as root, where everything must succeed; otherwise refusals inside would prove nothing.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.longrun.virtual_pi.box import Box
from tests.longrun.virtual_pi.figures import Figures

MOST_EXPOSED = 0.5
PROBE = Path(__file__).with_name("inside_the_sandbox.py")
PROGRAM = "/usr/bin/python3 -I /opt/probe.py"
GROUPS = "gpio i2c spi dialout input video"
# An ordinary user may do these.
BY_THE_FENCE_ALONE = {"internet", "internet 6", "netlink", "writable code", "32 bit"}
# Overrides that would restart it, share its socket, or empty the table's folder.
OTHER = """
[Service]
Type=exec
ExecStart=
ExecStart={program}
WatchdogSec=0
Restart=no
RuntimeDirectory=
RuntimeDirectory=probe
WorkingDirectory=/run/probe
StandardOutput=file:/run/probe.told
StandardError=file:/run/probe.said
"""


def start_in_the_sandbox(box: Box, program: str) -> None:
    """Run a program in the table's sandbox while the table goes on."""
    guest = box.guest
    guest.shell("systemctl stop probe", check=False)
    guest.shell("cp /usr/lib/systemd/system/scorer.service /run/systemd/system/probe.service")
    guest.shell("sed -i '/^After=scorer.socket/d;/^Wants=/d' /run/systemd/system/probe.service")
    guest.write("/run/systemd/system/probe.service.d/probe.conf", OTHER.format(program=program))
    guest.shell("rm -f /run/probe.told /run/probe.said; systemctl daemon-reload")
    guest.shell("systemctl start probe")


def told_in_the_sandbox(box: Box) -> str:
    """The output of that program after it has ended."""
    guest = box.guest
    guest.wait_for(lambda: box.show("probe", "SubState")["SubState"] != "running", 120)
    assert not guest.shell("cat /run/probe.said"), guest.shell("cat /run/probe.said")
    return guest.shell("cat /run/probe.told")


Told = dict[str, dict[str, str]]  # permitted and forbidden attempts, and the outcome of each


@pytest.fixture
def running(shared_box: Box) -> Box:
    """A running table in any state; tests must not change it."""
    shared_box.guest.wait_for(shared_box.ready_at)
    return shared_box


@pytest.fixture
def probe(box: Box) -> Box:
    box.guest.write("/opt/probe.py", PROBE.read_bytes())
    return box


def told_outside(probe: Box, *properties: str) -> Told:
    """The output of the probe outside the sandbox; only its mounts are private."""
    words = " ".join(f"--property={each}" for each in ("PrivateMounts=yes", *properties))
    run = f"systemd-run --quiet --wait --pipe {words} --property=RuntimeDirectory=probe"
    return dict(json.loads(probe.guest.shell(f"{run} {PROGRAM}")))


def not_done(attempts: dict[str, str]) -> dict[str, str]:
    """The attempts that were refused, and how."""
    return {name: outcome for name, outcome in attempts.items() if outcome != "done"}


def test_the_sandbox_permits_what_is_needed_and_nothing_else(probe: Box) -> None:
    start_in_the_sandbox(probe, PROGRAM)
    attempts = json.loads(told_in_the_sandbox(probe))
    allowed = [name for name, outcome in attempts["may not"].items() if outcome == "done"]
    assert (not_done(attempts["may"]), allowed) == ({}, [])


def test_every_attempt_succeeds_outside_the_sandbox(probe: Box, figures: Figures) -> None:
    attempts = told_outside(probe)
    assert not_done(attempts["may"]) | not_done(attempts["may not"]) == {}
    figures.note("refused in the sandbox, done by root outside", len(attempts["may not"]))


def test_the_sandbox_refuses_more_than_its_user_alone(probe: Box, figures: Figures) -> None:
    attempts = told_outside(probe, "User=scorer", f"SupplementaryGroups='{GROUPS}'")
    assert not_done(attempts["may"]) == {}
    freed = {name for name, outcome in attempts["may not"].items() if outcome == "done"}
    assert freed >= BY_THE_FENCE_ALONE
    figures.note("of these, done by the table's user outside", len(freed))


def test_the_running_table_is_sandboxed(running: Box) -> None:
    pid = running.show("scorer", "MainPID")["MainPID"]
    status = dict(
        re.findall(r"^(\w+):\s+(.*)$", running.guest.shell(f"cat /proc/{pid}/status"), re.MULTILINE)
    )
    assert status["NoNewPrivs"] == "1"
    assert status["Seccomp"] == "2", "no filter of system calls"
    assert {int(status[f"Cap{kind}"], 16) for kind in ("Inh", "Prm", "Eff", "Bnd", "Amb")} == {0}
    user = running.guest.shell("id --user scorer").strip()
    assert status["Uid"].split() == [user] * 4


def test_no_page_of_the_table_is_writable_and_executable(running: Box) -> None:
    """MemoryDenyWriteExecute is on, with lgpio, Pillow and luma loaded."""
    pid = running.show("scorer", "MainPID")["MainPID"]
    maps = running.guest.shell(f"cat /proc/{pid}/maps")
    assert "_lgpio" in maps
    assert not [line for line in maps.splitlines() if " rwxp " in line]
    assert running.show("scorer", "MemoryDenyWriteExecute")["MemoryDenyWriteExecute"] == "yes"


def test_exposure_is_as_low_as_documented(running: Box, figures: Figures) -> None:
    output = running.guest.shell("systemd-analyze security scorer --no-pager", check=False)
    found = re.search(r"exposure level for scorer.service: ([\d.]+)", output)
    assert found, output[-500:]
    figures.note("systemd-analyze security, with real devices", found[1])
    assert float(found[1]) <= MOST_EXPOSED
