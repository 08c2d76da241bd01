"""What an owner chose for a simulated table is read as an owner's file."""

from __future__ import annotations

from scorer.config.loader import parse_config
from scorer.rules.sheet import header_of
from scorer.session.values.settings import Layout
from scorer.table.simulated_table import TableChoices

TAGS = {"Variant": "pata_gallo", "NameA": "Ana", "NameB": "Beto", "NameC": "Cira"}


def test_all_choices_of_a_simulated_table_are_read() -> None:
    header = header_of(TAGS.items())
    choices = TableChoices(header, "es-UY", Layout.COMPACT, consoles=3, rematch=True)
    config = parse_config(choices.owner_text())
    assert config.table.language == "es-UY"
    assert config.table.layout is Layout.COMPACT
    assert config.table.rematch
    assert config.consoles.count == 3
    assert config.header.rules == header.rules
    assert tuple(config.header.names.values()) == ("Ana", "Beto", "Cira")
