"""CPU cost of one frame, from picture to messages, against luma's display()."""

from __future__ import annotations

import pickle
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from scorer.hw.displays import luma_oled
from scorer.hw.displays.buses import I2cMessage
from scorer.session.values.settings import Layout
from tools.bench import Measurement, Result, Skipped
from tools.bench.in_process_table import replay_games
from tools.bench.instructions import Work, measure_work

WHAT = "CPU for a frame, picture to messages"
FRAMES, QUICK_FRAMES = 90, 20
WARM_UP = 2  # frames that include one-time work


def measure(quick: bool) -> Iterator[Result]:
    """One row per way of addressing: windows (SSD1306, SSD1309) and pages (SH1106)."""
    try:
        _, night = next(replay_games([Layout.FULL]))
    except ImportError as error:
        yield Skipped(WHAT, f"the tests are not here ({error})")
        return
    frames = [picture.tobytes() for picture in night.pictures]
    frames = frames[: QUICK_FRAMES if quick else FRAMES]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "frames"
        path.write_bytes(pickle.dumps(frames))
        for controller in ("ssd1306", "sh1106"):
            ours, luma = (_each(path, controller, kind, len(frames)) for kind in ("ours", "luma"))
            reference = f"luma's display() of the same {len(frames) - WARM_UP} frames"
            what = f"{controller}: {WHAT}"
            yield Measurement(what, ours.amount, luma.amount, ours.unit, reference, 0.15)


def _each(path: Path, controller: str, kind: str, frames: int) -> Work:
    """The cost of a frame after the warm-up."""
    command = [sys.executable, "-W", "ignore", "-m", __name__, str(path), controller, kind]
    few, all_of_them = (measure_work([*command, str(count)]) for count in (WARM_UP, frames))
    return all_of_them.minus(few, frames - WARM_UP)


class NoBus:
    """An I2C bus that ignores every message."""

    def write_i2c_block_data(self, address: int, register: int, data: Sequence[int]) -> None:
        """Ignore a message of commands."""

    def i2c_rdwr(self, *messages: I2cMessage) -> None:
        """Ignore messages of pixels."""

    def read_byte(self, address: int) -> int:
        """A status without sense."""
        return 0xFF

    def close(self) -> None:
        """No-op."""


def show(path: Path, controller: str, kind: str, count: int) -> None:
    """Show the first ``count`` frames of a file; runs in the child process."""
    from PIL import Image

    pictures = [Image.frombytes("1", (128, 64), each) for each in pickle.loads(path.read_bytes())]
    options = luma_oled.Options(controller=controller)
    panel = luma_oled.create(options, bus=lambda port: NoBus(), whole=kind == "luma")
    panel.open()
    for picture in pictures[:count]:
        panel.show(picture)


if __name__ == "__main__":
    show(Path(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4]))
