"""The table process: composes all parts and owns the state."""
