"""`scorer hub`: stores what the tables of a hall play."""
