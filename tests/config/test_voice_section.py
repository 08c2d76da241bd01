"""[voice]: what is accepted, and every mistake with its line."""

from __future__ import annotations

import pytest

from scorer.config.loader import parse_config
from scorer.config.toml_reader import ConfigError
from scorer.config.voice_section import VoiceSection


def test_without_the_section_there_is_none_and_with_it_the_voice_is_off() -> None:
    assert parse_config("").voice is None
    assert parse_config("[voice]\n").voice == VoiceSection()
    assert not VoiceSection().on


def test_all_keys_are_read() -> None:
    text = """
[voice]
on = true
volume = 60
rate = 150
lead_in = 0.8
device = "plughw:1"
piper = "/usr/share/piper/es_AR.onnx"
"""
    section = VoiceSection(True, 60, 150, 0.8, "plughw:1", "/usr/share/piper/es_AR.onnx")
    assert parse_config(text).voice == section


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("volume = 101", "0 to 100"),
        ("volume = -1", "0 to 100"),
        ("rate = 79", "80 to 400"),
        ("rate = 401", "80 to 400"),
        ("lead_in = 3.1", "0.0 to 3.0"),
        ("lead_in = -0.1", "0.0 to 3.0"),
        ('piper = "es_AR.onnx"', "whole path"),
        ('piper = "/usr/share/piper"', "whole path"),
        ('piper = "/usr/share/piper/daniela.onnx"', "begin with its language, one of ca, en, es"),
        ('device = "plughw: 1"', "aplay -L"),
        ('device = "-D"', "aplay -L"),
        ('on = "yes"', "on"),
        ("loud = 5", "loud"),
    ],
)
def test_a_mistake_is_named_with_its_line(line: str, word: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_config(f"\n[voice]\n{line}\n")
    (problem,) = caught.value.problems
    assert (problem.line, word in problem.sentence) == (3, True), problem
