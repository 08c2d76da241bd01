"""The catalogues of the interface, by key; call names belong to the variant.

A language is a folder with a gettext file whose msgids are keys of ``scorer.i18n.keys``. Its header
has the language's own name (``X-Native-Name``) and may name a fallback language for missing texts
(``X-Fallback``). Files are read on first use, never on import.
"""

from __future__ import annotations

import gettext
import struct
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

DOMAIN = "scorer"
DEFAULT_LANGUAGE = "es-AR"  # also for a locale without a catalogue

# Names with these prefixes are plural: "ganaron Los Pibes", not "ganó".
_PLURAL_ARTICLES = ("los", "las", "os", "as", "els", "les")

Say = Callable[..., str]


@cache
def languages() -> tuple[str, ...]:
    """Languages with a catalogue: the default, its regions, other regions, the rest."""
    folders = resources.files(__name__).iterdir()
    names = (folder.name.replace("_", "-") for folder in folders if _file_in(folder).is_file())
    return tuple(sorted(names, key=_menu_order))


def _menu_order(language: str) -> tuple[bool, bool, bool, str]:
    root = DEFAULT_LANGUAGE.partition("-")[0]
    is_related = language.partition("-")[0] == root
    return language != DEFAULT_LANGUAGE, not is_related, "-" not in language, language


@cache
def native_name(language: str) -> str:
    """The language's own name; only the header of its file is read."""
    with _compiled(language).open("rb") as file:
        head = file.read(28)
        # The header is the text of "", which sorts before every key: the first of the texts.
        file.seek(struct.unpack("<7I", head)[4])
        length, place = struct.unpack("<2I", file.read(8))
        file.seek(place)
        lines = file.read(length).decode().splitlines()
    fields = dict(line.split(": ", 1) for line in lines if ": " in line)
    return fields.get("X-Native-Name", language)


def is_plural(name: str) -> bool:
    """Whether verbs use the plural for ``name``."""
    return name.partition(" ")[0].lower() in _PLURAL_ARTICLES


def nearest_language(language: str) -> str:
    """The catalogue for ``language``: its own, a related one (es-CL: es-AR) or es-AR.

    Accepts any spelling of a locale: ``es_AR``, ``pt-BR``, ``es_AR.UTF-8``, ``pt``.
    """
    wanted = _normalized(language)
    for name in languages():
        if name.lower() == wanted:
            return name
    return next(_related(wanted), DEFAULT_LANGUAGE)


def has_language(language: str) -> bool:
    """Whether there is a catalogue for ``language`` or a related one."""
    return any(_related(_normalized(language)))


def _normalized(language: str) -> str:
    return language.partition(".")[0].replace("_", "-").lower()


def _related(wanted: str) -> Iterator[str]:
    root = wanted.partition("-")[0]
    return (name for name in languages() if name.partition("-")[0] == root)


def translator(language: str) -> Say:
    """A function ``say(key, **fields)`` in the language nearest to ``language``.

    ``language.<code>`` is that language's own name. An unknown key is returned unchanged, because a
    missing text must not prevent a score from being shown; a test checks that none is missing.
    """
    return _translator(nearest_language(language))


def sentences(language: str, keys: Iterable[str]) -> dict[str, str]:
    """Texts of ``keys`` in the nearest language, with their {fields} unformatted."""
    catalogue = _catalogue(nearest_language(language))
    return {key: catalogue.gettext(key) for key in keys}


@cache
def _translator(language: str) -> Say:
    catalogue = _catalogue(language)

    def say(key: str, **fields: object) -> str:
        return catalogue.gettext(key).format_map(_BlankIfMissing(fields))

    return say


class _BlankIfMissing(dict[str, object]):
    """Fields of a sentence; a missing one is blank instead of an error."""

    def __missing__(self, key: str) -> str:
        return ""


class _NativeNames(gettext.NullTranslations):
    """The texts of ``language.<code>``, which are the same in all languages."""

    def gettext(self, message: str) -> str:
        group, _, language = message.partition(".")
        return native_name(language) if group == "language" and language in languages() else message


def _catalogue(language: str) -> gettext.NullTranslations:
    with _compiled(language).open("rb") as file:
        catalogue = gettext.GNUTranslations(file)
    other = catalogue.info().get("x-fallback")
    catalogue.add_fallback(_catalogue(other) if other else _NativeNames())
    return catalogue


def _compiled(language: str) -> Traversable:
    return _file_in(resources.files(__name__).joinpath(language.replace("-", "_")))


def _file_in(folder: Traversable) -> Traversable:
    return folder.joinpath("LC_MESSAGES", f"{DOMAIN}.mo")
