"""The case for a laser cutter or a 3D printer, from scorer.makers.plates."""
