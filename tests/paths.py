"""Folders that tests read: the repository, and the reference data beside it."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Tests that compare with the reference data are skipped if this folder does not exist.
SHARED = ROOT.parent / "shared"
EVENINGS = ROOT / "tests" / "evenings"
# Whole games in score-sheet notation, replayed by the tests of the rules.
GAMES = ROOT / "tests" / "rules" / "games"
