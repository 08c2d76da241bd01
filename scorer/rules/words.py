"""The level of the words of a stored game: which programs can read it.

Variants, options and their values, tags and steps of the first level are read by every program that
stores games as this one does. A word that is added later has a row in ``SINCE`` with a new level; a
store with such a word is left as it is by programs of an older one.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from scorer.rules.sheet import Header
from scorer.rules.variant import Option

NEWEST: Final = 1  # the level of this program
# By word: "variant truco_cego", "option gaucho pica", "value argentine target=18", "tag Event",
# "step mano". A test names the words that lack a level.
SINCE: Final[Mapping[str, int]] = {}


def values_of(option: Option) -> Iterable[object]:
    """The values of an option as words: its choices, or its bounds."""
    return option.choices or (f"{option.low}..{option.high}/{option.step}",)


def level_of(header: Header | None, lines: Iterable[str]) -> int:
    """The level of the words of a header and of rows."""
    levels = (SINCE.get(word, 1) for word in (*_of_header(header), *map(_of_line, lines)))
    return max(levels, default=1)


def _of_header(header: Header | None) -> Iterator[str]:
    if header is None or not SINCE:
        return
    variant = header.rules.variant
    yield f"variant {variant.id}"
    for name, value in header.tags:
        yield f"tag {name}"
        for pair in value.split() if name == "Options" else ():
            key = pair.partition("=")[0]
            yield f"option {variant.id} {key}"
            yield f"value {variant.id} {pair}"
            option = variant.option(key)
            if option is not None and not option.choices:
                yield from (f"value {variant.id} {key}={bounds}" for bounds in values_of(option))


def _of_line(line: str) -> str:
    return f"step {line.split()[1]}"
