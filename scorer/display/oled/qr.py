"""QR codes that a phone reads off a panel: dark modules on a lit ground, with a rim of their own.

It turns a text into a picture and knows no view. segno makes the modules; it is imported when the
first code is wanted, and where it is missing there is none.
"""

from __future__ import annotations

import importlib
import importlib.util
import re
import sys
from functools import lru_cache
from types import ModuleType

from PIL import Image

MIN_MODULE = 2  # pixels a module: one pixel of a small panel is smaller than a phone can make out
QUIET_ZONE = 4  # modules of lit ground that the standard wants around a code
MIN_QUIET_ZONE = 3  # pixels of it that phones make do with
ON, OFF = 1, 0

_ADDRESS = r"(https?://[^/]*)/?"


def qr_text(address: str, path: str = "") -> str:
    """How an address is spelled in a code: as small a code as leads to the same page.

    Names of hosts and schemes know no capitals, and capitals take half the room of small letters;
    of a path every letter counts.
    """
    found = re.fullmatch(_ADDRESS, address, re.IGNORECASE)
    if found is None:
        return address + path
    return f"{found[1]}{path}" if path else found[1].upper()


@lru_cache(maxsize=8)
def qr_image(text: str, room: tuple[int, int]) -> Image.Image | None:
    """The code of ``text``, with its lit rim, as large as ``room`` (pixels) lets; mode "1".

    None where a phone could not read it: too little room for so long a text, or no segno.
    """
    modules = _modules(text)
    if modules is None:
        return None
    count, side = len(modules), min(room)
    scale = (side - 2 * MIN_QUIET_ZONE) // count
    if scale < MIN_MODULE:
        return None
    rim = min(QUIET_ZONE * scale, (side - count * scale) // 2)
    code = Image.new("1", (count, count))
    code.putdata([OFF if dark else ON for row in modules for dark in row])
    whole = Image.new("1", (count * scale + 2 * rim,) * 2, ON)
    whole.paste(code.resize((count * scale,) * 2, Image.Resampling.NEAREST), (rim, rim))
    return whole


def _modules(text: str) -> tuple[bytes, ...] | None:
    """Row by row, 1 for dark, with the least correction: a panel has no dirt, only few pixels."""
    encoder = _encoder()
    if encoder is None:
        return None
    code = encoder.encode(text, error="l", micro=False, boost_error=False)
    return tuple(bytes(row) for row in code.matrix)


def _encoder() -> ModuleType | None:
    """segno's encoder alone, or None.

    The package around it imports a writer for a dozen kinds of files and, for one of them, http and
    urllib: ten times the work, while a whole table waits, and nothing a table has any use for.
    """
    spec = importlib.util.find_spec("segno")
    if spec is None or spec.submodule_search_locations is None:
        return None
    known = {name: module for name, module in sys.modules.items() if _is_segno(name)}
    bare = ModuleType("segno")
    bare.__path__ = list(spec.submodule_search_locations)
    sys.modules["segno"] = bare
    try:
        return importlib.import_module("segno.encoder")
    finally:
        # Whoever imports segno as a whole is to find it as it is.
        for name in [name for name in sys.modules if _is_segno(name)]:
            del sys.modules[name]
        sys.modules.update(known)


def _is_segno(name: str) -> bool:
    return name.partition(".")[0] == "segno"
