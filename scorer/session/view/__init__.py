"""The view of a session: what panels, pages and slips display, without words or pixels."""
