"""``python -m scorer``: the command line."""

import sys

from scorer.cli import main

sys.exit(main())
