"""The phrases of a view, shared by panel, television, web and slip."""
