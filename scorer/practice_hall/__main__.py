"""``python -m scorer.practice_hall``, which ``scorer hub --demo`` starts."""

import sys

from scorer.practice_hall.command import main

sys.exit(main(sys.argv[1:]))
