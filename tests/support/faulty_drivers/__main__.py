"""``scorer`` with drivers that fail when they are told to, beside its own.

A driver is a file that is found by its name: these stand in folders that are added to ours, so
that a whole service can be broken from outside without a seam in it. Everything they notice they
tell in one datagram to the socket that systemd would listen to, in order with what the table says.
"""

from __future__ import annotations

import sys
from pathlib import Path

import scorer.hw.displays
import scorer.hw.inputs
from scorer import cli

HERE = Path(__file__).parent

scorer.hw.displays.__path__.append(str(HERE / "displays"))
scorer.hw.inputs.__path__.append(str(HERE / "inputs"))

if __name__ == "__main__":
    sys.exit(cli.main())
