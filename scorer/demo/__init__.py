"""A table with simulated buttons and panels; ``scorer demo`` plays at one.

The table is a child process, reached through its command line and the desk protocol.
"""
