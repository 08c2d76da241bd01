"""Tournaments as a static site: documents, pages, and the folder that has them."""
