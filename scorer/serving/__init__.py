"""HTTP serving of all processes with pages: connections, limits, streams, TLS."""
