"""The store of a folder, as a command meets it: its settings, its folder, its refusals in words."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from sayso.cli import lock
from sayso.cli.refusals import Refused, not_possible, refusal
from sayso.errors import Problem

if TYPE_CHECKING:
    from sayso.settings import Settings

ANOTHER = "Name the folder of a store; `sayso serve --data` and `sayso keys create --data` make new ones."


def settings(folder: Path) -> "Settings":
    """The settings for working on the store in the folder, with the same bounds as a server started here has."""
    from sayso.settings import BadSetting, Settings

    try:
        return Settings.from_environment(data=folder, local=False)
    except BadSetting as fault:
        raise not_possible(str(fault)) from None


def make(folder: Path) -> None:
    """The folder, made for its owner alone where it is missing."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except FileExistsError:
        raise _is_file(folder) from None
    except OSError as fault:
        raise not_possible(f"The folder {folder} cannot be made: {fault.strerror}.") from None


def check(folder: Path) -> None:
    """Refuse a folder that is missing, or holds other things: a mistyped name must not become a new store."""
    from sayso.store.sqlite.store import FILE_NAME

    if folder.exists() and not folder.is_dir():
        raise _is_file(folder)
    if not folder.is_dir():
        raise not_possible(f"There is no folder {folder}.", ANOTHER)
    if not (folder / FILE_NAME).exists() and any(file.name != lock.NAME for file in folder.iterdir()):
        raise not_possible(f"The folder {folder} holds other things and no store.", ANOTHER)


def _is_file(path: Path) -> Refused:
    return not_possible(f"{path} is a file, and a store is a folder.", ANOTHER)


@contextlib.contextmanager
def refusing(chosen: "Settings") -> Iterator[None]:
    """Within the context, a problem and a store that cannot be used are refusals of the command line."""
    from sayso.ports import StoreError

    try:
        yield
    except Problem as problem:
        raise refusal(problem, chosen.problem_base) from None
    except StoreError as fault:
        raise not_possible(f"The store cannot be used: {fault}") from None
    except PermissionError as fault:
        raise not_possible(f"This user may not use {fault.filename}.") from None
