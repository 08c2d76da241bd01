"""``python -m scorer.bench``."""

import sys

from scorer.bench import main

sys.exit(main(sys.argv[1:]))
