"""The machine under the table: device files and who may open them, versions, systemd, the supply.

It reads and asks, and changes nothing. Where things are comes in as an argument.
"""

from __future__ import annotations

import os
import platform
import pwd
import re
import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

from scorer.config.loader import PanelConfig
from scorer.doctor.findings import Finding, fail, ok, warn
from scorer.system.power import HWMON, SupplyMonitor

SERVICE, SOCKET = "scorer.service", "scorer.socket"
RUNNING = ("active", "activating", "reloading", "deactivating")
USER = "scorer"  # whom the service runs as
VIDEO = "video"  # the group of a television
PATIENCE = 5.0  # seconds for a command of the system

# name, the oldest that will do, Debian's package
LIBRARIES = (
    ("gpiozero", (2, 0), "python3-gpiozero"),
    ("luma.core", (2, 4), "python3-luma.core"),
    ("luma.oled", (3, 13), "python3-luma.oled"),
    ("Pillow", (9, 4), "python3-pil"),
)
# Before 0.2.2 lgpio ignored its own debounce, and an empty package 0.0.0.2 bears its name.
ON_A_PI = (("lgpio", (0, 2, 2), "python3-lgpio"), ("smbus2", (0, 4), "python3-smbus2"))

# Bits of `vcgencmd get_throttled`.
UNDERVOLTAGE_NOW, UNDERVOLTAGE_SINCE_BOOT = 1 << 0, 1 << 16


def run_command(command: Sequence[str]) -> str | None:
    """What a command of the system prints; None where there is none or it says nothing."""
    try:
        run = subprocess.run(
            command, capture_output=True, text=True, timeout=PATIENCE, check=False, errors="replace"
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return run.stdout or None


def package_version(name: str) -> str | None:
    """The version of an installed package, which is not imported; None where it is missing."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


class HostMachine(NamedTuple):
    """Where to look; a test has a machine of its own."""

    dev: Path = Path("/dev")
    hwmon: Path = HWMON
    output: Callable[[Sequence[str]], str | None] = run_command
    version: Callable[[str], str | None] = package_version


class Unit(NamedTuple):
    """What systemd says of a unit; "" where it says nothing."""

    loaded: str
    active: str


def read_unit(machine: HostMachine, name: str) -> Unit | None:
    """A unit as systemd sees it; None where systemd does not run this machine."""
    command = ("systemctl", "show", "--property=LoadState,ActiveState", name)
    text = machine.output(command)
    if text is None:
        return None
    values = dict(line.split("=", 1) for line in text.splitlines() if "=" in line)
    return Unit(values.get("LoadState", ""), values.get("ActiveState", ""))


def check_service(machine: HostMachine) -> Iterator[Finding]:
    """Whether the table is a service here, and how it is."""
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
    """Whether systemd says that a table runs, or is about to."""
    found = read_unit(machine, SERVICE)
    return found is not None and found.active in RUNNING


def is_stopped_with_socket(machine: HostMachine) -> bool:
    """Whether the table is stopped while systemd holds its socket: to connect would start it."""
    socket, table = read_unit(machine, SOCKET), read_unit(machine, SERVICE)
    if socket is None or table is None:
        return False
    return socket.active == "active" and table.active in ("inactive", "failed")


def check_rights(machine: HostMachine, panels: Iterable[PanelConfig]) -> Iterator[Finding]:
    """Whether the device files are there, and whether we may open them."""
    chips = sorted(machine.dev.glob("gpiochip*"))
    if not chips:
        yield fail("pins.none")
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
    for group, path in shut:
        yield fail("rights.forbidden", node=path, group=group, user=_user_name())
    if found and not shut:
        yield ok("rights.fine", user=_user_name(), nodes=", ".join(str(path) for _, path in found))


def _panel_wiring(panel: PanelConfig) -> tuple[str, str, str]:
    """A panel's group, device file and the setting that brings it about."""
    if panel.driver == "framebuffer":
        return VIDEO, Path(str(panel.options.get("device", "/dev/fb0"))).name, ""
    port, device = panel.options.get("port"), panel.options.get("device", 0)
    if panel.options.get("interface", "i2c") == "spi":
        return "spi", f"spidev{0 if port is None else port}.{device}", "spi"
    return "i2c", f"i2c-{1 if port is None else port}", "i2c_arm"


def _user_name() -> str:
    with suppress(KeyError):
        return pwd.getpwuid(os.geteuid()).pw_name
    return str(os.geteuid())


def check_versions(machine: HostMachine, *, mock: bool) -> Iterator[Finding]:
    """Whether what we need is installed, and new enough."""
    fine = [f"Python {platform.python_version()}"]
    for name, needed, package in LIBRARIES if mock else (*LIBRARIES, *ON_A_PI):
        version = machine.version(name)
        if version is None:
            yield fail("versions.missing", library=name, package=package)
        elif _numbers(version) < needed:
            wanted = ".".join(map(str, needed))
            yield fail(
                "versions.old", library=name, version=version, needed=wanted, package=package
            )
        else:
            fine.append(f"{name} {version}")
    yield ok("versions.fine", versions=", ".join(fine))


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(digits) for digits in re.findall(r"\d+", version)[:3])


def check_power(machine: HostMachine) -> Iterator[Finding]:
    """Whether the supply is strong enough, where the machine can tell."""
    if SupplyMonitor(machine.hwmon).has_undervoltage(0.0):
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
