"""The base of immutable values that have a base class of their own."""

import pytest

from scorer.plain_values.value import Value
from scorer.rules import Side


class Point(Value):
    side: Side
    number: int = 1


class Named(Point):
    name: str = ""

    @property
    def shout(self) -> str:
        return self.name.upper()


def test_fields_follow_those_of_the_base_and_have_their_defaults() -> None:
    assert Named(Side.A, 2, "x") == Named(side=Side.A, number=2, name="x")
    assert repr(Named(Side.B)) == f"Named(side={Side.B!r}, number=1, name='')"
    assert Named(Side.A, name="x").shout == "X"


def test_values_of_one_class_are_equal_by_their_fields() -> None:
    assert Point(Side.A) == Point(Side.A, 1)
    assert hash(Point(Side.A)) == hash(Point(Side.A, 1))
    assert Point(Side.A) != Point(Side.B)
    assert Point(Side.A) != Named(Side.A)


def test_a_changed_value_is_another() -> None:
    point = Point(Side.A)
    assert point._replace(number=5) == Point(Side.A, 5)
    assert point == Point(Side.A)
    with pytest.raises(AttributeError):
        point.number = 5  # type: ignore[misc]


@pytest.mark.parametrize(
    ("args", "fields"),
    [((), {}), ((Side.A,), {"side": Side.B}), ((Side.A, 1, 2), {}), ((Side.A,), {"mano": 1})],
)
def test_missing_and_unknown_fields_are_refused(
    args: tuple[object, ...], fields: dict[str, object]
) -> None:
    with pytest.raises(TypeError, match="Point has the fields side, number"):
        Point(*args, **fields)  # type: ignore[arg-type]
