"""Tournaments as a static site: documents, pages, and their publisher."""
