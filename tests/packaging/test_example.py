"""The example configuration of the package shows every setting with its default."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from scorer.config import loader
from scorer.config.config import SECTIONS
from scorer.config.input_boxes import DEFAULT_DRIVER
from scorer.config.sources import resolve
from scorer.config.toml_reader import ConfigError
from scorer.hw.displays import framebuffer, luma_oled
from scorer.hw.inputs import box
from scorer.plain_values import is_record
from scorer.table.startup import needs_first_run
from tests.paths import ROOT
from tests.support.fake_settings import FakeSettings

EXAMPLE = (ROOT / "packaging" / "scorer.toml").read_text(encoding="utf-8")
# Sections that a box has only where they are written.
OFF = ("wifi", "battery", "lamps", "team_light", "word_display")
RECORDS: Mapping[str, Any] = {
    name: section.record()
    for name, section in SECTIONS.items()
    if not section.is_list and name not in OFF
}


def unmarked() -> str:
    """The example with every # taken away that stands before a setting."""
    return re.sub(r'^#(\[|["\w.]+ = )', r"\1", EXAMPLE, flags=re.MULTILINE)


def wished() -> dict[str, Any]:
    """What the example would set, if all of it were wished."""
    return tomllib.loads(unmarked())


def test_the_example_changes_nothing_as_it_is() -> None:
    headings = loader.parse_config(EXAMPLE)
    for name, default in loader.default_config()._asdict().items():
        # A heading of what no box has by itself gives its defaults.
        assert getattr(headings, name) in (default, RECORDS.get(name)), name
    assert needs_first_run(resolve(EXAMPLE, None, FakeSettings()))


# What an owner of every level changes first: one line of the file each, as sed would.
FIRST_EDITS = [
    ('language = "es-AR"', 'language = "pt-BR"', lambda config: config.table.language == "pt-BR"),
    ('variant = "argentine"', 'variant = "paulista"',
     lambda config: config.header.rules.variant.id == "paulista"),
    ("target = 30", "target = 18", lambda config: config.header.rules.target == 18),
    ("names = []", 'names = ["Los Ñatos", "Las Pibas"]',
     lambda config: config.table.names == ("Los Ñatos", "Las Pibas")),
    ('brightness = "medium"', 'brightness = "low"',
     lambda config: config.light.brightness == "low"),
    ("on = true", "on = false", lambda config: not config.sound.on),
    ("debounce = 0.008", "debounce = 0.02", lambda config: config.consoles.debounce == 0.02),
    ("port = 8080", "port = 80", lambda config: config.web.port == 80),
    ('when = "game"', 'when = "asked"', lambda config: config.printer.when == "asked"),
    ('broker = ""', 'broker = "192.168.1.5"',
     lambda config: config.link.mqtt.broker == "192.168.1.5"),
]  # fmt: skip


@pytest.mark.parametrize(("usual", "wanted", "is_changed"), FIRST_EDITS)
def test_a_first_edit_takes_the_mark_of_its_line_alone(
    usual: str, wanted: str, is_changed: Callable[[Any], bool]
) -> None:
    assert EXAMPLE.count(f"\n#{usual}\n") == 1
    assert is_changed(loader.parse_config(EXAMPLE.replace(f"\n#{usual}\n", f"\n{wanted}\n")))


def test_a_section_pasted_at_the_end_is_answered_with_the_line_of_its_heading() -> None:
    line = EXAMPLE[: EXAMPLE.index("\n[printer]\n") + 1].count("\n") + 1
    with pytest.raises(ConfigError) as raised:
        loader.parse_config(EXAMPLE + '\n[printer]\ndevice = "/dev/usb/lp0"\n')
    (problem,) = raised.value.problems
    sentence = f"; [printer] is there twice, first in line {line}: write its keys there"
    assert problem.sentence.endswith(sentence)


# Sections that a box has only where they are written: the mark of their heading stays.
@pytest.mark.parametrize(
    ("key", "heading"),
    [
        ('controller = "ssd1309"', "[[panel]]"),
        ("pixels = 8", "[team_light]"),
        ("A = 18", "[lamps]"),
        ('password = ""', "[wifi]"),
        ("remove_after_joining = false", "[wifi]"),
        ("secure_port = 8443", "[hub]"),
        ("baud = 9600", "[[scoreboard]]"),
        ('console = "B"', "[[box]]"),
    ],
)
def test_a_key_whose_heading_keeps_its_mark_is_answered_with_the_heading(
    key: str, heading: str
) -> None:
    at = EXAMPLE.index(f"\n#{key}\n")
    line = EXAMPLE.count("\n", 0, EXAMPLE.rindex(f"\n#{heading}\n", 0, at + 1) + 1) + 1
    with pytest.raises(ConfigError) as raised:
        loader.parse_config(EXAMPLE[: at + 1] + EXAMPLE[at + 2 :])
    sentence = f"belongs under {heading}, line {line}: take the # away there too"
    assert raised.value.problems[0].sentence.endswith(sentence)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('[table]\nbrightness = "low"\n', "table.brightness: belongs under [light]"),
        ('brightness = "low"\n[light]\n', "brightness: belongs under [light], line 2"),
        ("[table]\ntarget = 18\n", "table.target: belongs under [table.house]"),
        ('#[table]\nlanguage = "en"\n',
         "language: belongs under [table], line 1: take the # away there too"),
        ('[web]\nbroker = "x"\n', "web.broker: belongs under [link.mqtt]"),
        ("[web]\nquiet = true\n", "web.quiet: belongs under [sound]"),
        ("[light]\nvolume = 1\n", "light.volume: belongs under [voice]"),
        ("[light]\nbrigthness = 1\n", "light.brigthness: no such key; did you mean 'brightness'?"),
    ],
)  # fmt: skip
def test_a_key_in_a_wrong_place_is_answered_with_its_section(text: str, sentence: str) -> None:
    with pytest.raises(ConfigError) as raised:
        loader.parse_config(text)
    assert sentence in [problem.sentence for problem in raised.value.problems]


def test_the_example_without_its_marks_is_a_good_configuration() -> None:
    on_i2c = re.sub(r"^(device|gpio_dc|gpio_rst|speed) = \d+\n", "", unmarked(), flags=re.MULTILINE)
    loader.parse_config(on_i2c)


def _defaults(section: Any) -> dict[str, Any]:  # noqa: ANN401 - any of them
    values = section._asdict()
    return {
        key: each._asdict() if is_record(type(each)) else each
        for key, each in values.items()
        if key not in ("options", "house")
    }


@pytest.mark.parametrize("name", RECORDS)
def test_the_example_shows_every_setting_with_its_default(name: str) -> None:
    usual = RECORDS[name]
    defaults = _defaults(usual)
    shown = {key: value for key, value in wished()[name].items() if key != "house"}
    shown = {key: tuple(v) if isinstance(v, list) else v for key, v in shown.items()}
    # One button that was moved says more than none.
    for settings in (shown, defaults):
        settings.pop("lines", None)
    missing = [key for key in defaults if key not in shown]
    where = "packaging/scorer.toml: write the key with its default behind a #"
    assert missing == [], f"{where}, under #[{name}]"
    assert [key for key in shown if key not in defaults] == [], f"no such key of [{name}]"
    other = {key: value for key, value in shown.items() if value != defaults[key]}
    assert other == {}, f"packaging/scorer.toml, [{name}]: not the default of scorer/config"


def test_the_example_shows_every_section_and_all_options_of_a_panel() -> None:
    missing = set(SECTIONS) - set(wished())
    assert missing == set(), "packaging/scorer.toml: write the section with all its keys behind #"
    assert set(wished()) == set(SECTIONS)
    first, second, television = wished()["panel"]
    assert set(first) == {"driver", "side", *luma_oled.Options._fields}
    assert second == {"address": 0x3D, "side": "B"}
    usual = framebuffer.Options()
    assert television == {"driver": "framebuffer", "device": usual.device, "order": usual.order}
    assert wished()["lamps"] == loader.default_config().lamps.pins
    (console,) = wished()["box"]
    usual_box = box.Options(console["port"], ())
    assert console == {
        "console": "B", "driver": DEFAULT_DRIVER, "port": usual_box.port, "baud": usual_box.baud
    }  # fmt: skip
