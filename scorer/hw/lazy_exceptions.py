"""Exception classes of libraries that may not be imported yet.

Drivers import their library inside ``open()``, so an ``except`` clause cannot name its classes at
the top of the file.
"""

from __future__ import annotations

import sys


def raised_by(*names: str) -> tuple[type[Exception], ...]:
    """The exception classes named ``module:Class`` of those modules that are loaded.

    A module that was never imported cannot have raised anything.
    """
    found = (_loaded(*name.split(":")) for name in names)
    return tuple(cls for cls in found if isinstance(cls, type) and issubclass(cls, Exception))


def _loaded(module: str, name: str) -> object:
    return getattr(sys.modules.get(module), name, None)
