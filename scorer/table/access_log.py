"""The log of who may press and what set-up changed: bounded, one line each.

Names and addresses come from clients; they are quoted, and have been cleaned of line ends.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence

from scorer.session.values.box_settings import Choice

_NAME = "scorer.access"

Log = Callable[[str], object]


def open_access_log() -> Log:
    """The function that logs one line of the service."""
    opened: list[Log] = []

    def log(line: str) -> None:
        if not opened:
            opened.append(_open_logger())
        opened[0](line)

    return log


def _open_logger() -> Log:
    """Called for the first line: a box without phones needs no library."""
    import logging

    from scorer.system.log_limit import LogLimit

    logger = logging.getLogger(_NAME)
    for old in logger.handlers[:]:
        logger.removeHandler(old)
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("scorer run: %(message)s"))
    handler.addFilter(LogLimit())
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    logger.propagate = False
    return logger.info


def choices_line(choices: Sequence[Choice], source: str) -> str:
    """The line about what was chosen in set-up."""
    changes = (f"{'.'.join(each.path)} = {quoted(each.value)}" for each in choices)
    return f"set-up: {', '.join(changes)}, by {source}"


def quoted(value: object) -> str:
    """A value of a person or a client, between quotes and on one line."""
    return json.dumps(value, ensure_ascii=False, default=str)
