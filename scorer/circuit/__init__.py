"""``scorer circuit``: the evenings of a season as a table, on a static site."""
