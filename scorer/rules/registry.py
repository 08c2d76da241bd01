"""The registry of variants: the files of ``variants/``, and those of an owner.

A program that offers an owner's variants reads their files at its start and gives them to
``set_owner_variants``. Games begun before need none of it: their header holds the definition.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable
from functools import cache

from scorer.plain_values import suggestion
from scorer.rules import variants
from scorer.rules.options import RulesError
from scorer.rules.variant import Variant

_owned: dict[str, Variant] = {}


@cache
def built_in_ids() -> tuple[str, ...]:
    """The ids of the built-in variants, sorted; they are the names of their files."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(variants.__path__)))


def variant_ids() -> tuple[str, ...]:
    """The ids of all available variants, sorted."""
    return tuple(sorted({*built_in_ids(), *_owned}))


def set_owner_variants(owned: Iterable[Variant]) -> None:
    """Replace the owners' variants offered beside the built-in ones.

    Raises RulesError, without any change, if an id is that of a built-in variant.
    """
    by_id = {variant.id: variant for variant in owned}
    if taken := sorted(by_id.keys() & set(built_in_ids())):
        raise RulesError([f"'{each}' is a variant of this program" for each in taken])
    _owned.clear()
    _owned.update(by_id)


def find_variant(variant_id: str) -> Variant:
    """The variant with that id. Raises RulesError, which suggests the nearest id."""
    if variant_id in _owned:
        return _owned[variant_id]
    if variant_id not in built_in_ids():
        raise RulesError([f"no variant '{variant_id}'{suggestion(variant_id, variant_ids())}"])
    variant = importlib.import_module(f"{variants.__name__}.{variant_id}").VARIANT
    assert isinstance(variant, Variant)
    return variant
