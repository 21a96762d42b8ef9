"""Certificates for tests, made by openssl on the spot: nobody else's machine would trust them."""

import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

from tests.postgres.fixtures import present


class Pair(NamedTuple):
    """A certificate that vouches for itself, and its key."""

    certificate: Path
    key: Path


def made(folder: Path, name: str = "one") -> Pair:
    """A pair for localhost and 127.0.0.1. Where there is no openssl the test is skipped, or fails in CI."""
    present(shutil.which("openssl"), "there is no openssl on this machine")
    pair = Pair(folder / f"{name}.pem", folder / f"{name}.key")
    subject = ["-subj", f"/CN={name}", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    files = ["-keyout", str(pair.key), "-out", str(pair.certificate)]
    subprocess.run(["openssl", "req", "-x509", *kind, *subject, *files], check=True, capture_output=True)
    return pair


def locked(pair: Pair, folder: Path) -> Path:
    """The key of a pair under a password."""
    file = folder / "locked.key"
    command = ["openssl", "ec", "-in", str(pair.key), "-aes256", "-passout", "pass:word", "-out", str(file)]
    subprocess.run(command, check=True, capture_output=True)
    return file
