"""One file a variant, each a table: see CONTRIBUTING.md for how to add one."""
