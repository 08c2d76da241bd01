"""The table's unix socket: server, request handlers, replies, and the registry of paired phones."""
