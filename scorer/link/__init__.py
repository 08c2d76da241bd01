"""`scorer link`: what is pressed at the table, sent to the hub of its hall."""
