"""The one list of variants: every file of ``variants/`` holds one ``VARIANT``."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from scorer.rules import variants
from scorer.rules.options import RulesError, did_you_mean
from scorer.rules.variant import Variant


@cache
def variant_ids() -> tuple[str, ...]:
    """The ids of all variants, in alphabetical order; they are their files' names."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(variants.__path__)))


def find_variant(variant_id: str) -> Variant:
    """The variant of that id; RulesError, with the nearest id, if there is none."""
    if variant_id not in variant_ids():
        hint = did_you_mean(variant_id, variant_ids()) or f"; there are: {', '.join(variant_ids())}"
        raise RulesError([f"no variant '{variant_id}'{hint}"])
    variant = importlib.import_module(f"{variants.__name__}.{variant_id}").VARIANT
    assert isinstance(variant, Variant)
    return variant
