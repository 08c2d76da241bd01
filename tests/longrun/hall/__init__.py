"""A hall of real processes: tables that play, a link each, one hub."""
