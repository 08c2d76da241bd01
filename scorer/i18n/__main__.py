"""``python -m scorer.i18n compile`` writes the ``.mo`` of each ``.po``.

Reading needs Babel, which only a development environment has; compiled files are committed. Babel
does not write them, because its version and the time would be in every file.
"""

from __future__ import annotations

import re
import struct
import sys
from itertools import accumulate
from pathlib import Path

from babel.messages import pofile

from scorer.i18n import DOMAIN

MAGIC = 0x950412DE
HEADER = "Content-Type: text/plain; charset=UTF-8\n"
_OWN_FIELD = re.compile(r'^"(X-[\w-]+): (.+)\\n"$', re.MULTILINE)


def main(arguments: list[str]) -> int:
    """Compile every catalogue; 2: usage error."""
    if arguments != ["compile"]:
        print("usage: python -m scorer.i18n compile", file=sys.stderr)
        return 2
    for source in sources():
        source.with_suffix(".mo").write_bytes(compile_catalogue(source))
    return 0


def sources() -> list[Path]:
    """The ``.po`` of every language."""
    return sorted(Path(__file__).parent.glob(f"*/LC_MESSAGES/{DOMAIN}.po"))


def compile_catalogue(source: Path) -> bytes:
    """Compile ``source`` to its ``.mo``. Raises PoFileError if it cannot be read."""
    with source.open("rb") as file:
        catalogue = pofile.read_po(file, abort_invalid=True)
    texts = {str(each.id): str(each.string) for each in catalogue if each.id}
    texts[""] = HEADER + "".join(f"{key}: {text}\n" for key, text in own_fields(source).items())
    pairs = [(key.encode(), texts[key].encode()) for key in sorted(texts, key=str.encode)]
    return _pack([key for key, _ in pairs], [text for _, text in pairs])


def own_fields(source: Path) -> dict[str, str]:
    """Our fields of a ``.po`` header, which Babel ignores."""
    return dict(_OWN_FIELD.findall(source.read_text(encoding="utf-8")))


def _pack(keys: list[bytes], texts: list[bytes]) -> bytes:
    """Pack to GNU's format: two tables of (length, offset) by key, then the strings."""
    count = len(keys)
    tables = 7 * 4
    strings = tables + 2 * count * 8
    lengths = [len(each) for each in (*keys, *texts)]
    places = accumulate((length + 1 for length in lengths[:-1]), initial=strings)
    index = [number for pair in zip(lengths, places, strict=True) for number in pair]
    head = struct.pack("<7I", MAGIC, 0, count, tables, tables + count * 8, 0, strings)
    return head + struct.pack(f"<{len(index)}I", *index) + b"\0".join((*keys, *texts)) + b"\0"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
