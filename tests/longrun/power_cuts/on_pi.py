"""An evening on the virtual Pi: the installed package under systemd, its store on a logged disk.

Fingers move pins of the kernel; what is shown is what came over the panels' bus and out of the
socket, each with how long the disk's log was when this side had seen it. It knows the guest's face
and the disk; what makes a picture it leaves to the models of the panels' chips.
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
# Nobody is guarded against a machine that presses faster than people do.
GUARDS = "\n[guards]\nslap = 0\nslap_call = 0\necho = 0\nclosed = 0\n"
STORE = "/var/lib/scorer"
PORT = 3  # of the virtio port through which the socket is heard
# systemd gives up on what a busy machine has not started within 90 seconds.
PATIENT = "systemd.default_timeout_start_sec=900"
BOOT = 900.0  # seconds at most until all of the guest has started


class Logged(NamedTuple):
    """A disk of the guest, /dev/vdb and on, and the log of what was written to it."""

    base: Path
    live: Path
    log: Path


class PiWithDisks:
    """A virtual Pi with so many logged disks, on while the block lasts."""

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
        for name in ("ears.py", "weak.py"):
            guest.write(f"/opt/{name}", (HERE / name).read_bytes())
        # A table that is still starting would be waited for by every later command.
        guest.shell("systemctl is-system-running --wait", BOOT, check=False)
        ears = "/usr/bin/python3 -I /opt/ears.py /run/scorer/table.sock told"
        guest.shell(f"systemd-run --unit=ears {ears}")
        return box


def record(
    pi: PiWithDisks, box: Box, number: int, work: Path, presses: int, weak: str = ""
) -> Recording:
    """An evening of so many presses on disk ``number``; the table is stopped after it.

    ``weak``: how the store is less careful than it should be, for the control.
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
    """Makes the unit run the table less careful than it is, or as it is."""
    folder = "/run/systemd/system/scorer.service.d"
    clear = f"rm -rf {folder}"
    lines = [
        "[Service]",
        "Environment=PYTHONPATH=/usr/lib/truco-scorer",
        "ExecStart=",
        f"ExecStart=/usr/bin/python3 -s /opt/weak.py {weak} run --config /etc/scorer/scorer.toml",
    ]
    words = " ".join(f"'{line}'" for line in lines)
    write = f"mkdir -p {folder}; printf '%s\\n' {words} > {folder}/weak.conf"
    return f"{clear}; {write if weak else 'true'}; systemctl daemon-reload"


def _keep_store(guest: Guest, target: Path) -> None:
    """Copies what the table saw of its store."""
    packed = guest.shell(f"tar -C {STORE} --exclude=lost+found -cf - . | base64 -w0", 300)
    with tarfile.open(fileobj=io.BytesIO(base64.b64decode(packed))) as archive:
        archive.extractall(target, filter="data")
