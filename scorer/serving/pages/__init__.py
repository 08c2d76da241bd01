"""What the pages of web and hub share: the palette, elements, requests, streams."""
