"""A running virtual Pi: QEMU as a child process, an agent inside, and its wires.


    with Guest(recipe.parts()) as pi:
        pi.write("/etc/scorer/scorer.toml", "...")
        pi.shell("systemctl restart scorer")
        pi.levels([(5, False, 0.15), (5, True, 0.5)])
        pi.kill()

Without ``card`` nothing of a run is kept. The bus traffic is a file of bytes, which ``bus`` reads.
Only the child process that it started is ever killed.
"""

from __future__ import annotations

import base64
import contextlib
import json
import select
import shlex
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.longrun.virtual_pi.recipe import Parts

PATIENCE = 1500.0  # wall-clock seconds; hangs inside are noticed in the guest's time
LOOK = 0.02  # seconds between two polls
Level = tuple[int, bool, float]  # BCM number, high, and the seconds to wait then


class GuestError(Exception):
    """The guest did not do what was requested; the text has the end of its console."""


class Guest:
    """One machine. ``card``: an image to write to, instead of a fresh overlay.

    ``disks``: images of more disks, /dev/vdb and on; ``more``: arguments for QEMU; ``append``:
    words for the kernel's command line. Files in ``folder`` are there until ``close``: ``bus``
    (every message of the panels' bus), ``console``, ``uart`` (a socket: the header's port).
    """

    def __init__(
        self,
        parts: Parts,
        *,
        card: Path | None = None,
        disks: Sequence[Path] = (),
        more: Sequence[str] = (),
        append: str = "",
        memory: int = 512,
        processors: int = 1,
    ) -> None:
        # Not pytest's folders: the path of a socket is limited to about a hundred characters.
        self.folder = Path(tempfile.mkdtemp(prefix="virtual-pi-"))
        self.bus = self.folder / "bus"
        self.console = self.folder / "console"
        self.uart = self.folder / "uart"
        self.started = 0.0  # time.monotonic() of the host
        self._agent = self.folder / "agent"
        self._control = self.folder / "control"
        self._command = [
            # End QEMU with this process: nothing else would end it.
            *("setpriv", "--pdeathsig", "KILL", "--"),
            *("qemu-system-x86_64", "-machine", "q35", "-accel", "tcg,thread=single"),
            # Guest time is counted in instructions, half a thousand million a second, and follows
            # host time only while the guest idles: on a busy host no timeout inside comes too
            # early.
            *("-icount", "shift=1,sleep=on", "-rtc", "clock=vm"),
            # The minimum that Debian requires: newer processors are slower to emulate.
            *("-cpu", "Nehalem", "-smp", str(processors), "-m", str(memory)),
            *("-nodefaults", "-display", "none", "-no-reboot", "-kernel", str(parts.kernel)),
            *("-dtb", str(parts.board), "-append", f"{KERNEL_WORDS} {append}"),
            *self._disk("card", card or parts.card, fresh=card is None),
            *(word for at, path in enumerate(disks) for word in self._disk(f"disk{at}", path)),
            *("-chardev", f"file,id=console,path={self.console}", "-serial", "chardev:console"),
            *("-chardev", f"socket,id=uart,path={self.uart},server=on,wait=off"),
            *("-serial", "chardev:uart", "-device", "virtio-rng-pci"),
            *("-device", "virtio-serial-pci,id=wires", "-device", "qemu-xhci"),
            *("-chardev", f"socket,id=agent,path={self._agent},server=on,wait=off"),
            *("-device", "virtserialport,bus=wires.0,chardev=agent,name=agent"),
            *("-chardev", f"file,id=bus,path={self.bus}"),
            *("-device", "virtserialport,bus=wires.0,chardev=bus,name=bus"),
            *("-qmp", f"unix:{self._control},server=on,wait=off"),
            # QEMU may stop the clock of an idle guest until an event wakes QEMU itself. A socket
            # that tries to reconnect every second is such an event.
            *("-chardev", f"socket,id=pulse,path={self.folder / 'nobody'},reconnect=1"),
            *more,
        ]
        self._child: subprocess.Popen[bytes] | None = None
        self._socket: socket.socket | None = None
        self._heard = b""

    @staticmethod
    def _disk(name: str, path: Path, *, fresh: bool = False) -> list[str]:
        snapshot = "on" if fresh else "off"
        drive = f"file={path},if=none,id={name},format=raw,cache=writeback,snapshot={snapshot}"
        return ["-drive", drive, "-device", f"virtio-blk-pci,drive={name}"]

    # ---- power -----------------------------------------------------------------------------------

    def start(self) -> Self:
        """Switch it on and wait for its agent. May be called again after a power-off."""
        for left in (self.bus, self.console):
            left.write_bytes(b"")
        with (self.folder / "qemu").open("wb") as log:
            self.started = time.monotonic()
            self._child = subprocess.Popen(
                self._command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                # A session of its own gets a fair share of the processors.
                start_new_session=True,
            )
        self._heard = b""
        self._socket = self._connected(self._agent)
        self._answer()
        return self

    @property
    def pid(self) -> int:
        """The process id of QEMU."""
        assert self._child is not None, "it has not been started"
        return self._child.pid

    def is_on(self) -> bool:
        """Whether it has power."""
        return self._child is not None and self._child.poll() is None

    def kill(self) -> None:
        """Pull the plug: SIGKILL; QEMU has ended on return."""
        if self._child is not None:
            self._child.kill()
            self._child.wait()
        if self._socket is not None:
            self._socket.close()

    def wait_until_off(self) -> None:
        """Wait until it has switched itself off. GuestError on a timeout."""
        assert self._child is not None, "it has not been started"
        try:
            self._child.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            raise self._gone("it is still on") from None
        self.kill()

    def close(self) -> None:
        """Switch it off and delete its files."""
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # ---- agent -----------------------------------------------------------------------------------

    def shell(self, command: str, seconds: float = 120.0, *, check: bool = True) -> str:
        """The output of a command run as root. GuestError if it failed and ``check``."""
        reply = self.ask({"shell": command, "seconds": seconds})
        if check and reply["status"]:
            raise GuestError(f"{command!r} ended with {reply['status']}: {reply['text']}")
        return str(reply["text"])

    def write(self, path: str, data: str | bytes, mode: int = 0o644) -> None:
        """Write a file inside, creating its folders."""
        whole = base64.b64encode(data.encode("utf-8") if isinstance(data, str) else data).decode()
        place = shlex.quote(path)
        self.shell(f"mkdir -p $(dirname {place}); base64 -d > {place} <<<{whole}")
        self.shell(f"chmod {mode:o} {place}")

    def levels(self, levels: Sequence[Level]) -> list[float]:
        """Set pins one after another; return the guest's clock at each, in seconds."""
        return [float(at) for at in self.ask({"levels": levels})["at"]]

    def now(self, after: float = 0.0) -> float:
        """The guest's clock, after waiting ``after`` seconds of guest time."""
        return float(self.ask({"pause": after})["now"])

    def wait_for(self, what: Callable[[], object], seconds: float = 60.0, said: str = "") -> float:
        """Wait until ``what`` is true, up to ``seconds`` of guest time; return its clock."""
        until = self.now() + seconds
        while not what():
            if self.now(LOOK) >= until:
                raise GuestError(f"not within {seconds:.0f} s: {said or what}")
        return self.now()

    def ask(self, question: Mapping[str, object]) -> dict[str, Any]:
        """Send one request to the agent and return its reply."""
        assert self._socket is not None, "it has not been started"
        try:
            self._socket.sendall(json.dumps(question).encode() + b"\n")
        except OSError as error:
            raise self._gone(f"its hands cannot be reached ({error})") from error
        reply = self._answer()
        if "error" in reply:
            raise GuestError(f"{question}: {reply['error']}")
        return reply

    def _answer(self) -> dict[str, Any]:
        assert self._socket is not None, "it has not been started"
        until = time.monotonic() + PATIENCE
        while b"\n" not in self._heard:
            left = max(0.0, until - time.monotonic())
            if not select.select([self._socket], [], [], left)[0]:
                raise self._gone(f"no answer in {PATIENCE:.0f} s")
            part = self._socket.recv(1 << 16)
            if not part:
                raise self._gone("it has lost its power")
            self._heard += part
        line, self._heard = self._heard.split(b"\n", 1)
        return dict(json.loads(line))

    def _connected(self, path: Path) -> socket.socket:
        """Connect to a socket of QEMU, which exists soon after the start."""
        connection = socket.socket(socket.AF_UNIX)
        while True:
            try:
                connection.connect(str(path))
            except OSError:
                if not self.is_on():
                    raise self._gone("QEMU ended") from None
                time.sleep(LOOK)
            else:
                return connection

    def _gone(self, what: str) -> GuestError:
        logs = [path.read_text(errors="replace")[-1500:] for path in self._logs() if path.exists()]
        return GuestError("\n".join([what, *logs]))

    def _logs(self) -> list[Path]:
        return [self.folder / "qemu", self.console]

    # ---- wires -----------------------------------------------------------------------------------

    def port(self) -> socket.socket:
        """The other end of the serial port of the header."""
        return self._connected(self.uart)

    @contextlib.contextmanager
    def usb_port(self) -> Iterator[socket.socket]:
        """Plug in a USB serial device for the block; yields the other end of its cable."""
        path = self.folder / "usb"
        address = {"type": "unix", "data": {"path": str(path)}}
        backend = {"type": "socket", "data": {"addr": address, "server": True, "wait": False}}
        self.control("chardev-add", id="usb-cable", backend=backend)
        with self._connected(path) as cable:
            try:
                with self._on_usb("usb-serial", chardev="usb-cable"):
                    yield cable
            finally:
                self._remove_cable()

    @contextlib.contextmanager
    def keypad(self) -> Iterator[None]:
        """Plug in a USB keyboard for the block."""
        with self._on_usb("usb-kbd"):
            yield

    def key(self, name: str, *, down: bool) -> None:
        """Press or release a key of that keyboard, by QEMU's name of it."""
        key = {"type": "qcode", "data": name}
        event = {"type": "key", "data": {"down": down, "key": key}}
        self.control("input-send-event", events=[event])

    def _remove_cable(self) -> None:
        """Wait until QEMU releases the unplugged cable. GuestError on a timeout."""
        until = time.monotonic() + PATIENCE
        while True:
            try:
                self.control("chardev-remove", id="usb-cable")
            except GuestError:
                if time.monotonic() > until:
                    raise
                time.sleep(LOOK)
            else:
                return

    @contextlib.contextmanager
    def _on_usb(self, driver: str, **options: str) -> Iterator[None]:
        self.control("device_add", driver=driver, id=driver, **options)
        try:
            yield
        finally:
            self.control("device_del", id=driver)

    def control(self, command: str, **arguments: object) -> Any:  # noqa: ANN401 - QEMU's own words
        """Send a command of QEMU's machine protocol (QMP)."""
        with self._connected(self._control) as connection, connection.makefile("rwb") as lines:
            for execute, given in (("qmp_capabilities", {}), (command, arguments)):
                request = json.dumps({"execute": execute, "arguments": given})
                lines.write(request.encode() + b"\n")
                lines.flush()
                answer = _answer_of(lines)
            return answer


# no_timer_check: on a busy host the kernel may find its timer broken, and hang at once.
KERNEL_WORDS = (
    "root=/dev/vda rw console=ttyS0 quiet panic=-1 net.ifnames=0 systemd.show_status=0 "
    "random.trust_cpu=on no_timer_check"
)


def _answer_of(lines: Any) -> Any:  # noqa: ANN401 - QEMU's own words
    """The next message that is neither a greeting nor an event."""
    while True:
        message = json.loads(lines.readline())
        if "error" in message:
            raise GuestError(f"QEMU: {message['error']['desc']}")
        if "return" in message:
            return message["return"]
