"""Crash-safe storage: journal of presses, settings of the box, events.

One directory with one SQLite file. The modules handle rows of opaque text and disk failures.
``journal`` writes, ``health`` reads concurrently, ``salvage`` recovers what a damaged file holds.
"""
