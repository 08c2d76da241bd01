"""How this machine can be reached: address, name, wireless network.

Asks only the kernel; sends no packets.
"""

from __future__ import annotations

import ctypes
import fcntl
import socket
import struct
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from scorer.session.values.shown import LinkState
from scorer.system.wifi import state
from scorer.system.wifi.keyfile import OWN_ADDRESS
from scorer.system.wifi.state import JoinStatus

INTERFACES = Path("/sys/class/net")
_SIOCGIFADDR, _SIOCGIWESSID = 0x8915, 0x8B1B  # SIOCGIFADDR, SIOCGIWESSID
_LONGEST_WIFI = 32  # bytes of an SSID
# TEST-NET-1 address (RFC 5737); used only to find the outgoing interface.
_TEST_NET = ("192.0.2.1", 9)
# Prefixes of addresses that other machines cannot reach.
_LOCAL_PREFIXES = ("127.", "169.254.", "0.")

Ioctl = Callable[[int, int, bytes], bytes]


class NetworkStatus(NamedTuple):
    """The address of this machine; without one ``state`` says why."""

    address: str = ""  # IPv4
    state: LinkState = LinkState.OFFLINE
    wifi: str = ""  # the name of the wireless network
    password: str = ""  # of the box's own network
    target: str = ""  # the network that the box leaves its own for, or has tried to join
    fault: JoinStatus | None = None  # why it was not joined


def detect(
    listen_address: str,
    interfaces: Path = INTERFACES,
    joining: Path = state.FILE,
    ioctl: Ioctl = fcntl.ioctl,
    find_outgoing: Callable[[], str] = lambda: outgoing_address(),
) -> NetworkStatus:
    """Detect the status. ``listens``: the server's address; "0.0.0.0" is any."""
    if listen_address not in ("0.0.0.0", "::"):
        return NetworkStatus(
            listen_address, LinkState.ONLINE, _wifi_of_address(listen_address, interfaces, ioctl)
        )
    address = find_outgoing()
    if not address:
        # A network without a default route, such as a bar's own.
        found = (interface_address(each.name, ioctl) for each in _interface_paths(interfaces))
        usable = (each for each in found if each and not each.startswith(_LOCAL_PREFIXES))
        address = next(usable, "")
    joined = state.read(joining)
    if joined is not None and joined.status is JoinStatus.OWN and address == OWN_ADDRESS:
        return NetworkStatus(
            address, LinkState.ONLINE, joined.wifi, joined.password, joined.target, joined.fault
        )
    if address:
        return NetworkStatus(
            address, LinkState.ONLINE, _wifi_of_address(address, interfaces, ioctl)
        )
    if joined is not None and joined.status in (
        JoinStatus.PASSWORD,
        JoinStatus.ABSENT,
        JoinStatus.FAILED,
    ):
        return NetworkStatus(state=LinkState(joined.status), wifi=joined.wifi)
    if joined is not None:
        # Joined, but DHCP has not answered yet.
        return NetworkStatus(state=LinkState.WAITING, wifi=joined.wifi)
    # A cable that is plugged in, or a network that is joined, but no address yet.
    is_up = any(_read_text(each / "operstate") == "up" for each in _interface_paths(interfaces))
    return NetworkStatus(state=LinkState.WAITING if is_up else LinkState.OFFLINE)


def joining_mark(joining: Path = state.FILE) -> int:
    """A number that changes with the state of the Wi-Fi; 0 without one."""
    try:
        return joining.stat().st_mtime_ns
    except OSError:
        return 0


def outgoing_address() -> str:
    """The source address of outgoing connections; "" without a route.

    Connecting a datagram socket chooses the route and sends nothing.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_TEST_NET)
        except OSError:
            return ""
        address = str(probe.getsockname()[0])
    return "" if address.startswith(_LOCAL_PREFIXES) else address


def mdns_name() -> str:
    """The mDNS name of this machine, as published by Avahi: "truco.local"."""
    return f"{socket.gethostname().partition('.')[0]}.local"


def _interface_paths(interfaces: Path) -> list[Path]:
    try:
        return sorted(each for each in interfaces.iterdir() if each.name != "lo")
    except OSError:
        return []


def _read_text(file: Path) -> str:
    try:
        return file.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""


def interface_address(interface: str, ioctl: Ioctl = fcntl.ioctl) -> str:
    """The address of an interface, "" without one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            reply = ioctl(probe.fileno(), _SIOCGIFADDR, struct.pack("16s24x", interface.encode()))
        except OSError:
            return ""
    return socket.inet_ntoa(reply[20:24])


def _wifi_of_address(address: str, interfaces: Path, ioctl: Ioctl) -> str:
    """The wireless network of an address, "" if it is wired or has no SSID."""
    for each in _interface_paths(interfaces):
        if (each / "wireless").exists() and interface_address(each.name, ioctl) == address:
            return interface_wifi(each.name, ioctl)
    return ""


def interface_wifi(interface: str, ioctl: Ioctl = fcntl.ioctl) -> str:
    """The SSID that a wireless interface has joined, "" if unknown."""
    room = ctypes.create_string_buffer(_LONGEST_WIFI + 1)
    where = ctypes.addressof(room)
    request = struct.pack("16sPHH8x", interface.encode(), where, _LONGEST_WIFI + 1, 0)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            reply = ioctl(probe.fileno(), _SIOCGIWESSID, request)
        except OSError:
            # A kernel without wireless extensions: the SSID is left out.
            return ""
    length = struct.unpack_from("16sPH", reply)[2]
    name = room.raw[: min(length, _LONGEST_WIFI)].rstrip(b"\0").decode("utf-8", "replace")
    return name if name.isprintable() and len(name.encode()) <= _LONGEST_WIFI else ""
