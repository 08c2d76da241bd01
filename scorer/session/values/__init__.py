"""Values of a table: its state, what it asks and shows, and queries of them."""
