"""``scorer radio``: button boxes over Wi-Fi, in a process of its own.

The table has no network. This process receives the packets of boxes over UDP, drops those without a
valid MAC before it reads them, and passes the lines in them to the table through a unix socket.
docs/reference/radio-protocol.md documents both protocols.
"""
