"""Base of the immutable values that have a base class of their own.

They cannot be NamedTuples, and a frozen dataclass compiles six methods for each class, which costs
more than half of a start. Here all classes share one implementation.
"""

from __future__ import annotations

from typing import Any, ClassVar, Self, dataclass_transform


@dataclass_transform(frozen_default=True)
class Value:
    """An immutable value whose fields are the annotations of its class and its bases."""

    _fields: ClassVar[tuple[str, ...]] = ()
    _defaults: ClassVar[dict[str, Any]] = {}

    def __init_subclass__(cls) -> None:
        own = tuple(cls.__annotations__)
        cls._fields = (*cls._fields, *(name for name in own if name not in cls._fields))
        cls._defaults = cls._defaults | {name: vars(cls)[name] for name in own if name in vars(cls)}

    def __init__(self, *args: object, **kwargs: object) -> None:
        given = dict(zip(self._fields, args, strict=False)) | kwargs
        values = self._defaults | given
        if len(given) < len(args) + len(kwargs) or values.keys() != set(self._fields):
            raise TypeError(f"{type(self).__name__} has the fields {', '.join(self._fields)}")
        vars(self).update({name: values[name] for name in self._fields})

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__}.{name} cannot be set")

    def _replace(self, **changes: object) -> Self:
        """The value with these fields changed."""
        return type(self)(**(vars(self) | changes))

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash((type(self), *vars(self).values()))

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({fields})"
