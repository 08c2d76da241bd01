"""Mutes a device that reports more changes than hands can make.

A broken button box, a wire that picks up a transmitter or a hostile device can report hundreds of
changes a second, each of which costs the table time. A hand that drums on a worn button stays below
``MAX_EDGES`` a second; a device that is above it for ``MUTED_AFTER`` is muted, and heard again once
it has reported nothing for ``QUIET``. A device is a box or a keypad; a line of the header is one of
its own, so that one bad wire mutes one button.

Time is an argument, in seconds of any monotonic clock.
"""

from collections import deque
from collections.abc import Mapping
from enum import Enum

MAX_EDGES = 60  # changes a second
MUTED_AFTER = 2.0  # seconds above it
QUIET = 5.0  # seconds without a change


class Heard(Enum):
    """What becomes of an edge."""

    TAKEN = "taken"
    MUTES = "mutes"  # it is ignored, and its device is muted from now on
    IGNORED = "ignored"


class _Device:
    """The newest changes of a device, and since when there are too many."""

    __slots__ = ("fast_since", "last", "times")

    def __init__(self) -> None:
        self.times: deque[float] = deque(maxlen=MAX_EDGES + 1)
        self.fast_since: float | None = None
        self.last = float("-inf")

    def note(self, time: float) -> None:
        self.last = max(self.last, time)
        self.times.append(time)
        is_fast = len(self.times) > MAX_EDGES and time - self.times[0] < 1.0
        if not is_fast:
            self.fast_since = None
        elif self.fast_since is None:
            self.fast_since = time


class EdgeLimit:
    """Which devices are muted. ``devices``: the device of each line that shares one."""

    def __init__(self, devices: Mapping[str, str] | None = None) -> None:
        self._device_of = dict(devices or {})
        self._devices: dict[str, _Device] = {}
        self._levels: dict[str, bool] = {}
        self.muted: tuple[str, ...] = ()  # the names of the muted devices

    def hear(self, line: str, down: bool, time: float) -> Heard:
        """Judge an edge; one that repeats a level is no change."""
        name = self.device_of(line)
        device = self._devices.setdefault(name, _Device())
        if self._levels.get(line, False) is not down:
            self._levels[line] = down
            device.note(time)
        if name in self.muted:
            return Heard.IGNORED
        if device.fast_since is None or time - device.fast_since < MUTED_AFTER:
            return Heard.TAKEN
        self.muted = (*self.muted, name)
        return Heard.MUTES

    def release_quiet(self, now: float) -> tuple[str, ...]:
        """Hear the devices again that have been quiet; their names."""
        quiet = [name for name in self.muted if self._devices[name].last + QUIET <= now]
        for name in quiet:
            del self._devices[name]
        self.muted = tuple(name for name in self.muted if name not in quiet)
        return tuple(quiet)

    def is_muted(self, line: str) -> bool:
        """Whether the edges of a line are ignored."""
        return self.device_of(line) in self.muted

    def device_of(self, line: str) -> str:
        """The device of a line; its own name if it is one by itself."""
        return self._device_of.get(line, line)

    def deadline(self) -> float | None:
        """When ``release_quiet`` is due next if no edge comes, or None."""
        return min((self._devices[name].last + QUIET for name in self.muted), default=None)
