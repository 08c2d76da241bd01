"""``scorer voice``: speaks the calls and the score of a table."""
