"""``scorer print``: a game as a slip, in a process of its own.

It requests a game from the table's socket, lays it out and sends it to a printer. It opens neither
the store nor pins or buses, and cannot affect the score.
"""
