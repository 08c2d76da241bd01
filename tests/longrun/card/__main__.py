"""``make image-test``: start the card image in QEMU and play on it.

    python -m tests.longrun.card IMAGE.img

Power-on to READY, doctor, presses on simulated pins, a pulled plug, a second start, a wrong
configuration, an update cut in the middle. It prints a line for each check and ends with "N passed,
N failed". QUICK=1 tests lists, module closure, overlays and first start without a machine.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.longrun.card import stories
from tests.longrun.card.machine import MachineError
from tests.longrun.card.report import Report
from tests.paths import ROOT

TOOLS = {
    "qemu-system-aarch64": "qemu-system-arm",
    "dtc": "device-tree-compiler",
    "mcopy": "mtools",
    "sfdisk": "fdisk",
    "dpkg-deb": "dpkg",
}


def main(words: list[str]) -> int:
    """Exit code 0: all passed; 1: a check failed; 2: no image."""
    if os.environ.get("QUICK"):
        command = [sys.executable, "-m", "pytest", "-q", str(ROOT / "tests" / "image")]
        os.execv(sys.executable, command)
    if lacking := [package for tool, package in TOOLS.items() if shutil.which(tool) is None]:
        print(f"not installed: apt install {' '.join(lacking)}\n0 passed, 1 failed")
        return 1
    if len(words) != 1 or not Path(words[0]).is_file():
        print("no image: make image\n0 passed, 1 failed")
        return 2
    report = Report()
    wanted = os.environ.get("ONLY", "").split()
    with tempfile.TemporaryDirectory(prefix="card-", dir=os.environ.get("SCRATCH")) as folder:
        for story in stories.ALL:
            if not wanted or story.__name__ in wanted:
                tell(story, Path(words[0]), Path(folder), report)
    print(f"{report.passed} passed, {report.failed} failed")
    return 1 if report.failed else 0


def tell(
    story: Callable[[Path, Path, Report], None], image: Path, folder: Path, report: Report
) -> None:
    """Run one story on its own card; a silent machine is a failed check."""
    began = time.monotonic()
    place = folder / story.__name__
    place.mkdir()
    print(f"== {story.__doc__}", flush=True)
    try:
        story(image, place, report)
    except (MachineError, subprocess.SubprocessError, OSError, ValueError) as error:
        report.check(story.__name__, False, str(error))
    print(f"   {time.monotonic() - began:.0f} s", flush=True)
    if not os.environ.get("KEEP"):
        with contextlib.suppress(OSError):
            shutil.rmtree(place)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
