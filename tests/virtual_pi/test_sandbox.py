"""What the table's unit may open and what it may not, tried from inside its fence.

The probe runs in a copy of the installed unit: every line of it but the program is the same.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from tests.virtual_pi.box import Box
from tests.virtual_pi.figures import Figures

MOST_EXPOSED = 0.5
PROBE = Path(__file__).with_name("inside_the_sandbox.py")
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


def test_it_may_do_what_it_must_and_nothing_else(box: Box) -> None:
    box.guest.write("/opt/probe.py", PROBE.read_bytes())
    start_in_the_sandbox(box, "/usr/bin/python3 -I /opt/probe.py")
    told = json.loads(told_in_the_sandbox(box))
    refused = {name: said for name, said in told["may"].items() if said != "done"}
    allowed = [name for name, said in told["may not"].items() if said == "done"]
    assert (refused, allowed) == ({}, [])


def test_the_fence_stands_around_the_running_table(box: Box) -> None:
    pid = box.show("scorer", "MainPID")["MainPID"]
    status = dict(
        re.findall(r"^(\w+):\s+(.*)$", box.guest.shell(f"cat /proc/{pid}/status"), re.MULTILINE)
    )
    assert status["NoNewPrivs"] == "1"
    assert status["Seccomp"] == "2", "no filter of system calls"
    assert {int(status[f"Cap{kind}"], 16) for kind in ("Inh", "Prm", "Eff", "Bnd", "Amb")} == {0}
    user = box.guest.shell("id --user scorer").strip()
    assert status["Uid"].split() == [user] * 4


def test_no_page_of_the_table_is_writable_code(box: Box) -> None:
    """MemoryDenyWriteExecute stands, with lgpio, Pillow and luma at work."""
    pid = box.show("scorer", "MainPID")["MainPID"]
    maps = box.guest.shell(f"cat /proc/{pid}/maps")
    assert "_lgpio" in maps
    assert not [line for line in maps.splitlines() if " rwxp " in line]
    assert box.show("scorer", "MemoryDenyWriteExecute")["MemoryDenyWriteExecute"] == "yes"


def test_exposure_is_as_little_as_is_promised(box: Box, figures: Figures) -> None:
    said = box.guest.shell("systemd-analyze security scorer --no-pager", check=False)
    found = re.search(r"exposure level for scorer.service: ([\d.]+)", said)
    assert found, said[-500:]
    figures.note("systemd-analyze security, with real devices", found[1])
    assert float(found[1]) <= MOST_EXPOSED
