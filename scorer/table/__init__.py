"""The table process: composes rules, session, store, devices and socket, and owns the state."""
