"""Static sites: the frame of their pages, and the folder that has them."""
