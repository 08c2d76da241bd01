"""Show on the panels that the power may be switched off.

The store must be closed before; only the devices of the table are used.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from scorer.display import deferred
from scorer.display.oled.shutdown import draw_safe_to_unplug
from scorer.hw.ports import DeviceError
from scorer.session.values.dimming import Light
from scorer.table.outputs import CONTRAST, Devices
from scorer.table.panels import Panel

if TYPE_CHECKING:
    from PIL import Image

    from scorer.display.deferred import Draw


def show_safe_to_unplug(devices: Devices, language: str, now: float) -> None:
    """Show "you may unplug it", lamps dark, no sound; skip lost devices."""
    with contextlib.suppress(DeviceError):
        devices.buzzer.stop()
    for lamp in devices.lamps.values():
        with contextlib.suppress(DeviceError):
            lamp.set(False)
    if devices.team_light is not None:
        devices.team_light.close()
    for panel in devices.panels:
        # Dim: the plug may stay in for days.
        panel.set_target(_picture(language, panel), CONTRAST[Light.DIM], dark=False)
    devices.renderer.show_last(now)


def _picture(language: str, panel: Panel) -> Image.Image | Draw:
    if panel.mode == "1":
        return draw_safe_to_unplug(language, panel.size).image
    return deferred.defer_enlarged(
        lambda size: draw_safe_to_unplug(language, size).image, lambda: panel.size
    )
