"""A tournament on paper: HTML pages for a printer, made of its state."""
