"""The units keep their promises: nothing wrong, little exposed, no known trap open.

The files are laid out in a root of their own, as a package would install them, and systemd's own
tools look at them there. Nothing is installed or started on this machine.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from scorer.api.print_protocol import print_socket_path
from scorer.cli import COMMANDS
from scorer.config.schema import MAX_VIEWERS, SocketSection, StoreSection
from scorer.config.sources import OWNER_FILE
from scorer.table.main_loop import TICK_S
from scorer.web.server import WATCHDOG_INTERVAL
from tests.paths import ROOT

HERE = ROOT / "systemd"
PAPER = (ROOT / "docs" / "operators" / "service.md").read_text(encoding="utf-8")
WEB_PAPER = (ROOT / "docs" / "operators" / "web.md").read_text(encoding="utf-8")
# The paper's table is the list of what is installed where.
INSTALLED: dict[str, str] = dict(
    re.findall(r"^\| `([\w.-]+)` \| `/([\w./-]+)` \|", PAPER, re.MULTILINE)
)
UNITS = ("scorer.service", "scorer.socket")
# Beside the table: each has walls of its own, looked at below by itself.
BESIDE = ("scorer-web.service", "scorer-wifi.service", "scorer-print.service")
SOCKETS_BESIDE = ("scorer-print.socket",)
# What every Debian has, and a root made by us has not.
TARGETS = ("basic", "local-fs", "multi-user", "network", "shutdown", "sockets", "sysinit")


def text_of(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8")


def lines_of(name: str) -> list[str]:
    """What a file says, without its comments."""
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
    """Every word that a unit assigns to a key, in order."""
    found = [line.partition("=") for line in assignments(name)]
    return [word for left, _, right in found if left.endswith(f"] {key}") for word in right.split()]


def value(name: str, key: str) -> str:
    """The one word that a unit assigns to a key."""
    (word,) = values(name, key)
    return word


# ---- systemd's own judgement --------------------------------------------------------------------


class Said(NamedTuple):
    """How a program ended, and all it wrote."""

    status: int
    text: str


def ask(tool: str, *arguments: str) -> Said:
    """Runs one of systemd's tools; skips the test where it is not installed."""
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
    return Said(done.returncode, done.stdout)


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A root with our files where the package puts them, and the least of a Debian around them."""
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
    return tmp_path


def verify(package: Path) -> Said:
    options = ("--man=no", "--recursive-errors=yes", f"--root={package}")
    return ask("systemd-analyze", "verify", *options, *UNITS, *BESIDE, *SOCKETS_BESIDE)


def security(unit: Path, *options: str) -> Said:
    return ask("systemd-analyze", "security", "--no-pager", "--offline=true", *options, str(unit))


def edit(package: Path, name: str, old: str, new: str) -> Path:
    """Changes an installed unit, which must have what is changed."""
    unit = package / INSTALLED[name]
    before = unit.read_text(encoding="utf-8")
    assert old in before
    unit.write_text(before.replace(old, new), encoding="utf-8")
    return unit


def test_every_file_is_in_the_paper_and_goes_somewhere() -> None:
    assert set(INSTALLED) == {path.name for path in HERE.iterdir()}


def test_systemd_has_nothing_to_say_about_the_units(package: Path) -> None:
    assert verify(package) == Said(0, "")


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("\nPrivateIPC=",   "\nPrivateIPX=",   "Unknown key"),
        ("/usr/bin/scorer", "/usr/bin/scorre", "not executable"),
        ("\nType=notify",   "\nType=notified", "Failed to parse"),
    ],
)  # fmt: skip
def test_systemd_would_have_seen_a_slip(package: Path, old: str, new: str, complaint: str) -> None:
    edit(package, "scorer.service", old, new)
    assert complaint in verify(package).text


def test_the_table_is_exposed_by_half_a_point_at_most(package: Path) -> None:
    said = security(package / INSTALLED["scorer.service"], "--threshold=5")
    figure = re.search(r"Overall exposure level for scorer\.service: ([\d.]+)", said.text)
    assert figure, said.text
    assert float(figure[1]) <= 0.5
    assert said.status == 0


@pytest.mark.parametrize("kept", ["PrivateUsers=yes", "ProtectSystem=strict", "PrivateNetwork=yes"])
def test_without_one_of_its_walls_it_would_be_too_exposed(package: Path, kept: str) -> None:
    unit = edit(package, "scorer.service", f"\n{kept}\n", f"\n{kept.partition('=')[0]}=no\n")
    assert security(unit, "--threshold=5").status != 0


def exposure(name: str) -> float:
    """What systemd thinks of a unit: 0 may do nothing, 10 everything."""
    said = security(HERE / name)
    figure = re.search(rf"Overall exposure level for {re.escape(name)}: ([\d.]+)", said.text)
    assert figure, said.text
    return float(figure[1])


@pytest.mark.parametrize("name", BESIDE)
def test_what_stands_beside_the_table_is_exposed_by_little_more(name: str) -> None:
    assert exposure(name) <= 1.6


WALLS_OF_THE_WEB = (
    ("it keeps nothing and is nobody",      "DynamicUser=yes",              "keeps nothing"),
    ("the table's socket is for its group", "SupplementaryGroups=scorer-net", "group"),
    ("the games are not its to read",       "InaccessiblePaths=-/var/lib/scorer", "games"),
    ("the street sees nothing",             "IPAddressDeny=any",            "street"),
    ("a hung page shows an old score",      "WatchdogSec=",                 "old score"),
    ("the kernel ends it before the table", "OOMScoreAdjust=500",           "behind the table"),
    ("five quick crashes would end it",     "StartLimitIntervalSec=0",      ""),
    ("many viewers are many descriptors",   "LimitNOFILE=",                 "descriptors"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("trap", "line", "word"), WALLS_OF_THE_WEB, ids=[row[0] for row in WALLS_OF_THE_WEB]
)
def test_a_known_trap_of_the_web_is_closed(trap: str, line: str, word: str) -> None:
    assert any(f"] {line}" in each for each in assignments("scorer-web.service")), trap
    assert word in remarks_of("scorer-web.service"), trap


def test_the_web_neither_starts_nor_stops_the_table() -> None:
    """A table that was switched off would come back with whoever looks at the score."""
    lines = assignments("scorer-web.service")
    ties = r"\] (Wants|Requires|Requisite|BindsTo|PartOf|Upholds|Conflicts|Also)="
    assert [line for line in lines if re.search(ties, line)] == []


def test_enabling_the_web_enables_nothing_else(package: Path) -> None:
    said = ask("systemctl", f"--root={package}", "enable", "scorer-web.service")
    assert said.status == 0, said.text
    links = [path for path in (package / "etc/systemd/system").rglob("*") if path.is_symlink()]
    assert [link.name for link in links] == ["scorer-web.service"]


def test_the_web_starts_a_command_that_exists_with_the_owners_file() -> None:
    program, command, *arguments = values("scorer-web.service", "ExecStart")
    assert (program, command) == ("/usr/bin/scorer", "web")
    assert command in {name for name, _, _ in COMMANDS}
    assert arguments == ["--config", str(OWNER_FILE)]


def test_a_web_that_hangs_is_heard_of_in_time() -> None:
    assert float(value("scorer-web.service", "WatchdogSec")) >= 2 * WATCHDOG_INTERVAL
    assert int(value("scorer-web.service", "LimitNOFILE")) > 3 * MAX_VIEWERS


WALLS_OF_THE_PRINTER = (
    ("it keeps nothing and is nobody",       "DynamicUser=yes",                "keeps nothing"),
    ("no group, no printer",                 "SupplementaryGroups=scorer-net dialout lp", "USB"),
    ("the games are not its to read",        "InaccessiblePaths=-/var/lib/scorer", "it asks"),
    ("a printer stands in the house",        "IPAddressDeny=any",              "private addresses"),
    ("one that hangs keeps all that follow", "RuntimeMaxSec=600",              "wait behind it"),
    ("the library is read for ever",         "CacheDirectory=scorer-print",    "more quickly"),
    ("a node is gone when it is plugged in", "DeviceAllow=char-usb rw",        "not by node"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("trap", "line", "word"), WALLS_OF_THE_PRINTER, ids=[row[0] for row in WALLS_OF_THE_PRINTER]
)
def test_a_known_trap_of_the_printer_is_closed(trap: str, line: str, word: str) -> None:
    assert any(f"] {line}" in each for each in assignments("scorer-print.service")), trap
    assert word in remarks_of("scorer-print.service"), trap


def test_the_table_alone_may_want_a_slip_and_looks_where_the_socket_is() -> None:
    path = value("scorer-print.socket", "ListenStream")
    assert path == str(print_socket_path(Path(SocketSection().path)))
    assert value("scorer-print.socket", "SocketUser") == value("scorer.service", "User")
    assert value("scorer-print.socket", "SocketMode") == "0600"
    assert value("scorer-print.socket", "Accept") == "no"


def test_the_printer_starts_a_command_that_exists_and_is_started_by_its_socket_alone() -> None:
    program, command, *arguments = values("scorer-print.service", "ExecStart")
    assert (program, command) == ("/usr/bin/scorer", "print")
    assert command in {name for name, _, _ in COMMANDS}
    assert arguments == ["--config", str(OWNER_FILE)]
    assert [line for line in assignments("scorer-print.service") if "[Install]" in line] == []


def test_enabling_the_table_enables_its_socket_too(package: Path) -> None:
    said = ask("systemctl", f"--root={package}", "enable", "scorer.service")
    assert said.status == 0, said.text
    wants = package / "etc/systemd/system"
    assert (wants / "multi-user.target.wants/scorer.service").is_symlink()
    assert (wants / "sockets.target.wants/scorer.socket").is_symlink()


DROP_INS = [
    (unit, drop_in)
    for unit, paper in (("scorer", PAPER), ("scorer-web", WEB_PAPER))
    for drop_in in re.findall(r"```ini\n(.*?)```", paper, re.DOTALL)
]


@pytest.mark.parametrize(("unit", "drop_in"), DROP_INS)
def test_the_drop_ins_of_the_papers_are_understood(package: Path, unit: str, drop_in: str) -> None:
    folder = package / f"etc/systemd/system/{unit}.service.d"
    folder.mkdir(parents=True)
    (folder / "override.conf").write_text(drop_in)
    assert verify(package) == Said(0, "")


# ---- users, groups, devices ---------------------------------------------------------------------


def made(package: Path) -> tuple[set[str], set[str]]:
    """The users and the groups that our file makes in a root that has none."""
    said = ask("systemd-sysusers", f"--root={package}")
    assert said.status == 0, said.text
    users, groups = (package / "etc/passwd", package / "etc/group")
    return names_in(users), names_in(groups)


def names_in(file: Path) -> set[str]:
    return {line.partition(":")[0] for line in file.read_text().splitlines()}


def test_every_user_and_group_that_is_named_is_made(package: Path) -> None:
    users, groups = made(package)
    assert users == {value("scorer.service", "User")}
    named = {
        value("scorer.service", "Group"),
        value("scorer.socket", "SocketGroup"),
        *values("scorer.service", "SupplementaryGroups"),
        *values("scorer-print.service", "SupplementaryGroups"),
        *re.findall(r'GROUP="(\w+)"', text_of("60-scorer.rules")),
    }
    assert named == groups


def test_making_the_users_twice_changes_nothing(package: Path) -> None:
    made(package)
    before = (package / "etc/passwd").read_text(), (package / "etc/group").read_text()
    made(package)
    assert ((package / "etc/passwd").read_text(), (package / "etc/group").read_text()) == before


def test_a_rehearsal_makes_nobody(package: Path) -> None:
    said = ask("systemd-sysusers", "--dry-run", f"--root={package}")
    assert said.status == 0
    assert "scorer-net" in said.text
    assert not (package / "etc/passwd").exists()


def test_udev_understands_the_rules(package: Path) -> None:
    if ask("udevadm", "verify", "--help").status != 0:
        pytest.skip("this udevadm cannot verify rules: it can from systemd 254 on")
    made(package)
    said = ask("udevadm", "verify", f"--root={package}", "--resolve-names=never")
    assert said.status == 0, said.text


RULE = re.compile(
    r'(SUBSYSTEM|KERNEL|ACTION|ATTRS?\{\w+\}|ENV\{\w+\})=="[^"]+"'
    r'|(GROUP|MODE|ATTR\{[^}]+\}|ENV\{\w+\})="[^"]+"|TAG\+="\w+"'
)


def rules() -> list[str]:
    return lines_of("60-scorer.rules")


def test_every_rule_is_made_of_matches_and_assignments() -> None:
    parts = [part.strip() for rule in rules() for part in rule.split(",")]
    assert [part for part in parts if RULE.fullmatch(part) is None] == []
    assert len(rules()) == 7


@pytest.mark.parametrize("word", ["PORT", "DEVICE"])
def test_nobody_asks_a_button_box_whether_it_is_a_modem(word: str) -> None:
    """2e8a is Raspberry Pi's: the firmware's boards say so on USB."""
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
def test_a_button_box_on_usb_is_kept_awake(tty: str) -> None:
    (rule,) = [rule for rule in rules() if f'"{Path(tty).name[:-1]}*"' in rule]
    attribute = re.search(r'ATTR\{([^}]+)\}="on"', rule)
    assert attribute
    assert os.path.normpath(f"{tty}/{attribute[1]}") == "usb1/1-1/1-1.3/power/control"


# ---- what the code believes ---------------------------------------------------------------------


def seconds(key: str) -> float:
    return float(value("scorer.service", key))


def test_the_unit_starts_a_command_that_exists_with_the_owners_file() -> None:
    program, command, *arguments = values("scorer.service", "ExecStart")
    assert program == "/usr/bin/scorer"
    assert command in {name for name, _, _ in COMMANDS}
    assert arguments == ["--config", str(OWNER_FILE)]


def test_the_socket_is_where_the_table_and_its_clients_look() -> None:
    assert value("scorer.socket", "ListenStream") == SocketSection().path


def test_the_store_is_in_the_one_directory_that_may_be_written() -> None:
    assert f"/var/lib/{value('scorer.service', 'StateDirectory')}" == StoreSection().directory


def test_the_service_never_removes_the_directory_of_the_socket() -> None:
    mine = {f"/run/{name}" for name in values("scorer.service", "RuntimeDirectory")}
    assert mine.isdisjoint(map(str, Path(value("scorer.socket", "ListenStream")).parents))
    assert value("scorer.service", "WorkingDirectory").replace("%t", "/run") in mine


def test_the_loop_pings_well_before_the_watchdog_bites() -> None:
    assert seconds("WatchdogSec") >= TICK_S + 2


def test_a_hang_leaves_time_to_start_again_within_twenty_seconds() -> None:
    dead = seconds("WatchdogSec") + seconds("TimeoutAbortSec") + seconds("RestartSec")
    assert dead <= 15


# ---- traps --------------------------------------------------------------------------------------

# trap, the line that closes it, a word of the comment that says why
CLOSED = (
    ("five quick crashes would end it",  "StartLimitIntervalSec=0",               "bar"),
    ("a failed socket would end it",     "Wants=scorer.socket",                   "not required"),
    ("started before its socket is",     "After=scorer.socket",                   "not required"),
    ("a child could say READY",          "NotifyAccess=main",                     "LISTEN_PID"),
    ("a hang would leave no trace",      "WatchdogSignal=SIGABRT",                "every thread"),
    ("SIGABRT alone prints nothing",     "Environment=PYTHONFAULTHANDLER=1",      "fault handler"),
    ("a deep hang outlives SIGABRT",     "TimeoutAbortSec=",                      "ignores"),
    ("every hang would fill the card",   "LimitCORE=0",                           "memory image"),
    ("power off would be undone",        "Restart=on-failure",                    "clean exit"),
    ("a bar waits for its score",        "RestartSec=0.5",                        "start it again"),
    ("a panel shows a score when off",   "TimeoutStopSec=8",                      "darkens"),
    ("games would change their owner",   "User=scorer",                           "static user"),
    ("no group, no start",               "SupplementaryGroups=gpio i2c spi",      "216/GROUP"),
    ("stopping would take the socket",   "RuntimeDirectory=scorer-table",         "table.sock"),
    ("lgpio moves to where it is told",  "Environment=LG_WD=%t/scorer-table",     "FIFO"),
    ("lgpio cannot write in /",          "WorkingDirectory=%t/scorer-table",      "else in the"),
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
    ("a forbidden call would kill",      "SystemCallErrorNumber=EPERM",           "not killed"),
    ("anybody could press",              "SocketGroup=scorer-net",                "send a press"),
    ("everybody, if not said otherwise", "SocketMode=0660",                       "scorer-net"),
    ("a client per process",             "Accept=no",                             "One socket"),
    ("the page would end the table",     "OOMScoreAdjust=-500",                   "tight"),
    ("a file that nobody answers",       "RemoveOnStop=yes",                      "not answer"),
)  # fmt: skip

# trap, the line that opens it
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
def test_a_known_trap_is_closed_and_the_unit_says_why(trap: str, line: str, word: str) -> None:
    closing = [name for name in UNITS if any(f"] {line}" in each for each in assignments(name))]
    assert len(closing) == 1, trap
    assert word in remarks_of(closing[0]), trap


@pytest.mark.parametrize(("trap", "pattern"), OPEN, ids=[row[0] for row in OPEN])
def test_no_line_opens_a_known_trap(trap: str, pattern: str) -> None:
    lines = [line for name in UNITS for line in assignments(name)]
    assert [line for line in lines if re.search(pattern, line)] == [], trap


def test_the_table_may_open_these_kinds_of_devices_and_no_other() -> None:
    rows = [line.split("=")[1] for line in assignments("scorer.service") if "DeviceAllow" in line]
    serial = [f"char-tty{kind} rw" for kind in ("AMA", "S", "USB", "ACM")]
    seen = ["char-input r", "char-fb rw"]
    assert rows == ["char-gpiochip rw", "char-i2c rw", "char-spi rw", *serial, *seen]


def test_the_drivers_of_what_is_plugged_in_later_are_there_from_the_start() -> None:
    assert set(lines_of("scorer.modules")) == {"i2c-dev", "usbserial", "cdc-acm"}


def test_the_table_may_ask_for_power_off_and_for_nothing_else() -> None:
    text = (ROOT / "systemd" / "scorer.polkit.rules").read_text(encoding="utf-8")
    allowed = re.findall(r'case "([^"]+)"', text)
    assert allowed == [
        "org.freedesktop.login1.power-off",
        "org.freedesktop.login1.power-off-multiple-sessions",
        "org.freedesktop.login1.inhibit-delay-shutdown",
    ]
    assert 'subject.user !== "scorer"' in text
