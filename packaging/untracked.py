"""Files that are in no commit, so that no version can name them.

Used by ``build.py`` and by the build hook of the Python package, ``tools/catalogues.py``.
"""

from __future__ import annotations

import subprocess
from pathlib import Path


def untracked_files(root: Path, *folders: str) -> list[str]:
    """Files of ``folders`` that git neither knows nor ignores, relative to ``root``.

    None where ``root`` is not the top of a clone, as an unpacked source archive is.
    """
    git = ["git", "-C", str(root)]
    listing = [*git, "ls-files", "--others", "--exclude-standard", "-z", "--", *folders]
    try:
        if _printed([*git, "rev-parse", "--show-cdup"]).strip():
            return []  # the clone is of something else, a folder above
        return [name for name in _printed(listing).split("\0") if name]
    except (OSError, subprocess.CalledProcessError):
        return []


def _printed(command: list[str]) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def refusal(files: list[str]) -> str:
    """Why a package with ``files`` is not built, and what to do."""
    return "\n".join(
        [
            "these files are in no commit, so that no version can name them:",
            *(f"  {name}" for name in files),
            "add, ignore or remove them",
        ]
    )
