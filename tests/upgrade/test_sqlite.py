"""A rolling upgrade on SQLite: a release's statements on the newest tables, and its store under the newest code."""

import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from pathlib import Path

import pytest

from sayso.compose import running
from sayso.settings import Settings
from sayso.store.migration import Migration
from sayso.store.sqlite import schema
from sayso.store.sqlite.schema import migrations, statements
from sayso.store.sqlite.store import FILE_NAME, open_store
from tests.faults.audit import audit
from tests.upgrade.job import ASKING, HOUR, ROOM, START, Chance, Clock, Job
from tests.upgrade.player import Older, played, steps
from tests.upgrade.recording import MAKING, read, recordings
from tests.upgrade.sqlite_tape import Player

pytestmark = pytest.mark.anyio

LATER = "9999_later.sql"
# What a release may add to the tables while the last one serves them.
ADDED = """
alter table heads add column looked_at int;
alter table events add column origin text not null default 'here';
create table notes(shard int not null, stream blob not null, note text not null) strict;
create index head_looked on heads(shard, looked_at) where looked_at is not null;
"""


@pytest.fixture(params=recordings("sqlite"), ids=lambda path: path.name)
def recording(request: pytest.FixtureRequest) -> Path:
    found: Path = request.param
    return found


@pytest.fixture(autouse=True)
def later(monkeypatch: pytest.MonkeyPatch) -> None:
    """One more migration than this release has, so that there always is one."""
    last = Migration(version=len(migrations()) + 1, name=LATER, text=ADDED)
    with_it = (*migrations(), last)
    monkeypatch.setattr(schema, "migrations", lambda: with_it)


@pytest.fixture
async def player(tmp_path: Path) -> AsyncIterator[Player]:
    player = Player(str(tmp_path / FILE_NAME))
    yield player
    await player.close()


async def do(
    folder: Path, begun: Callable[[str], None] = lambda _: None, faults: Callable[[str], None] = lambda _: None
) -> None:
    """The main job by the newest code, in an org of its own and ten days earlier than in a recording."""
    settings, clock = Settings(data=folder, open_requests=ROOM), Clock(START - 240 * HOUR)
    async with running(settings, clock=clock, entropy=Chance(), faults=faults, work=False) as app:
        await Job(app=app, clock=clock, org="globex", key="later", begun=begun).do()


async def test_the_statements_of_a_release_do_the_same_on_the_newest_tables(
    recording: Path, tmp_path: Path, player: Player
) -> None:
    await open_store(tmp_path, clock=Clock()).close()
    assert [wrong for _, step in steps(recording) for wrong in await played(player, step)] == []
    assert version(tmp_path) == len(schema.migrations())
    audit(tmp_path)


def test_a_migration_that_was_released_never_changes(recording: Path) -> None:
    made = [one for one in read(recording) if one.step == MAKING]
    (version,) = [one.values[0] for one in made if "set schema_version" in one.text][-1:]
    assert [one.name for one in migrations()[:version] if not set(statements(one.text)) <= {m.text for m in made}] == []


async def test_the_store_of_a_release_takes_the_newest_code(recording: Path, tmp_path: Path, player: Player) -> None:
    assert await played(player, read(recording)) == []
    await do(tmp_path)
    assert version(tmp_path) == len(schema.migrations())
    assert audit(tmp_path).open == 0


async def test_a_release_goes_on_while_the_newest_migrates_and_works(
    recording: Path, tmp_path: Path, player: Player
) -> None:
    making = [one for one in read(recording) if one.step == MAKING]
    assert await played(player, making) == []
    await player.close()
    with Older(recording, str(tmp_path / FILE_NAME)) as older:
        older.until(ASKING)

        def migrating(point: str) -> None:
            if point == f"before {LATER}":
                older.begin()  # it meets the lock of the migration

        await do(tmp_path, begun=lambda _: older.go_on(), faults=migrating)
        older.end()
    assert version(tmp_path) == len(schema.migrations())
    audit(tmp_path)


def version(folder: Path) -> int:
    """The version of a store's tables."""
    with closing(sqlite3.connect(folder / FILE_NAME)) as file:
        found: int = file.execute("select schema_version from meta").fetchone()[0]
        return found
