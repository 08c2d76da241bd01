"""A panel that ends the process with its first picture, which may be after READY."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

from scorer.system.sd_notify import Notifier
from tests.support.faulty_drivers.displays.telling import Options, ReportingDisplay

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["Options", "create"]


def create(options: Options, **seams: object) -> FatalDisplay:
    return FatalDisplay(options)


class FatalDisplay(ReportingDisplay):
    def show(self, image: Image) -> None:
        Notifier().status("fatal")
        os.kill(os.getpid(), signal.SIGKILL)
