"""The command line: every command has help of one screen and useful errors."""

from __future__ import annotations

import pytest

from scorer import cli

SCREEN = 24  # lines of a terminal


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What ``scorer ARGUMENTS --help`` prints."""
    try:
        assert cli.main([*arguments, "--help"]) == 0
    except SystemExit as leaving:
        assert leaving.code == 0
    return capsys.readouterr().out


def test_the_help_names_every_command_for_people_and_shows_an_example(
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = printed(capsys)
    assert len(text.splitlines()) <= SCREEN
    assert "example:" in text
    for name, _, what in cli.COMMANDS:
        assert (f"  {name:9} {what}" in text) is (name not in cli.STARTED_BY_UNITS)


@pytest.mark.parametrize("name", [name for name, _, _ in cli.COMMANDS])
def test_the_help_of_a_command_fits_one_screen_and_shows_an_example(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = printed(capsys, name)
    assert len(text.splitlines()) <= SCREEN
    assert "example:" in text


def test_every_command_refuses_an_unknown_language(capsys: pytest.CaptureFixture[str]) -> None:
    """A silent default would be Argentine Spanish."""
    commands = [name for name, _, _ in cli.COMMANDS if "--language" in printed(capsys, name)]
    assert set(commands) >= {"demo", "doctor", "labels", "preview", "print", "variants"}
    for name in commands:
        with pytest.raises(SystemExit) as leaving:
            cli.main([name, "--language", "klingon"])
        assert leaving.value.code == 2, name
        assert "no language 'klingon'; there are es-AR, es-UY" in capsys.readouterr().err


@pytest.mark.sampled(4)
@pytest.mark.parametrize("language", ["es", "es-CL", "pt_PT", "pt_BR.UTF-8", "EN"])
def test_a_related_language_is_accepted(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["variants", "--language", language]) == 0
    assert capsys.readouterr().err == ""


def test_a_misspelt_command_gets_the_nearest_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["rply"]) == 2
    assert "did you mean 'replay'?" in capsys.readouterr().err


def test_a_command_used_wrongly_ends_with_two(capsys: pytest.CaptureFixture[str]) -> None:
    for name, _, _ in cli.COMMANDS:
        with pytest.raises(SystemExit) as leaving:
            cli.main([name, "--no-such-option"])
        assert leaving.value.code == 2, name
    assert "Traceback" not in capsys.readouterr().err
