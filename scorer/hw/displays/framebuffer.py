"""A television on HDMI, through the kernel's framebuffer (/dev/fb0).

luma finds the device, its size and its depth; pixels are written directly, because luma converts
every byte in Python. Only changed bands of a picture are written.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

from scorer.hw.lazy_exceptions import raised_by
from scorer.hw.ports import DeviceError
from scorer.plain_values import Found

if TYPE_CHECKING:
    from PIL.Image import Image

DEFAULT_SIZE = (1280, 720)  # pixels, while the kernel reports no screen
BANDS = 24  # parts in which a picture is compared and written
FULL, GAMMA = 255, 0.45  # of a contrast; exponent from brightness to perceived brightness

Write = Callable[[int, bytes, int], int]


class Options(NamedTuple):
    """``device``: /dev/fb0, or another number.

    ``order``: byte order of the colours of a 24 or 32 bit pixel in memory; a Pi has "bgr".
    """

    device: str = "/dev/fb0"
    order: Literal["bgr", "rgb"] = "bgr"

    def find_problems(self) -> Iterator[Found]:
        if not re.fullmatch(r"/dev/fb\d{1,2}", self.device):
            yield "device", f"/dev/fb0 or another number, not {self.device!r}"

    @property
    def resource_id(self) -> str:
        """The device, which no other panel can share."""
        return self.device


def create(
    options: Options, *, root: Path = Path("/"), write: Write = os.pwrite
) -> FramebufferDisplay:
    """Create a closed driver. ``root`` replaces /, ``write`` the system call."""
    return FramebufferDisplay(options, root, write)


class FramebufferDisplay:
    """A Display in colour. Used from one thread at a time."""

    mode = "RGB"

    def __init__(self, options: Options, root: Path, write: Write) -> None:
        self._options, self._root, self._write = options, root, write
        self._screen: _Screen | None = None
        self._size: tuple[int, int] | None = None
        self._level = FULL
        self._is_dark = False
        self._image: Image | None = None
        self._written: Image | None = None

    @property
    def size(self) -> tuple[int, int]:
        return self._size or _visible_size(self._sysfs_dir) or DEFAULT_SIZE

    @property
    def _sysfs_dir(self) -> Path:
        return self._root / "sys/class/graphics" / Path(self._options.device).name

    def open(self) -> None:
        from PIL import Image

        self._release()
        self._is_dark = False
        self._try(self._open_screen)
        self._image = Image.new("RGB", self.size)
        self._try(self._refresh)

    def show(self, image: Image) -> None:
        if image.mode != self.mode or image.size != self.size:
            wanted = f"mode {self.mode}, {self.size}"
            raise ValueError(f"wants {wanted}; got {image.mode}, {image.size}")
        self._require_open()
        self._image = image
        self._try(self._refresh)

    def contrast(self, level: int) -> None:
        """Darken the picture: the backlight of a television cannot be controlled."""
        if not 0 <= level <= FULL:
            raise ValueError(f"contrast {level}: 0 to {FULL}")
        self._level = level
        self._require_open()
        self._try(self._refresh)

    def dark(self, dark: bool) -> None:
        """Show black but keep the signal: without one a television may show anything."""
        self._require_open()
        self._is_dark = dark
        self._try(self._refresh)

    def has_memory(self) -> bool:
        """Write the first pixels again: a missing device is noticed, and none forgets."""
        self._require_open()
        self._try(self._probe)
        return True

    def refresh(self) -> None:
        """Write the whole picture again."""
        self._require_open()
        self._written = None
        self._try(self._refresh)

    def close(self) -> None:
        if self._screen is not None:
            self._is_dark = True
            with contextlib.suppress(DeviceError):
                self._try(self._refresh)
        self._release()

    def _open_screen(self) -> None:
        self._screen = _Screen(self._options, self._root, self._sysfs_dir)
        self._size = self._screen.size

    def _refresh(self) -> None:
        """Write the wanted picture where it differs from the written one."""
        from PIL import Image

        screen, image = self._screen, self._image
        assert screen is not None and image is not None
        wanted = Image.new("RGB", self.size) if self._is_dark else image
        if not self._is_dark and self._level != FULL:
            share = (self._level / FULL) ** GAMMA
            wanted = image.point([round(value * share) for value in range(256)] * 3)
        held, self._written = self._written, None
        for top, bottom in changed_rows(held, wanted):
            self._send(screen, top, screen.rows(wanted, top, bottom))
        self._written = wanted

    def _probe(self) -> None:
        screen, held = self._screen, self._written
        assert screen is not None and held is not None
        self._send(screen, 0, screen.rows(held, 0, 1))

    def _send(self, screen: _Screen, row: int, data: bytes) -> None:
        at = row * screen.stride
        while data:
            written = self._write(screen.descriptor, data, at)
            if written <= 0:
                raise OSError(errno.EIO, os.strerror(errno.EIO))
            data, at = data[written:], at + written

    def _require_open(self) -> None:
        if self._screen is None:
            raise DeviceError(f"the screen on {self._options.device} is not open", "absent")

    def _try(self, act: Callable[[], None]) -> None:
        try:
            act()
        except _driver_exceptions() as error:
            self._release()
            raise _device_error(error, self._options.device) from error

    def _release(self) -> None:
        screen, self._screen, self._written = self._screen, None, None
        if screen is not None:
            with contextlib.suppress(OSError):
                screen.close()


class LumaFramebuffer(Protocol):
    """The used part of luma's framebuffer."""

    bits_per_pixel: int
    width: int
    height: int


class _Screen:
    """An opened framebuffer, and the layout of a picture in its memory."""

    def __init__(self, options: Options, root: Path, sysfs_dir: Path) -> None:
        self._luma, self._file = _luma(options, root)
        self._depth = self._luma.bits_per_pixel
        self.size = _visible_size(sysfs_dir) or (self._luma.width, self._luma.height)
        self.stride = _read_number(sysfs_dir / "stride") or self._luma.width * self._depth // 8
        self.descriptor = self._file.fileno()
        self._order = options.order.upper()

    def rows(self, image: Image, top: int, bottom: int) -> bytes:
        """These rows of a picture in memory layout, each with its padding."""
        part = image.crop((0, top, image.width, bottom))
        packed = _pack(part, self._depth, self._order)
        wide = image.width * self._depth // 8
        if wide == self.stride:
            return packed
        padding = bytes(self.stride - wide)
        return b"".join(packed[at : at + wide] + padding for at in range(0, len(packed), wide))

    def close(self) -> None:
        """Close the descriptor."""
        self._file.close()


def _luma(options: Options, root: Path) -> tuple[LumaFramebuffer, IO[bytes]]:
    """Open luma's device, whose files are under ``root``, and its device file.

    luma reads the layout of the screen; rows are written to the file without it.
    """
    import luma.core.device

    module: Any = luma.core.device
    # luma registers an exit hook that keeps each device alive; closing is done by the caller.
    module.atexit = _NoHooks
    opened: list[IO[Any]] = []

    def open_below_root(path: str, how: str) -> IO[Any]:
        opened.append((root / path.lstrip("/")).open(how))
        return opened[-1]

    module.open = open_below_root
    try:
        device: LumaFramebuffer = module.linux_framebuffer(options.device)
    except AssertionError:
        raise DeviceError(_UNKNOWN_DEPTH.format(options.device), "version") from None
    finally:
        vars(module).pop("open", None)
    return device, opened[-1]


class _NoHooks:
    """Replaces ``atexit`` in luma."""

    @staticmethod
    def register(_hook: Callable[[], None]) -> None:
        """Ignore the hook."""


def changed_rows(held: Image | None, wanted: Image) -> Iterator[tuple[int, int]]:
    """Ranges of rows that differ, end exclusive, at most one per band.

    All if held is None. Raises ValueError if the sizes differ.
    """
    from PIL import ImageChops

    if held is wanted:
        return
    step = -(-wanted.height // BANDS)
    for top in range(0, wanted.height, step):
        box = (0, top, wanted.width, min(wanted.height, top + step))
        if held is None:
            yield top, box[3]
            continue
        difference = ImageChops.difference(held.crop(box), wanted.crop(box)).getbbox()
        if difference is not None:
            yield top + difference[1], top + difference[3]


def _pack(image: Image, depth: int, order: str) -> bytes:
    """The pixels of a picture, rows concatenated."""
    if depth == 16:
        # RGB565, low byte first.
        from PIL import Image as Images
        from PIL import ImageChops

        red, green, blue = image.split()
        low = ImageChops.add(green.point(_GREEN_LOW), blue.point(_BLUE))
        high = ImageChops.add(red.point(_RED), green.point(_GREEN_HIGH))
        return Images.merge("LA", (low, high)).tobytes()
    return image.tobytes("raw", order if depth == 24 else f"{order}X")


_RED = [value & 0xF8 for value in range(256)]
_GREEN_HIGH = [value >> 5 for value in range(256)]
_GREEN_LOW = [value << 3 & 0xE0 for value in range(256)]
_BLUE = [value >> 3 for value in range(256)]


def _visible_size(sysfs_dir: Path) -> tuple[int, int] | None:
    """The visible size, or None if unknown; the memory may hold two pictures."""
    for name, pattern in (("modes", r":(\d+)x(\d+)"), ("virtual_size", r"(\d+),(\d+)")):
        with contextlib.suppress(OSError):
            if found := re.search(pattern, (sysfs_dir / name).read_text("ascii", "replace")):
                return int(found[1]), int(found[2])
    return None


def _read_number(path: Path) -> int:
    """The number in a sysfs file; 0 if there is none."""
    try:
        return int(path.read_text("ascii"))
    except (OSError, ValueError):
        return 0


_UNKNOWN_DEPTH = "{} has a depth that is not known here: 16, 24 or 32 bits a pixel, see config.txt"


def _driver_exceptions() -> tuple[type[Exception], ...]:
    return (OSError, ImportError, *raised_by("luma.core.error:Error"))


def _device_error(error: Exception, device: str) -> DeviceError:
    """Convert an error to a DeviceError that tells the owner what to check."""
    if isinstance(error, ImportError):
        text = f"the screen's library is missing: {error}; install python3-luma.core"
        return DeviceError(text, "version")
    number = getattr(error, "errno", None)
    if number in (errno.ENOENT, errno.ENODEV, errno.ENXIO):
        text = f"no screen on {device}: plug it into HDMI before the box is switched on"
        return DeviceError(text, "absent")
    if number in (errno.EACCES, errno.EPERM):
        return DeviceError(
            f"{device} is forbidden: the user must be in the group video", "forbidden"
        )
    return DeviceError(f"the screen on {device} failed: {error}", "silent")
