"""The set-up menu: its pages, entries and reducer."""
