"""The passages of README and pages about the addresses of the project.

The addresses are in ``packaging/urls.py``. A passage stands between comments, ``<!-- page -->`` and
``<!-- end of page -->``; ``make drawings`` writes all of them.
"""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parents[2]


class Passage(NamedTuple):
    """A passage without and with its address, ``{}``; the first has no address."""

    without: str
    text: str


# By file and name: "page" has the address of the site, "releases" that of the project.
PASSAGES: Final = {
    ("README.md", "page"): Passage(
        "**In a browser:** the whole table is a page without a server. It has no public address\n"
        "yet, so it is built from a copy of this project on a Linux PC: `make table-page` makes\n"
        "the page alone, `make site` the documentation with the page in it\n"
        "([how](docs/players/get.md#the-page)). Any browser opens the result, a phone's too.",
        "**In a browser, with nothing to install:** [the whole table]({}/table/), on a phone too. "
        "[The documents]({}/) are beside it.",
    ),
    ("README.md", "releases"): Passage(
        "There is no published release yet; each file is made from a copy of this project.",
        "[Each release]({}/releases) has the files; each is also made from a copy of this project.",
    ),
    ("packaging/description.md", "page"): Passage(
        "The whole table is also a page without a server, which a copy of the project builds.",
        "The whole table is also a page, with nothing to install: <{}/table/>.",
    ),
    ("docs/players/get.md", "page"): Passage(
        "It has no public address yet.",
        "It is open at [{0}/table/]({0}/table/), with nothing to install.",
    ),
    ("docs/players/get.es.md", "page"): Passage(
        "Todavía no tiene una dirección pública.",
        "Está en [{0}/table/]({0}/table/), sin instalar nada.",
    ),
    ("docs/players/get.pt.md", "page"): Passage(
        "Ela ainda não tem um endereço público.",
        "Ela está em [{0}/table/]({0}/table/), sem instalar nada.",
    ),
    ("docs/players/get.md", "releases"): Passage(
        "No release is published yet.", "The releases are at [{0}/releases]({0}/releases)."
    ),
    ("docs/players/get.es.md", "releases"): Passage(
        "Todavía no se publicó ninguna versión.",
        "Las versiones están en [{0}/releases]({0}/releases).",
    ),
    ("docs/players/get.pt.md", "releases"): Passage(
        "Nenhuma versão foi publicada ainda.",
        "As versões estão em [{0}/releases]({0}/releases).",
    ),
}


def addresses() -> dict[str, str]:
    """The address of each kind of passage; "" until the project has it."""
    # The module is no part of a package: hatchling loads it by its path too.
    urls = runpy.run_path(str(ROOT / "packaging" / "urls.py"))
    return {
        "page": urls["checked"]("SITE", urls["SITE"]),
        "releases": urls["checked"]("PROJECT", urls["PROJECT"]),
    }


def pages(known: dict[str, str], root: Path = ROOT) -> dict[Path, str]:
    """Each file with its text.

    Raises ValueError if a file lacks the comments of a passage.
    """
    texts = dict[Path, str]()
    for (name, kind), passage in PASSAGES.items():
        path = root / name
        text = texts.get(path) or path.read_text(encoding="utf-8")
        begin, end = f"<!-- {kind} -->\n", f"<!-- end of {kind} -->"
        before, found, rest = text.partition(begin)
        _, also_found, after = rest.partition(end)
        if not found or not also_found:
            raise ValueError(f"{name} has no passage between {begin.strip()} and {end}")
        told = passage.text.format(known[kind], known[kind]) if known[kind] else passage.without
        texts[path] = f"{before}{begin}\n{told}\n\n{end}{after}"
    return texts
