"""Drivers of lamps and buzzers, one per file, found by file name."""
