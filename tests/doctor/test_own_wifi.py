"""The doctor on the box's own Wi-Fi: what is missing for it, where it is chosen."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorer.doctor import machine
from scorer.doctor.findings import format_line
from scorer.doctor.machine import HostMachine
from scorer.i18n import translator

ENGLISH = translator("en")


@pytest.mark.parametrize(
    ("programs", "socket", "wanted"),
    [
        (("usr/bin/nmcli", "usr/sbin/dnsmasq"), "active", []),
        (("usr/bin/nmcli",), "active", ["apt install dnsmasq-base"]),
        ((), "active", ["apt install network-manager", "apt install dnsmasq-base"]),
        (
            ("usr/bin/nmcli", "usr/sbin/dnsmasq"),
            "inactive",
            ["systemctl enable --now scorer-network.socket"],
        ),
    ],
)
def test_what_the_own_network_lacks_is_a_finding_where_it_is_chosen(
    tmp_path: Path, programs: tuple[str, ...], socket: str, wanted: list[str]
) -> None:
    for program in programs:
        (tmp_path / program).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / program).touch()
    state = f"LoadState=loaded\nActiveState={socket}\n"
    host = HostMachine(root=tmp_path, output=lambda command: state)
    found = [format_line(each, ENGLISH) for each in machine.check_own_wifi(host, is_chosen=True)]
    assert len(found) == len(wanted)
    for line, end in zip(found, wanted, strict=True):
        assert line.startswith("look  network") and line.endswith(f"sudo {end}")
    assert [*machine.check_own_wifi(host, is_chosen=False)] == []
