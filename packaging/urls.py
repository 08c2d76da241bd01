"""Addresses in the metadata of the Python package: a build hook of hatchling.

They come from PROJECT_URL; without it there is none.
"""

from __future__ import annotations

import os
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface


class ProjectUrls(MetadataHookInterface):
    """Sets ``project.urls``."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the addresses. Raises ValueError if PROJECT_URL is no address of a page."""
        address = os.environ.get("PROJECT_URL", "").rstrip("/")
        if not address:
            return
        if not address.startswith("https://"):
            raise ValueError(f"PROJECT_URL is {address!r}; it starts with https://")
        metadata["urls"] = {"Homepage": address, "Issues": f"{address}/issues"}
