"""A board that starts from a copy of the card image: QEMU, with simulated pins.

The kernel, its initramfs and its command line are those of the card. The firmware of a Raspberry Pi
does not run: no QEMU has its chip. Its pins are the gpio-sim of the kernel, so a press is an edge.
"""

from __future__ import annotations

import itertools
import re
import shlex
import signal
import socket
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Self

MIB = 1 << 20
BOOT_AT = 4 * MIB  # where the first partition begins
NO_PORTS: Mapping[int, int] = MappingProxyType({})
CARD_SIZE = 4096 * MIB
SHELL_LIMIT_S = 3000  # seconds for one command, on a busy machine
# Removed from the kernel's words: they hide messages or send them to a screen.
_QUIET = ("quiet", "loglevel=3", "console=tty1", "panic=10")
_WORDS = (
    "console=ttyAMA0",
    "systemd.show_status=true",
    "systemd.debug_shell",
    "systemd.default_debug_tty=hvc0",
    "modules_load=gpio-sim,i2c-gpio",
    "panic=-1",
)
# The header of a Pi 4 and its bus, without the GPIO chip of QEMU's own board.
_BOARD = """
/ {
	model = "Raspberry Pi 4 Model B Rev 1.5";
	serial-number = "100000003d1d5ba5";
	aliases { i2c1 = &bus; };
	system { linux,revision = <0x00c03115>; };
	pins {
		compatible = "gpio-simulator";
		header: bank {
			gpio-controller;
			#gpio-cells = <2>;
			ngpios = <58>;
			gpio-sim,label = "pinctrl-bcm2711";
		};
	};
	bus: i2c {
		compatible = "i2c-gpio";
		sda-gpios = <&header 2 0x16>;
		scl-gpios = <&header 3 0x16>;
		#address-cells = <1>;
		#size-cells = <0>;
	};
};
"""


class MachineError(Exception):
    """The machine did not do what it was asked to; the end of its console follows."""


class Card:
    """A copy of an image on a card larger than it."""

    def __init__(self, image: Path, folder: Path) -> None:
        self.file = folder / "card.img"
        self._folder = folder
        run("cp", "--sparse=always", str(image), str(self.file))
        with self.file.open("r+b") as opened:
            opened.truncate(CARD_SIZE)

    def put(self, source: Path, name: str) -> None:
        """Copy a file to the boot partition, as its owner does on a PC."""
        run("mcopy", "-o", "-i", self._boot(), str(source), f"::{name}")

    def get(self, name: str) -> Path:
        """A copy of a file of the boot partition."""
        copy = self._folder / Path(name).name
        copy.unlink(missing_ok=True)
        run("mcopy", "-n", "-i", self._boot(), f"::{name}", str(copy))
        return copy

    def remove(self, name: str) -> None:
        """Delete a file of the boot partition."""
        run("mdel", "-i", self._boot(), f"::{name}")

    def partitions(self) -> list[tuple[int, int]]:
        """Start and size of each partition, in bytes."""
        table = run("sfdisk", "--dump", str(self.file))
        found = re.findall(r"start= *(\d+), size= *(\d+)", table)
        return [(int(start) * 512, int(size) * 512) for start, size in found]

    def is_blank(self, offset: int) -> bool:
        """Whether nothing was written in the 4 KiB at ``offset``."""
        with self.file.open("rb") as opened:
            opened.seek(offset)
            return not any(opened.read(4096))

    def _boot(self) -> str:
        return f"{self.file}@@{BOOT_AT}"


class Machine:
    """A start of the card; a context that ends with a pulled plug.

    ``words`` are added to those of the kernel. ``forwards``: ports of 127.0.0.1 that lead to ports
    of the machine, which then has a cable and no way out; without any it has no cable.
    """

    def __init__(
        self, card: Card, folder: Path, *words: str, forwards: Mapping[int, int] = NO_PORTS
    ) -> None:
        self._card, self._folder, self._more = card, folder, words
        self._forwards = forwards
        self._numbers = itertools.count(1)
        self._heard = b""

    def __enter__(self) -> Self:
        kernel, initrd = self._card.get("vmlinuz"), self._card.get("initrd.img")
        given = self._card.get("cmdline.txt").read_text(encoding="ascii").split()
        words = [*(word for word in given if word not in _QUIET), *_WORDS, *self._more]
        base = ["-M", "virt", "-cpu", "cortex-a72", "-m", "1024", "-smp", "2"]
        base += self._cable()
        shell, console = self._folder / "shell", self._folder / "console"
        shell.unlink(missing_ok=True)
        self._console = console
        # The guest's time is counted in instructions: on a busy host no timeout comes too early.
        command = ["qemu-system-aarch64", *base, "-icount", "shift=1,sleep=on", "-rtc", "clock=vm"]
        command += ["-display", "none", "-monitor", "none", "-no-reboot"]
        command += ["-serial", f"file:{console}", "-kernel", str(kernel), "-initrd", str(initrd)]
        command += ["-dtb", str(self._board(base)), "-append", " ".join(words)]
        command += ["-drive", f"file={self._card.file},if=none,id=card,format=raw"]
        command += ["-device", "virtio-blk-device,drive=card"]
        command += ["-device", "virtio-serial-device", "-device", "virtconsole,chardev=shell"]
        command += ["-chardev", f"socket,id=shell,path={shell},server=on,wait=off"]
        self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
        self._began = time.monotonic()
        self._line = self._connected(shell)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.cut()

    def _cable(self) -> list[str]:
        if not self._forwards:
            return ["-nic", "none"]
        ports = self._forwards.items()
        led = ",".join(f"hostfwd=tcp:127.0.0.1:{here}-:{there}" for here, there in ports)
        network = ["-netdev", f"user,id=cable,restrict=on,{led}"]
        return [*network, "-device", "virtio-net-device,netdev=cable"]

    def _connected(self, path: Path) -> socket.socket:
        line = socket.socket(socket.AF_UNIX)
        for _ in range(100):
            try:
                line.connect(str(path))
                break
            except OSError:
                time.sleep(0.1)
        line.settimeout(1)
        return line

    def _board(self, base: list[str]) -> Path:
        tree = self._folder / "virt.dtb"
        run("qemu-system-aarch64", *base, "-M", f"dumpdtb={tree}", "-display", "none")
        source = run("dtc", "-q", "-I", "dtb", "-O", "dts", str(tree))
        for node in (r"gpio-keys", r"gpio-poweroff", r"gpio-restart", r"pl061@\w+"):
            source = re.sub(rf"\n\t{node} {{.*?\n\t}};", "", source, flags=re.DOTALL)
        board = self._folder / "board.dts"
        board.write_text(source + _BOARD, encoding="ascii")
        run("dtc", "-q", "-I", "dts", "-O", "dtb", "-o", str(tree), str(board))
        return tree

    @property
    def seconds(self) -> float:
        """Seconds since the plug went in."""
        return time.monotonic() - self._began

    def console(self) -> str:
        return self._console.read_bytes().decode(errors="replace")

    def cut(self) -> None:
        """Pull the plug: the machine stops where it is."""
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        self._line.close()

    def ended(self) -> bool:
        """Wait until the machine has powered itself off; False if it does not."""
        try:
            self._process.wait(SHELL_LIMIT_S)
        except subprocess.TimeoutExpired:
            return False
        return True

    def is_on(self) -> bool:
        """Whether it runs."""
        return self._process.poll() is None

    def shell(self, command: str, limit: float = SHELL_LIMIT_S) -> str:
        """The output of a command as root. MachineError: it failed."""
        code, output = self.ask(command, limit)
        if code:
            raise MachineError(f"{command}\nended with {code}:\n{output}")
        return output

    def ask(self, command: str, limit: float = SHELL_LIMIT_S) -> tuple[int, str]:
        """The exit code and output of a command as root, as soon as there is a shell."""
        number = next(self._numbers)
        quoted = shlex.quote(command)
        words = f"sh -c {quoted} 2>&1 </dev/null; printf '\\n@%d@ %d\\n' {number} $?\n"
        end = time.monotonic() + limit
        self._heard = b""
        if number == 1:
            self._until(b"# ", end)
            # A plain shell: the one that systemd starts edits its line with control sequences.
            self._line.sendall(b"export TERM=dumb PAGER=cat SYSTEMD_COLORS=0; exec sh\n")
            self._until(b"# ", end)
            self._line.sendall(b"stty -echo -onlcr; PS1=; PS2=; printf '@%d@\\n' 0\n")
            self._until(b"@0@\n", end)
        self._line.sendall(words.encode())
        found = self._until(f"\n@{number}@ ".encode(), end)
        code = self._until(b"\n", end)
        return int(code), found.decode(errors="replace").strip()

    def _until(self, mark: bytes, end: float) -> bytes:
        while mark not in self._heard:
            if time.monotonic() > end or not self.is_on():
                raise MachineError(f"no answer; the console:\n{self.console()[-3000:]}")
            try:
                self._heard += self._line.recv(65536)
            except TimeoutError:
                continue
        before, _, self._heard = self._heard.partition(mark)
        return before

    def wait_ready(self) -> str:
        """Wait until the table is ready; the machine's own seconds since its start."""
        self.shell("until systemctl is-active --quiet scorer.service; do sleep 1; done")
        return f"{self.shell('cut -d. -f1 /proc/uptime')} s of its own clock"


def run(*command: str) -> str:
    """The output of a program on this machine. MachineError: it failed."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise MachineError(f"{shlex.join(command)[:200]}: {done.stderr[-1000:]}")
    return done.stdout
