"""What the table's unit may open and what it may not, tried from inside its fence.

The probe runs in a copy of the installed unit: every line of it but the program is the same. It
also runs outside, where root may do everything, or the refusals inside would mean nothing.
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
# No ordinary user is refused these.
BY_THE_FENCE_ALONE = {"internet", "internet 6", "netlink", "writable code", "32 bit"}
# What would start it again, hold its socket, or empty the table's own folder.
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
    """A program that runs where the table runs; the table goes on beside it."""
    guest = box.guest
    guest.shell("systemctl stop probe", check=False)
    guest.shell("cp /usr/lib/systemd/system/scorer.service /run/systemd/system/probe.service")
    guest.shell("sed -i '/^After=scorer.socket/d;/^Wants=/d' /run/systemd/system/probe.service")
    guest.write("/run/systemd/system/probe.service.d/probe.conf", OTHER.format(program=program))
    guest.shell("rm -f /run/probe.told /run/probe.said; systemctl daemon-reload")
    guest.shell("systemctl start probe")


def told_in_the_sandbox(box: Box) -> str:
    """What that program has printed, when it has ended."""
    guest = box.guest
    guest.wait_for(lambda: box.show("probe", "SubState")["SubState"] != "running", 120)
    assert not guest.shell("cat /run/probe.said"), guest.shell("cat /run/probe.said")
    return guest.shell("cat /run/probe.told")


Told = dict[str, dict[str, str]]  # what may be done and what may not, and how each attempt ended


@pytest.fixture
def running(shared_box: Box) -> Box:
    """A table that is only looked at, whatever it plays."""
    shared_box.guest.wait_for(shared_box.ready_at)
    return shared_box


@pytest.fixture
def probe(box: Box) -> Box:
    """The box with the probe in it."""
    box.guest.write("/opt/probe.py", PROBE.read_bytes())
    return box


def told_outside(probe: Box, *properties: str) -> Told:
    """What the probe tells where nothing is fenced off; its mounts stay its own."""
    words = " ".join(f"--property={each}" for each in ("PrivateMounts=yes", *properties))
    run = f"systemd-run --quiet --wait --pipe {words} --property=RuntimeDirectory=probe"
    return dict(json.loads(probe.guest.shell(f"{run} {PROGRAM}")))


def not_done(attempts: dict[str, str]) -> dict[str, str]:
    """Those that were refused, and how."""
    return {name: said for name, said in attempts.items() if said != "done"}


def test_it_may_do_what_it_must_and_nothing_else(probe: Box) -> None:
    start_in_the_sandbox(probe, PROGRAM)
    told = json.loads(told_in_the_sandbox(probe))
    allowed = [name for name, said in told["may not"].items() if said == "done"]
    assert (not_done(told["may"]), allowed) == ({}, [])


def test_outside_the_sandbox_all_of_it_succeeds(probe: Box, figures: Figures) -> None:
    told = told_outside(probe)
    assert not_done(told["may"]) | not_done(told["may not"]) == {}
    figures.note("refused in the sandbox, done by root outside", len(told["may not"]))


def test_it_is_not_only_its_user_that_keeps_it_in(probe: Box, figures: Figures) -> None:
    told = told_outside(probe, "User=scorer", f"SupplementaryGroups='{GROUPS}'")
    assert not_done(told["may"]) == {}
    freed = {name for name, said in told["may not"].items() if said == "done"}
    assert freed >= BY_THE_FENCE_ALONE
    figures.note("of these, done by the table's user outside", len(freed))


def test_the_fence_stands_around_the_running_table(running: Box) -> None:
    pid = running.show("scorer", "MainPID")["MainPID"]
    status = dict(
        re.findall(r"^(\w+):\s+(.*)$", running.guest.shell(f"cat /proc/{pid}/status"), re.MULTILINE)
    )
    assert status["NoNewPrivs"] == "1"
    assert status["Seccomp"] == "2", "no filter of system calls"
    assert {int(status[f"Cap{kind}"], 16) for kind in ("Inh", "Prm", "Eff", "Bnd", "Amb")} == {0}
    user = running.guest.shell("id --user scorer").strip()
    assert status["Uid"].split() == [user] * 4


def test_no_page_of_the_table_is_writable_code(running: Box) -> None:
    """MemoryDenyWriteExecute stands, with lgpio, Pillow and luma at work."""
    pid = running.show("scorer", "MainPID")["MainPID"]
    maps = running.guest.shell(f"cat /proc/{pid}/maps")
    assert "_lgpio" in maps
    assert not [line for line in maps.splitlines() if " rwxp " in line]
    assert running.show("scorer", "MemoryDenyWriteExecute")["MemoryDenyWriteExecute"] == "yes"


def test_exposure_is_as_little_as_is_promised(running: Box, figures: Figures) -> None:
    said = running.guest.shell("systemd-analyze security scorer --no-pager", check=False)
    found = re.search(r"exposure level for scorer.service: ([\d.]+)", said)
    assert found, said[-500:]
    figures.note("systemd-analyze security, with real devices", found[1])
    assert float(found[1]) <= MOST_EXPOSED
