"""Drivers of panels, one a file, found by file name, and what their tests need of the chips."""
