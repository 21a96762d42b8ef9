"""The mark in the folder of a store that moved: from the first row that is copied on nobody may change it here."""

import json
import os
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

from sayso.ports import StoreError

NAME = "transfer.json"


@dataclass(frozen=True, kw_only=True)
class Mark:
    """Under way since it was begun, or ended. ``to`` is where the new store is, without a password."""

    transfer: str
    to: str
    ended_at: str | None = None


def read(folder: Path) -> Mark | None:
    """The folder's mark. One that cannot be read is refused: what it stood for is not known."""
    file = folder / NAME
    try:
        return Mark(**json.loads(file.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return None
    except (ValueError, TypeError):
        raise StoreError(f"{file} says that the store was moved, and cannot be read.") from None


def write(folder: Path, mark: Mark) -> None:
    """Mark the folder, durably, before the call returns."""
    with tempfile.NamedTemporaryFile("w", dir=folder, prefix=f".{NAME}.", encoding="utf-8", delete=False) as file:
        json.dump(asdict(mark), file, indent=2)
        file.flush()
        os.fsync(file.fileno())
    Path(file.name).rename(folder / NAME)
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def refuse_moved(folder: Path) -> None:
    """Refuse a store that was moved: what is taken here would be lost there."""
    mark = read(folder)
    if mark is None:
        return
    file = folder / NAME
    if mark.ended_at is None:
        raise StoreError(
            f"{folder} is being moved to {mark.to}, and that was cut off. End it: sayso transfer --data {folder} "
            f"--database URL. Or give it up and go on here: delete {file}."
        )
    raise StoreError(
        f"{folder} was moved to {mark.to} at {mark.ended_at}: serve that. To go back to what it was then, without "
        f"all that was asked and answered there since, delete {file}."
    )
