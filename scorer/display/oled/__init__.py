"""Screens of 1-bit panels, one module per screen."""
