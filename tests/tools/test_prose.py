"""The lint of the prose finds each phrase that is not plain, and passes plain text."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import prose

# One example of each pattern, by its advice.
EXAMPLES = [
    "whoever",
    "nobody",
    "is told",
    "what came of",
    "of itself",
    "for ever",
    "seldom",
    "who turns the loop",
]
PLAIN = "Return the score of a side."


def phrases(path: Path) -> list[str]:
    """The phrases that the lint finds in ``path``."""
    return [finding.phrase for finding in prose.check(path)]


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_every_pattern_has_an_example() -> None:
    found = [prose.PATTERN.search(example) for example in EXAMPLES]
    assert {match.lastindex for match in found if match} == set(range(1, len(prose.PHRASES) + 1))


@pytest.mark.parametrize("phrase", EXAMPLES)
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("module.py", '"""{}"""\n'),
        ("method.py", 'class Table:\n    def score(self) -> int:\n        """{}"""\n'),
        ("comment.py", "score = 0  # {}\n"),
        ("notes.md", "# Title\n\n{} wins.\n"),
    ],
)
def test_a_phrase_is_found(tmp_path: Path, name: str, text: str, phrase: str) -> None:
    assert phrases(written(tmp_path, name, text.format(phrase))) == [phrase]


@pytest.mark.parametrize("phrase", EXAMPLES)
def test_a_phrase_is_found_in_the_name_of_a_test(tmp_path: Path, phrase: str) -> None:
    name = phrase.replace(" ", "_")
    path = written(tmp_path, "test_x.py", f"def test_{name}_at_the_table() -> None: ...\n")
    assert phrases(path) == [phrase]


def test_a_finding_names_file_line_and_advice(tmp_path: Path) -> None:
    path = written(tmp_path, "notes.md", "# Title\n\nIt seldom rains.\n")
    assert [str(each) for each in prose.check(path)] == [f"{path}:3: seldom: rarely"]


@pytest.mark.parametrize(("length", "found"), [(80, 0), (81, 1)])
def test_the_first_line_of_a_docstring_has_80_characters_at_most(
    tmp_path: Path, length: int, found: int
) -> None:
    path = written(tmp_path, "module.py", f'"""{"x" * length}\n\n{"y" * 90}\n"""\n')
    assert len(phrases(path)) == found


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("module.py", f'"""{PLAIN}"""\n\nscore = "nobody"  # points\n'),
        ("test_x.py", "def test_a_refused_envido_pays_one() -> None: ...\n"),
        ("notes.md", f"# Score\n\n{PLAIN}\n"),
        ("words.txt", "Untold scores of nobodyness.\n"),
    ],
)
def test_plain_text_passes(tmp_path: Path, name: str, text: str) -> None:
    assert phrases(written(tmp_path, name, text)) == []


def test_the_command_fails_if_there_is_a_finding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plain = written(tmp_path, "plain.txt", PLAIN)
    mannered = written(tmp_path, "mannered.txt", "nobody")
    assert prose.main([str(plain)]) == 0
    assert prose.main([str(plain), str(mannered)]) == 1
    assert capsys.readouterr().out.startswith(f"{mannered}:1: nobody: ")
