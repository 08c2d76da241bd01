"""The table in a web page: its hardware, its score sheets, the board beside it.

Runs in CPython compiled to WebAssembly, and on any CPython for tests. The page itself, and what
packs these modules for it, is in ``tools/browser``. Nothing here opens a socket or starts a thread.
"""
