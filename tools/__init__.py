"""Programs for developing the scorer; they are not installed with it."""
