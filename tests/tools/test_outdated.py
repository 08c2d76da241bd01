"""`make outdated`: what counts as newest, held back, behind and unknown."""

from __future__ import annotations

from packaging.requirements import Requirement
from packaging.version import Version

from tools import outdated

LOCK = """
# A comment.
starlette==1.9.0 \\
    --hash=sha256:00
mutmut==3.8.1 \\
    --hash=sha256:11
numpy==2.4.6 ; python_full_version < '3.12' \\
    --hash=sha256:22
numpy==2.5.0 ; python_full_version >= '3.12' \\
    --hash=sha256:33
colorama==0.4.6 ; sys_platform == 'win32' \\
    --hash=sha256:44
lost==1.0
"""
INDEX = {
    ("starlette", "3.11"): ["1.10.0", "1.9.0", "2.0.0rc1"],
    ("mutmut", "3.11"): ["3.9.0", "3.8.1"],
    ("numpy", "3.11"): ["2.4.6"],
    ("numpy", "3.13"): ["2.5.0", "2.4.6"],
}


def find(name: str, python: str) -> list[Version]:
    return [Version(each) for each in INDEX.get((name, python), [])]


def rows() -> list[outdated.Row]:
    wanted = outdated.allowed_versions(map(Requirement, ["mutmut>=3.8,<3.9", "starlette>=0.46"]))
    return outdated.compare(list(outdated.read_pins("a.txt", LOCK)), wanted, find)


def test_each_pin_is_compared_for_its_own_python() -> None:
    assert [(row.pin.name, row.pin.python, row.verdict) for row in rows()] == [
        ("starlette", "3.11", "behind: 1.10.0"),
        ("mutmut", "3.11", "held back: 3.9.0 is not allowed"),
        ("numpy", "3.11", "newest"),
        ("numpy", "3.13", "newest"),
        ("lost", "3.11", "unknown: the index does not answer"),
    ]
    assert [row.is_newest for row in rows()] == [False, True, True, True, False]


def test_those_that_are_behind_stand_at_the_end_of_the_table() -> None:
    lines = outdated.table(rows()).splitlines()
    assert lines[0].split() == ["lock", "library", "locked", "state"]
    assert [line.split()[1] for line in lines[-2:]] == ["lost", "starlette"]


def test_the_runtime_of_the_table_page_is_named_beside_the_newest_one() -> None:
    row = outdated.runtime_row(lambda name: [Version("9999.1"), Version("9999.2a1")])
    assert row.pin.name == "pyodide"
    assert row.verdict == "behind: 9999.1"
    assert outdated.runtime_row(lambda name: [row.pin.version]).is_newest
    assert outdated.runtime_row(lambda name: []).verdict.startswith("unknown")


def test_all_requirements_on_a_library_count() -> None:
    wanted = outdated.allowed_versions(map(Requirement, ["Pillow>=9", "pillow<14"]))
    assert wanted["pillow"].contains("13.0") and not wanted["pillow"].contains("14.0")


def test_both_locks_are_compared() -> None:
    for lock in outdated.LOCKS:
        pins = list(outdated.read_pins(lock, (outdated.ROOT / lock).read_text("utf-8")))
        assert len(pins) > 10
