"""Network files: the Avahi service, and the unit of the Wi-Fi helper."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from scorer.cli import COMMANDS
from scorer.config.schema import WebSection
from scorer.system.wifi import command, joining, state
from scorer.system.wifi.command import CARD_FILE
from tests.system.test_units import HERE, INSTALLED, assignments, remarks_of, value, values

UNIT = "scorer-wifi.service"
AVAHI = HERE / "truco-scorer.avahi.service"
DTD = Path("/usr/share/avahi/avahi-service.dtd")
DOCUMENT = (HERE.parent / "docs" / "operators" / "network.md").read_text(encoding="utf-8")


def test_avahi_announces_the_port_of_the_web_service() -> None:
    root = ElementTree.parse(AVAHI).getroot()
    assert root.tag == "service-group"
    services = [(each.findtext("type"), each.findtext("port")) for each in root.iter("service")]
    assert services == [("_http._tcp", str(WebSection().port))]
    name = root.find("name")
    assert name is not None and name.get("replace-wildcards") == "yes"
    assert "%h" in (name.text or ""), "two boxes on one network need different names"
    assert INSTALLED[AVAHI.name] == "etc/avahi/services/truco-scorer.service"


def test_avahis_dtd_accepts_the_service_file(tmp_path: Path) -> None:
    if shutil.which("xmllint") is None or not DTD.exists():
        pytest.skip("no xmllint, or no rules of Avahi's: apt install libxml2-utils avahi-daemon")
    broken = tmp_path / "broken.service"
    broken.write_text(AVAHI.read_text(encoding="utf-8").replace("port>", "prt>"), encoding="utf-8")
    command = ["xmllint", "--noout", "--dtdvalid", str(DTD)]
    codes = [
        subprocess.run([*command, str(file)], capture_output=True, check=False).returncode
        for file in (AVAHI, broken)
    ]
    assert (codes[0], codes[1] != 0) == (0, True)


def test_the_helper_starts_an_existing_command() -> None:
    assert values(UNIT, "ExecStart") == ["/usr/bin/scorer", "wifi"]
    assert ("wifi", "scorer.system.wifi.command") in {
        (name, module) for name, module, _ in COMMANDS
    }


def test_the_helper_may_write_only_its_own_files() -> None:
    assert values(UNIT, "ReadWritePaths") == [f"-{joining.CONNECTIONS}", f"-{CARD_FILE.parent}"]
    assert Path("/run", value(UNIT, "RuntimeDirectory"), "state") == state.FILE
    assert value(UNIT, "ProtectSystem") == "strict"
    assert value(UNIT, "InaccessiblePaths") == "-/var/lib/scorer"


def test_the_helpers_timeout_exceeds_its_waits() -> None:
    longest = joining.JOIN_TIMEOUT_S + joining._HANG_GRACE_S
    assert int(value(UNIT, "TimeoutStartSec")) > 2 * longest


CLOSED = (
    ("a router comes later than the box",   "StartLimitIntervalSec=0",     "hour after"),
    ("its state would go as it ends",       "RemainAfterExit=yes",         "state file"),
    ("and between two tries",               "RuntimeDirectoryPreserve=restart", "next"),
    ("a wrong password is tried for ever",  "RestartPreventExitStatus=78", "refused"),
    ("root could do everything",            "CapabilityBoundingSet=CAP_NET_ADMIN", "capability"),
    ("others could read the password",      "UMask=0077",                  ""),
    ("others could not read the state",     "RuntimeDirectoryMode=0755",   "the result"),
    ("it could call home",                  "IPAddressDeny=any",           "no packet"),
    ("iw would see no radio",               "RestrictAddressFamilies=AF_UNIX AF_NET", "netlink"),
)  # fmt: skip


@pytest.mark.parametrize(("trap", "line", "word"), CLOSED, ids=[row[0] for row in CLOSED])
def test_a_known_trap_of_the_helper_is_closed(trap: str, line: str, word: str) -> None:
    assert any(f"] {line}" in each for each in assignments(UNIT)), trap
    assert word.lower() in remarks_of(UNIT).lower(), trap


def test_the_helper_is_disabled_by_default_and_not_required() -> None:
    postinst = (HERE.parent / "packaging" / "postinst").read_text(encoding="utf-8")
    enabled = re.search(r'^UNITS="([^"]+)"$', postinst, re.MULTILINE)
    assert enabled and UNIT not in enabled[1].split()
    disabled = re.search(
        r"^for unit in ([^;]+); do\n    deb-systemd-helper update-state", postinst, re.M
    )
    assert disabled and UNIT in disabled[1].split()
    others = ("scorer.service", "scorer.socket", "scorer-web.service")
    assert [line for other in others for line in assignments(other) if "wifi" in line] == []


def test_the_document_says_how_to_enable_it() -> None:
    assert "systemctl enable --now scorer-wifi" in DOCUMENT
    assert f"systemd.wants={UNIT}" in DOCUMENT
    assert str(command.CARD_FILE) in DOCUMENT
    assert str(joining.CONNECTIONS) in DOCUMENT
