"""The level of the words of a stored game: which programs can read it.

Variants, options and their values, tags and steps of the first level are read by every program that
stores games as this one does. A word that is added later has a row in ``SINCE`` with a new level; a
store with such a word is left as it is by programs of an older one.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from scorer.rules.sheet import Header
from scorer.rules.variant import Option

NEWEST: Final = 2  # the level of this program
_ALL_OF_FLOR = "argentine_flor gaucho pata_gallo pica_pica uruguayan uruguayan_six"
# Options of the second level with their values, and the variants that have them.
_OPTIONS_OF_2 = (
    ("falta_floor", (False, True), f"argentine valencian venezuelan {_ALL_OF_FLOR}"),
    ("flor_value", (3, 4, 5), f"venezuelan {_ALL_OF_FLOR}"),
    ("resto_floor", (True, False), _ALL_OF_FLOR),
    ("con_flor_envido_pays", ("adds", "six"), "uruguayan uruguayan_six"),
    ("flor_bet_refused", ("own", "all"), "uruguayan uruguayan_six"),
    ("flor_over_refused", ("closed", "annuls"), "venezuelan"),
)


def _words_of_options() -> Iterator[str]:
    for key, values, variants in _OPTIONS_OF_2:
        for variant in variants.split():
            yield f"option {variant} {key}"
            yield from (f"value {variant} {key}={value}" for value in values)


# By word: "variant truco_cego", "option gaucho pica", "value argentine target=18", "tag Event",
# "step mano". Options of a variant that is listed need no row. A test names the words that lack a
# level.
SINCE: Final[Mapping[str, int]] = {
    **dict.fromkeys(("variant gaucho_six", "variant amostra", "variant amostra_six"), 2),
    **dict.fromkeys(_words_of_options(), 2),
}


def values_of(option: Option) -> Iterable[object]:
    """The values of an option as words: its choices, or its bounds."""
    return option.choices or (f"{option.low}..{option.high}/{option.step}",)


def level_of(header: Header | None, lines: Iterable[str]) -> int:
    """The level of the words of a header and of rows."""
    steps = (f"step {line.split()[1]}" for line in lines)
    return max((SINCE.get(word, 1) for word in (*_of_header(header), *steps)), default=1)


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
