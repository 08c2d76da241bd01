"""Two network namespaces with a cable between them; root makes them."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple, TypeVar

_NEW_NETWORK = 0x40000000  # CLONE_NEWNET

T = TypeVar("T")


class Namespaces(NamedTuple):
    """Names of the two ends of the cable."""

    one: str
    other: str


def why_no_namespaces() -> str:
    """Why none can be made here; "" if they can."""
    if shutil.which("ip") is None:
        return "the command ip is not installed"
    probe = f"truco-probe-{os.getpid()}"
    made = subprocess.run(["ip", "netns", "add", probe], capture_output=True, text=True)
    if made.returncode:
        return f"network namespaces need root: {made.stderr.strip()}"
    _ip("netns", "delete", probe)
    return ""


@contextmanager
def joined_namespaces(ones: Sequence[str], others: Sequence[str]) -> Iterator[Namespaces]:
    """Two namespaces with these addresses, of one network of 24 bits."""
    found = Namespaces(f"truco-a-{os.getpid()}", f"truco-b-{os.getpid()}")
    with ExitStack() as stack:
        for name in found:
            _ip("netns", "add", name)
            stack.callback(_ip, "netns", "delete", name)
        link = ("link", "add", "wire", "netns", found.one, "type", "veth")
        _ip(*link, "peer", "name", "wire", "netns", found.other)
        for name, addresses in zip(found, (ones, others), strict=True):
            for address in addresses:
                _ip("-n", name, "address", "add", f"{address}/24", "dev", "wire")
            for device in ("lo", "wire"):
                _ip("-n", name, "link", "set", device, "up")
        yield found


def in_namespace(name: str, work: Callable[[], T]) -> T:
    """The result of ``work`` in a thread of the namespace; its sockets stay there."""
    with ThreadPoolExecutor(1, initializer=_enter, initargs=(name,)) as threads:
        return threads.submit(work).result()


def _enter(name: str) -> None:
    with Path("/run/netns", name).open("rb") as namespace:
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.setns(namespace.fileno(), _NEW_NETWORK):
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True)
