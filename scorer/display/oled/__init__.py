"""Screens of one-bit panels, one screen a module."""
