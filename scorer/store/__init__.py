"""Crash-safe storage: the journal of presses and the settings chosen on the box.

One directory with one SQLite file. The modules handle rows of opaque text and disk failures.
``journal`` writes, ``health`` reads concurrently, ``salvage`` recovers what a damaged file holds.
"""
