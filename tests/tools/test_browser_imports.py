"""Imports that are read from a source: what counts, and what follows."""

from __future__ import annotations

import pytest

from tools.browser.imports import find_imports, reachable

SOURCE = b"""
from __future__ import annotations
import a.b, c
from .near import name
from ..far import other
if TYPE_CHECKING:
    import unseen
else:
    import seen
def later():
    from d import e
try:
    import f
except ImportError:
    import g
"""


def test_imports_count_wherever_they_are_but_for_the_type_checker() -> None:
    found = find_imports("pack.sub.module", SOURCE, is_package=False)
    assert {"a.b", "c", "pack.sub.near", "pack.far.other", "d.e", "f", "g", "seen"} <= found
    assert "unseen" not in found


@pytest.mark.parametrize(("is_package", "base"), [(True, "pack.sub"), (False, "pack")])
def test_a_relative_import_begins_at_the_package(is_package: bool, base: str) -> None:
    found = find_imports("pack.sub", b"from .x import y", is_package=is_package)
    assert found == {f"{base}.x", f"{base}.x.y"}


def test_what_imports_import_is_reached_with_its_packages() -> None:
    sources = {
        "pack": (b"import lib", True),
        "pack.one": (b"from pack import two", False),
        "pack.two": (b"import heavy.part", False),
        "lib": (b"import pack.one", False),
        "heavy": (b"import more", True),
        "heavy.part": (b"", False),
        "more": (b"", False),
    }
    everything = set(sources)
    assert reachable(["pack.one"], sources.get) == everything
    assert reachable(["pack.one"], sources.get, ["heavy"]) == everything - {
        "heavy",
        "heavy.part",
        "more",
    }
