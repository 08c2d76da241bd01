"""The devices behind ports: edges in, pictures, light and sound out.

Nothing in here knows what a button means or what a picture shows, and importing it opens nothing.
"""
