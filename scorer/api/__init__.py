"""The table's unix socket: server, request handlers, replies, paired phones."""
