"""The lock beside a store: one process serves it, and the system frees it however that process ends."""

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

from sayso.cli.refusals import Refused, not_possible

NAME = "serving.lock"


@contextlib.contextmanager
def held(folder: Path) -> Iterator[None]:
    """Hold the store in the folder for serving while the context lasts; refused while another process does."""
    with _locked(folder) as file:
        try:
            yield
        finally:
            file.unlink(missing_ok=True)


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[Path]:
    file = folder / NAME
    while True:
        try:
            number = os.open(file, os.O_RDONLY | os.O_CREAT, 0o600)
        except OSError as fault:
            raise not_possible(f"The folder {folder} cannot be written: {fault.strerror}.") from None
        with os.fdopen(number, "rb") as opened:
            try:
                fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise _served_already(folder) from None
            if _is_at(file, number):
                yield file
                return
        # Whoever held it before has taken it away since it was opened here: what is locked is no longer the store's.


def _is_at(file: Path, number: int) -> bool:
    try:
        return os.path.samestat(file.stat(), os.fstat(number))
    except FileNotFoundError:
        return False


def _served_already(folder: Path) -> Refused:
    return not_possible(
        f"Another process serves the store in {folder} already.",
        "Stop it first, or use it as it is: commands take --url, or --data beside a running server.",
    )
