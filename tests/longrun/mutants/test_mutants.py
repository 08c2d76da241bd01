"""The mutation machinery: mutants are made, take effect, and are detected.

``make mutants`` runs the mutants themselves.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from scorer.rules import find_variant, rules_for, variant_ids
from tests.longrun.mutants import beyond, code, survivors, tables
from tests.longrun.mutants.forks import Watch, forget
from tests.longrun.mutants.processes import Answer, in_forks
from tests.paths import ROOT
from tests.sampling import sample

MODULES = sample(code.MODULES, 1)


@cache
def of_code(module: str) -> tuple[code.Mutant, ...]:
    """All mutants of a module, cached because making them is slow."""
    return tuple(code.mutants(module))


def in_a_fork(job: Callable[[], object]) -> Answer:
    (answer,) = in_forks([job], workers=1)
    return answer


# --- processes -----------------------------------------------------------------------------------


def test_each_job_runs_in_its_own_process() -> None:
    answers = sorted(in_forks([os.getpid] * 5, workers=2))
    assert [each.job for each in answers] == [0, 1, 2, 3, 4]
    assert len({each.said for each in answers} | {os.getpid()}) == 6


def test_a_job_that_raises_has_no_result_and_reports_how_it_ended() -> None:
    assert in_a_fork(lambda: 1 // 0) == Answer(0, None, "an exception")


def test_a_killed_job_reports_its_signal() -> None:
    assert in_a_fork(lambda: os.kill(os.getpid(), 9)) == Answer(0, None, "SIGKILL")


def test_calls_in_a_thread_are_recorded_also_in_one_that_began_before_a_test() -> None:
    is_due = threading.Event()

    def wait() -> None:
        is_due.wait()
        in_a_thread()

    def in_a_thread() -> None:
        pass

    with Watch((Path(__file__).name,)) as watch:
        thread = threading.Thread(target=wait)
        thread.start()
        watch.codes = set()
        is_due.set()
        thread.join()
    assert in_a_thread.__code__ in watch.codes


# --- tables --------------------------------------------------------------------------------------


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", variant_ids())
def test_every_changed_table_has_a_unique_name_and_differs_in_one_field(name: str) -> None:
    variant = find_variant(name)
    changes = list(tables.mutants(variant))
    names = [change for change, _ in changes]
    assert len(set(names)) == len(names)
    for change, changed in changes:
        if changed is not None:
            fields = [field for field in variant.__slots__ if _differ(variant, changed, field)]
            assert len(fields) == 1, change


def _differ(one: object, other: object, field: str) -> bool:
    return repr(getattr(one, field)) != repr(getattr(other, field))


@pytest.mark.parametrize(
    "change",
    [
        "base: 1 -> 2",
        "ladders[0][1][retruco].value: 3 -> 4",
        "ladders[0][1][vale_cuatro]: left out",
        "envido[envido].times: 2 -> 1",
        "envido[real_envido].opens: True -> False",
        "envido[real_envido]: before its neighbour",
        "flor: None -> fixed",
        "seats: teams -> alone",
        "bets_settled_at_showdown: False -> True",
        "options[falta].default: malas_match -> match",
        "options[fold_first].choices[1]: left out",
        "options[target].high: 99 -> 98",
        "words[fold][1]: 'al mazo' -> 'al mazox'",
    ],
)
def test_numbers_flags_orders_and_words_are_all_changed(change: str) -> None:
    assert f"argentine: {change}" in dict(tables.mutants(find_variant("argentine")))


def test_a_ladder_that_does_not_rise_is_an_invalid_table() -> None:
    changed = dict(tables.mutants(find_variant("argentine")))
    assert changed["argentine: ladders[0][1][retruco].value: 3 -> 2"] is None


def test_a_changed_table_is_changed_for_all_references() -> None:
    variant = find_variant("argentine")
    changed = dict(tables.mutants(variant))["argentine: options[target].default: 30 -> 31"]
    assert changed is not None

    def target() -> int:
        tables.put_in_place(variant, changed)
        forget()
        return rules_for(find_variant("argentine")).target

    assert (in_a_fork(target).said, rules_for(variant).target) == (31, 30)


# --- code ----------------------------------------------------------------------------------------


# --- beyond the rules ----------------------------------------------------------------------------


def test_the_tests_of_other_processes_exist() -> None:
    found = {Path(path) for folder in beyond.SIZES for path in beyond.files(folder)}
    assert {f"{path.parent.name}/{path.stem}" for path in found} >= beyond.ELSEWHERE


def test_every_explanation_beyond_the_rules_has_a_reason() -> None:
    text = beyond.EXPLAINED.read_text(encoding="utf-8")
    assert all(each.reason for each in survivors.read(text))


def test_every_function_with_an_explanation_beyond_the_rules_exists() -> None:
    text = beyond.EXPLAINED.read_text(encoding="utf-8")
    named = [each.pattern.partition(": ")[0] for each in survivors.read(text)]
    places = [name.rsplit(".", 1) for name in named if "*" not in name]
    assert [place for place in places if not _is_defined(*place)] == []
    assert not _is_defined("hub.hub.Hub", "gone")


def _is_defined(owner: str, function: str) -> bool:
    """Whether a module, or the one with a class of this name, defines a function."""
    module, _, last = owner.rpartition(".")
    module = module if last.strip("_")[:1].isupper() else owner
    path = ROOT / "scorer" / module.replace(".", "/")
    found = [each for each in (path.with_suffix(".py"), path / "__init__.py") if each.exists()]
    return any(f"def {function}(" in each.read_text(encoding="utf-8") for each in found)


# --- explanations --------------------------------------------------------------------------------


def test_a_reason_applies_to_the_block_after_it() -> None:
    text = "# Title\nNobody asks\nfor it.\n```\na.b: x[1] -> *\n```\nAnother.\n```\nc\n```\n"
    first, second = survivors.read(text)
    assert first.reason == "Nobody asks for it."
    assert first.fits("a.b: x[1] -> y") and not first.fits("a.b: x1 -> y")
    assert (second.pattern, second.reason) == ("c", "Another.")


def test_a_block_without_a_reason_is_an_error() -> None:
    with pytest.raises(ValueError, match="no reason"):
        list(survivors.read("# Title\n```\na\n```\n"))


@pytest.mark.sampled(0)
@pytest.mark.slow
def test_every_explanation_matches_an_existing_mutant() -> None:
    names = [change for name in variant_ids() for change, _ in tables.mutants(find_variant(name))]
    names += [mutant.name for module in MODULES for mutant in of_code(module)]
    known = list(survivors.read(survivors.FILE.read_text(encoding="utf-8")))
    left_out = [f"{module}." for module in code.MODULES if module not in MODULES]
    unmade = (*left_out, "*") if left_out else ()
    made = [each for each in known if not each.pattern.startswith(unmade)]
    idle = [each.pattern for each in made if not any(map(each.fits, names))]
    assert idle == []
