"""``scorer`` with passwords of the desk that cost little.

Most tests of a hub log in. Importing this makes the passwords of the process cheap.
"""

from __future__ import annotations

import sys

from scorer.cli import main
from scorer.hub import passwords

__all__ = ["COST", "main"]

COST = passwords._COST  # what they cost people
passwords._COST = 2**4

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
