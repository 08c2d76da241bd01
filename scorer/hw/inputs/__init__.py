"""Drivers of buttons, one per file, found by file name."""
