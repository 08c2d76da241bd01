"""Views in the words of one language: the phrases that panel, television, web and slip show."""
