"""The table's unix socket: server, parsing and replies of requests, paired phones."""
