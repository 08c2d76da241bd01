"""The serial port of the header in the device trees of boards: button-box.md."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorer.config.loader import parse_config
from scorer.doctor import machine
from scorer.doctor.findings import Level, format_line
from scorer.doctor.machine import HostMachine
from scorer.hw.serial import header_port
from scorer.hw.serial.header_port import HEADER_PORTS, HeaderPort, find_header_port
from scorer.i18n import translator

TREES = Path(__file__).parent / "device_trees"
UART, PI_5 = "enable_uart=1", "dtparam=uart0=on"
# Of each tree: the device on the header, and the line that switches it on.
FOUND = {
    "pi-3": HeaderPort("/dev/ttyS0", UART),
    "pi-3-before-enable_uart": HeaderPort("", UART),
    "pi-3-debian": HeaderPort("/dev/ttyS1", UART),
    "pi-3-disable-bt": HeaderPort("/dev/ttyAMA0", UART),
    "pi-3-miniuart-bt": HeaderPort("/dev/ttyAMA0", UART),
    "pi-4": HeaderPort("/dev/ttyS0", UART),
    "pi-5": HeaderPort("", PI_5),
    "pi-5-uart0": HeaderPort("/dev/ttyAMA0", PI_5),
    "zero-2-w": HeaderPort("/dev/ttyS0", UART),
}


def board(name: str, root: Path, cmdline: str = "") -> Path:
    """A root with the files of a running board, laid out from its tree."""
    base = root / "sys/firmware/devicetree/base"
    (root / "dev").mkdir()
    (root / "proc").mkdir()
    (root / "proc/device-tree").symlink_to(base)
    (root / "proc/cmdline").write_text(cmdline, encoding="utf-8")
    for line in (TREES / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        what, _, value = line.partition(" = ")
        if " -> " in line:
            link, _, target = line.partition(" -> ")
            (root / "dev" / link).symlink_to(target)
        elif what.startswith("/"):
            (base / what[1:]).parent.mkdir(parents=True, exist_ok=True)
            (base / what[1:]).write_bytes(value.encode() + b"\0")
        elif not line.startswith("#"):
            add_device(root, what, base / value[1:])
    return root


def add_device(root: Path, name: str, node: Path) -> None:
    """A serial port as the kernel shows it since 6.5: its node is two folders above."""
    platform = root / "sys/devices/platform" / node.name
    port = platform / f"{node.name}:0" / f"{node.name}:0.0"
    (port / "tty" / name).mkdir(parents=True)
    (platform / "of_node").symlink_to(node)
    (port / "tty" / name / "device").symlink_to(port)
    ttys = root / header_port.TTYS
    ttys.mkdir(parents=True, exist_ok=True)
    (ttys / name).symlink_to(port / "tty" / name)
    (root / "dev" / name).touch()


def findings(root: Path, port: str) -> list[tuple[Level, str]]:
    """What the doctor says in English of a table with a box on this port."""
    host = HostMachine(dev=root / "dev", root=root)
    config = parse_config(f'[[box]]\nconsole = "B"\nport = "{port}"\n')
    found = machine.check_header_port(host, config.serial_ports.values())
    say = translator("en")
    return [(each.level, format_line(each, say).partition("port")[2].strip()) for each in found]


def test_each_tree_is_tried() -> None:
    assert {path.stem for path in TREES.iterdir()} == {*FOUND}


@pytest.mark.parametrize("name", FOUND)
def test_the_port_of_the_header_is_found_on_each_board(name: str, tmp_path: Path) -> None:
    found = find_header_port(board(name, tmp_path))
    assert found == FOUND[name]
    assert found.device in ("", *HEADER_PORTS)


def test_an_older_kernel_shows_the_node_beside_the_device(tmp_path: Path) -> None:
    root = board("pi-3-before-enable_uart", tmp_path)
    node = root / "proc/device-tree/soc/serial@7e215040"
    (node / "status").write_bytes(b"okay\0")
    platform = root / "sys/devices/platform/3f215040.serial"
    (platform / "tty/ttyS0").mkdir(parents=True)
    (platform / "of_node").symlink_to(node.resolve())
    (platform / "tty/ttyS0/device").symlink_to(platform)
    (root / header_port.TTYS).mkdir(parents=True)
    (root / header_port.TTYS / "ttyS0").symlink_to(platform / "tty/ttyS0")
    assert find_header_port(root) == HeaderPort("/dev/ttyS0", UART)


def test_a_pc_has_none(tmp_path: Path) -> None:
    assert find_header_port(tmp_path) is None
    assert findings(tmp_path, "/dev/ttyS0") == []


@pytest.mark.parametrize(
    ("name", "port", "right"),
    [
        ("pi-3", "/dev/ttyAMA0", "/dev/serial0"),
        ("pi-4", "/dev/ttyAMA0", "/dev/serial0"),
        ("zero-2-w", "/dev/ttyAMA0", "/dev/serial0"),
        ("pi-3-disable-bt", "/dev/ttyS0", "/dev/serial0"),
        ("pi-5-uart0", "/dev/serial0", "/dev/ttyAMA0"),
        ("pi-3-debian", "/dev/ttyAMA0", "/dev/ttyS1"),
        ("pi-3-debian", "/dev/serial0", "/dev/ttyS1"),
    ],
)
def test_the_doctor_says_what_to_write_for_a_port_that_leads_elsewhere(
    name: str, port: str, right: str, tmp_path: Path
) -> None:
    ((level, said),) = findings(board(name, tmp_path), port)
    assert level is Level.FAIL
    assert said.startswith(f"{port} is not on the header of this board")
    assert said.endswith(f'Write port = "{right}" in scorer.toml')


@pytest.mark.parametrize(
    ("name", "port"),
    [
        ("pi-3", "/dev/serial0"),
        ("pi-3", "/dev/ttyS0"),
        ("pi-3-disable-bt", "/dev/serial0"),
        ("pi-3-miniuart-bt", "/dev/ttyAMA0"),
        ("pi-3-debian", "/dev/ttyS1"),
        ("pi-4", "/dev/serial0"),
        ("pi-5-uart0", "/dev/ttyAMA0"),
        ("zero-2-w", "/dev/serial0"),
    ],
)
def test_the_right_name_of_each_board_is_fine(name: str, port: str, tmp_path: Path) -> None:
    assert findings(board(name, tmp_path), port) == [(Level.OK, f"{port} is on the header")]


@pytest.mark.parametrize(("name", "line"), [("pi-3-before-enable_uart", UART), ("pi-5", PI_5)])
def test_the_doctor_names_the_line_that_switches_a_port_on(
    name: str, line: str, tmp_path: Path
) -> None:
    ((level, said),) = findings(board(name, tmp_path), "/dev/serial0")
    assert level is Level.FAIL
    assert f"/dev/serial0 reaches nothing: add {line} to config.txt" in said


def test_the_doctor_finds_a_kernel_that_writes_to_the_port(tmp_path: Path) -> None:
    root = board("pi-4", tmp_path, "console=ttyS0,115200 console=tty1 root=/dev/mmcblk0p2")
    ((level, said),) = findings(root, "/dev/serial0")
    assert level is Level.FAIL
    assert said.startswith("the kernel writes its messages to /dev/serial0: remove console=")


def test_a_port_on_usb_is_not_asked_about(tmp_path: Path) -> None:
    assert findings(board("pi-3", tmp_path), "/dev/serial/by-id/usb-Pico-if00") == []


@pytest.mark.parametrize("port", HEADER_PORTS)
def test_each_name_of_the_port_claims_its_pins(port: str) -> None:
    config = parse_config(f'[[box]]\nconsole = "B"\nport = "{port}"\n')
    assert {14, 15} <= {claim.pin for claim in config.claims}
