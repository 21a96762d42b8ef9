"""A machine of its own for servers: another time, and a small disk."""

import contextlib
import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.faults.served import ServedDatabase

_GET = "libfaketime is not here: apt-get install faketime"


def faketime() -> str:
    """What shows a program another time, once it is loaded before all else; without it a test is skipped, aloud."""
    found = sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
    if found:
        return str(found[0])
    if os.environ.get("CI") == "true":
        pytest.fail(_GET)
    pytest.skip(_GET)


@dataclass(kw_only=True)
class Astray(ServedDatabase):
    """A server on a machine whose clock is ahead by so many seconds. Time passes there as it does here."""

    ahead_s: int

    @property
    def environment(self) -> dict[str, str]:
        fake = {"LD_PRELOAD": faketime(), "FAKETIME": f"{self.ahead_s:+d}s", "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
        return super().environment | fake | {"DONT_FAKE_MONOTONIC": "1"}


class SmallDisk:
    """A disk of a few megabytes, and the file that fills it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._ballast = folder / "ballast"

    def fill(self) -> None:
        """Leave no room."""
        with self._ballast.open("wb", buffering=0) as file, contextlib.suppress(OSError):
            while file.write(bytes(4096)):
                pass

    def make_room(self) -> None:
        """As an operator does who finds something to delete."""
        self._ballast.unlink()

    @property
    def free(self) -> int:
        """How many bytes are left."""
        stat = os.statvfs(self.folder)
        return stat.f_bavail * stat.f_frsize


@contextlib.contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[SmallDisk]:
    """A disk at a folder, made for the context. Who may not mount one skips the test, aloud."""
    folder.mkdir()
    mount = ("mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=777", "sayso-test", str(folder))
    made = subprocess.run(mount, capture_output=True, text=True, check=False)
    if made.returncode:
        pytest.skip(f"A disk that can be filled needs the right to mount one: {made.stderr.strip()}")
    try:
        yield SmallDisk(folder)
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)
