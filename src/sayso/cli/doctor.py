"""``sayso doctor``: looks a store and its surroundings over, and says in plain words what to mend."""

import os
import shutil
import stat
import sys
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from sayso import __version__
from sayso.cli import store
from sayso.cli.commands import AsJson, Data, Database, refusals_shown
from sayso.cli.screen import Screen
from sayso.core.instants import iso

if TYPE_CHECKING:
    from sayso.app.runtime import App
    from sayso.settings import Settings

FREE_BYTES = 1 << 30
LOG_BYTES = 256 << 20
APART_US = 2_000_000
SOON_US = 14 * 86_400_000_000
LATE_SECONDS = 10


class Standing(Enum):
    """How a thing stands, and how it is shown."""

    FINE = ""
    LOOK = "yellow"
    WRONG = "bold red"


@dataclass(frozen=True, kw_only=True)
class Check:
    """One thing that was looked at, what was found, and what to do about it."""

    name: str
    found: str
    standing: Standing = Standing.FINE
    advice: str | None = None


def doctor(data: Data = None, database: Database = None, as_json: AsJson = False) -> None:
    """Look a store over, and say what to mend.

    Its files or its database, its keys, what is late or fails, who could not be told. It changes nothing and may run
    beside servers. The exit code is 1 if something is wrong.
    """
    screen = Screen(as_json=as_json)
    with refusals_shown(screen):
        settings = store.settings(data, database)
        checks = [_program(), *_folder(settings), *store.with_app(settings, _looked_over)]
    if as_json:
        screen.json({"checks": [_document(check) for check in checks]})
    else:
        _show(screen, checks)
    raise typer.Exit(int(any(check.standing is Standing.WRONG for check in checks)))


def _document(check: Check) -> dict[str, str]:
    advice = {} if check.advice is None else {"advice": check.advice}
    return {"name": check.name, "found": check.found, "standing": check.standing.name.lower()} | advice


def _show(screen: Screen, checks: list[Check]) -> None:
    width = max(len(check.name) for check in checks) if screen.is_terminal else 0
    for check in checks:
        screen.row((check.name.ljust(width), check.standing.name.lower(), check.found), check.standing.value)
        if check.advice:
            screen.note(f"  {check.advice}", "")


def _program() -> Check:
    version = ".".join(map(str, sys.version_info[:3]))
    return Check(name="program", found=f"sayso {__version__}, Python {version}")


def _folder(settings: "Settings") -> Iterator[Check]:
    """The files of a store in a folder, and the room around them."""
    if settings.data is None:
        return
    file = store.file(settings)
    yield _mode(file)
    free = shutil.disk_usage(settings.data).free
    full = free < max(FREE_BYTES, file.stat().st_size)
    yield Check(
        name="free disk",
        found=f"{free:,} bytes",
        standing=Standing.LOOK if full else Standing.FINE,
        advice="A backup needs as much room as the store, and the log some." if full else None,
    )
    log = Path(f"{file}-wal")
    size = log.stat().st_size if log.exists() else 0
    yield Check(
        name="log",
        found=f"{size:,} bytes",
        standing=Standing.LOOK if size > LOG_BYTES else Standing.FINE,
        advice="Somebody reads for very long: the log cannot be folded into the file." if size > LOG_BYTES else None,
    )


def _mode(file: Path) -> Check:
    found = file.stat()
    is_open = bool(found.st_mode & (stat.S_IRWXG | stat.S_IRWXO))
    is_ours = found.st_uid == os.geteuid()
    return Check(
        name="file",
        found=f"{file}, {stat.filemode(found.st_mode)}",
        standing=Standing.WRONG if is_open else Standing.FINE if is_ours else Standing.LOOK,
        advice=f"Others may read it: chmod 600 {file}" if is_open else None if is_ours else "Another user owns it.",
    )


async def _looked_over(app: "App") -> list[Check]:
    checks = [check async for check in _database(app)]
    checks += [check async for check in _keys(app)]
    checks += [check async for check in _work(app)]
    return checks + [check async for check in _told(app)]


async def _database(app: "App") -> AsyncIterator[Check]:
    """What a database must not be set to, and whether its clock and ours agree."""
    from sayso.store import SystemClock

    # Asked where units are written: for reads the one or the other is set otherwise.
    rows = await app.writer.change(lambda transaction: transaction.query("server_settings"))
    found = {row["name"]: row["setting"] for row in rows}
    if "max_connections" not in found:
        yield Check(name="database", found=f"SQLite {found['server_version']}")
        return
    unsafe = [name for name in ("fsync", "full_page_writes", "synchronous_commit") if found.get(name) == "off"]
    yield Check(
        name="database",
        found=f"PostgreSQL {found['server_version']}, {found['max_connections']} connections",
        standing=Standing.WRONG if unsafe else Standing.FINE,
        advice=f"What was acknowledged can be lost: {' and '.join(unsafe)} must be on." if unsafe else None,
    )
    apart = abs(SystemClock().now() - await app.store.now())
    yield Check(
        name="clock",
        found=f"{apart / 1_000_000:.1f} s from the database's",
        standing=Standing.LOOK if apart > APART_US else Standing.FINE,
        advice="The database's counts, but logs are hard to read: let a time service set both."
        if apart > APART_US
        else None,
    )


async def _keys(app: "App") -> AsyncIterator[Check]:
    from sayso.app import key_view

    now = await app.store.now()
    keys = (await app.reference.snapshot(fresh=True)).keys.values()
    good = [key for key in keys if key_view.standing(key, now) == key_view.ACTIVE]
    configured = len(app.keys.configured)
    yield Check(
        name="keys",
        found=f"{len(good) + configured} of {len(keys) + configured} are good",
        standing=Standing.FINE if good or configured else Standing.LOOK,
        advice=None if good or configured else "Everybody is refused, but in local mode: sayso keys create --org ORG",
    )
    for key in good:
        if key.expires_at is not None and key.expires_at - now < SOON_US:
            yield Check(
                name="key",
                found=f"{key.id} expires at {iso(key.expires_at)}",
                standing=Standing.LOOK,
                advice="Make another one in time.",
            )


async def _work(app: "App") -> AsyncIterator[Check]:
    """What is late or fails."""
    from sayso.app.status import Status

    found = await Status(app.store).read()
    lag = found["due_lag_seconds"]
    late = lag >= LATE_SECONDS
    yield Check(
        name="worker",
        found=f"{lag:,.0f} s behind",
        standing=Standing.WRONG if late else Standing.FINE,
        advice="No process works, or those that do cannot keep up: start `sayso serve` or `sayso worker`."
        if late
        else None,
    )
    for name, words in (("failing_streams", "failing streams"), ("failing_conversations", "failing conversations")):
        if count := found[name]["count"]:
            yield Check(name=words, found=f"{count}", standing=Standing.LOOK, advice="The log names each, with why.")


async def _told(app: "App") -> AsyncIterator[Check]:
    """Who is to be told of new requests, and cannot be."""
    for shard in range(app.store.shards):
        for row in await app.store.query("subscriptions", shard=shard):
            if row["failed_since"] is not None:
                yield Check(
                    name="notices",
                    found=f"{row['url']} fails since {iso(row['failed_since'])}: {row['last_error']}",
                    standing=Standing.LOOK,
                    advice="`sayso notices list` shows more; `sayso notices replay` tells again what was missed.",
                )
