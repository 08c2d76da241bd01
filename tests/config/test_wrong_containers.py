"""Values of a wrong kind, such as a list for a section, on every source."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import chain
from pathlib import Path

import pytest

from scorer.commands import check as check_command
from scorer.config.config import SECTIONS
from scorer.config.loader import default_config, parse_config, validate
from scorer.config.sources import resolve, save_choices, store_directory
from scorer.config.standalone import Program, load_for_program
from scorer.config.toml_reader import ConfigError, KeyLines
from tests.support.fake_settings import FakeSettings
from tests.support.wrong_containers import WRONG, example, keys, toml, with_wrong

GOOD = '[table]\nvariant = "mineiro"\n[guards]\nslap = 1.5\n'
DOUBLED = '[[{}]]\nkey = "value"\n'
LISTS = ("panel", "box", "scoreboard", "hook", "button_lights")
SINGLE = [name for name in SECTIONS if name not in LISTS]


def last_good() -> FakeSettings:
    """The store of a table that has started with ``GOOD``."""
    store = FakeSettings()
    resolve(GOOD, None, store)
    return store


@pytest.mark.sampled(6)
@pytest.mark.parametrize("section", SECTIONS)
def test_a_value_of_a_wrong_kind_is_valid_or_a_problem(section: str) -> None:
    for path in keys({section: example()[section]}):
        for wrong in WRONG:
            try:
                validate(with_wrong(path, wrong), KeyLines(""))
            except ConfigError as error:
                assert all("cannot be read" not in each.sentence for each in error.problems), path


@pytest.mark.parametrize("section", [*SINGLE, "table.house", "consoles.lines", "link.mqtt"])
def test_double_brackets_are_reported_with_their_line(
    section: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "scorer.toml"
    file.write_text("\n" + DOUBLED.format(section))
    assert check_command.main([str(file)]) == 1
    line, *_ = capsys.readouterr().out.splitlines()
    assert line.startswith(f"{file}:2: {section}: ")


@pytest.mark.parametrize("section", [name for name in SINGLE if SECTIONS[name].is_of_table])
def test_double_brackets_leave_the_last_good_configuration(section: str) -> None:
    doubled = DOUBLED.format(section)
    for text, card in ((doubled, None), (GOOD, doubled)):
        resolved = resolve(text, card, last_good())
        assert resolved.config == parse_config(GOOD)
        assert [problem.line for problem in resolved.problems] == [1]
    assert resolve(doubled, None, FakeSettings()).config == default_config()


@pytest.mark.parametrize("wrong", [[], [{"on": True}], 1], ids=str)
@pytest.mark.parametrize("section", SINGLE)
def test_stored_values_of_a_wrong_kind_are_never_used(section: str, wrong: object) -> None:
    stored = json.dumps({section: wrong})
    for key in ("card", "box"):
        resolved = resolve(GOOD, None, FakeSettings(last_good(), **{key: stored}))
        assert resolved.config == parse_config(GOOD)
        assert resolved.problems
    assert resolve("[", None, FakeSettings(last_good=stored)).config == default_config()


@pytest.mark.parametrize("text", ["table = 5", "[[table]]", "[[consoles]]", "[sound]\non = []"])
def test_a_choice_made_on_the_box_outlives_a_value_of_a_wrong_kind(text: str) -> None:
    store = last_good()
    save_choices(GOOD, store, [(("table", "variant"), "paulista"), (("table", "house"), {})])
    resolve(GOOD, None, store)
    resolved = resolve(text, None, store)
    assert resolved.config.table.variant == "paulista"
    assert resolved.problems


def test_a_choice_replaces_a_stored_value_of_a_wrong_kind() -> None:
    for wrong in WRONG:
        store = FakeSettings(box=json.dumps({"sound": wrong}))
        try:
            resolved = save_choices(GOOD, store, [(("sound", "on"), False)])
        except ConfigError:
            assert isinstance(wrong, dict), wrong
        else:
            assert not resolved.config.sound.on


def test_a_list_of_stores_keeps_the_folder_of_the_games() -> None:
    assert store_directory('[[store]]\ndirectory = "/data/scorer"\n') == Path("/data/scorer")


@pytest.mark.sampled(4)
@pytest.mark.parametrize("section", ["web", "hub", "voice", "printer", "backup"])
def test_a_program_starts_with_its_last_good_settings(section: str, tmp_path: Path) -> None:
    owner, card = tmp_path / "owner", tmp_path / "card"
    program = Program(f"scorer {section}", (section,), {}, tmp_path)
    owner.write_text(f"[{section}]\n")
    good = load_for_program(program, owner, card)
    for wrong, source in chain(((each, owner) for each in WRONG), ((each, card) for each in WRONG)):
        owner.write_text(f"[{section}]\n")
        source.write_text(toml({section: wrong}))
        if wrong != {}:
            assert load_for_program(program, owner, card) == good, (wrong, source)


def test_two_valid_files_that_do_not_agree_are_a_problem_of_both(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    owner, card = tmp_path / "owner", tmp_path / "card"
    owner.write_text("[hub]\nport = 9000\n")
    card.write_text("[hub]\nsecure_port = 9000\n")
    program = Program("scorer hub", ("hub",), {"hub": {"name": "narrow"}})
    config, is_narrowed = load_for_program(program, owner, card)
    assert (config.hub is not None and config.hub.name, is_narrowed) == ("narrow", True)
    assert "9000 is the port of the wall too" in capsys.readouterr().err


def test_an_error_of_a_check_is_a_problem_of_its_section(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_kind: str, _driver: str, options: Mapping[str, object]) -> str:
        if "size" in options:
            raise ZeroDivisionError("secret")
        return ""

    monkeypatch.setattr("scorer.hw.load.resource_id", fail)
    with pytest.raises(ConfigError) as raised:
        parse_config("[guards]\n\n[[panel]]\nsize = [128, 64]\n")
    sentence = "panel: cannot be read (ZeroDivisionError); write it as in the example"
    assert raised.value.problems == ((3, sentence),)
