"""QR codes for a panel: dark modules on a lit ground with a quiet zone.

segno makes the modules; it is imported with the first code. Without it there are no codes.
"""

from __future__ import annotations

import importlib
import importlib.util
import re
import sys
from functools import lru_cache
from types import ModuleType

from PIL import Image

MIN_MODULE = 2  # pixels per module: few phones resolve single pixels of a small panel
QUIET_ZONE = 4  # modules of lit ground around a code, by the standard
MIN_QUIET_ZONE = 3  # pixels of it that suffice for phones
ON, OFF = 1, 0

_ADDRESS = r"(https?://[^/]*)/?"


def qr_text(address: str, path: str = "") -> str:
    """The shortest equivalent spelling of an address for a code.

    Host names and schemes are case-insensitive, and capitals take half the space of small letters;
    paths are case-sensitive.
    """
    found = re.fullmatch(_ADDRESS, address, re.IGNORECASE)
    if found is None:
        return address + path
    return f"{found[1]}{path}" if path else found[1].upper()


def wifi_text(name: str, password: str) -> str:
    """The text with which phones join a network by its code."""
    name, password = (re.sub(r'([\\;,:"])', r"\\\1", each) for each in (name, password))
    return f"WIFI:T:WPA;S:{name};P:{password};;"


@lru_cache(maxsize=8)
def qr_image(text: str, room: tuple[int, int], *, fine: bool = False) -> Image.Image | None:
    """The code of ``text`` with quiet zone, as large as ``room`` (pixels); mode "1".

    None if a phone could not read it (too little room for the text) or without segno. ``fine``: a
    pixel per module and of quiet zone will do, for a camera that is held close.
    """
    encoder = _encoder()
    if encoder is None:
        return None
    # Minimal error correction: pixels are scarce.
    modules = encoder.encode(text, error="l", micro=False, boost_error=False).matrix
    count, side = len(modules), min(room)
    scale = (side - 2 * MIN_QUIET_ZONE) // count
    if scale < MIN_MODULE:
        if not fine or side < count + 2:
            return None
        scale = 1
    rim = min(QUIET_ZONE * scale, (side - count * scale) // 2)
    code = Image.new("1", (count, count))
    code.putdata([OFF if dark else ON for row in modules for dark in row])
    whole = Image.new("1", (count * scale + 2 * rim,) * 2, ON)
    whole.paste(code.resize((count * scale,) * 2, Image.Resampling.NEAREST), (rim, rim))
    return whole


def qr_modules(*parts: str) -> tuple[bytes, ...] | None:
    """The rows of a code, 1 for dark; None without segno.

    Digits take the least room as a part of their own.
    """
    encoder = _encoder()
    if encoder is None:
        return None
    code = encoder.encode([(part, None) for part in parts], micro=False)
    return tuple(bytes(row) for row in code.matrix)


def _encoder() -> ModuleType | None:
    """The encoder module of segno alone, or None.

    The package itself imports writers of a dozen file formats, with http and urllib: unused here,
    and ten times slower while the main loop waits.
    """
    spec = importlib.util.find_spec("segno")
    if spec is None or spec.submodule_search_locations is None:
        return None
    # Copies: another thread may import meanwhile.
    known = {name: module for name, module in sys.modules.copy().items() if _is_segno(name)}
    bare = ModuleType("segno")
    bare.__path__ = list(spec.submodule_search_locations)
    sys.modules["segno"] = bare
    try:
        return importlib.import_module("segno.encoder")
    finally:
        # Restores the import state for other importers of segno.
        for name in filter(_is_segno, sys.modules.copy()):
            del sys.modules[name]
        sys.modules.update(known)


def _is_segno(name: str) -> bool:
    return name.partition(".")[0] == "segno"
