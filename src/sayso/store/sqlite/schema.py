"""The tables of a SQLite store: made by numbered migrations, and recognised when a file is opened."""

import secrets
import sqlite3
from collections.abc import Iterator

from sayso.ports import StoreError
from sayso.store.migration import Meta, Migration, check_compatible, check_number, check_shards, migrations_of
from sayso.store.sqlite.connection import Connection

# In the file's header, so that a file of another program is told from ours before anything in it is read: "says".
APPLICATION_ID = 0x73617973
_OLDEST_SQLITE = (3, 37, 0)  # the first with STRICT tables


def migrations() -> tuple[Migration, ...]:
    """All migrations that this program knows, in order."""
    return migrations_of("sayso.store.sqlite")


def prepare(connection: Connection, *, path: str, shards: int | None, now: int) -> Meta:
    """Make the tables of a new file or bring an older one up to date, and tell what the store is.

    Refused, in words and untouched: what is not a store of sayso, what a newer sayso wrote, other ``shards`` than the
    file has. Two processes may prepare one file at once.
    """
    if sqlite3.sqlite_version_info < _OLDEST_SQLITE:
        raise StoreError(f"SQLite {sqlite3.sqlite_version} is too old: sayso needs 3.37 or newer.")
    check_number(shards)
    recognised_version(connection, path)
    connection.set("wal", ["pragma journal_mode = wal"])
    connection.begin()
    try:
        _migrate(connection, recognised_version(connection, path), shards or 1, now)
        meta = _meta(connection)
        check_shards(path, meta.shards, shards)
        connection.commit()
    finally:
        connection.rollback()
    return meta


def recognised_version(connection: Connection, path: str) -> int:
    """The version of the file's tables, 0 for an empty file. Refused: another program's, and a newer sayso's."""
    # In one statement, and so of one moment: another process may be making the tables.
    look = "select application_id, (select count(*) from sqlite_schema) from pragma_application_id"
    application, tables = connection.fetch("recognise", look)[0]
    if application == 0 and tables == 0:
        return 0
    if application != APPLICATION_ID:
        raise StoreError(f"{path} is a database of another program, not a store of sayso. Choose another file.")
    version = int(connection.fetch("meta", "select schema_version from meta")[0][0])
    if version > len(migrations()):
        check_compatible(path, version, _meta(connection).compatible_from, len(migrations()))
    return version


def _migrate(connection: Connection, version: int, shards: int, now: int) -> None:
    for migration in migrations()[version:]:
        connection.set(migration.name, statements(migration.text))
        if migration.version == 1:
            connection.set("application_id", [f"pragma application_id = {APPLICATION_ID}"])
            _create_meta(connection, shards, now)
        connection.fetch("schema_version", "update meta set schema_version = ?", (migration.version,))


def _create_meta(connection: Connection, shards: int, now: int) -> None:
    row = (1, 0, shards, secrets.token_bytes(32), 0, now)
    text = (
        "insert into meta(one, schema_version, shards, secret, reference_version, created_at) values (?, ?, ?, ?, ?, ?)"
    )
    connection.fetch("create_meta", text, row)


def _meta(connection: Connection) -> Meta:
    row = connection.fetch("meta", "select schema_version, compatible_from, shards, secret from meta")[0]
    return Meta(schema_version=row[0], compatible_from=row[1], shards=row[2], secret=row[3])


def statements(text: str) -> Iterator[str]:
    """The single statements of a script: one ends with the line that ends in its semicolon."""
    lines: list[str] = []
    for line in text.splitlines():
        lines.append(line)
        script = "\n".join(lines)
        if sqlite3.complete_statement(script):
            yield script
            lines.clear()
