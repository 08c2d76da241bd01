"""The journal read as games: the running game, undo, standings of the evening, local time."""
