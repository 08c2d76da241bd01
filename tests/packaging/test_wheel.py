"""The files and the metadata of the Python package."""

from __future__ import annotations

from pathlib import PurePath

import pytest
from hatchling.builders.wheel import WheelBuilder

from tests.paths import ROOT


def files() -> list[str]:
    included = WheelBuilder(str(ROOT)).recurse_included_files()
    return [file.distribution_path for file in included]


def urls() -> dict[str, str]:
    return dict(WheelBuilder(str(ROOT)).metadata.core.urls)


def test_the_wheel_has_its_types_and_no_source_of_a_catalogue() -> None:
    assert ".po" not in {PurePath(path).suffix for path in files()}
    assert "scorer/py.typed" in files()


def test_the_addresses_are_those_of_the_host_that_publishes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PROJECT_URL", "https://forge.invalid/truco/")
    monkeypatch.setenv("SITE_URL", "")
    assert urls() == {
        "Homepage": "https://forge.invalid/truco",
        "Issues": "https://forge.invalid/truco/issues",
    }


def test_the_documents_have_the_address_of_the_site(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROJECT_URL", "")
    monkeypatch.setenv("SITE_URL", "https://truco.invalid")
    assert urls() == {"Documentation": "https://truco.invalid/"}


def test_without_an_address_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PROJECT_URL", "SITE_URL"):
        monkeypatch.setenv(name, "")
    assert urls() == {}


@pytest.mark.parametrize("name", ["PROJECT_URL", "SITE_URL"])
def test_what_is_no_address_ends_the_build(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "forge.invalid/truco")
    with pytest.raises(ValueError, match="starts with https"):
        urls()


def test_the_licence_of_a_font_is_named_where_the_font_is() -> None:
    stanzas = (ROOT / "packaging" / "copyright").read_text("utf-8").split("\n\n")
    prefix = "usr/lib/truco-scorer/"
    own = [
        stanza.partition("\n")[0].removeprefix(f"Files: {prefix}")
        for stanza in stanzas
        if stanza.startswith(f"Files: {prefix}scorer/")
    ]
    assert len(own) == 2
    for pattern in own:
        assert [*ROOT.glob(pattern)], f"packaging/copyright: {pattern} is nowhere"
