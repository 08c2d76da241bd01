"""Sub-commands of the command line that are not a process of their own."""
