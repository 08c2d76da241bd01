"""Show the lines of scorer.toml for keypads: paths, and keys that are pressed."""

from __future__ import annotations

from collections.abc import Callable

from scorer.hw.inputs.key_capture import KeyCapture
from scorer.hw.ports import DeviceError
from scorer.i18n import Say

PATIENCE = 30.0  # seconds without a key until it ends

OpenCapture = Callable[[], KeyCapture]


def name_keys(
    say: Say,
    report: Callable[[str], None],
    now: Callable[[], float],
    open_capture: OpenCapture = KeyCapture,
) -> int:
    """List all devices with keys, then every key pressed; return 1 if there are none."""
    try:
        listening = open_capture()
    except DeviceError as error:
        report(say("doctor.keys.none", why=error))
        return 1
    with listening:
        for path, name in listening.devices():
            report(f'device = "{path}"  # {name}')
        report(say("doctor.keys.press", seconds=round(PATIENCE)))
        for pressed in listening.capture(PATIENCE, now):
            report(f'"{pressed.key}"  # {pressed.device}')
    return 0
