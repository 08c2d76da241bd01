"""Serial ports, and the line protocols used on them."""
