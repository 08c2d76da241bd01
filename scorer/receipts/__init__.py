"""``scorer print``: a game as a slip, in a process of its own.

It asks the table's socket for a game, lays it out, and hands it to a printer. It never opens the
store, a pin or a bus, and nothing it does or fails to do can reach the score.
"""
