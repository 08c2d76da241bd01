"""Points by a formula of place and number of teams: "max(1, teams - place + 1)".

It has whole numbers, ``teams``, ``place``, + - * /, min, max and parentheses; a quotient is rounded
down.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Final

MAX_CHARS: Final = 100
MAX_POINTS: Final = 1_000_000
_MOST_TEAMS: Final = 1000
_CHECKED: Final = (*range(1, 65), 128, 256, _MOST_TEAMS)  # numbers of teams
_OPERATORS: Final[Mapping[type[ast.operator], Callable[[int, int], int]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.floordiv,
    ast.FloorDiv: operator.floordiv,
}
_FUNCTIONS: Final[Mapping[str, Callable[..., int]]] = {"min": min, "max": max}

Names = Mapping[str, int]
_Node = Callable[[Names], int]


class FormulaError(ValueError):
    """A text that is no formula; the sentence follows it."""


class Formula:
    """The points of a place."""

    def __init__(self, text: str) -> None:
        """Raises FormulaError, also if the points of a place are impossible."""
        if len(text) > MAX_CHARS:
            raise FormulaError(f"is longer than {MAX_CHARS} characters")
        try:
            tree = ast.parse(text.strip(), mode="eval")
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            raise FormulaError(f"cannot be read; {_LIKE}") from None
        self._value = _compiled(tree.body)
        for teams in _CHECKED:
            for place in range(1, teams + 1):
                self._check(place, teams)

    def points(self, place: int, teams: int) -> int:
        """The points of a place, from 1, among so many teams."""
        return self._value({"place": place, "teams": teams})

    def _check(self, place: int, teams: int) -> None:
        where = f"place {place} of {teams}"
        try:
            points = self.points(place, teams)
        except ZeroDivisionError:
            raise FormulaError(f"divides by 0 for {where}") from None
        if not 0 <= points <= MAX_POINTS:
            raise FormulaError(
                f"gives {points} points for {where}; write max(0, ...) or min({MAX_POINTS}, ...)"
            )


_LIKE: Final = "write it like max(1, teams - place + 1)"


def _compiled(node: ast.expr) -> _Node:
    match node:
        case ast.Constant(int(value)) if not isinstance(value, bool) and value <= MAX_POINTS:
            return lambda names: value
        case ast.Name("teams" | "place" as name):
            return lambda names: names[name]
        case ast.UnaryOp(ast.USub(), operand):
            inner = _compiled(operand)
            return lambda names: -inner(names)
        case ast.BinOp(left, kind, right) if type(kind) in _OPERATORS:
            calculate = _OPERATORS[type(kind)]
            one, other = _compiled(left), _compiled(right)
            return lambda names: calculate(one(names), other(names))
        case ast.Call(ast.Name(name), [_, _, *_] as arguments, []) if name in _FUNCTIONS:
            choose, values = _FUNCTIONS[name], [_compiled(each) for each in arguments]
            return lambda names: choose(value(names) for value in values)
        case _:
            raise FormulaError(f"has '{ast.unparse(node)[:40]}', which no formula has; {_LIKE}")
