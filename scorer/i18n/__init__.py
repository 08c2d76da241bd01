"""The words of the interface in each language, by key; call names belong to the variant.

A catalogue is a gettext file whose msgids are keys of ``scorer.i18n.keys``. A region's catalogue
has only what is said otherwise there; the rest comes from the one it leans on. It knows no screen
and no rules. Files are read when a language is asked for the first time, never on import.
"""

from __future__ import annotations

import gettext
from collections.abc import Callable, Iterable
from functools import cache
from importlib import resources

DOMAIN = "scorer"
# The first one also serves who asks for none of them.
LANGUAGES = ("es-AR", "es-UY", "es-VE", "pt-BR", "ca", "en")
FALLBACKS = {"es-UY": "es-AR", "es-VE": "es-AR"}

# A name that begins with one of these is said of many: "ganaron Los Pibes", and not "ganó".
_PLURAL_ARTICLES = ("los", "las", "os", "as", "els", "les")

Say = Callable[..., str]


def is_plural(name: str) -> bool:
    """Does a verb speak of ``name`` as of many?"""
    return name.partition(" ")[0].lower() in _PLURAL_ARTICLES


def nearest_language(language: str) -> str:
    """The language that serves ``language``: itself, else a relative (es-CL: es-AR), else es-AR.

    Any spelling of a locale is understood: ``es_AR``, ``pt-BR``, ``es_AR.UTF-8``, ``pt``.
    """
    wanted = language.partition(".")[0].replace("_", "-").lower()
    for name in LANGUAGES:
        if name.lower() == wanted:
            return name
    root = wanted.partition("-")[0]
    return next((name for name in LANGUAGES if name.partition("-")[0] == root), LANGUAGES[0])


def translator(language: str) -> Say:
    """A function ``say(key, **fields)`` in the language nearest to ``language``.

    An unknown key comes back as it is: a missing word must not stop a score from being shown.
    A test sees to it that none is missing.
    """
    return _translator(nearest_language(language))


def sentences(language: str, keys: Iterable[str]) -> dict[str, str]:
    """The texts of ``keys`` in the language nearest to ``language``, their {fields} still open."""
    catalogue = _catalogue(nearest_language(language))
    return {key: catalogue.gettext(key) for key in keys}


@cache
def _translator(language: str) -> Say:
    catalogue = _catalogue(language)

    def say(key: str, **fields: object) -> str:
        return catalogue.gettext(key).format_map(_BlankIfMissing(fields))

    return say


class _BlankIfMissing(dict[str, object]):
    """Fields of a sentence; one that nobody gave is left blank rather than raised about."""

    def __missing__(self, key: str) -> str:
        return ""


def _catalogue(language: str) -> gettext.NullTranslations:
    folder = resources.files(__name__).joinpath(language.replace("-", "_"), "LC_MESSAGES")
    with folder.joinpath(f"{DOMAIN}.mo").open("rb") as file:
        catalogue = gettext.GNUTranslations(file)
    if language in FALLBACKS:
        catalogue.add_fallback(_catalogue(FALLBACKS[language]))
    return catalogue
