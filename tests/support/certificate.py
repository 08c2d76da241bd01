"""Self-signed certificates for the tests, made by openssl; skipped without it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

_NAMES = "subjectAltName=DNS:localhost,DNS:truco.example,IP:127.0.0.1"
# Python verifies strictly from 3.13 on: an authority names what its key is for.
_USAGE = "keyUsage=critical,digitalSignature,keyCertSign"


class Certificate(NamedTuple):
    """The files of a certificate and its key."""

    certificate: Path
    key: Path

    @property
    def settings(self) -> str:
        """Lines of [web] for it."""
        return f'[web]\ncertificate = "{self.certificate}"\nkey = "{self.key}"\n'


def make_certificate(folder: Path, name: str = "tls", algorithm: str = "ec") -> Certificate:
    """A new certificate for this machine, with a key that a group may read."""
    kind = {"ec": ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"], "rsa": ["rsa:2048"]}[algorithm]
    made = Certificate(folder / f"{name}.pem", folder / f"{name}.key")
    run_openssl(
        "req", "-x509", "-nodes", "-days", "2", "-subj", "/CN=truco", "-addext", _NAMES,
        "-addext", _USAGE, "-newkey", *kind, "-keyout", str(made.key),
        "-out", str(made.certificate),
    )  # fmt: skip
    made.key.chmod(0o640)
    return made


def run_openssl(*words: str) -> str:
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed")
    done = subprocess.run(["openssl", *words], check=True, capture_output=True, text=True)
    return done.stdout
