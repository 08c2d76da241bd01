"""Files of an organiser with any text: read or refused, never another error."""

from __future__ import annotations

import contextlib
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from scorer.circuit.formula import Formula, FormulaError
from scorer.circuit.people import NameKind, NameQuestion, add_questions, load_people
from scorer.circuit.season_file import WrongFile, load_season
from tests.circuit.few_evenings import season_text

SEASON = season_text("[counting]\nbest = 2\n[clubs]\n[final]\nqualified = 2\n")
MORE = ("[[key]]", "[season]", "= 3", "= true", '= "x"', "= []", "= 2026-01-01", "= nan", "\n")
WORDS = st.sampled_from([*SEASON.split(), *MORE])


@given(st.lists(WORDS, max_size=40), st.text(max_size=20))
@example([], "")
@example(["[[season]]"], "")
def test_any_file_of_a_season_is_read_or_refused(words: list[str], text: str) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "season.toml"
        path.write_text(" ".join(words) + text, "utf-8")
        for load in (load_season, load_people):
            with contextlib.suppress(WrongFile):
                load(path)


@given(st.text("0123456789+-*/(), teamsplcinx\n", max_size=100))
def test_any_formula_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(FormulaError):
        assert 0 <= Formula(text).points(1, 16) <= 1_000_000


NAMES = st.text(st.characters(exclude_categories=("C", "Z")), min_size=1, max_size=40)


@given(st.lists(st.tuples(st.sampled_from(NameKind), NAMES, NAMES), max_size=5))
def test_every_question_that_is_written_is_read_again(
    asked: list[tuple[NameKind, str, str]],
) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "people.toml"
        questions = [NameQuestion(*each, where="2026-03-06 Club") for each in asked]
        for each in questions:
            add_questions(path, [each])
        found: dict[str, Any] = tomllib.loads(path.read_text("utf-8")) if asked else {}
        assert [
            (each["kind"], each["one"], each["other"]) for each in found.get("question", [])
        ] == asked
        assert [each.key for each in load_people(path).question] == [e.key for e in questions]
