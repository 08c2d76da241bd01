"""Drivers of panels, one per file, found by file name; chip models for tests."""
