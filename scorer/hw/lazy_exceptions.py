"""Naming the exceptions of libraries that may not have been imported.

Drivers import their library inside ``open()``, so an ``except`` clause cannot name its classes at
the top of the file. This knows no library by name.
"""

from __future__ import annotations

import sys


def raised_by(*names: str) -> tuple[type[Exception], ...]:
    """The exception classes called ``module:Class``, of those modules that are loaded.

    What was never imported cannot have raised anything.
    """
    found = (_loaded(*name.split(":")) for name in names)
    return tuple(cls for cls in found if isinstance(cls, type) and issubclass(cls, Exception))


def _loaded(module: str, name: str) -> object:
    return getattr(sys.modules.get(module), name, None)
