"""A panel that reports the digest of each picture, and when it is turned dark."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scorer.system.sd_notify import Notifier

if TYPE_CHECKING:
    from PIL.Image import Image


def digest(image: Image) -> str:
    return hashlib.sha256(image.tobytes()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Options:
    size: tuple[int, int] = (128, 64)


def create(options: Options, **seams: object) -> ReportingDisplay:
    return ReportingDisplay(options)


class ReportingDisplay:
    def __init__(self, options: Options) -> None:
        self._size = options.size
        self._notifier = Notifier()

    @property
    def mode(self) -> str:
        return "1"

    @property
    def size(self) -> tuple[int, int]:
        return self._size

    def open(self) -> None:
        """No-op."""

    def show(self, image: Image) -> None:
        self._notifier.status(f"shows {digest(image)}")

    def contrast(self, level: int) -> None:
        """No-op."""

    def dark(self, dark: bool) -> None:
        """No-op: only the final state is reported."""

    def has_memory(self) -> bool:
        return True

    def refresh(self) -> None:
        """No-op."""

    def close(self) -> None:
        self._notifier.status("panel dark")
