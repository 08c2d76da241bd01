"""``python -m tools.release.signing FOLDER KEY`` signs a release that is made.

It needs gpg alone, so that the key need not be there while the tools of the build run.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

SUITE = "stable"  # of the apt repository


def sign(folder: Path, key: str) -> None:
    """Sign the apt repository, the packages and the sums of all files.

    Raises CalledProcessError.
    """
    lists = folder / "apt" / "dists" / SUITE
    _gpg("--local-user", key, "--clearsign", "--output", lists / "InRelease", lists / "Release")
    public = _gpg("--armor", "--export", key)
    (folder / "apt" / "truco-scorer.asc").write_text(public, encoding="utf-8")
    for package in folder.glob("*.deb"):
        # A box takes a package from a stick with this file beside it.
        signature = package.with_name(f"{package.name}.sig")
        _gpg("--local-user", key, "--detach-sign", "--output", signature, package)
    write_sums(folder)
    _gpg("--local-user", key, "--armor", "--detach-sign", folder / "SHA256SUMS")


def write_sums(folder: Path) -> None:
    """SHA256SUMS of all files, without those of the sums."""
    sums = folder / "SHA256SUMS"
    files = sorted(p for p in folder.rglob("*") if p.is_file() and p.stem != sums.stem)
    lines = [
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(folder)}\n"
        for path in files
    ]
    sums.write_text("".join(lines), encoding="utf-8")


def _gpg(*words: str | Path) -> str:
    command = ["gpg", "--batch", "--yes", *map(str, words)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    sign(Path(sys.argv[1]), sys.argv[2])
