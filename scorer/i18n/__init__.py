"""The catalogues of the interface, by key; call names belong to the variant.

A language is a folder with a gettext file whose msgids are the keys in the code. Its header
has the language's own name (``X-Native-Name``) and may name a fallback language for missing texts
(``X-Fallback``). The build compiles it to JSON (``tools/catalogues.py``), which Python reads ten
times as fast as a ``.mo``. Files are read on first use, never on import.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

DOMAIN = "scorer"
HEADER = ""  # its key in a compiled file
_FOLDER = Path(__file__).parent
DEFAULT_LANGUAGE = "es-AR"  # of a box until it is asked
TERMINAL_LANGUAGE = "en"  # of a terminal whose locale has no catalogue

# Names with these prefixes are plural: "ganaron Los Pibes", not "ganó".
_PLURAL_ARTICLES = ("los", "las", "os", "as", "els", "les")

Say = Callable[..., str]


class MissingCatalogue(Exception):
    """A language has no compiled catalogue; the text says what to do."""


@cache
def languages() -> tuple[str, ...]:
    """The languages: the default, its regions, other regions, the rest.

    Raises MissingCatalogue if one is not compiled.
    """
    folders = (entry.name for entry in os.scandir(_FOLDER) if entry.is_dir())
    names = [name.replace("_", "-") for name in folders if name != "__pycache__"]
    for name in names or [DEFAULT_LANGUAGE]:
        if not (file := Path(_file_of(name))).is_file():
            raise MissingCatalogue(
                f"{file} is missing: run `make locale` in the checkout, or install again"
            )
    return tuple(sorted(names, key=_menu_order))


def _menu_order(language: str) -> tuple[bool, bool, bool, str]:
    root = DEFAULT_LANGUAGE.partition("-")[0]
    is_related = language.partition("-")[0] == root
    return language != DEFAULT_LANGUAGE, not is_related, "-" not in language, language


@cache
def native_name(language: str) -> str:
    """The language's own name."""
    name: str = _read(language)[HEADER].get("X-Native-Name", language)
    return name


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


def reader_language(wanted: str, accepted: str, default: str) -> str:
    """The catalogue for a reader: the one that is ``wanted``, or that of the browser.

    ``accepted``: its Accept-Language (RFC 9110, 12.5.4); ``default``: where it names no known one.
    """
    return nearest_language(wanted or _first_accepted(accepted) or default)


def _first_accepted(header: str) -> str:
    """The preferred language with a catalogue, or ""."""
    weighed = []
    for at, part in enumerate(header.split(",")):
        language, _, weight = part.partition(";")
        try:
            value = float(weight.strip().removeprefix("q=")) if weight else 1.0
        except ValueError:
            continue
        weighed.append((-value, at, language.strip()))
    return next((each for value, _, each in sorted(weighed) if value and has_language(each)), "")


def terminal_language(environment: Mapping[str, str]) -> str:
    """The catalogue for the locale of a terminal, found like gettext does, or English."""
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    wanted = next((environment[name] for name in names if environment.get(name)), "")
    return nearest_language(wanted) if has_language(wanted) else TERMINAL_LANGUAGE


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


def sentences(language: str, *prefixes: str) -> dict[str, str]:
    """Texts by key of the groups ``prefixes``, with their {fields} unformatted."""
    catalogue = _catalogue(nearest_language(language))
    return {key: text for key, text in catalogue.items() if key.startswith(prefixes)}


@cache
def _translator(language: str) -> Say:
    catalogue = _catalogue(language)

    def say(key: str, **fields: object) -> str:
        return catalogue[key].format_map(_BlankIfMissing(fields))

    return say


class _BlankIfMissing(dict[str, object]):
    """Fields of a sentence; a missing one is blank instead of an error."""

    def __missing__(self, key: str) -> str:
        return ""


class _Catalogue(dict[str, str]):
    """Texts by key; the native names of the languages are the same in all of them."""

    def __missing__(self, key: str) -> str:
        group, _, language = key.partition(".")
        return native_name(language) if group == "language" and language in languages() else key


def _catalogue(language: str) -> _Catalogue:
    texts = _read(language)
    other = texts.pop(HEADER).get("X-Fallback")
    return _Catalogue({**_catalogue(other), **texts} if other else texts)


def _read(language: str) -> dict[str, Any]:
    """The texts of a file, and the fields of its header below HEADER."""
    texts: dict[str, Any] = json.loads(Path(_file_of(language)).read_bytes())
    return texts


def _file_of(language: str) -> str:
    return f"{_FOLDER}/{language.replace('-', '_')}/LC_MESSAGES/{DOMAIN}.json"
