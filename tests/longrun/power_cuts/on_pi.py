"""An evening on the virtual Pi: the installed package, its store on a logged disk.

Presses move pins of the kernel; the panels' bus and the socket show the states, each recorded with
the length of the disk's log when the host had seen it.
"""

from __future__ import annotations

import base64
import io
import tarfile
from pathlib import Path
from typing import NamedTuple

from tests.longrun.power_cuts.crash_image import copy_image
from tests.longrun.power_cuts.evidence import Recording
from tests.longrun.power_cuts.frame_watcher import Eyes, seen
from tests.longrun.power_cuts.logged_disk import make_image
from tests.longrun.power_cuts.pressing import Playing
from tests.longrun.virtual_pi.box import SETTINGS, Box
from tests.longrun.virtual_pi.guest import Guest
from tests.longrun.virtual_pi.recipe import Parts

HERE = Path(__file__).parent
# No guards: the test presses faster than people do.
GUARDS = "\n[guards]\nslap = 0\nslap_call = 0\necho = 0\nclosed = 0\npaid_hand = 0\npaid_bet = 0\n"
STORE = "/var/lib/scorer"
PORT = 3  # number of the virtio port that carries the socket's lines
# systemd gives up on units that a busy host has not started within 90 seconds.
PATIENT = "systemd.default_timeout_start_sec=900"
BOOT = 900.0  # seconds at most until all of the guest has started


class Logged(NamedTuple):
    """A disk of the guest (/dev/vdb and on) and the log of its writes."""

    base: Path
    live: Path
    log: Path


class PiWithDisks:
    """A virtual Pi with ``disks`` logged disks, running for the block."""

    def __init__(self, parts: Parts, work: Path, disks: int) -> None:
        work.mkdir(parents=True)
        self.told = work / "told"
        self.disks = [_logged(work, number) for number in range(disks)]
        words = ["-chardev", f"file,id=told,path={self.told}"]
        words += ["-device", f"virtserialport,bus=wires.0,nr={PORT},chardev=told,name=told"]
        for number, disk in enumerate(self.disks):
            words += ["-blockdev", _node(number, disk)]
            words += ["-device", f"virtio-blk-pci,drive=logged{number}"]
        self.guest = Guest(parts, more=words, append=PATIENT)

    def __enter__(self) -> Box:
        try:
            return self._ready(self.guest)
        except BaseException:
            self.guest.close()
            raise

    def __exit__(self, *_: object) -> None:
        self.guest.close()

    def _ready(self, guest: Guest) -> Box:
        box = Box(guest.start())
        for name in ("socket_tap.py", "weak_store.py"):
            guest.write(f"/opt/{name}", (HERE / name).read_bytes())
        # Otherwise every later command would wait for the start of the table.
        guest.shell("systemctl is-system-running --wait", BOOT, check=False)
        ears = "/usr/bin/python3 -I /opt/socket_tap.py /run/scorer/table.sock told"
        guest.shell(f"systemd-run --unit=ears {ears}")
        return box


def record(
    pi: PiWithDisks, box: Box, number: int, work: Path, presses: int, weak: str = ""
) -> Recording:
    """An evening of ``presses`` presses on disk ``number``; the table is then stopped.

    ``weak``: how the store is weakened, for the control.
    """
    work.mkdir(parents=True)
    disk, guest = pi.disks[number], box.guest
    guest.shell("systemctl stop scorer.socket scorer.service", 600)
    guest.shell(f"umount {STORE} 2>/dev/null; mount -o noatime,commit=1 {_node_of(number)} {STORE}")
    guest.shell(_dropped_in(weak))
    box.settle(SETTINGS + GUARDS)
    eyes = Eyes(pi.told, guest.bus, disk.log)
    eyes.start()
    playing = Playing(box, pi.told, seed=number + 1)
    try:
        up = disk.log.stat().st_size
        playing.play(presses)
        length = disk.log.stat().st_size
    finally:
        eyes.close()
    guest.shell("systemctl stop scorer.socket scorer.service", 300)
    _keep_store(guest, work / "store")
    guest.shell(f"umount {STORE}")
    watcher = seen(eyes.glances, playing.marks, pi.told, guest.bus, work)
    return Recording(
        base=disk.base,
        log=disk.log,
        up=up,
        length=length,
        shown=tuple(watcher.shown),
        documents=watcher.documents,
        presses=playing.presses,
        store=work / "store",
    )


def _logged(work: Path, number: int) -> Logged:
    disk = Logged(*(work / f"{name}-{number}" for name in ("base", "live", "log")))
    make_image(disk.base)
    copy_image(disk.base, disk.live)
    disk.log.write_bytes(b"")
    return disk


def _node(number: int, disk: Logged) -> str:
    return (
        f"driver=blklogwrites,node-name=logged{number},log-sector-size=512"
        f",file.driver=file,file.filename={disk.live},log.driver=file,log.filename={disk.log}"
    )


def _node_of(number: int) -> str:
    return f"/dev/vd{'bcdef'[number]}"


def _dropped_in(weak: str) -> str:
    """The command that weakens the table of the unit, or restores it."""
    folder = "/run/systemd/system/scorer.service.d"
    clear = f"rm -rf {folder}"
    lines = [
        "[Service]",
        "Environment=PYTHONPATH=/usr/lib/truco-scorer",
        "ExecStart=",
        f"ExecStart=/usr/bin/python3 -s /opt/weak_store.py {weak} run"
        " --config /etc/scorer/scorer.toml",
    ]
    words = " ".join(f"'{line}'" for line in lines)
    write = f"mkdir -p {folder}; printf '%s\\n' {words} > {folder}/weak.conf"
    return f"{clear}; {write if weak else 'true'}; systemctl daemon-reload"


def _keep_store(guest: Guest, target: Path) -> None:
    """Copy the store as the table saw it."""
    packed = guest.shell(f"tar -C {STORE} --exclude=lost+found -cf - . | base64 -w0", 300)
    with tarfile.open(fileobj=io.BytesIO(base64.b64decode(packed))) as archive:
        archive.extractall(target, filter="data")
