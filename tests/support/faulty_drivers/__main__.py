"""The service on simulated pins, with additional drivers that fail on demand.

Drivers are found by file name: the folders here are added to the package's, so that a whole service
can be broken from outside. They report events as datagrams to systemd's notification socket, in
order with the messages of the table.
"""

from __future__ import annotations

import sys
from pathlib import Path

import scorer.hw.displays
import scorer.hw.inputs
from tests.support import simulated_service

HERE = Path(__file__).parent

scorer.hw.displays.__path__.append(str(HERE / "displays"))
scorer.hw.inputs.__path__.append(str(HERE / "inputs"))


def main(words: list[str]) -> int:
    """The exit code of the service."""
    return simulated_service.main(words)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
