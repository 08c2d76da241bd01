"""Each value of an option names its source where it is chosen."""

from __future__ import annotations

import pytest

from scorer.rulecards.content.sources import option_values
from scorer.rules import find_variant
from scorer.session.setup.house_rules_menu import option_level
from scorer.session.setup.levels import Link, ListLevel
from tests.session.rig import SessionRig


@pytest.mark.parametrize("key", ["resto", "con_flor_envido_pays", "flor_value", "falta"])
def test_a_value_is_chosen_beside_its_first_source(key: str) -> None:
    desk = SessionRig("uruguayan")
    level = option_level(desk.session, Link(option_level, key))
    assert isinstance(level, ListLevel)
    option = find_variant("uruguayan").option(key)
    assert option is not None
    values = option_values(find_variant("uruguayan"), option)
    for entry, value in zip(level.entries, values, strict=True):
        assert entry.line.figure.partition(" +")[0] == (value.sources or ("",))[0]
        assert entry.line.figure.endswith(f" +{len(value.sources) - 1}") == (len(value.sources) > 1)
