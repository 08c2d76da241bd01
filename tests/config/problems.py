"""The problems of a configuration file."""

from __future__ import annotations

import pytest

from scorer.config.loader import parse_config
from scorer.config.toml_reader import ConfigError


def check_problems(text: str, found: list[tuple[int, str]]) -> None:
    """The file has these problems: their lines, and how their sentences begin."""
    with pytest.raises(ConfigError) as caught:
        parse_config(text)
    problems = caught.value.problems
    assert [problem.line for problem in problems] == [line for line, _ in found]
    for problem, (_, sentence) in zip(problems, found, strict=True):
        assert problem.sentence.startswith(sentence)
