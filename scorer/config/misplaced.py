"""Say which heading a misplaced key belongs under.

In the file that is shipped every key begins with a #, and the headings of sections that a box has
only where they are written do so too: with the # of such a key taken away, and that of its heading
left, the key belongs to the section above.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple, get_type_hints

from scorer.config.config import SECTIONS
from scorer.plain_values import is_record
from scorer.rules.registry import find_variant, variant_ids

_HEADING = r"\s*(#?)\s*(\[\[?([\w.]+)\]\]?)\s*(?:#.*)?$"


class _Heading(NamedTuple):
    """A heading of the text; ``is_off``: a # stands before it."""

    line: int
    is_off: bool
    written: str
    section: str

    def __str__(self) -> str:
        remedy = ": take the # away there too" if self.is_off else ""
        return f"{self.written}, line {self.line}{remedy}"


def place_of(key: str, text: str, line: int) -> str:
    """Say which heading ``key`` of ``line`` (0: unknown) belongs under, or "".

    That is the nearest one above with a # before it, or else the sections with such a key.
    """
    headings = [
        _Heading(number, found[1] == "#", found[2], found[3])
        for number, written in enumerate(text.split("\n"), 1)
        if (found := re.match(_HEADING, written))
    ]
    nearest = next((heading for heading in reversed(headings) if heading.line < line), None)
    if nearest and nearest.is_off and nearest.section.partition(".")[0] in SECTIONS:
        return f"belongs under {nearest}"
    named = list(_headings_with(key))
    if len(named) == 1:
        written = (heading for heading in headings if heading.written == named[0])
        return f"belongs under {next(written, named[0])}"
    # Of more than two none is a good guess.
    return f"belongs under {' or '.join(named)}" if len(named) == 2 else ""


def _headings_with(key: str) -> Iterator[str]:
    """The headings of all sections that have a key of this name."""
    if any(find_variant(variant).option(key) for variant in variant_ids()):
        yield "[table.house]"
    for section in SECTIONS.values():
        waiting = [(section.name, section.record)]
        for name, record in waiting:
            if key in record._fields:
                yield f"[[{name}]]" if section.is_list else f"[{name}]"
            types = get_type_hints(record).items()
            waiting += [(f"{name}.{inner}", kind) for inner, kind in types if is_record(kind)]
