"""The systemd units: valid, well sandboxed, and without known pitfalls.

The files are laid out in a root folder of their own, as the package installs them, and checked
there with systemd's own tools. Nothing is installed or started on this machine.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from scorer.api.backup_protocol import backup_socket_path
from scorer.api.print_protocol import print_socket_path
from scorer.api.rights import Right, socket_path
from scorer.api.settings_protocol import settings_socket_path
from scorer.cli import COMMANDS
from scorer.commands.settings import READERS
from scorer.commands.settings import UNITS as UNITS_OF_SETTINGS
from scorer.config import page_file
from scorer.config.hub_section import HubSection
from scorer.config.schema import MAX_VIEWERS, SocketSection, StoreSection, WebSection
from scorer.config.sources import OWNER_FILE
from scorer.hub import halls
from scorer.hw.serial.radio_port import SOCKET as RADIO_SOCKET
from scorer.link.service import WATCHDOG_INTERVAL as LINK_WATCHDOG_INTERVAL
from scorer.plain_values import WrongValues, read
from scorer.radio.service import WATCHDOG_INTERVAL as RADIO_WATCHDOG_INTERVAL
from scorer.serving.server import WATCHDOG_INTERVAL
from scorer.table.desk_client import desk_socket_path
from scorer.table.desk_passwords import hub_folder
from scorer.table.main_loop import TICK_S
from scorer.voice.service import WATCHDOG_INTERVAL as VOICE_WATCHDOG_INTERVAL
from tests.paths import ROOT

CONNECTION_KIB = 40  # of an idle connection with TLS; make attack measures it

HERE = ROOT / "systemd"
DOCUMENT = (ROOT / "docs" / "operators" / "service.md").read_text(encoding="utf-8")
WEB_DOCUMENT = (ROOT / "docs" / "operators" / "web.md").read_text(encoding="utf-8")
# The table in the document is the list of installed files.
INSTALLED: dict[str, str] = dict(
    re.findall(r"^\| `([\w.@-]+)` \| `/([\w./@-]+)` \|", DOCUMENT, re.MULTILINE)
)
UNITS = ("scorer.service", "scorer.socket")
# Other services; each has its own sandbox, checked below.
OTHER_SERVICES = (
    "scorer-web.service",
    "scorer-wifi.service",
    "scorer-hub.service",
    "scorer-hub@.service",
    "scorer-link.service",
    "scorer-print.service",
    "scorer-voice.service",
    "scorer-radio.service",
    "scorer-backup.service",
    "scorer-desk.service",
    "scorer-reset.service",
    "scorer-settings.service",
    "scorer-network.service",
    "scorer-portal.service",
)
OTHER_SOCKETS = (
    "scorer-hall.socket",
    "scorer-phone.socket",
    "scorer-read.socket",
    "scorer-print.socket",
    "scorer-backup.socket",
    "scorer-desk.socket",
    "scorer-hub@.socket",
    "scorer-radio.socket",
    "scorer-owner.socket",
    "scorer-settings.socket",
    "scorer-network.socket",
    "scorer-portal.socket",
)
# The sockets of the table by right.
TABLE_SOCKETS = {
    Right.TABLE: "scorer.socket",
    Right.HALL: "scorer-hall.socket",
    Right.PHONE: "scorer-phone.socket",
    Right.READ: "scorer-read.socket",
    Right.OWNER: "scorer-owner.socket",
}
# Part of every Debian, but not of the test root.
TARGETS = ("basic", "local-fs", "multi-user", "network", "shutdown", "sockets", "sysinit")


def text_of(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8")


def lines_of(name: str) -> list[str]:
    """The lines of a file without comments."""
    return [line for line in text_of(name).splitlines() if line and not line.startswith("#")]


def assignments(name: str) -> list[str]:
    """A unit's assignments, each with its section: ``[Service] Type=notify``."""
    section, found = "", []
    for line in lines_of(name):
        if line.startswith("["):
            section = line
        else:
            found.append(f"{section} {line}")
    return found


def remarks_of(name: str) -> str:
    """A unit's comments as one text."""
    comments = [line[1:].strip() for line in text_of(name).splitlines() if line.startswith("#")]
    return " ".join(comments)


def values(name: str, key: str) -> list[str]:
    """All words that a unit assigns to a key, in order."""
    found = [line.partition("=") for line in assignments(name)]
    return [word for left, _, right in found if left.endswith(f"] {key}") for word in right.split()]


def value(name: str, key: str) -> str:
    """The single word that a unit assigns to a key."""
    (word,) = values(name, key)
    return word


# ---- checks by systemd --------------------------------------------------------------------------


class Output(NamedTuple):
    """The exit status and output of a program."""

    status: int
    text: str


def run_tool(tool: str, *arguments: str) -> Output:
    """Run one of systemd's tools; skip the test if it is not installed."""
    if shutil.which(tool) is None:
        package = "udev" if tool == "udevadm" else "systemd"
        pytest.skip(f"{tool} is not installed: apt install {package}")
    done = subprocess.run(
        [tool, *arguments],
        env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "SYSTEMD_COLORS": "0"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    return Output(done.returncode, done.stdout)


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A root with our files as packaged, and the minimum of a Debian around them."""
    for name, place in INSTALLED.items():
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(HERE / name, tmp_path / place)
    for target in TARGETS:
        unit = f"[Unit]\nDescription={target}\n"
        (tmp_path / f"usr/lib/systemd/system/{target}.target").write_text(unit)
    program = tmp_path / "usr/bin/scorer"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    (tmp_path / "etc").mkdir(exist_ok=True)
    # As `scorer hubs` writes it for each hall.
    ports = tmp_path / "etc/systemd/system/scorer-hub@.socket.d/ports.conf"
    ports.parent.mkdir(parents=True)
    ports.write_text("[Socket]\nListenStream=0.0.0.0:20000\nListenStream=0.0.0.0:20001\n")
    return tmp_path


def verify(package: Path) -> Output:
    options = ("--man=no", "--recursive-errors=yes", f"--root={package}")
    return run_tool("systemd-analyze", "verify", *options, *UNITS, *OTHER_SERVICES, *OTHER_SOCKETS)


def security(unit: Path, *options: str) -> Output:
    return run_tool(
        "systemd-analyze", "security", "--no-pager", "--offline=true", *options, str(unit)
    )


def edit(package: Path, name: str, old: str, new: str) -> Path:
    """Replace text in an installed unit, which must contain it."""
    unit = package / INSTALLED[name]
    before = unit.read_text(encoding="utf-8")
    assert old in before
    unit.write_text(before.replace(old, new), encoding="utf-8")
    return unit


def test_every_file_is_in_the_document_with_its_path() -> None:
    assert set(INSTALLED) == {path.name for path in HERE.iterdir()}


def test_systemd_verifies_the_units(package: Path) -> None:
    assert verify(package) == Output(0, "")


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("\nPrivateIPC=",   "\nPrivateIPX=",   "Unknown key"),
        ("/usr/bin/scorer", "/usr/bin/scorre", "not executable"),
        ("\nType=notify",   "\nType=notified", "Failed to parse"),
    ],
)  # fmt: skip
def test_systemd_detects_mistakes(package: Path, old: str, new: str, complaint: str) -> None:
    edit(package, "scorer.service", old, new)
    assert complaint in verify(package).text


def test_the_exposure_of_the_table_is_half_a_point_at_most(package: Path) -> None:
    output = security(package / INSTALLED["scorer.service"], "--threshold=5")
    figure = re.search(r"Overall exposure level for scorer\.service: ([\d.]+)", output.text)
    assert figure, output.text
    assert float(figure[1]) <= 0.5
    assert output.status == 0


@pytest.mark.parametrize("kept", ["PrivateUsers=yes", "ProtectSystem=strict", "PrivateNetwork=yes"])
def test_without_one_restriction_the_exposure_is_too_high(package: Path, kept: str) -> None:
    unit = edit(package, "scorer.service", f"\n{kept}\n", f"\n{kept.partition('=')[0]}=no\n")
    assert security(unit, "--threshold=5").status != 0


def exposure(name: str) -> float:
    """systemd's exposure score of a unit: 0 may do nothing, 10 everything."""
    output = security(HERE / name)
    shown = name.replace("@.", "@i.")  # systemd takes an instance of a template
    figure = re.search(rf"Overall exposure level for {re.escape(shown)}: ([\d.]+)", output.text)
    assert figure, output.text
    return float(figure[1])


@pytest.mark.parametrize("name", OTHER_SERVICES)
def test_the_exposure_of_other_services_is_low(name: str) -> None:
    assert exposure(name) <= 1.6


PITFALLS = {
    "web": (
        ("it keeps nothing and is nobody", "DynamicUser=yes", "stores nothing"),
        (
            "it may press for phones, not score",
            "SupplementaryGroups=scorer-phone",
            "no other request",
        ),
        ("the games are not its to read", "InaccessiblePaths=-/var/lib/scorer", "games"),
        ("the street sees nothing", "IPAddressDeny=any", "by mistake"),
        ("a hung page shows an old score", "WatchdogSec=", "old score"),
        ("the kernel ends it before the table", "OOMScoreAdjust=500", "lower priority"),
        ("five quick crashes would end it", "StartLimitIntervalSec=0", ""),
        ("many viewers are many descriptors", "LimitNOFILE=", "descriptors"),
    ),
    "link": (
        ("the bus refuses dynamic users", "User=scorer-link", "Avahi finds halls"),
        ("others would read the token", "StateDirectoryMode=0700", "nothing else"),
        ("it may assign a match, not score", "SupplementaryGroups=scorer-hall", "no step"),
        ("the games are not its to read", "InaccessiblePaths=-/var/lib/scorer", "games"),
        ("a hall is in the house", "IPAddressDeny=any", "on the internet"),
        ("an idle box would be woken", "WatchdogSec=180", "wake an idle box"),
        ("the broker would stop the link", "OOMPolicy=continue", "the link goes on"),
        ("five quick crashes would end it", "StartLimitIntervalSec=0", ""),
    ),
    "voice": (
        ("it keeps nothing and is nobody", "DynamicUser=yes", "stores nothing"),
        ("no group, no sound card", "SupplementaryGroups=scorer-read audio", "sound cards"),
        ("the games are not its to read", "InaccessiblePaths=-/var/lib/scorer", "it requests"),
        ("it needs no network", "PrivateNetwork=yes", "AF_UNIX is the table"),
        ("a node is gone when it is plugged in", "DeviceAllow=char-alsa rw", "not by node"),
        ("an idle box would be woken", "WatchdogSec=180", "wake an idle box"),
        ("a large voice would stop the service", "OOMPolicy=continue", "killed first"),
        ("five quick crashes would end it", "StartLimitIntervalSec=0", ""),
    ),
    "hub": (
        ("the bus refuses dynamic users", "User=scorer-hub", "Avahi announces"),
        ("others would read keys and results", "StateDirectoryMode=0700", "nothing else"),
        ("a table on the machine would wait", "CPUWeight=20", "lower priority"),
        ("the games are not its to read", "InaccessiblePaths=-/var/lib/scorer", "games"),
        ("a hall is in the house", "IPAddressDeny=any", "shows nothing there"),
        ("boxes would find no connection", "LimitNOFILE=8192", "two connections"),
        ("five quick crashes would end it", "StartLimitIntervalSec=0", ""),
    ),
    "hub@": (
        ("all halls would share one user", "User=scorer-hub-%i", "share one"),
        ("it is nobody while it is idle", "DynamicUser=yes", "while its hub runs"),
        ("others would read keys and results", "StateDirectory=scorer-hubs/%i", "no other hall"),
        ("the password is not its user's to read", "LoadCredential=hall.toml", "root alone"),
        ("the card would be of all halls", "ExecStart=/usr/bin/scorer hub --config", "No card"),
        ("another hall's settings", "CacheDirectory=scorer-hubs/%i", "of its own"),
        ("an idle hall costs a process", "Requires=scorer-hub@%i.socket", "ten minutes"),
        ("the other halls on the disk", "InaccessiblePaths=-/var/lib/scorer", "to another hub"),
        ("the street sees nothing", "IPAddressDeny=any", "through a proxy"),
        ("a missing database starts all at once", "RestartSec=15", "again and again"),
        ("five quick crashes would end it", "StartLimitIntervalSec=0", ""),
    ),
    "print": (
        ("it keeps nothing and is nobody", "DynamicUser=yes", "stores nothing"),
        ("no group, no printer", "SupplementaryGroups=scorer-read dialout lp", "USB"),
        ("the games are not its to read", "InaccessiblePaths=-/var/lib/scorer", "it requests"),
        ("a printer stands in the house", "IPAddressDeny=any", "private addresses"),
        ("one that hangs keeps all that follow", "RuntimeMaxSec=600", "block the next"),
        ("the library is read for ever", "CacheDirectory=scorer-print", "cache"),
        ("a node is gone when it is plugged in", "DeviceAllow=char-usb rw", "not by node"),
    ),
    "backup": (
        ("it must read the games", "User=scorer", "the games"),
        ("the table must not mount", "AmbientCapabilities=CAP_SYS", "itself has none"),
        ("more rights than it needs", "CapabilityBoundingSet=CAP_SYS", "one to mount"),
        ("the card of the box is a disk too", "DeviceAllow=block-sd rw", "mmcblk"),
        ("the copy must not harm the games", "ProtectSystem=strict", "read-only"),
        ("others would see the stick", "PrivateMounts=yes", "all others"),
        ("a root of its own could not mount", "RestrictNamespaces=yes", "PrivateUsers"),
        ("of @mount only two are needed", "SystemCallFilter=mount umount2", "stays forbidden"),
        ("a broken stick blocks all that follow", "RuntimeMaxSec=1800", "block the next"),
        ("nothing leaves the box", "PrivateNetwork=yes", ""),
    ),
    "desk": (
        ("it must write what the hub reads", "User=scorer-hub", "has the passwords"),
        ("a wrong file would be another hub", "CacheDirectory=scorer-hub", "another database"),
        ("others would read keys and results", "StateDirectoryMode=0700", "hub's own folders"),
        ("the games are not its to read", "InaccessiblePaths=-/var/lib/scorer", "games of the"),
        ("a password leaves by no network", "PrivateNetwork=yes", "not reached"),
        ("it may do nothing as root", "CapabilityBoundingSet=", ""),
    ),
    "settings": (
        ("it may do nothing else as root", "CapabilityBoundingSet=", "has none"),
        ("a secret would be read by all", "SupplementaryGroups=scorer scorer-link", "a secret"),
        ("it must write no other settings", "StateDirectory=scorer-settings", "own folder alone"),
        ("the files of owners stay", "ProtectSystem=strict", "may be read"),
        ("the games are not its to read", "InaccessiblePaths=-/var/lib/scorer", "games"),
        ("a setting leaves by no network", "PrivateNetwork=yes", "restarts the units"),
    ),
    "network": (
        ("root could do everything", "CapabilityBoundingSet=CAP_NET_ADMIN", "root only"),
        ("the games are not its to read", "InaccessiblePaths=-/var/lib/scorer", "games"),
        ("a trial would outlive the power", "ReadWritePaths=-/etc/NetworkManager", "on trial"),
        ("its state would go as it ends", "RuntimeDirectoryPreserve=yes", "stays open"),
        ("it could call home", "IPAddressDeny=any", "sends no packet"),
        ("five quick crashes would end it", "StartLimitIntervalSec=0", ""),
    ),
    "portal": (
        ("it keeps nothing and is nobody", "DynamicUser=yes", "stores nothing"),
        ("it may name a network, no more", "SupplementaryGroups=scorer-portal", "no other"),
        ("the games are not its to read", "InaccessiblePaths=-/var/lib/scorer", "games"),
        ("the street sees nothing", "IPAddressDeny=any", "nobody else"),
        ("it may do nothing as root", "CapabilityBoundingSet=", ""),
    ),
}


@pytest.mark.parametrize(
    ("name", "trap", "line", "word"),
    [
        pytest.param(name, *row, id=f"{name}: {row[0]}")
        for name, rows in PITFALLS.items()
        for row in rows
    ],
)
def test_known_pitfalls_of_a_service_are_avoided(
    name: str, trap: str, line: str, word: str
) -> None:
    unit = f"scorer-{name}.service"
    assert any(f"] {line}" in each for each in assignments(unit)), trap
    assert word in remarks_of(unit), trap


@pytest.mark.parametrize("name", ["web", "link", "voice", "hub"])
def test_enabling_a_service_enables_nothing_else(package: Path, name: str) -> None:
    output = run_tool("systemctl", f"--root={package}", "enable", f"scorer-{name}.service")
    assert output.status == 0, output.text
    links = [path for path in (package / "etc/systemd/system").rglob("*") if path.is_symlink()]
    assert [link.name for link in links] == [f"scorer-{name}.service"]


OWN_FILE = ["--config", str(OWNER_FILE)]


@pytest.mark.parametrize(
    ("name", "command", "arguments"),
    [
        ("web", "web", OWN_FILE),
        ("link", "link", OWN_FILE),
        ("voice", "voice", OWN_FILE),
        ("hub", "hub", OWN_FILE),
        (
            "hub@",
            "hub",
            ["--config", "%d/hall.toml", "--card", "/dev/null", "--idle-end", "600"],
        ),
        ("print", "print", OWN_FILE),
        ("backup", "backup", ["--stick", *OWN_FILE]),
        ("desk", "hub", [*OWN_FILE, "passwords"]),
        ("reset", "reset", OWN_FILE),
        ("settings", "settings", OWN_FILE),
        ("network", "wifi", ["--serve"]),
        ("portal", "portal", OWN_FILE),
    ],
)
def test_a_service_starts_an_existing_command_with_the_owners_file(
    name: str, command: str, arguments: list[str]
) -> None:
    words = values(f"scorer-{name}.service", "ExecStart")
    assert words == ["/usr/bin/scorer", command, *arguments]
    assert command in {each for each, _, _ in COMMANDS}


@pytest.mark.parametrize(
    ("name", "path_for"),
    [
        ("print", print_socket_path),
        ("backup", backup_socket_path),
        ("desk", desk_socket_path),
        ("settings", settings_socket_path),
    ],
)
def test_only_the_table_may_use_the_socket_that_starts_a_service(
    name: str, path_for: Callable[[Path], Path]
) -> None:
    socket = f"scorer-{name}.socket"
    assert value(socket, "ListenStream") == str(path_for(Path(SocketSection().path)))
    assert value(socket, "SocketUser") == value("scorer.service", "User")
    assert value(socket, "SocketMode") == "0600"
    assert value(socket, "Accept") == "no"
    assert [each for each in assignments(f"scorer-{name}.service") if "[Install]" in each] == []


def test_the_radio_is_the_only_way_of_a_packet_to_the_table_and_has_none_of_its_rights() -> None:
    """The table has no network; the process with one opens no socket of it."""
    assert value("scorer-radio.socket", "ListenStream") == RADIO_SOCKET
    assert value("scorer-radio.socket", "SocketUser") == value("scorer.service", "User")
    assert value("scorer-radio.socket", "SocketMode") == "0600"
    assert values("scorer-radio.service", "ExecStart") == ["/usr/bin/scorer", "radio"]
    assert values("scorer-radio.service", "SupplementaryGroups") == []
    assert value("scorer-radio.service", "PrivateDevices") == "yes"
    assert values("scorer-radio.service", "RestrictAddressFamilies") == ["AF_UNIX", "AF_INET"]
    assert value("scorer-radio.service", "InaccessiblePaths") == "-/var/lib/scorer"
    assert value("scorer.service", "PrivateNetwork") == "yes"
    assert values("scorer.service", "RestrictAddressFamilies") == ["AF_UNIX"]


def test_enabling_the_radio_enables_its_socket_alone(package: Path) -> None:
    output = run_tool("systemctl", f"--root={package}", "enable", "scorer-radio.service")
    assert output.status == 0, output.text
    links = [path for path in (package / "etc/systemd/system").rglob("*") if path.is_symlink()]
    assert {link.name for link in links} == {"scorer-radio.service", "scorer-radio.socket"}


def test_the_web_service_neither_starts_nor_stops_the_table() -> None:
    """Viewing the score must not start a table that was switched off."""
    lines = assignments("scorer-web.service")
    ties = r"\] (Wants|Requires|Requisite|BindsTo|PartOf|Upholds|Conflicts|Also)="
    assert [line for line in lines if re.search(ties, line)] == []


@pytest.mark.parametrize(
    ("name", "interval"),
    [
        ("web", WATCHDOG_INTERVAL),
        ("link", LINK_WATCHDOG_INTERVAL),
        ("voice", VOICE_WATCHDOG_INTERVAL),
        ("radio", RADIO_WATCHDOG_INTERVAL),
    ],
)
def test_the_watchdog_of_a_service_fits_its_ping_interval(name: str, interval: float) -> None:
    assert float(value(f"scorer-{name}.service", "WatchdogSec")) >= 2 * interval


def test_the_web_service_may_open_enough_descriptors() -> None:
    assert int(value("scorer-web.service", "LimitNOFILE")) > 3 * MAX_VIEWERS


@pytest.mark.parametrize(
    ("unit", "base", "places"),
    [
        # 1,000 viewers with HTTPS and all other places: 113 MB as measured.
        ("scorer-web.service", 40, 2 * MAX_VIEWERS + 64),
        ("scorer-hub.service", 100, 2 * MAX_VIEWERS + 64 + 3000),
        ("scorer-hub@.service", 100, 2 * MAX_VIEWERS + 64 + 3000),
    ],
)
def test_the_memory_of_a_unit_carries_the_most_viewers(unit: str, base: int, places: int) -> None:
    needed = base + places * CONNECTION_KIB / 1024
    assert needed < int(value(unit, "MemoryMax").removesuffix("M"))


def test_more_viewers_than_the_memory_carries_are_refused() -> None:
    for section in (WebSection, HubSection):
        with pytest.raises(WrongValues, match="1000"):
            read(section, {"viewers": MAX_VIEWERS + 1})


def test_the_backup_service_may_write_neither_games_nor_settings() -> None:
    keys = [line.partition("=")[0] for line in assignments("scorer-backup.service")]
    writable = ("StateDirectory", "ReadWritePaths", "RuntimeDirectory", "ConfigurationDirectory")
    assert [key for key in keys if key.endswith(writable)] == []
    assert values("scorer-backup.service", "DeviceAllow") == ["block-sd", "rw"]


def test_the_settings_service_may_write_its_own_folder_alone() -> None:
    unit = "scorer-settings.service"
    assert f"/var/lib/{value(unit, 'StateDirectory')}" == str(page_file.FOLDER)
    assert value(unit, "StateDirectoryMode") == "0755"  # every service reads it
    writable = ("ReadWritePaths", "RuntimeDirectory", "ConfigurationDirectory", "CacheDirectory")
    assert [key for key in writable if values(unit, key)] == []
    assert values(unit, "SupplementaryGroups") == [*READERS.values()]


def test_the_settings_service_restarts_units_that_there_are() -> None:
    units = {unit for each in UNITS_OF_SETTINGS.values() for unit in each}
    assert units <= set(OTHER_SERVICES)
    assert "scorer.service" not in units  # a game may be running


def test_passwords_of_the_desk_are_made_with_less_rights_than_the_hub_has() -> None:
    assert exposure("scorer-desk.service") < exposure("scorer-hub.service")


def test_a_hall_of_many_has_its_folders_where_its_commands_look_for_them() -> None:
    unit = "scorer-hub@.service"
    place = value(unit, "StateDirectory")
    assert Path("/var/lib/private") / place == halls.STATES / "%i"
    credential = value(unit, "LoadCredential")
    assert credential == f"hall.toml:{halls.FOLDER}/%i.toml"
    assert str(halls.FOLDER) in " ".join(values(unit, "InaccessiblePaths"))


def test_the_ports_of_a_hall_are_opened_by_systemd_and_nothing_else_by_its_unit() -> None:
    assert [each for each in assignments("scorer-hub@.service") if "[Install]" in each] == []
    assert value("scorer-hub@.socket", "WantedBy") == "sockets.target"
    assert value("scorer-hub@.socket", "Accept") == "no"


def test_the_table_sees_a_hub_by_the_folder_of_its_unit() -> None:
    folder = hub_folder(Path(SocketSection().path))
    assert folder == Path("/run") / value("scorer-hub.service", "RuntimeDirectory")
    assert value("scorer-hub.service", "RuntimeDirectoryMode") == "0755"


def test_enabling_the_table_enables_its_socket(package: Path) -> None:
    output = run_tool("systemctl", f"--root={package}", "enable", "scorer.service")
    assert output.status == 0, output.text
    wants = package / "etc/systemd/system"
    assert (wants / "multi-user.target.wants/scorer.service").is_symlink()
    for name in TABLE_SOCKETS.values():
        assert (wants / "sockets.target.wants" / name).is_symlink()


DROP_INS = [
    (unit, drop_in)
    for unit, paper in (("scorer", DOCUMENT), ("scorer-web", WEB_DOCUMENT))
    for drop_in in re.findall(r"```ini\n(.*?)```", paper, re.DOTALL)
]


@pytest.mark.parametrize(("unit", "drop_in"), DROP_INS)
def test_the_drop_ins_of_the_documents_are_valid(package: Path, unit: str, drop_in: str) -> None:
    folder = package / f"etc/systemd/system/{unit}.service.d"
    folder.mkdir(parents=True)
    (folder / "override.conf").write_text(drop_in)
    assert verify(package) == Output(0, "")


# ---- users, groups, devices ---------------------------------------------------------------------


def create_users(package: Path) -> tuple[set[str], set[str]]:
    """The users and groups that our file creates in an empty root."""
    output = run_tool("systemd-sysusers", f"--root={package}")
    assert output.status == 0, output.text
    users, groups = (package / "etc/passwd", package / "etc/group")
    return names_in(users), names_in(groups)


def names_in(file: Path) -> set[str]:
    return {line.partition(":")[0] for line in file.read_text().splitlines()}


def test_all_named_users_and_groups_are_created(package: Path) -> None:
    users, groups = create_users(package)
    named_users = ("scorer", "scorer-hub", "scorer-link", "scorer-radio")
    assert users == {value(f"{name}.service", "User") for name in named_users}
    named = {
        value("scorer.service", "Group"),
        *(value(name, "SocketGroup") for name in TABLE_SOCKETS.values()),
        value("scorer-network.socket", "SocketGroup"),
        *values("scorer.service", "SupplementaryGroups"),
        *values("scorer-print.service", "SupplementaryGroups"),
        *values("scorer-voice.service", "SupplementaryGroups"),
        *re.findall(r'GROUP="(\w+)"', text_of("60-scorer.rules")),
    }
    # Each user has a group of its name.
    assert named | users == groups


def test_creating_the_users_twice_changes_nothing(package: Path) -> None:
    create_users(package)
    before = (package / "etc/passwd").read_text(), (package / "etc/group").read_text()
    create_users(package)
    assert ((package / "etc/passwd").read_text(), (package / "etc/group").read_text()) == before


def test_a_dry_run_creates_no_users(package: Path) -> None:
    output = run_tool("systemd-sysusers", "--dry-run", f"--root={package}")
    assert output.status == 0
    assert "scorer-net" in output.text
    assert not (package / "etc/passwd").exists()


def test_udev_verifies_the_rules(package: Path) -> None:
    if run_tool("udevadm", "verify", "--help").status != 0:
        pytest.skip("this udevadm cannot verify rules: it can from systemd 254 on")
    create_users(package)
    output = run_tool("udevadm", "verify", f"--root={package}", "--resolve-names=never")
    assert output.status == 0, output.text


RULE = re.compile(
    r'(SUBSYSTEM|KERNEL|ACTION|ATTRS?\{\w+\}|ENV\{\w+\})=="[^"]+"'
    r'|(GROUP|MODE|ATTR\{[^}]+\}|ENV\{\w+\})="[^"]+"|TAG\+="\w+"'
)


def rules() -> list[str]:
    return lines_of("60-scorer.rules")


def test_every_rule_consists_of_matches_and_assignments() -> None:
    parts = [part.strip() for rule in rules() for part in rule.split(",")]
    assert [part for part in parts if RULE.fullmatch(part) is None] == []
    assert len(rules()) == 7


@pytest.mark.parametrize("word", ["PORT", "DEVICE"])
def test_modemmanager_ignores_button_boxes(word: str) -> None:
    """2e8a is Raspberry Pi's vendor id, used by the firmware's boards."""
    (rule,) = [rule for rule in rules() if f'ENV{{ID_MM_{word}_IGNORE}}="1"' in rule]
    assert re.search(r'ATTRS?\{idVendor\}=="2e8a\|', rule)
    assert 'ACTION=="add|change"' in rule


@pytest.mark.parametrize(
    "tty",
    [
        "usb1/1-1/1-1.3/1-1.3:1.0/tty/ttyACM0",
        "usb1/1-1/1-1.3/1-1.3:1.0/ttyUSB0/tty/ttyUSB0",
    ],
)
def test_usb_autosuspend_is_disabled_for_button_boxes(tty: str) -> None:
    (rule,) = [rule for rule in rules() if f'"{Path(tty).name[:-1]}*"' in rule]
    attribute = re.search(r'ATTR\{([^}]+)\}="on"', rule)
    assert attribute
    assert os.path.normpath(f"{tty}/{attribute[1]}") == "usb1/1-1/1-1.3/power/control"


# ---- agreement with the code --------------------------------------------------------------------


def seconds(key: str) -> float:
    return float(value("scorer.service", key))


def test_the_unit_starts_an_existing_command_with_the_owners_file() -> None:
    program, command, *arguments = values("scorer.service", "ExecStart")
    assert program == "/usr/bin/scorer"
    assert command in {name for name, _, _ in COMMANDS}
    assert arguments == ["--config", str(OWNER_FILE)]


@pytest.mark.parametrize("right", Right)
def test_the_socket_of_a_right_is_where_its_clients_look(right: Right) -> None:
    name = TABLE_SOCKETS[right]
    path = socket_path(Path(SocketSection().path), right)
    assert value(name, "ListenStream") == str(path)
    assert value(name, "FileDescriptorName") == right.name.lower()


def test_each_socket_is_for_a_group_of_its_own_and_starts_the_table() -> None:
    names = TABLE_SOCKETS.values()
    groups = {name: value(name, "SocketGroup") for name in names}
    # The page of settings is one of scorer-web, which gets no further right by it.
    assert groups.pop("scorer-owner.socket") == groups["scorer-phone.socket"]
    assert len(set(groups.values())) == len(groups)
    for name in names:
        assert (value(name, "SocketUser"), value(name, "SocketMode")) == ("root", "0660")
        assert value(name, "Accept") == "no"
        assert values(name, "Service") == ([] if name == "scorer.socket" else ["scorer.service"])
    assert (
        set(values("scorer.service", "Wants"))
        == set(names)
        == set(values("scorer.service", "After")) & set(names)
    )


def test_stopping_the_socket_of_the_table_stops_the_others() -> None:
    """A request of a phone would start the table again."""
    for right in (Right.HALL, Right.PHONE, Right.READ, Right.OWNER):
        assert values(TABLE_SOCKETS[right], "PartOf") == ["scorer.socket"]


@pytest.mark.parametrize(
    ("service", "right"),
    [
        ("scorer-web.service", Right.PHONE),
        ("scorer-link.service", Right.HALL),
        ("scorer-print.service", Right.READ),
        ("scorer-voice.service", Right.READ),
    ],
)
def test_a_service_may_open_the_socket_of_its_right_alone(service: str, right: Right) -> None:
    groups = {value(name, "SocketGroup") for name in TABLE_SOCKETS.values()}
    named = groups & set(values(service, "SupplementaryGroups"))
    assert named == {value(TABLE_SOCKETS[right], "SocketGroup")}
    assert TABLE_SOCKETS[right] in values(service, "After")


def test_the_store_is_in_the_only_writable_directory() -> None:
    assert f"/var/lib/{value('scorer.service', 'StateDirectory')}" == StoreSection().directory


def test_the_partition_of_the_store_is_mounted_before_the_table_starts() -> None:
    assert value("scorer.service", "RequiresMountsFor") == StoreSection().directory


def test_the_service_never_removes_the_directory_of_the_socket() -> None:
    mine = {f"/run/{name}" for name in values("scorer.service", "RuntimeDirectory")}
    assert mine.isdisjoint(map(str, Path(value("scorer.socket", "ListenStream")).parents))
    assert value("scorer.service", "WorkingDirectory").replace("%t", "/run") in mine


def test_the_main_loop_pings_well_before_the_watchdog_timeout() -> None:
    assert seconds("WatchdogSec") >= TICK_S + 2


def test_a_hang_leaves_time_to_restart_within_twenty_seconds() -> None:
    dead = seconds("WatchdogSec") + seconds("TimeoutAbortSec") + seconds("RestartSec")
    assert dead <= 15


# ---- pitfalls -----------------------------------------------------------------------------------

# pitfall, the line that avoids it, a word of the comment that explains it
CLOSED = (
    ("five quick crashes would end it",  "StartLimitIntervalSec=0",               "bar"),
    ("a failed socket would end it",     "Wants=scorer.socket",                   "not required"),
    ("started before its socket is",     "After=scorer.socket",                   "not required"),
    ("an empty store beside the games",  "RequiresMountsFor=/var/lib/scorer",     "mounted first"),
    ("a child could say READY",          "NotifyAccess=main",                     "LISTEN_PID"),
    ("a hang would leave no trace",      "WatchdogSignal=SIGABRT",                "every thread"),
    ("SIGABRT alone prints nothing",     "Environment=PYTHONFAULTHANDLER=1",      "fault handler"),
    ("a deep hang outlives SIGABRT",     "TimeoutAbortSec=",                      "ignores"),
    ("every hang would fill the card",   "LimitCORE=0",                           "memory image"),
    ("power off would be undone",        "Restart=on-failure",                    "clean exit"),
    ("a bar waits for its score",        "RestartSec=0.5",                        "Restart after"),
    ("a panel shows a score when off",   "TimeoutStopSec=8",                      "clears its"),
    ("games would change their owner",   "User=scorer",                           "static user"),
    ("no group, no start",               "SupplementaryGroups=gpio i2c spi",      "216/GROUP"),
    ("stopping would take the socket",   "RuntimeDirectory=scorer-table",         "table.sock"),
    ("lgpio moves to where it is told",  "Environment=LG_WD=%t/scorer-table",     "FIFO"),
    ("lgpio cannot write in /",          "WorkingDirectory=%t/scorer-table",      "else the"),
    (".pyc cannot be written later",     "Environment=PYTHONDONTWRITEBYTECODE=1", ".pyc"),
    ("pins and buses would be hidden",   "PrivateDevices=no",                     "hide the pins"),
    ("a clock device closes the others", "DevicePolicy=closed",                   "ProtectClock"),
    ("a Pi 5 renumbered its chips",      "DeviceAllow=char-gpiochip rw",          "gpiochip4"),
    ("panels hang on classes too",       "DeviceAllow=char-i2c rw",               "Classes"),
    ("gpiozero would know no board",     "ProcSubset=all",                        "/proc/cpuinfo"),
    ("the supply must be readable",      "ProtectKernelTunables=yes",             "hwmon"),
    ("the card's file must be readable", "ProtectSystem=strict",                  "/boot/firmware"),
    ("the bus tells of power off",       "RestrictAddressFamilies=AF_UNIX",       "PrepareFor"),
    ("abstract sockets do not pass",     "PrivateNetwork=yes",                    "Abstract"),
    ("groups seem lost, but are not",    "PrivateUsers=yes",                      "unmapped"),
    ("SQLite as root calls fchown",      "SystemCallFilter=~@privileged",         "fchown"),
    ("a forbidden call would kill",      "SystemCallErrorNumber=EPERM",           "not a kill"),
    ("anybody could press",              "SocketGroup=scorer-net",                "send presses"),
    ("everybody, if not said otherwise", "SocketMode=0660",                       "scorer-net"),
    ("a client per process",             "Accept=no",                             "One table"),
    ("the page would end the table",     "OOMScoreAdjust=-500",                   "priority"),
    ("a file that nobody answers",       "RemoveOnStop=yes",                      "not answer"),
)  # fmt: skip

# pitfall, a pattern of lines that cause it
OPEN = (
    ("a minute's wait for a network", "network-online.target"),
    ("a wait for a panel that is not there", r"dev-i2c.*\.device"),
    ("no board revision", "ProcSubset=pid"),
    ("no pins", "PrivateDevices=yes"),
    ("the games' owner changes", "DynamicUser=yes"),
    ("a wrong configuration stays down", "RestartPreventExitStatus="),
    ("the owner's file could be written", "ConfigurationDirectory="),
    ("logind is not heard", "InaccessiblePaths=.*(/run|dbus)"),
    ("gpiozero reads every package", "GPIOZERO_PIN_FACTORY="),
    ("the panels have been closed by then", "ExecStop"),
    ("a socket that is gone ends the table", "(Requires|BindsTo)=scorer.socket"),
    ("a socket that leaves with each crash", "PartOf="),
    ("a broken table started without pause", "TriggerLimit"),
    ("one node instead of the class", "DeviceAllow=/dev/"),
)


@pytest.mark.parametrize(("trap", "line", "word"), CLOSED, ids=[row[0] for row in CLOSED])
def test_known_pitfalls_are_avoided_and_explained(trap: str, line: str, word: str) -> None:
    closing = [name for name in UNITS if any(f"] {line}" in each for each in assignments(name))]
    assert len(closing) == 1, trap
    assert word in remarks_of(closing[0]), trap


@pytest.mark.parametrize(("trap", "pattern"), OPEN, ids=[row[0] for row in OPEN])
def test_no_line_causes_a_known_pitfall(trap: str, pattern: str) -> None:
    lines = [line for name in UNITS for line in assignments(name)]
    assert [line for line in lines if re.search(pattern, line)] == [], trap


def test_the_table_may_open_only_these_kinds_of_devices() -> None:
    rows = [line.split("=")[1] for line in assignments("scorer.service") if "DeviceAllow" in line]
    serial = [f"char-tty{kind} rw" for kind in ("AMA", "S", "USB", "ACM")]
    seen = ["char-input r", "char-fb rw"]
    assert rows == ["char-gpiochip rw", "char-i2c rw", "char-spi rw", *serial, *seen]


def test_kernel_modules_of_hotplug_devices_are_loaded_at_boot() -> None:
    assert set(lines_of("scorer.modules")) == {"i2c-dev", "usbserial", "cdc-acm"}


def test_polkit_allows_the_table_power_off_only() -> None:
    text = (ROOT / "systemd" / "scorer.polkit.rules").read_text(encoding="utf-8")
    allowed = re.findall(r'case "([^"]+)"', text)
    assert allowed == [
        "org.freedesktop.login1.power-off",
        "org.freedesktop.login1.power-off-multiple-sessions",
        "org.freedesktop.login1.inhibit-delay-shutdown",
    ]
    assert 'subject.user !== "scorer"' in text
