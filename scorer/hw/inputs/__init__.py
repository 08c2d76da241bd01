"""Drivers of buttons, one a file, found by file name."""
