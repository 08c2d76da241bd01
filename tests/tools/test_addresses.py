"""The addresses of the project on its pages: docs/developers/releasing.md."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.paths import ROOT
from tools.drawings import addresses

SITE, PROJECT = "https://truco.invalid", "https://forge.invalid/truco"
PUBLISHED = {"page": SITE, "releases": PROJECT}


def texts(known: dict[str, str]) -> dict[str, str]:
    return {str(path.relative_to(ROOT)): text for path, text in addresses.pages(known).items()}


def test_the_pages_say_what_the_addresses_of_the_project_are() -> None:
    for name, text in texts(addresses.addresses()).items():
        assert (ROOT / name).read_text(encoding="utf-8") == text, f"make drawings writes {name}"


def test_every_page_names_the_addresses_of_a_published_project() -> None:
    published = texts(PUBLISHED)
    for (name, kind), passage in addresses.PASSAGES.items():
        assert passage.without not in published[name]
        assert PUBLISHED[kind] in published[name], (name, kind)
        assert "{" not in passage.text.format(PUBLISHED[kind], PUBLISHED[kind])


def test_the_first_promise_of_the_readme_leads_to_the_page_and_not_to_a_command() -> None:
    start = texts(PUBLISHED)["README.md"].partition("![The box")[0]
    assert f"[the whole table]({SITE}/table/)" in start
    assert "make " not in start


def test_without_an_address_the_readme_says_what_works() -> None:
    start = texts({"page": "", "releases": ""})["README.md"].partition("![The box")[0]
    assert "no public address" in start and "make table-page" in start


def test_a_withdrawn_address_leaves_the_pages_as_they_were(tmp_path: Path) -> None:
    before = addresses.pages(addresses.addresses())
    for known in (PUBLISHED, addresses.addresses()):
        for path, text in addresses.pages(known).items():
            copy = tmp_path / path.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(text, encoding="utf-8")
    again = addresses.pages(addresses.addresses(), tmp_path)
    assert [*again.values()] == [*before.values()]


def test_a_page_without_its_passage_is_named(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("# Truco Scorer\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"README\.md has no passage between <!-- page -->"):
        addresses.pages(PUBLISHED, tmp_path)
