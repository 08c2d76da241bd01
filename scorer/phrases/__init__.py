"""A view in words: the phrases that panel, television, web and slip show."""
