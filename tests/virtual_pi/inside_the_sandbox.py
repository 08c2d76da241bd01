"""Runs inside the table's own sandbox and tells, as one JSON object, what it may do there.

It is copied into the machine: it knows the standard library and nothing else.
"""

import contextlib
import ctypes
import errno
import json
import mmap
import os
import socket
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

LIBC = ctypes.CDLL(None, use_errno=True)
NEW_USER = 0x10000000  # CLONE_NEWUSER


def opened(path: str, flags: int) -> Callable[[], None]:
    return lambda: os.close(os.open(path, flags))


def written(path: str) -> Callable[[], None]:
    return opened(path, os.O_WRONLY | os.O_CREAT)


def listening(family: int, kind: int = socket.SOCK_STREAM) -> Callable[[], None]:
    return lambda: socket.socket(family, kind).close()


def called(name: str, *arguments: object) -> Callable[[], None]:
    """A system call that Python has no word for."""

    def call() -> None:
        if getattr(LIBC, name)(*arguments) < 0:
            raise OSError(ctypes.get_errno(), name)

    return call


def heard(path: str) -> None:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(path)


READ, BOTH = os.O_RDONLY, os.O_RDWR
MAY: dict[str, Callable[[], object]] = {
    "pins": opened("/dev/gpiochip0", BOTH),
    "bus": opened("/dev/i2c-1", BOTH),
    "serial port": opened("/dev/ttyS1", BOTH | os.O_NOCTTY | os.O_NONBLOCK),
    "input device": opened("/dev/input/event0", READ),
    "board": lambda: Path("/proc/device-tree/model").read_text(encoding="ascii"),
    "processor": lambda: Path("/proc/cpuinfo").read_text(encoding="ascii"),
    "alarm": lambda: Path("/sys/class/hwmon/hwmon0/in0_lcrit_alarm").read_text(encoding="ascii"),
    "settings": lambda: Path("/etc/scorer/scorer.toml").read_text(encoding="utf-8"),
    "store": written("/var/lib/scorer/probe"),
    "own folder": written("/run/probe/probe"),
    "temporary file": written(f"{tempfile.gettempdir()}/probe"),
    "system bus": lambda: heard("/run/dbus/system_bus_socket"),
}
MAY_NOT: dict[str, Callable[[], object]] = {
    "card": opened("/dev/vda", READ),
    "loop device": opened("/dev/loop0", READ),
    "memory": opened("/dev/mem", READ),
    "kernel log": opened("/dev/kmsg", READ),
    "bus of the tests": opened("/dev/virtual-bus", READ),
    "console": opened("/dev/console", os.O_WRONLY | os.O_NOCTTY),
    "clock of the board": opened("/dev/rtc0", READ),
    "write to an input device": opened("/dev/input/event0", BOTH),
    "passwords": opened("/etc/shadow", READ),
    "owner's settings": written("/etc/scorer/scorer.toml"),
    "program": written("/usr/lib/truco-scorer/scorer/table.py"),
    "card of the PC": written("/boot/firmware/scorer.toml"),
    "home": lambda: list(Path("/root").iterdir()),
    "another process": lambda: list(Path("/proc/1").iterdir()),
    "kernel settings": written("/proc/sys/kernel/hostname"),
    "pull of a pin": written("/sys/devices/platform/pins/gpiochip0/sim_gpio5/pull"),
    "control groups": written("/sys/fs/cgroup/cgroup.procs"),
    "internet": listening(socket.AF_INET),
    "internet 6": listening(socket.AF_INET6),
    "netlink": listening(socket.AF_NETLINK, socket.SOCK_RAW),
    "writable code": lambda: mmap.mmap(-1, 4096, prot=7).close(),
    "user namespace": called("unshare", NEW_USER),
    "mount": called("mount", b"none", b"/tmp", b"tmpfs", 0, None),
    "another user": lambda: os.setuid(0),
    "root's file": lambda: os.chown("/run/probe/probe", 0, 0),
    "set-user-ID": lambda: Path("/run/probe/probe").chmod(0o4755),
    "device node": lambda: os.mknod("/run/probe/node", 0o60600, os.makedev(254, 0)),
    "real time": lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)),
    "clock": lambda: __import__("time").clock_settime(0, 0),
    "host name": lambda: socket.sethostname("mine"),
    "signal to others": lambda: os.kill(1, 0),
    "restart": called("reboot", 0),
    "tracing": called("ptrace", 16, 1, 0, 0),
    "module": called("syscall", 313, 0, 0, 0),
    "bpf": called("syscall", 321, 0, 0, 0),
    "32 bit": called("personality", 8),
}


def outcome(attempt: Callable[[], object]) -> str:
    """``done``, or the name of the error."""
    try:
        attempt()
    except OSError as error:
        return errno.errorcode.get(error.errno or 0, str(error.errno))
    return "done"


told = {
    part: {name: outcome(attempt) for name, attempt in attempts.items()}
    for part, attempts in (("may", MAY), ("may not", MAY_NOT))
}
json.dump(told, sys.stdout)
for left in ("/var/lib/scorer/probe", "/run/probe/node"):
    with contextlib.suppress(OSError):
        Path(left).unlink()
