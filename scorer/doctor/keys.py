"""Naming the keys of a keypad as they are pressed, for whoever writes them into scorer.toml."""

from __future__ import annotations

from collections.abc import Callable

from scorer.hw.inputs.key_capture import Listening
from scorer.hw.ports import DeviceError
from scorer.i18n import Say

PATIENCE = 30.0  # seconds without a key, and it is over

Opening = Callable[[], Listening]


def told(
    say: Say, tell: Callable[[str], None], now: Callable[[], float], opening: Opening = Listening
) -> int:
    """Tells every device that has keys, then every key that goes down; 1 where there is none."""
    try:
        listening = opening()
    except DeviceError as error:
        tell(say("doctor.keys.none", why=error))
        return 1
    with listening:
        for path, name in listening.devices():
            tell(f"{path}  ({name})")
        tell(say("doctor.keys.press", seconds=round(PATIENCE)))
        for pressed in listening.heard(PATIENCE, now):
            tell(f"{pressed.key}  {pressed.device}")
    return 0
