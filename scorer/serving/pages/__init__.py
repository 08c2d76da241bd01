"""What the pages of web and hub share: the palette, and the making of elements."""
