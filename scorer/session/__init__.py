"""Gestures, play, set-up and the view of a table, as pure functions over values."""
