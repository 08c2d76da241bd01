"""Case and board of the box; not installed."""
