"""The lock beside a store: one process serves it, and the system frees it however that process ends."""

import contextlib
import fcntl
from collections.abc import Iterator
from pathlib import Path

from sayso.cli.refusals import Refused, not_possible

NAME = "serving.lock"


@contextlib.contextmanager
def held(folder: Path) -> Iterator[None]:
    """Hold the store in the folder for serving while the context lasts; refused while another process does."""
    with (folder / NAME).open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise _served_already(folder) from None
        yield


def _served_already(folder: Path) -> Refused:
    return not_possible(
        f"Another process serves the store in {folder} already.",
        "Stop it first, or use it as it is: commands take --url, or --data beside a running server.",
    )
