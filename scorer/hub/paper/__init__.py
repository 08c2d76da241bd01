"""A tournament on paper: HTML pages for a printer, made of its state."""

KINDS = (
    "set",
    "blank-sheets",
    "sheets",
    "zones",
    "fixtures",
    "pairings",
    "standings",
    "order",
    "diplomas",
    "brackets",
    "finder",
    "posters",
    "labels",
)
PAPERS = ("A4", "Letter")
