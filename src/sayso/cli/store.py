"""The store, as a command meets it: its settings, its folder, its refusals in words."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from sayso.cli import lock
from sayso.cli.refusals import Refused, not_possible, refusal
from sayso.errors import Problem

if TYPE_CHECKING:
    from sayso.app.runtime import App
    from sayso.settings import Settings

T = TypeVar("T")

ANOTHER = "Name the folder of a store; `sayso serve --data` and `sayso keys create --data` make new ones."
NAME_IT = "Name its folder with --data DIR (or SAYSO_DATA), or its database with --database URL (or SAYSO_DATABASE)."


def settings(
    data: Path | None, database: str | None, *, shards: int | None = None, config_file: Path | None = None
) -> "Settings":
    """The settings for working on a store, with the same bounds as a server started here has.

    The store is what the command line names, else what the environment names; refused where neither does.
    """
    from sayso.settings import BadSetting, Settings

    try:
        return Settings.from_environment(
            data=data, database=database, shards=shards, local=False, config_file=config_file
        )
    except BadSetting as fault:
        advice = NAME_IT if fault.setting == "SAYSO_DATA" else None
        raise not_possible("This works on a store: say which." if advice else str(fault), advice) from None


def make(chosen: "Settings") -> None:
    """The store's folder, made for its owner alone where it is missing. A database is there, or opening it tells."""
    if chosen.data is not None:
        _make_folder(chosen.data)


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except FileExistsError:
        raise _is_file(folder) from None
    except OSError as fault:
        raise not_possible(f"The folder {folder} cannot be made: {fault.strerror}.") from None


def check(chosen: "Settings") -> None:
    """Refuse a folder that is no store. Of a database, opening it tells."""
    if chosen.data is not None:
        _check_folder(chosen.data)


def _check_folder(folder: Path) -> None:
    """Refuse a folder that is missing, or holds other things: a mistyped name must not become a new store."""
    from sayso.store.sqlite.store import FILE_NAME

    if folder.exists() and not folder.is_dir():
        raise _is_file(folder)
    if not folder.is_dir():
        raise not_possible(f"There is no folder {folder}.", ANOTHER)
    if not (folder / FILE_NAME).exists() and any(file.name != lock.NAME for file in folder.iterdir()):
        raise not_possible(f"The folder {folder} holds other things and no store.", ANOTHER)


def file(chosen: "Settings") -> Path:
    """The file of a folder's store, which must be there already."""
    from sayso.store.sqlite.store import FILE_NAME

    assert chosen.data is not None, "the store is a folder"
    check(chosen)
    if not (chosen.data / FILE_NAME).exists():
        raise not_possible(f"The folder {chosen.data} holds no store yet.", ANOTHER)
    return chosen.data / FILE_NAME


def _is_file(path: Path) -> Refused:
    return not_possible(f"{path} is a file, and a store is a folder.", ANOTHER)


def with_app(chosen: "Settings", work: Callable[["App"], Awaitable[T]]) -> T:
    """What ``work`` makes of the store, opened in this process; problems of it are refusals of the command line."""
    from sayso import compose

    check(chosen)

    async def at_the_store() -> T:
        async with compose.running(chosen, work=False) as app:
            return await work(app)

    with refusing(chosen):
        return asyncio.run(at_the_store())


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
