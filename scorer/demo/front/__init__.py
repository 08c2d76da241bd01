"""The front panel in a browser: the box as it stands on the table, for whoever has none yet.

It shows what the buses carried and moves the simulated pins, on this machine alone. It knows a desk
in real time and how a page is served; nothing of the table's inside, and no rule of truco.
"""
