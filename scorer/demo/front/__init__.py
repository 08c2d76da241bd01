"""The front panel in a browser: a simulated table for users without one.

It shows what the buses carried and moves the simulated pins, on this machine only.
"""
