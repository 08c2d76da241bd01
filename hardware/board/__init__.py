"""A circuit board with the circuits of wiring.md, as files of KiCad."""
