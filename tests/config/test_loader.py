"""The owner's file: valid files, and every error with its line and a suggestion."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.commands import check as check_command
from scorer.config.config import SECTIONS
from scorer.config.link_section import LinkSection, MqttSection
from scorer.config.loader import default_config, parse_config
from scorer.config.printer import PrinterSection
from scorer.config.sources import config_lines, origin, resolve, save_choices
from scorer.config.toml_reader import ConfigError, Problem, UnreadableFile
from scorer.rules import find_variant, rules_for
from scorer.rules.rulebooks import find_rulebook
from scorer.session.setup.preferences_menu import MENU_SETTINGS, MenuSetting
from scorer.session.values.settings import Layout, Settings
from tests.paths import ROOT
from tests.support.fake_settings import FakeSettings

SCORER = ROOT / "scorer"

GOOD = """
[table]
variant = "paulista"
language = "pt-BR"
layout = "compact"
names = ["Os Brabos", "As Feras"]
lamps = ["green", "white"]

[table.house]
best_of = 3
mao_truco = "forbidden"

[consoles]
debounce = 0.012
lines = { "A.truco" = 26 }

[[panel]]
controller = "sh1106"
rotate = 2
side = "B"

[lamps]
A = 18

[guards]
slap = 0

[light]
large_digits = true

[store]
directory = "/data/scorer"
"""


def problems(text: str) -> list[Problem]:
    with pytest.raises(ConfigError) as caught:
        parse_config(text)
    return list(caught.value.problems)


def test_a_rulebook_sets_variant_and_house_rules() -> None:
    rules = parse_config('[table]\nrulebook = "granaventura"\n').header.rules
    assert rules is find_rulebook("granaventura").rules(find_variant("uruguayan"))
    text = '[table]\nvariant = "uruguayan_six"\nrulebook = "granaventura"\n'
    rules = parse_config(f"{text}[table.house]\nbest_of = 1\n").header.rules
    assert (rules.variant.id, rules.best_of, rules.flor_bids) == ("uruguayan_six", 1, "all")


def test_a_choice_made_on_the_box_replaces_the_rulebook() -> None:
    store, text = FakeSettings(), '[table]\nrulebook = "granaventura"\n'
    save_choices(text, store, [(("table", "variant"), "argentine"), (("table", "house"), {})])
    rules = resolve(text, None, store).config.header.rules
    assert rules is rules_for(find_variant("argentine"))


def test_a_file_with_everything_is_read() -> None:
    config = parse_config(GOOD)
    assert config.header.rules.variant.id == "paulista"
    assert dict(config.header.rules.chosen) == {"best_of": 3, "mao_truco": "forbidden"}
    assert list(config.header.names.values()) == ["Os Brabos", "As Feras"]
    assert config.table.layout is Layout.COMPACT
    assert config.guards.slap == 0
    assert config.light.large_digits
    assert config.table.lamps == ("green", "white")
    assert config.consoles.lines == {"A.truco": 26}
    assert [panel.side for panel in config.panels] == ["B"]
    assert config.lamps.pins == {"A": 18}
    assert config.store_folder == Path("/data/scorer")


def test_nothing_at_all_is_an_argentine_table_with_two_panels() -> None:
    config = default_config()
    assert config.header.rules.variant.id == "argentine"
    assert [panel.options["address"] for panel in config.panels] == [0x3C, 0x3D]


WRONG = (
    # the file, the line, what is said of it
    ('[table]\nvariant = "argentin"\n', 2, "did you mean 'argentine'?"),
    ('[table]\nvarient = "argentine"\n', 2, "did you mean 'variant'?"),
    ('[table]\nlayout = "big"\n', 2, "one of full, compact"),
    ('[table]\nlanguage = "klingon"\n', 2, "table.language: no language 'klingon'; there are es-"),
    ("[table]\nnames = 3\n", 2, "wants a list"),
    ('[table]\nnames = ["A"]\n', 2, "two teams need two names"),
    ('[table]\nnames = ["A", "a"]\n', 2, "two teams need two different names"),
    ('[table]\nnames = ["", "x"]\n', 2, "a name needs a character that can be seen"),
    ('[table]\nnames = ["A", "\u200b"]\n', 2, "a name needs a character that can be seen"),
    ('[table]\nnames = ["A", "\u0301"]\n', 2, "a name needs a character that can be seen"),
    ('[table]\nrulebook = "granaventure"\n', 2, "did you mean 'granaventura'?"),
    (
        '[table]\nvariant = "argentine"\nrulebook = "granaventura"\n',
        3,
        "table.rulebook: GranAventura is a rulebook of uruguayan, uruguayan_six",
    ),
    ("[table.house]\ntaget = 30\n", 2, "did you mean 'target'?"),
    ("[table.house]\ntarget = 300\n", 2, "a number from 1 to 99"),
    ('[table.house]\nfalta = "leader_haf"\n', 2, "did you mean 'leader_half'?"),
    ("[table.house]\ntarget = [1]\n", 2, "wants one value"),
    ("[tabel]\n", 1, "did you mean 'table'?"),
    ("table = 3\n", 1, "write it as [table]"),
    ("[consoles]\ndebounce = 1\n", 2, "not from 0.002 to 0.03"),
    ("[consoles]\nrelease = 0.2\n", 2, "consoles.release: 0.2 s is not from 0.0 to 0.09"),
    ("[consoles]\nhold = 0.2\n", 2, "consoles.hold: 0.2 s is not from 0.4 to 3.0"),
    ("[consoles]\nchord = 2.0\n", 2, "consoles.chord: 2.0 s is not from 0.05 to 1.0"),
    ('[consoles]\nlines = { "A.trucco" = 4 }\n', 2, "did you mean 'A.truco'?"),
    ("[lamps]\nA = 20\n", 2, "GPIO 20 is already the button undo"),
    ("[sound]\npin = 18\n", 2, "GPIO 18 is already [lamps] A"),
    ("[sound]\nquiet = '11pm'\n", 2, "sound.quiet: '11pm' is not like '23:00-08:00'"),
    ("[light]\nbrightness = 'dazzling'\n", 2, "light.brightness: "),
    ('[table]\nlamps = ["yellow"]\n', 2, "table.lamps: two different ones of yellow, sky"),
    ('[table]\nlamps = ["yellow", "mauve"]\n', 2, "table.lamps: two different"),
    ('[table]\nlamps = ["red", "red"]\n', 2, "table.lamps: two different"),
    ("[light]\nlarge_digits = 28\n", 2, "light.large_digits: "),
    ("[[panel]]\nrotate = 3\n", 2, "panel.rotate: 0 or 2 for a glass of [128, 64], not 3"),
    (
        '[[panel]]\ncontroller = "sh1107"\nrotate = 2\n',
        3,
        "panel.rotate: 1 or 3 for a glass of [64, 128], not 2",
    ),
    ("[[panel]]\nsize = [64, 48]\n", 2, "panel.size: the screens want 96 columns or more, not 64"),
    ("[light]\nshift = -1.0\n", 2, "light.shift: -1.0 is not a number of seconds, 0 or more"),
    ("[[panel]]\ncontroler = 1\n", 2, "did you mean 'controller'?"),
    ("[[panel]]\n\n[[panel]]\naddress = 3\n", 4, "a panel has 0x3C or 0x3D"),
    ('[[panel]]\ndriver = "luma"\n', 2, "did you mean 'luma_oled'?"),
    ('[[panel]]\nside = "D"\n', 2, "one of A, B, C"),
    ("[panel]\naddress = 3\n", 1, "[[panel]]"),
    (
        "[[panel]]\n[[panel]]\naddress = 61\n[[panel]]\naddress = 62\n[[panel]]\naddress = 63\n",
        6,
        "3 panels",
    ),
    (
        "[[panel]]\naddress = 0x3C\n\n[[panel]]\naddress = 0x3C\n",
        5,
        "panel 1 is on I2C bus 1 at 0x3c",
    ),
    ("[[panel]]\n[[panel]]\n", 2, "panel 1 is on I2C bus 1 at 0x3c too"),
    ('[[panel]]\ninterface = "spi"\n[[panel]]\ninterface = "spi"\n', 3, "on SPI 0.0 too"),
    ("[lamps]\nA = 2\n", 2, "SDA"),
    ("[lamps]\nD = 5\n", 2, "lamps.D: no such key; known are A, B, C"),
    ('[lamps]\nA = "x"\n', 2, "lamps.A: wants a whole number, not 'x'"),
    ("[guards]\nslap = -1\n", 2, "seconds, 0 or more"),
    ("[guards]\nslap = true\n", 2, "wants a number"),
    ("\n\n[table\n", 3, "no TOML"),
    ("[table]\nvariant =\n", 2, "no TOML"),
    ("[table]\nvariant = argentine\n", 2, 'straight quotes: variant = "..."'),
    ("[table]\nvariant = “argentine”\n", 2, 'straight quotes: variant = "..."'),
    ("[table]\nrematch = True\n", 2, "small letters: rematch = true"),
    (
        '[table]\nlayout = "full"\n\nlayout = "full"\n',
        4,
        "layout is there twice, first in line 2",
    ),
    ("[table]\n[sound]\n[table]\n", 3, "[table] is there twice, first in line 1"),
    ('[consoles.lines]\n"A.truco" = 26\n', 2, "lines.A.truco: GPIO 26 is already the button A.no_"),
)


@pytest.mark.parametrize(("text", "line", "sentence"), WRONG)
def test_an_error_is_reported_with_its_line_and_the_right_word(
    text: str, line: int, sentence: str
) -> None:
    (problem,) = problems(text)
    assert sentence in problem.sentence
    assert problem.line == line


def test_all_errors_are_reported_at_once() -> None:
    text = '[table]\nvariant = "gauchoo"\nlayuot = "full"\n[guards]\necho = "x"\n[lamps]\nA = 0\n'
    assert [problem.line for problem in problems(text)] == [2, 3, 5, 7]


@given(st.text())
def test_no_text_does_more_than_be_refused(text: str) -> None:
    try:
        parse_config(text)
    except ConfigError as error:
        assert error.problems


VALUES = st.recursive(
    st.one_of(st.integers(), st.booleans(), st.text(max_size=9), st.floats(allow_nan=False)),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=5,
)


@given(st.sampled_from(["variant", "language", "layout", "names", "house"]), VALUES)
def test_no_value_of_a_key_does_more_than_be_refused(key: str, value: object) -> None:
    from scorer.config.loader import validate
    from scorer.config.toml_reader import KeyLines

    try:
        validate({"table": {key: value}}, KeyLines(""))
    except ConfigError as error:
        assert error.problems


def test_what_was_chosen_on_the_box_lies_over_the_card_and_the_owners_file() -> None:
    kept = FakeSettings()
    owners = '[table]\nvariant = "gaucho"\nlanguage = "en"\n'
    card = '[table]\nlanguage = "pt-BR"\nlayout = "compact"\n'
    save_choices(owners, kept, [(("table", "layout"), "full")])
    settled = resolve(owners, card, kept)
    table = settled.config.table
    assert (table.variant, table.language, table.layout) == ("gaucho", "pt-BR", "full")
    told = [origin(settled, "table", key) for key in ("variant", "language", "layout", "device")]
    assert told == ["the owner's file", "the card", "the box", "default"]


@pytest.mark.parametrize("names", [("A", ""), ("", ""), ("A", "a"), (" ", "x")])
def test_names_chosen_on_the_box_may_leave_a_team_without_one(names: tuple[str, ...]) -> None:
    """Also names that a box of an older version has stored."""
    kept, owners = FakeSettings(), '[table]\nnames = ["Os Brabos", "As Feras"]\n'
    chosen = save_choices(owners, kept, [(("table", "names"), names)])
    assert chosen.config.table.names == names
    settled = resolve(owners, None, kept)
    assert (settled.config.table.names, settled.problems) == (names, ())
    # What was last good holds while the file is wrong.
    assert resolve("[[[", None, kept).config.table.names == names


def test_an_unreadable_card_is_reported_and_changes_nothing() -> None:
    kept = FakeSettings()
    resolve("", '[table]\nlanguage = "pt-BR"\n', kept)
    settled = resolve("", UnreadableFile("Input/output error"), kept)
    assert settled.config.table.language == "pt-BR"
    assert "on the card: the file cannot be read" in settled.problems[0].sentence


def test_a_card_is_taken_over_once_and_stays_when_it_is_gone() -> None:
    kept = FakeSettings()
    card = '[table]\nlanguage = "pt-BR"\n'
    resolve("", card, kept)
    save_choices("", kept, [(("table", "language"), "en")])
    assert resolve("", card, kept).config.table.language == "en"
    kept.pop("box")
    assert resolve("", None, kept).config.table.language == "pt-BR"
    assert resolve("", '[table]\nlanguage = "en"\n', kept).config.table.language == "en"


def test_a_wrong_card_is_reported_and_changes_nothing() -> None:
    kept = FakeSettings()
    resolve("", '[table]\nlanguage = "pt-BR"\n', kept)
    settled = resolve("", "[table]\nlanguag = 1\n", kept)
    assert settled.config.table.language == "pt-BR"
    assert "on the card" in settled.problems[0].sentence


def test_a_wrong_file_leaves_the_box_with_what_was_last_good() -> None:
    kept = FakeSettings()
    resolve('[table]\nvariant = "mineiro"\n', None, kept)
    settled = resolve('[table]\nvariant = "mineirao"\n', None, kept)
    assert settled.config.header.rules.variant.id == "mineiro"
    assert settled.problems[0].line == 2


def test_a_file_that_cannot_be_read_leaves_the_box_with_what_was_last_good() -> None:
    kept = FakeSettings()
    resolve('[table]\nvariant = "mineiro"\n', None, kept)
    for _ in range(2):
        settled = resolve(UnreadableFile("Input/output error"), None, kept)
        assert settled.config.header.rules.variant.id == "mineiro"
        assert "Input/output error" in settled.problems[0].sentence


def test_a_wrong_file_on_a_new_box_leaves_it_with_the_defaults() -> None:
    settled = resolve("[[[", None, FakeSettings())
    assert settled.config.header.rules.variant.id == "argentine"
    assert settled.problems


@pytest.mark.parametrize("rubbish", ["", "[", "[]", "null", '{"table": 3}', '{"table": {"x": 1}}'])
@pytest.mark.parametrize("key", ["box", "card", "last_good"])
def test_rubbish_in_the_store_never_keeps_a_box_from_starting(key: str, rubbish: str) -> None:
    kept = FakeSettings()
    kept[key] = rubbish
    assert resolve("", None, kept).config.header.rules.variant.id == "argentine"


def test_check_tells_the_outcome_and_where_each_value_comes_from(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "scorer.toml"
    file.write_text(GOOD, encoding="utf-8")
    assert check_command.main([str(file)]) == 0
    out = capsys.readouterr().out
    assert "variant    paulista  (the owner's file)" in out
    assert "device     truco  (default)" in out
    assert "light      large_digits = True  (the owner's file)" in out
    assert "sound      quiet = none  (default)" in out
    assert "consoles   lines = A.truco = 26  (the owner's file)" in out


ALWAYS = {
    name: getattr(default_config(), section.field)
    for name, section in SECTIONS.items()
    if isinstance(section.kind, type) and not section.is_list
}


@pytest.mark.parametrize("name", ALWAYS)
def test_check_tells_every_key_of_every_section(name: str) -> None:
    told = list(config_lines(resolve("", None, FakeSettings())))
    keys = [key for key in ALWAYS[name]._fields if key not in ("options", "house", "C")]
    section = "" if name == "table" else f"{name:10} "
    for key in keys:
        start = f"{section}{key:10} " if name == "table" else f"{section}{key} = "
        assert any(line.startswith(start) for line in told), f"{key} of [{name}]"


# The names under which code has each section, or the settings of a session.
READ_AS = {name: {name} for name in ALWAYS} | {
    "settings": {"settings", "_settings"},
    "printer": {"printer", "section", "_section", "chosen"},
    "link": {"link", "section", "_section"},
    "mqtt": {"mqtt", "settings"},
}
RECORDS = {
    **{name: record for name, record in ALWAYS.items() if name != "lamps"},
    "printer": PrinterSection(),
    "link": LinkSection(),
    "mqtt": MqttSection(),
}
KEYS = [(name, key) for name, record in RECORDS.items() for key in record._fields]
KEYS += [("settings", key) for key in Settings._fields]


def read_attributes() -> set[tuple[str, str]]:
    """Every ``name.key`` read in the program's code, except where keys are defined."""
    definitions = {SCORER / "config/schema.py", SCORER / "config/printer.py"}
    definitions.add(SCORER / "config/link_section.py")
    found = set()
    for path in set(SCORER.rglob("*.py")) - definitions:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Attribute(ast.Name(name) | ast.Attribute(attr=name), key, ast.Load()):
                    found.add((name, key))
    return found


def test_every_key_of_the_configuration_is_read_somewhere() -> None:
    read = read_attributes()
    unread = [
        f"[{name}] {key}" if name != "settings" else f"Settings.{key}"
        for name, key in KEYS
        if not any((alias, key) in read for alias in READ_AS[name])
    ]
    assert unread == [], (
        f"nothing in scorer/ reads {', '.join(unread)}; read it where it has its effect"
    )


@pytest.mark.parametrize("setting", MENU_SETTINGS.values(), ids=lambda setting: setting.key)
def test_each_value_of_a_line_of_set_up_is_one_of_its_key(setting: MenuSetting) -> None:
    section, key = setting.path
    for value in setting.values:
        written = f'"{value}"' if isinstance(value, str) else str(value).lower()
        config = parse_config(f"[{section}]\n{key} = {written}\n")
        session = Settings()._replace(**{section: getattr(config, section)})
        assert session.value_at(setting.path) == value


def test_check_without_an_installed_file_tells_the_defaults(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "scorer.toml"
    monkeypatch.setattr(check_command, "OWNER_FILE", file)
    assert check_command.main([]) == 0
    first, *lines = capsys.readouterr().out.splitlines()
    assert first == f"{file}: there is no such file, the defaults hold"
    assert "variant    argentine  (default)" in lines
    file.write_text("[table]\nlayuot = 1\n", encoding="utf-8")
    assert check_command.main([]) == 1


def test_check_tells_panels_as_the_papers_write_them() -> None:
    told = list(config_lines(resolve("[[panel]]\naddress = 61\n", None, FakeSettings())))
    (panel,) = (line for line in told if line.startswith("panel "))
    assert "controller = ssd1309, interface = i2c, size = 128x64" in panel
    assert "port = 1, address = 0x3d" in panel
    assert "gpio_dc" not in panel, "without effect on I2C"
    told = list(config_lines(resolve('[[panel]]\ninterface = "spi"\n', None, FakeSettings())))
    (panel,) = (line for line in told if line.startswith("panel "))
    assert "port = 0, device = 0, gpio_dc = 7" in panel
    assert "address" not in panel


def test_check_tells_the_pins_in_effect() -> None:
    text = '[consoles.lines]\n"A.truco" = 15\n[lamps]\nA = 14\n'
    told = list(config_lines(resolve(text, None, FakeSettings())))
    pins = [line.split(maxsplit=4)[1:] for line in told if line.startswith("pin ")]
    assert ["10", "GPIO", "15", "button A.truco"] in pins
    assert ["8", "GPIO", "14", "lamp A"] in pins
    assert ["16", "GPIO", "23", "button B.quiero"] in pins
    assert ["3", "GPIO", "2", "SDA of I2C bus 1"] in pins
    assert [int(number) for number, *_ in pins] == sorted({int(number) for number, *_ in pins})


def test_values_out_of_range_are_reported_beside_unknown_keys_and_wrong_types() -> None:
    lines = (
        "[table]", 'language = "xx"', "names = 3", 'device = "' + 41 * "x" + '"', "nope = 1",
        "[consoles]", "count = 9", 'hold = "a"', "chord = 9.0",
        "[guards]", "slap = -5", 'echo = "x"',
        "[light]", "dim = -1", "dark = -1", 'brightness = "x"',
        "[web]", "port = 99999", "hosts = 3", "viewers = 0",
    )  # fmt: skip
    with pytest.raises(ConfigError) as error:
        parse_config("\n".join(lines))
    found = {problem.line for problem in error.value.problems}
    assert found == {at for at, line in enumerate(lines, 1) if not line.startswith("[")}


def test_check_tells_every_error_and_says_no(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "scorer.toml"
    file.write_text('[table]\nvariant = "x"\n[lamps]\nA = 0\n', encoding="utf-8")
    assert check_command.main([str(file)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(": ")[0] for line in lines] == [f"{file}:2", f"{file}:4"]
    assert check_command.main([str(tmp_path / "none.toml")]) == 2
