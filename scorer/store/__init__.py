"""What survives the plug: the journal of every press, and what was chosen on the box.

One directory, one SQLite file. Its modules know rows of text and the ways in which a disk fails;
they must never know truco, a clock, a device or a language. ``journal`` writes, ``health`` reads
beside it, ``salvage`` rescues what a damaged file still holds.
"""
