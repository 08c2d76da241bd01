"""Folders that tests read: the repository, and the reference data beside it."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Recordings and examples of others, which some checkouts have beside them.
SHARED = ROOT.parent / "shared"
EVENINGS = ROOT / "tests" / "evenings"
# Whole games in score-sheet notation, replayed by the tests of the rules.
GAMES = ROOT / "tests" / "rules" / "games"
