"""The protocol between tables and hub, as pure values.

Both ends use it: rows and their digests, batches, messages, events, and how a box joins.
"""
