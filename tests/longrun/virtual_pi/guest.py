"""A virtual Pi that runs: QEMU as a child, hands inside, wires that come out, and its plug.

    with Guest(recipe.parts()) as pi:
        pi.write("/etc/scorer/scorer.toml", "...")
        pi.shell("systemctl restart scorer")
        pi.levels([(5, False, 0.15), (5, True, 0.5)])
        pi.kill()

Without ``card`` nothing of a run is kept. It knows no truco and no panel: what comes over the bus
is a file of bytes, which ``bus`` reads. Only the child that it started is ever ended by it.
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

PATIENCE = 1500.0  # seconds of this side: what hangs inside is noticed there, in the guest's time
LOOK = 0.02  # seconds between two looks at something that takes its time
Level = tuple[int, bool, float]  # BCM number, high, and the seconds to wait then


class GuestError(Exception):
    """The machine inside did not do what was asked; the text has the end of its console."""


class Guest:
    """One machine. ``card``: an image that is written to, instead of a fresh one each time.

    ``disks``: images of more disks, /dev/vdb and on; ``more``: words for QEMU's command line;
    ``append``: words for the kernel's. Files in ``folder`` are there until ``close``:
    ``bus`` (every message of the panels' bus), ``console``, ``uart`` (a socket: the header's port).
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
        # Not pytest's folders: the path of a socket has room for a hundred letters.
        self.folder = Path(tempfile.mkdtemp(prefix="virtual-pi-"))
        self.bus = self.folder / "bus"
        self.console = self.folder / "console"
        self.uart = self.folder / "uart"
        self.started = 0.0  # by the clock of this side
        self._agent = self.folder / "agent"
        self._control = self.folder / "control"
        self._command = [
            # It must not outlive this side: nobody else would end it.
            *("setpriv", "--pdeathsig", "KILL", "--"),
            *("qemu-system-x86_64", "-machine", "q35", "-accel", "tcg,thread=single"),
            # Its time is counted in instructions, half a thousand million a second, and goes with
            # ours only while it idles: however little of a processor it gets, for itself it is as
            # quick as ever, and no timeout inside comes too early.
            *("-icount", "shift=1,sleep=on", "-rtc", "clock=vm"),
            # The processor that Debian asks for and no more: others are slower to emulate.
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
            # QEMU may forget to let the clock of an idle machine go on until something wakes QEMU
            # itself. A line that it tries to connect every second, to nobody, does.
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
        """Switches it on and waits until its hands can be told something. May be done again."""
        for left in (self.bus, self.console):
            left.write_bytes(b"")
        with (self.folder / "qemu").open("wb") as said:
            self.started = time.monotonic()
            self._child = subprocess.Popen(
                self._command,
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
                # Its share of the processors is then that of a user, not of one process of many.
                start_new_session=True,
            )
        self._heard = b""
        self._socket = self._connected(self._agent)
        self._answer()
        return self

    @property
    def pid(self) -> int:
        """Of QEMU."""
        assert self._child is not None, "it has not been started"
        return self._child.pid

    def is_on(self) -> bool:
        """Has it power?"""
        return self._child is not None and self._child.poll() is None

    def kill(self) -> None:
        """Pulls the plug: SIGKILL, and QEMU is gone when this returns."""
        if self._child is not None:
            self._child.kill()
            self._child.wait()
        if self._socket is not None:
            self._socket.close()

    def wait_until_off(self) -> None:
        """Until it has switched itself off, or started anew. GuestError where it does not."""
        assert self._child is not None, "it has not been started"
        try:
            self._child.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            raise self._gone("it is still on") from None
        self.kill()

    def close(self) -> None:
        """Without power, and without its files."""
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

    # ---- hands -----------------------------------------------------------------------------------

    def shell(self, command: str, seconds: float = 120.0, *, check: bool = True) -> str:
        """What the command prints, as root. GuestError: it failed, unless ``check`` is off."""
        told = self.ask({"shell": command, "seconds": seconds})
        if check and told["status"]:
            raise GuestError(f"{command!r} ended with {told['status']}: {told['text']}")
        return str(told["text"])

    def write(self, path: str, data: str | bytes, mode: int = 0o644) -> None:
        """A file inside, and the folders above it."""
        whole = base64.b64encode(data.encode("utf-8") if isinstance(data, str) else data).decode()
        place = shlex.quote(path)
        self.shell(f"mkdir -p $(dirname {place}); base64 -d > {place} <<<{whole}")
        self.shell(f"chmod {mode:o} {place}")

    def levels(self, levels: Sequence[Level]) -> list[float]:
        """Puts pins high or low, one after another; the machine's own clock at each, in seconds."""
        return [float(at) for at in self.ask({"levels": levels})["at"]]

    def now(self, after: float = 0.0) -> float:
        """The machine's own clock, after so many seconds of it."""
        return float(self.ask({"pause": after})["now"])

    def wait_for(self, what: Callable[[], object], seconds: float = 60.0, said: str = "") -> float:
        """Looks until it is true, for so many seconds of the guest; when that was, by its clock."""
        until = self.now() + seconds
        while not what():
            if self.now(LOOK) >= until:
                raise GuestError(f"not within {seconds:.0f} s: {said or what}")
        return self.now()

    def ask(self, question: Mapping[str, object]) -> dict[str, Any]:
        """One question to the hands inside, one answer."""
        assert self._socket is not None, "it has not been started"
        try:
            self._socket.sendall(json.dumps(question).encode() + b"\n")
        except OSError as error:
            raise self._gone(f"its hands cannot be reached ({error})") from error
        told = self._answer()
        if "error" in told:
            raise GuestError(f"{question}: {told['error']}")
        return told

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
        """A socket of QEMU's, which makes it soon after it was started."""
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
        said = [path.read_text(errors="replace")[-1500:] for path in self._logs() if path.exists()]
        return GuestError("\n".join([what, *said]))

    def _logs(self) -> list[Path]:
        return [self.folder / "qemu", self.console]

    # ---- wires -----------------------------------------------------------------------------------

    def port(self) -> socket.socket:
        """What is plugged into the serial port of the header: this end of its cable."""
        return self._connected(self.uart)

    @contextlib.contextmanager
    def usb_port(self) -> Iterator[socket.socket]:
        """A serial box plugged into USB, and out at the end; this end of its cable."""
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
        """A keyboard plugged into USB, and out at the end."""
        with self._on_usb("usb-kbd"):
            yield

    def key(self, name: str, *, down: bool) -> None:
        """A finger on a key of that keyboard, by QEMU's name of it."""
        key = {"type": "qcode", "data": name}
        event = {"type": "key", "data": {"down": down, "key": key}}
        self.control("input-send-event", events=[event])

    def _remove_cable(self) -> None:
        """What was plugged out lets go of it a moment later. GuestError: it does not."""
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
        """A word to QEMU itself (its machine protocol): plugging in USB, for one."""
        with self._connected(self._control) as connection, connection.makefile("rwb") as lines:
            for execute, given in (("qmp_capabilities", {}), (command, arguments)):
                asked = json.dumps({"execute": execute, "arguments": given})
                lines.write(asked.encode() + b"\n")
                lines.flush()
                answer = _answer_of(lines)
            return answer


# no_timer_check: on a busy machine the kernel may find its timer broken, and hang at once.
KERNEL_WORDS = (
    "root=/dev/vda rw console=ttyS0 quiet panic=-1 net.ifnames=0 systemd.show_status=0 "
    "random.trust_cpu=on no_timer_check"
)


def _answer_of(lines: Any) -> Any:  # noqa: ANN401 - QEMU's own words
    """The next thing that is neither a greeting nor an event."""
    while True:
        told = json.loads(lines.readline())
        if "error" in told:
            raise GuestError(f"QEMU: {told['error']['desc']}")
        if "return" in told:
            return told["return"]
