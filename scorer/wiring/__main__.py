"""``python -m scorer.wiring``."""

import sys

from scorer.wiring import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
