"""Drivers of lamps and buzzers, one a file, found by file name."""
