"""Addresses of the project, given to the Python package.

The class is a build hook of hatchling.
"""

from __future__ import annotations

import os
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

# Empty until the project is published; then `make drawings` writes them into README and pages.
PROJECT = ""  # page of the source, with /issues and /releases
SITE = ""  # where build/site is served


class ProjectUrls(MetadataHookInterface):
    """Sets ``project.urls``.

    The environment replaces the addresses, for a copy that is published elsewhere.
    """

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the addresses. Raises ValueError if one is no address of a page."""
        urls = dict[str, str]()
        if project := checked("PROJECT_URL", os.environ.get("PROJECT_URL", PROJECT)):
            urls |= {"Homepage": project, "Issues": f"{project}/issues"}
        if site := checked("SITE_URL", os.environ.get("SITE_URL", SITE)):
            urls["Documentation"] = f"{site}/"
        if urls:
            metadata["urls"] = urls


def checked(name: str, address: str) -> str:
    """The address without a slash at its end. Raises ValueError if it is none."""
    if address and not address.startswith("https://"):
        raise ValueError(f"{name} is {address!r}; it starts with https://")
    return address.rstrip("/")
