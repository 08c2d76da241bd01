"""The view of a session: the content of panels, pages and slips."""
