"""The owner's configuration: reading, checking and combining its sources."""
