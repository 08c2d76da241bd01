"""Serial ports, and the lines that are spoken on them; no driver, and no meaning of a line."""
