"""The counts of a tree: statements, scripts, functions with one use, and tests."""

from __future__ import annotations

import subprocess

import pytest

from tools import counts

TREE: dict[str, bytes] = {
    "scorer/cli.py": b"import sys\n",
    "scorer/hub/wall.py": b'''"""A wall."""

def wall(rows):
    """Its rows."""
    # No statement.
    return [_row(row) for row in rows]

def _row(row):
    if row:
        return _cell(row)
    return _cell(0)

def _cell(row): return row

class Wall:
    def __init__(self): self.turn()
    def turn(self): pass
''',
    "scorer/hub/pages/wall.js": b"\n/* wall */\n  \nturn();\n",
    "scorer/hub/pages/wall.css": b"p {}\n",
    "scorer/tv.py": b"from scorer.hub.wall import wall\n\ndef _row(): wall()\n",
    "tests/test_wall.py": b"one\n\ntwo\n",
    "tests/wall.json": b"[]",
}


def test_statements_are_counted_without_docstrings_and_comments() -> None:
    assert counts.packages(TREE)["hub"].statements == 13
    assert counts.packages(TREE)["-"].statements == 4


def test_scripts_and_templates_are_counted_by_lines_that_are_not_blank() -> None:
    assert counts.packages(TREE)["hub"].page_lines == 2


def test_a_function_has_one_use_if_its_own_file_alone_mentions_it_once() -> None:
    functions = counts.packages(TREE)["hub"].functions
    assert {each.name for each in functions if each.has_one_use} == {"_row", "turn"}
    assert [each.name for each in functions] == ["wall", "_row", "_cell", "__init__", "turn"]


def test_a_name_that_another_file_mentions_has_more_uses() -> None:
    tree = TREE | {"scorer/tv.py": b"Wall().turn()\n"}
    functions = counts.packages(tree)["hub"].functions
    assert {each.name for each in functions if each.has_one_use} == {"_row"}


def test_a_function_that_is_given_to_another_is_not_called() -> None:
    given = TREE["scorer/hub/wall.py"].replace(b"self.turn()", b"self.at = self.turn")
    tree = TREE | {"scorer/hub/wall.py": given}
    functions = counts.packages(tree)["hub"].functions
    assert {each.name for each in functions if each.has_one_use} == {"_row", "turn"}
    assert {each.name for each in functions if each.is_called} == {"_row", "_cell"}


def test_the_statements_of_a_function_are_those_within_it() -> None:
    functions = counts.packages(TREE)["hub"].functions
    assert [each.statements for each in functions] == [1, 3, 1, 1, 1]


def test_tests_are_counted_by_lines_and_their_data_by_bytes() -> None:
    assert (counts.test_lines(TREE), counts.test_data(TREE)) == (3, 2)


def test_the_report_of_two_trees_names_the_files_whose_share_rose() -> None:
    more = TREE | {"scorer/tv.py": TREE["scorer/tv.py"] + b"_row()\n"}
    lines = list(counts.report({"before": TREE, "now": more}))
    assert lines[-1] == "scorer/tv.py: functions with one use 0 % > 100 %"
    total = next(line for line in lines if line.startswith("scorer"))
    assert total.split()[:4] == ["scorer", "17", ">", "18"]
    assert lines[-2] == "bytes of test data: 2 > 2"


@pytest.mark.sampled(0)
def test_this_tree_and_a_commit_of_it_have_the_same_files_but_for_changes() -> None:
    changed = subprocess.run(
        ["git", "status", "--porcelain", "--no-renames", "-uall"],
        cwd=counts.ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    names = {line[3:].strip('"') for line in changed.splitlines()}
    tree, commit = counts.working_tree(), counts.committed("HEAD")
    differing = {path for path in {*tree, *commit} if tree.get(path) != commit.get(path)}
    assert differing <= names
