"""Names: whether one can be seen, and whether two are alike."""

from __future__ import annotations

import pytest

from scorer.plain_values.names import are_different, is_visible, pair_id


@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        "\t\n\u00a0\u2003",
        "\u200b\u200d\ufeff",  # of no width
        "\u0301\u0308",  # combining marks alone
        "\u202e\u2066",  # directions
        "\u3164\u115f\u1160\uffa0",  # fillers of Hangul
        "\u2800",  # an empty cell of Braille
        "\x00\x7f",
    ],
)
def test_a_name_without_a_visible_character_is_none(name: str) -> None:
    assert not is_visible(name)


@pytest.mark.parametrize("name", ["A", "7", "Ñ", "\u200bx", "?!", "e\u0301", "ش", "★"])
def test_one_visible_character_is_a_name(name: str) -> None:
    assert is_visible(name)


@pytest.mark.parametrize(
    ("names", "different"),
    [
        (("Los Pibes", "La Yunta"), True),
        (("Ana", "ÁNA "), False),
        (("Los  Pibes", "los pibes"), False),
        (("", ""), True),
        (("Ana", "", "Ana"), False),
    ],
)
def test_two_names_are_different_if_they_are_two_pairs(
    names: tuple[str, ...], different: bool
) -> None:
    assert are_different(names) is different


def test_a_pair_has_one_id_however_its_name_is_written() -> None:
    assert pair_id(" LOS  Píbes") == pair_id("los pibes") == "los pibes"
