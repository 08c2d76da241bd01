"""Drivers of text-protocol scoreboards, one per file."""
