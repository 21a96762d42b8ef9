"""A transfer that is cut off at any statement, on either side, ends with equal stores when it is run again."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from sayso.ports import StoreError
from sayso.store.postgres.store import open_postgres
from sayso.store.transfer import mark
from sayso.store.transfer import transfer as transferring
from tests.postgres.servers import PostgresServer
from tests.store.moving import make_filled, moved, rows_of

pytestmark = pytest.mark.anyio

BATCH_ROWS = 7


class Cut(BaseException):
    """The process ends here."""


class Cutter:
    """Ends the process, as far as a test's is one, at the nth fault point."""

    def __init__(self, at: int | None = None) -> None:
        self.at = at
        self.passed: list[str] = []

    def __call__(self, point: str) -> None:
        self.passed.append(point)
        if len(self.passed) == self.at:
            raise Cut


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where a store is, and the server with the database that it moves to."""

    folder: Path
    server: PostgresServer

    def fresh(self) -> str:
        """An empty database, and a store that was never moved."""
        (self.folder / mark.NAME).unlink(missing_ok=True)
        return self.server.fresh()

    def given_up(self, url: str) -> str:
        """A database that a transfer had filled which was then given up: the next one begins anew in it."""
        (self.folder / mark.NAME).unlink()
        self.server.sql("update transfer set ended_at = null", url.rpartition("/")[2])
        return url


@pytest.fixture
async def place(tmp_path: Path, postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch) -> Place:
    monkeypatch.setattr(transferring, "BATCH_ROWS", BATCH_ROWS)
    await make_filled(tmp_path / "store")
    return Place(folder=tmp_path / "store", server=postgres)


@pytest.mark.slow
async def test_cut_off_before_it_has_begun(place: Place, is_long: bool, shown: Callable[[str], None]) -> None:
    dry = Cutter()
    await moved(place.folder, place.fresh(), dry)
    cuts = chosen(dry.passed[: dry.passed.index("after set_meta") + 3], is_long)
    for at in cuts:
        await check(place, place.fresh(), at)
    shown(f"Transfer: cut off at {len(cuts)} points before its first row, and ended whole each time")


@pytest.mark.slow
async def test_cut_off_at_any_statement(place: Place, is_long: bool, shown: Callable[[str], None]) -> None:
    await moved(place.folder, url := place.fresh())
    dry = Cutter()
    await moved(place.folder, place.given_up(url), dry)
    assert {"before put events", "after put events", "before page events", "after commit"} <= set(dry.passed)
    cuts = chosen(dry.passed, is_long)
    for at in cuts:
        await check(place, place.given_up(url), at)
    shown(f"Transfer: cut off at {len(cuts)} of {len(dry.passed)} points, and ended whole each time")


def chosen(points: Sequence[str], is_long: bool) -> Sequence[int]:
    """All points; or, once the database is touched, the first of each name, and of all tables two."""
    if is_long:
        return range(1, len(points) + 1)
    touched = dict.fromkeys(points[points.index("before lock") :])
    names = [name for name in touched if len(name.split()) < 3 or name.endswith((" orgs", " events"))]
    return [points.index(name) + 1 for name in names]


async def check(place: Place, url: str, at: int) -> None:
    with pytest.raises(Cut):
        await moved(place.folder, url, cutter := Cutter(at))
    await check_opened_once_at_most(place.folder, url)
    await moved(place.folder, url)
    here, there = await rows_of(place.folder, url)
    assert here == there, cutter.passed[-1]


async def check_opened_once_at_most(folder: Path, url: str) -> None:
    """At most one of the two stores can be opened, unless the new one has nothing yet."""
    is_closed = False
    try:
        mark.refuse_moved(folder)
    except StoreError:
        is_closed = True
    try:
        await (await open_postgres(url)).close()
    except StoreError:
        return
    here, there = await rows_of(folder, url)
    assert there["heads"] == [] or (is_closed and here == there)
