"""Naming the keys of a keypad as they are pressed, for whoever writes them into scorer.toml."""

from __future__ import annotations

from collections.abc import Callable

from scorer.hw.inputs.key_capture import KeyCapture
from scorer.hw.ports import DeviceError
from scorer.i18n import Say

PATIENCE = 30.0  # seconds without a key, and it is over

OpenCapture = Callable[[], KeyCapture]


def name_keys(
    say: Say,
    report: Callable[[str], None],
    now: Callable[[], float],
    open_capture: OpenCapture = KeyCapture,
) -> int:
    """Tells every device that has keys, then every key that goes down; 1 where there is none."""
    try:
        listening = open_capture()
    except DeviceError as error:
        report(say("doctor.keys.none", why=error))
        return 1
    with listening:
        for path, name in listening.devices():
            report(f"{path}  ({name})")
        report(say("doctor.keys.press", seconds=round(PATIENCE)))
        for pressed in listening.capture(PATIENCE, now):
            report(f"{pressed.key}  {pressed.device}")
    return 0
