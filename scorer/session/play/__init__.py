"""Presses during play: interpretation, questions, undo, timers and the reducer."""
