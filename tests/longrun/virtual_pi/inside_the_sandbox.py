"""Probe of the table's sandbox: prints what it may do there as one JSON object.

It also runs outside as root, where every attempt must succeed: so a refusal inside is due to the
sandbox and not to a missing feature. Attempts are harmless. It is copied into the guest and uses
only the standard library.
"""

import ctypes
import errno
import json
import mmap
import os
import socket
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

LIBC = ctypes.CDLL(None, use_errno=True)
NEW_USER = 0x10000000  # CLONE_NEWUSER
SEIZE = 0x4206  # PTRACE_SEIZE: traces without a stop
LOAD_MODULE, BPF = 313, 321  # syscall numbers of x86-64
SMALL_MAP = (ctypes.c_uint32 * 4)(2, 4, 4, 1)  # an array map with one element
OWN_FILE = Path("/run/probe/probe")
UNKNOWN = 254  # an exit code that is no errno


def opened(path: str, flags: int) -> Callable[[], None]:
    return lambda: os.close(os.open(path, flags))


def written(path: str) -> Callable[[], None]:
    """Open it for writing. A file that did not exist is created and removed again."""

    def attempt() -> None:
        was_there = Path(path).exists()
        opened(path, os.O_WRONLY | os.O_CREAT)()
        if not was_there:
            Path(path).unlink()

    return attempt


def listening(family: int, kind: int = socket.SOCK_STREAM) -> Callable[[], None]:
    return lambda: socket.socket(family, kind).close()


def called(name: str, *arguments: object) -> Callable[[], None]:
    """A system call without a Python wrapper."""

    def call() -> None:
        if getattr(LIBC, name)(*arguments) < 0:
            raise OSError(ctypes.get_errno(), name)

    return call


def heeded(call: Callable[[], None], complaint: int) -> Callable[[], None]:
    """A call that is permitted if its only error is ``complaint``."""

    def attempt() -> None:
        try:
            call()
        except OSError as error:
            if error.errno != complaint:
                raise

    return attempt


def made_device() -> None:
    os.mknod("/run/probe/node", 0o60600, os.makedev(254, 0))
    Path("/run/probe/node").unlink()


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
    "own folder": written("/run/probe/other"),
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
    "random numbers of the board": opened("/dev/hwrng", READ),
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
    "root's file": lambda: os.chown(OWN_FILE, 0, 0),
    "set-user-ID": lambda: OWN_FILE.chmod(0o4755),
    "device node": made_device,
    "real time": lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)),
    "clock": lambda: time.clock_settime(time.CLOCK_REALTIME, time.time()),
    "host name": lambda: socket.sethostname(socket.gethostname()),
    "signal to others": lambda: os.kill(1, 0),
    "restart": called("reboot", 0),
    "tracing": called("ptrace", SEIZE, 1, None, None),
    "module": heeded(called("syscall", LOAD_MODULE, -1, None, 0), errno.EBADF),
    "bpf": called("syscall", BPF, 0, SMALL_MAP, 16),
    "32 bit": called("personality", 8),
}


def error_of(attempt: Callable[[], object]) -> int:
    try:
        attempt()
    except OSError as error:
        return error.errno or UNKNOWN
    return 0


def outcome(attempt: Callable[[], object]) -> str:
    """``done`` or the name of the error. Forks: some attempts cannot be undone."""
    child = os.fork()
    if not child:
        code = UNKNOWN
        try:
            code = error_of(attempt)
        finally:
            os._exit(code)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return errno.errorcode.get(code, str(code)) if code else "done"


OWN_FILE.touch()
told = {
    part: {name: outcome(attempt) for name, attempt in attempts.items()}
    for part, attempts in (("may", MAY), ("may not", MAY_NOT))
}
json.dump(told, sys.stdout)
