"""Drivers of panels, one per file, found by file name, and chip models for tests."""
