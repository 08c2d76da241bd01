"""Checks of the machine: device files and rights, versions, systemd, power supply.

They change nothing. Paths and commands are arguments.
"""

from __future__ import annotations

import os
import platform
import pwd
import re
import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

from scorer.config.battery_section import BatterySection
from scorer.config.schema import PanelConfig
from scorer.doctor.findings import Finding, fail, ok, warn
from scorer.hw import gpio_chip
from scorer.hw.displays.buses import config_txt_line
from scorer.hw.serial.header_port import HEADER_PORTS, find_header_port
from scorer.system import kernel_console
from scorer.system.battery import BatteryMonitor
from scorer.system.power import HWMON, SupplyMonitor

SERVICE, SOCKET = "scorer.service", "scorer.socket"
RUNNING = ("active", "activating", "reloading", "deactivating")
USER = "scorer"  # the user of the service
NETWORK_SOCKET = "scorer-network.socket"
OWN_WIFI_PROGRAMS = (("nmcli", "network-manager"), ("dnsmasq", "dnsmasq-base"))
PROGRAM_FOLDERS = ("usr/bin", "usr/sbin")
VIDEO = "video"  # the group of a television
PATIENCE = 5.0  # seconds for a system command

# name, minimum version, Debian package
LIBRARIES = (
    ("gpiozero", (2, 0), "python3-gpiozero"),
    ("luma.core", (2, 4), "python3-luma.core"),
    ("luma.oled", (3, 13), "python3-luma.oled"),
    ("Pillow", (9, 4), "python3-pil"),
    # lgpio before 0.2.2 ignored its debounce setting; 0.0.0.2 is an empty package of that name.
    ("lgpio", (0, 2, 2), "python3-lgpio"),
    ("smbus2", (0, 4), "python3-smbus2"),
)

_FOR_PINS = ("lgpio", "smbus2")  # nothing else needs them

# Bits of `vcgencmd get_throttled`.
UNDERVOLTAGE_NOW, UNDERVOLTAGE_SINCE_BOOT = 1 << 0, 1 << 16


def run_command(command: Sequence[str]) -> str | None:
    """The output of a system command; None if it is missing, fails or prints nothing."""
    try:
        run = subprocess.run(
            command, capture_output=True, text=True, timeout=PATIENCE, check=False, errors="replace"
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return run.stdout or None


def package_version(name: str) -> str | None:
    """The version of an installed package, without importing it; None if missing."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


class HostMachine(NamedTuple):
    """Paths and commands of the machine; replaced in tests."""

    dev: Path = Path("/dev")
    hwmon: Path = HWMON
    output: Callable[[Sequence[str]], str | None] = run_command
    version: Callable[[str], str | None] = package_version
    chip_label: gpio_chip.ReadLabel = gpio_chip.read_label
    root: Path = Path("/")  # of files that describe board and system


class Unit(NamedTuple):
    """State of a systemd unit; "" if not reported."""

    loaded: str
    active: str


def read_unit(machine: HostMachine, name: str) -> Unit | None:
    """The state of a unit; None without systemd."""
    command = ("systemctl", "show", "--property=LoadState,ActiveState", name)
    text = machine.output(command)
    if text is None:
        return None
    values = dict(line.split("=", 1) for line in text.splitlines() if "=" in line)
    return Unit(values.get("LoadState", ""), values.get("ActiveState", ""))


def check_service(machine: HostMachine) -> Iterator[Finding]:
    """Check the state of the service."""
    found = read_unit(machine, SERVICE)
    if found is None:
        return
    if found.loaded != "loaded":
        yield warn("service.none")
    elif found.active == "failed":
        yield fail("service.failed")
    elif found.active in RUNNING:
        yield ok("service.active")
    else:
        yield warn("service.inactive")


def is_running(machine: HostMachine) -> bool:
    """Whether systemd reports the table as running or starting."""
    found = read_unit(machine, SERVICE)
    return found is not None and found.active in RUNNING


def is_stopped_with_socket(machine: HostMachine) -> bool:
    """Whether the table is stopped while its socket is active.

    Connecting would start it.
    """
    socket, table = read_unit(machine, SOCKET), read_unit(machine, SERVICE)
    if socket is None or table is None:
        return False
    return socket.active == "active" and table.active in ("inactive", "failed")


def check_rights(machine: HostMachine, panels: Iterable[PanelConfig]) -> Iterator[Finding]:
    """Check that the device files exist and may be opened."""
    chips = gpio_chip.chips(machine.dev)
    found = [("gpio", chip) for chip in chips]
    for group, node, setting in sorted(set(map(_panel_wiring, panels))):
        path = machine.dev / node
        if path.exists():
            found.append((group, path))
        elif group == VIDEO:
            yield fail("panel.no_screen", node=path)
        else:
            yield fail("bus.none", node=path, setting=setting)
    shut = [(group, path) for group, path in found if not os.access(path, os.R_OK | os.W_OK)]
    user = user_name(os.geteuid())
    for group, path in shut:
        yield fail("rights.forbidden", node=path, group=group, user=user)
    if found and not shut:
        yield ok("rights.fine", user=user, nodes=", ".join(str(path) for _, path in found))


def check_television(machine: HostMachine, panels: Iterable[PanelConfig]) -> Iterator[Finding]:
    """Check that neither the kernel nor a login writes on the screen of the table."""
    if not any(panel.driver == "framebuffer" for panel in panels):
        return
    with suppress(OSError):
        if not kernel_console.is_quiet((machine.root / "proc/cmdline").read_text("utf-8")):
            yield warn("panel.kernel_text")
    login = read_unit(machine, kernel_console.GETTY)
    if login is not None and login.active in RUNNING:
        yield warn("panel.login", unit=kernel_console.GETTY)


def check_own_wifi(machine: HostMachine, *, is_chosen: bool) -> Iterator[Finding]:
    """Check what the box's own Wi-Fi needs, where set-up or the file chooses it."""
    if not is_chosen:
        return
    for program, package in OWN_WIFI_PROGRAMS:
        if not any((machine.root / folder / program).exists() for folder in PROGRAM_FOLDERS):
            yield warn("network.program", program=program, package=package)
    socket = read_unit(machine, NETWORK_SOCKET)
    if socket is not None and socket.active != "active":
        yield warn("network.unit", unit=NETWORK_SOCKET)


def has_pins(machine: HostMachine) -> bool:
    """Whether the machine has a GPIO chip; a PC usually has none."""
    return bool(gpio_chip.chips(machine.dev))


def check_header(machine: HostMachine) -> Iterator[Finding]:
    """Check that one of the GPIO chips is the header's."""
    if not has_pins(machine):
        yield fail("pins.none")
        return
    with suppress(PermissionError):  # a finding of its own
        try:
            gpio_chip.header_chip(machine.dev, machine.chip_label)
        except gpio_chip.NoHeaderChipError as error:
            yield fail("pins.other", chips=", ".join(error.others) or "-")


def check_header_port(machine: HostMachine, ports: Iterable[str]) -> Iterator[Finding]:
    """Check that ports meant for the header lead there.

    Also that the kernel writes nothing to them.
    """
    wanted = [port for port in dict.fromkeys(ports) if port in HEADER_PORTS]
    header = find_header_port(machine.root) if wanted else None
    if header is None:
        return
    name = Path(header.device).name
    words: list[str] = []
    with suppress(OSError):
        words = (machine.root / "proc/cmdline").read_text("utf-8").split()
    is_console = any(word.partition(",")[0] == f"console={name}" for word in words)
    right = "/dev/serial0" if _target(machine, "serial0") == name else header.device
    for port in wanted:
        if not header.device:
            yield fail("port.off", port=port, setting=header.switch)
        elif _target(machine, Path(port).name) != name:
            yield fail("port.other", port=port, right=right)
        elif is_console:
            yield fail("port.kernel", port=port, tty=name)
        else:
            yield ok("port.fine", port=port)


def _target(machine: HostMachine, name: str) -> str:
    """The device behind a name in /dev; the name itself where nothing has it."""
    return (machine.dev / name).resolve().name


def _panel_wiring(panel: PanelConfig) -> tuple[str, str, str]:
    """A panel's group, device file and line of config.txt."""
    if panel.driver == "framebuffer":
        return VIDEO, Path(str(panel.options.get("device", "/dev/fb0"))).name, ""
    port, device = panel.options.get("port"), int(str(panel.options.get("device", 0)))
    if panel.options.get("interface", "i2c") == "spi":
        number = 0 if port is None else int(str(port))
        return "spi", f"spidev{number}.{device}", config_txt_line("spi", number, device)
    number = 1 if port is None else int(str(port))
    return "i2c", f"i2c-{number}", config_txt_line("i2c", number)


def user_name(uid: int) -> str:
    """The name of a user; the number if there is none."""
    with suppress(KeyError):
        return pwd.getpwuid(uid).pw_name
    return str(uid)


def check_versions(machine: HostMachine) -> Iterator[Finding]:
    """Check that the libraries are installed and recent enough."""
    fine = [f"Python {platform.python_version()}"]
    for name, needed, package in LIBRARIES:
        version = machine.version(name)
        if version is None and name in _FOR_PINS and not has_pins(machine):
            continue
        if version is None:
            yield fail("versions.missing", library=name, package=package)
        elif tuple(int(digits) for digits in re.findall(r"\d+", version)[:3]) < needed:
            wanted = ".".join(map(str, needed))
            yield fail(
                "versions.old", library=name, version=version, needed=wanted, package=package
            )
        else:
            fine.append(f"{name} {version}")
    yield ok("versions.fine", versions=", ".join(fine))


def check_power(machine: HostMachine) -> Iterator[Finding]:
    """Check the power supply, if the machine can measure it."""
    with closing(SupplyMonitor(machine.hwmon)) as supply:
        is_weak = supply.has_undervoltage(0.0)
    if is_weak:
        yield fail("power.weak")
        return
    text = machine.output(("vcgencmd", "get_throttled")) or ""
    match = re.search(r"throttled=(0x[0-9a-fA-F]+)", text)
    if match is None:
        return
    bits = int(match[1], 16)
    if bits & UNDERVOLTAGE_NOW:
        yield fail("power.weak")
    elif bits & UNDERVOLTAGE_SINCE_BOOT:
        yield warn("power.was")
    else:
        yield ok("power.fine")


def check_battery(machine: HostMachine, section: BatterySection | None) -> Iterator[Finding]:
    """Check that the battery of the section can be read, if there is one."""
    if section is None:
        return
    sys = machine.root / "sys"
    supplies, iio = sys / "class/power_supply", sys / "bus/iio/devices"
    charge = BatteryMonitor(section.cells, supplies, machine.hwmon, iio).read()
    if charge is None:
        yield fail("battery.lost")
    elif charge.percent <= section.low and not charge.is_charging:
        yield warn("battery.low", percent=charge.percent)
    else:
        yield ok("battery.fine", percent=charge.percent)
