"""What a panel calls a match of a tournament."""

from __future__ import annotations

import pytest

from scorer.i18n import translator
from scorer.phrases.match import match_name


@pytest.mark.parametrize(
    ("match_id", "language", "name"),
    [
        ("zonas-Z1-R1-M1", "es-AR", "Zona 1, fecha 1"),
        ("Z12-R3-M2", "pt-BR", "Grupo 12, rodada 3"),
        ("llave-R2-M1", "es-AR", "R2-M1"),
        ("copa-de-oro-L3-M2", "es-AR", "L3-M2"),
        ("rehearsal", "es-AR", "rehearsal"),
    ],
)
def test_a_match_is_named_by_its_zone_and_round(match_id: str, language: str, name: str) -> None:
    assert match_name(translator(language), match_id) == name
