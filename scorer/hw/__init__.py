"""Drivers behind ports: edges in; pictures, light and sound out.

Importing this package opens no device. Drivers do not interpret buttons or pictures.
"""
