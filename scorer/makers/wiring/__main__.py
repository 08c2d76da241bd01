"""``python -m scorer.makers.wiring``."""

import sys

from scorer.makers.wiring import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
