"""A circuit board with the circuits of wiring.md, generated for KiCad."""
