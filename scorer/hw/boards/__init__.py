"""Drivers of scoreboards that are told in words, one a file."""
