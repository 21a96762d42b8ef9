"""A rolling upgrade on PostgreSQL: a release's statements on the newest tables, and both releases at work at once."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from sayso.app.rebuild import Rebuild
from sayso.compose import running
from sayso.core.machines import MACHINES
from sayso.settings import Settings
from sayso.store.migration import Migration
from sayso.store.postgres import schema
from sayso.store.postgres.schema import migrations
from sayso.store.postgres.store import migrate_postgres
from tests.postgres.servers import PostgresServer
from tests.upgrade.job import ASKING, HOUR, ROOM, START, Chance, Clock, Job
from tests.upgrade.player import Older, played, steps
from tests.upgrade.postgres_tape import Player, connected, stop_clock
from tests.upgrade.recording import MAKING, read, recordings

pytestmark = pytest.mark.anyio

# What a release may add to the tables while the last one serves them.
ADDED = """
alter table heads add column looked_at bigint;
alter table events add column origin text not null default 'here';
create table notes(shard smallint not null, stream uuid not null, note text not null);
create index head_looked on heads(shard, looked_at) where looked_at is not null;
"""
LATER = Migration(version=len(migrations()) + 1, name="9999_later.sql", text=ADDED)
GAPS = """
select playbook from feeds f where position <> (select count(distinct position) from events e
  where e.shard = f.shard and e.playbook = f.playbook and e.position between 1 and f.position)
"""


@pytest.fixture(params=recordings("postgres"), ids=lambda path: path.name)
def recording(request: pytest.FixtureRequest) -> Path:
    found: Path = request.param
    return found


@pytest.fixture(params=["postgres15", "postgres18"])
async def url(request: pytest.FixtureRequest) -> str:
    """An empty database whose clock stands."""
    server: PostgresServer = request.getfixturevalue(request.param)
    fresh = server.fresh()
    await stop_clock(fresh)
    return fresh


@pytest.fixture
async def player(url: str) -> AsyncIterator[Player]:
    player = Player(url)
    yield player
    await player.close()


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """From when it is called there is one more migration than this release has."""
    return lambda: monkeypatch.setattr(schema, "migrations", lambda: (*migrations(), LATER))


async def do(url: str, begun: Callable[[str], None] = lambda _: None) -> None:
    """The main job by the newest code, in an org of its own and ten days earlier than in a recording."""
    settings, clock = Settings(database=url, open_requests=ROOM), Clock(START - 240 * HOUR)
    async with running(settings, clock=clock, entropy=Chance(), work=False) as app:
        await Job(app=app, clock=clock, org="globex", key="later", begun=begun).do()
        await check_whole(url)
        found = [page async for page in Rebuild(app.store, app.writer, MACHINES, check=True).run()]
        assert [page for page in found if page.changed or page.damaged or page.recounted] == []


async def check_whole(url: str) -> None:
    """Hold that each feed is without a gap."""
    async with connected(url) as connection:
        assert await connection.fetch(GAPS) == []
        assert await connection.fetchval("select count(*) from feeds") > 0


async def version(url: str) -> int:
    """The version of a store's tables."""
    async with connected(url) as connection:
        found: int = await connection.fetchval("select schema_version from meta")
        return found


async def test_the_statements_of_a_release_do_the_same_on_the_newest_tables(
    recording: Path, url: str, player: Player, later: Callable[[], None]
) -> None:
    later()
    await migrate_postgres(url)
    assert [wrong for _, step in steps(recording) for wrong in await played(player, step)] == []
    await check_whole(url)


def test_a_migration_that_was_released_never_changes(recording: Path) -> None:
    """Before its first release a recording is made anew with it."""
    made = {one.text for one in read(recording) if one.step == MAKING}
    released = [one for one in made if one.startswith("-- ")]
    assert {one.text for one in migrations()[: len(released)]} == set(released)


async def test_the_store_of_a_release_takes_the_newest_code(
    recording: Path, url: str, player: Player, later: Callable[[], None]
) -> None:
    assert await played(player, read(recording)) == []
    later()
    await migrate_postgres(url)
    await do(url)
    assert await version(url) == len(schema.migrations())


async def test_a_release_goes_on_while_the_newest_migrates_and_works(
    recording: Path, url: str, player: Player, later: Callable[[], None]
) -> None:
    assert await played(player, [one for one in read(recording) if one.step == MAKING]) == []
    with Older(recording, url) as older:
        older.until(ASKING)
        older.begin()
        later()
        await migrate_postgres(url)
        await do(url, begun=lambda _: older.go_on())
        older.end()
    await check_whole(url)


async def test_a_server_that_runs_takes_the_tables_of_the_next_release(url: str) -> None:
    clock = Clock()
    settings = Settings(database=url, open_requests=ROOM)
    async with running(settings, clock=clock, entropy=Chance(), work=False) as app:
        await Job(app=app, clock=clock, org="acme", key="before").do()
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(schema, "migrations", lambda: (*migrations(), LATER))
            await migrate_postgres(url)
        await Job(app=app, clock=clock, org="globex", key="after").do()
    await check_whole(url)
    assert await version(url) == LATER.version
