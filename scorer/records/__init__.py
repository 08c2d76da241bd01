"""The journal read as games: the running game, undo, standings, local time."""
