"""The example configuration of the package shows every setting with its default."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from typing import Any

import pytest

from scorer.config import loader
from scorer.config.config import SECTIONS
from scorer.config.input_boxes import DEFAULT_DRIVER
from scorer.hw.displays import framebuffer, luma_oled
from scorer.hw.inputs import box
from scorer.plain_values import is_record
from tests.paths import ROOT

EXAMPLE = (ROOT / "packaging" / "scorer.toml").read_text(encoding="utf-8")
RECORDS: Mapping[str, Any] = {
    name: section.record()
    for name, section in SECTIONS.items()
    if not section.is_list and name not in ("wifi", "lamps", "team_light")
}


def unmarked() -> str:
    """The example with every # taken away that stands before a setting."""
    return re.sub(r'^#(\[|["\w.]+ = )', r"\1", EXAMPLE, flags=re.MULTILINE)


def wished() -> dict[str, Any]:
    """What the example would set, if all of it were wished."""
    return tomllib.loads(unmarked())


def test_the_example_changes_nothing_as_it_is() -> None:
    assert tomllib.loads(EXAMPLE) == {}


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
