"""Every citation leads to something: articles, keys and links of the documents.

Code cites the reference as ``rules.md#fold`` (a document in docs/reference and one of its anchors);
documents link to each other in Markdown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorer.rules.registry import built_in_ids
from scorer.voice.numbers import number_words
from tests.docs.reading import REFERENCE, ROOT, anchors

TEXT = {".py", ".md", ".truco", ".toml", ".html", ".js", ".h", ".c", ".cpp", ".ino", ".service"}
TOPS = ("scorer", "tests", "firmware", "docs", "packaging", "systemd")
# Copied from others; and the examples of this test.
FOREIGN = ("tests/longrun/virtual_pi/linux", "tests/docs/test_citations.py")

# By tests, in folders of their own, and by the doctor.
MADE = {"a.md", "b.md", "notes.md", "stray.md", "truco-report.md"}

ANCHORS = {path.name: anchors(path.read_text("utf-8")) for path in REFERENCE.glob("*.md")}
DOCUMENTS = {path.name for top in TOPS for path in (ROOT / top).rglob("*.md")}
DOCUMENTS |= {path.name for path in ROOT.glob("*.md")}
# Pages that exist on the site only.
DOCUMENTS |= {"argentine.es.md", "contributing.md"}

# "rules.md#fold", and "rules.md#envido, #falta" for two of one document.
_CITED = re.compile(r"\b([\w-]+\.md)#([\w-]+)((?:, #[\w-]+)*)")
_NAMED = re.compile(r"(?<![\w*{<-])([\w-]+(?:\.(?:es|pt))?\.md)\b")
_LINKED = re.compile(r"\]\(([^)\s]+)\)")
# A module, or a path from the root: `test_articles.py`, `tests/hw/rigs.py`, `scorer/hw/inputs/`.
_FOLDERS = "scorer|tests|tools|docs|firmware|hardware|image|packaging|requirements|systemd"
_MARKED = re.compile(rf"`((?:{_FOLDERS})/[\w./-]*|[\w./-]+\.py)`")
# Numbers of articles that only another document has.
_NUMBERED = re.compile(
    r"(?<![\w.])(?:[Ss]ections?|[Rr]ules reference|[Rr]ulebook|[Cc]ontract),? \d+(?:\.\d+)?\b"
    r"|(?<![\w.])22\.\d{1,2}(?=[):,])(?!\d)"
    r"|def test_\d+_(?!bits?_)"
)
MODULES = {path.as_posix() for top in _FOLDERS.split("|") for path in (ROOT / top).rglob("*.py")}


def files() -> Iterator[Path]:
    """Every text of ours that may cite something."""
    for path in (*ROOT.glob("*.md"), *(each for top in TOPS for each in (ROOT / top).rglob("*"))):
        ours = not path.relative_to(ROOT).as_posix().startswith(FOREIGN)
        if ours and path.suffix in TEXT and "__pycache__" not in path.parts:
            yield path


def dangling(text: str) -> list[str]:
    """The citations in ``text`` that lead nowhere, and those by numbers."""
    found = [match[0] for match in _NUMBERED.finditer(text)]
    for document, first, more in _CITED.findall(text):
        cited = [first, *re.findall(r"#([\w-]+)", more)]
        known = ANCHORS.get(document)
        found += [f"{document}#{each}" for each in cited if known is not None and each not in known]
    return found + [name for name in _NAMED.findall(text) if name not in DOCUMENTS | MADE]


def test_every_citation_leads_somewhere() -> None:
    wrong = {path: dangling(path.read_text(encoding="utf-8", errors="replace")) for path in files()}
    assert len(wrong) > 100
    assert {str(path): found for path, found in wrong.items() if found} == {}


def test_code_cites_the_rules_by_their_anchors() -> None:
    cited = "".join(path.read_text(encoding="utf-8") for path in files() if path.suffix == ".py")
    assert {"fold", "tricks", "cantando"} <= {each for _, each, _ in _CITED.findall(cited)}


@pytest.mark.parametrize(
    "wrong",
    [
        "see rules.md#nowhere",
        "see rules.md#fold, #nowhere",
        "see contract.md",
        "(section 22.4)",
        "Rules reference 2.4: play on",
        "# 22.11: refused",
        "def test_22_4_a_raise() -> None:",
    ],
)
def test_a_citation_that_leads_nowhere_is_found(wrong: str) -> None:
    assert len(dangling(wrong)) == 1


@pytest.mark.parametrize(
    "path", [path for path in files() if path.suffix == ".md"], ids=lambda path: path.name
)
def test_every_link_leads_somewhere(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for link in _LINKED.findall(re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.DOTALL)):
        if re.match(r"[a-z]+:", link):
            continue
        target, _, anchor = link.partition("#")
        found = path.parent / target if target else path
        assert found.exists(), link
        if anchor and found.suffix == ".md":
            assert anchor in anchors(found.read_text(encoding="utf-8")), link


def missing_paths(text: str) -> list[str]:
    """The paths and modules in code marks that the tree lacks."""
    return [
        name
        for name in _MARKED.findall(text)
        if not (ROOT / name).exists() and not any(path.endswith(f"/{name}") for path in MODULES)
    ]


def test_every_path_in_a_code_mark_exists() -> None:
    pages = [path for path in files() if path.suffix == ".md"]
    wrong = {path: missing_paths(path.read_text(encoding="utf-8")) for path in pages}
    assert {str(path): names for path, names in wrong.items() if names} == {}


def test_a_path_that_does_not_exist_is_found() -> None:
    text = "`test_nothing.py`, `tests/hw/rigs.py`, `rigs.py`, `scorer/hw/nothing/`, `scorer/hw/`"
    assert missing_paths(text) == ["test_nothing.py", "scorer/hw/nothing/"]


# Where the number of trucos stands as a word, with the noun after it and its language.
COUNTED = [
    ("README.md", "regional trucos", "en"),
    ("CHANGELOG.md", "variants of truco", "en"),
    ("docs/index.md", "regional trucos", "en"),
    ("docs/index.es.md", "trucos regionales", "es-AR"),
    ("docs/index.pt.md", "trucos regionais", "pt-BR"),
    ("packaging/control", "regional variants", "en"),
    ("packaging/description.md", "regional trucos", "en"),
]


@pytest.mark.parametrize(("path", "noun", "language"), COUNTED)
def test_the_number_of_trucos_is_that_of_the_registry(path: str, noun: str, language: str) -> None:
    text = " ".join((ROOT / path).read_text("utf-8").split()).lower()
    assert f"{number_words(len(built_in_ids()), language)} {noun}" in text
