"""A backup: whole, checked, under its name at once, and never in place of another file."""

import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from sayso.ports import StoreError
from sayso.store import FILE_NAME, open_store
from sayso.store.sqlite.backup import back_up
from tests.store.examples import asked, merged

pytestmark = pytest.mark.anyio


@pytest.fixture
async def source(tmp_path: Path) -> Path:
    store = open_store(tmp_path / "store")
    async with store.transaction(0) as transaction:
        await transaction.write(merged(*(asked(n) for n in range(2_000))))
    await store.close()
    return tmp_path / "store" / FILE_NAME


@pytest.fixture
def target(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "copies"
    folder.mkdir()
    yield folder / "monday.db"
    assert [file.name for file in folder.iterdir() if file.name != "monday.db"] == []


def counted(file: Path) -> int:
    with closing(sqlite3.connect(file)) as opened:
        return int(opened.execute("select count(*) from heads").fetchone()[0])


def nothing(_done: int, _total: int) -> None:
    """No progress is shown."""


async def test_a_backup_is_a_store_for_its_owner_alone(source: Path, target: Path) -> None:
    assert back_up(source, target, nothing) == target.stat().st_size
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert counted(target) == 2_000
    restored = target.parent.parent / "restored"
    restored.mkdir()
    target.rename(restored / FILE_NAME)
    store = open_store(restored)
    assert (await store.query("open_count", shard=0, playbook=1))[0]["open"] == 2_000
    await store.close()


async def test_what_is_written_meanwhile_neither_ends_it_nor_is_in_it(source: Path, target: Path) -> None:
    told: list[tuple[int, int]] = []

    def write(done: int, total: int) -> None:
        told.append((done, total))
        with closing(sqlite3.connect(source)) as other, other:
            other.execute("delete from heads where stream = (select min(stream) from heads)")

    back_up(source, target, write)
    assert counted(target) == 2_000
    assert counted(source) == 2_000 - len(told)
    assert told[-1][0] == told[-1][1] > 0
    assert len(told) > 1


async def test_a_file_that_is_there_is_left_as_it_is(source: Path, target: Path) -> None:
    target.write_text("mine")
    with pytest.raises(StoreError, match="replaces nothing"):
        back_up(source, target, nothing)
    assert target.read_text() == "mine"


@pytest.mark.parametrize("has_links", [True, False])
async def test_a_file_that_comes_meanwhile_is_left_as_it_is(
    source: Path, target: Path, has_links: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not has_links:
        monkeypatch.setattr(os, "link", without_links)

    def come(_done: int, _total: int) -> None:
        target.write_text("mine")

    with pytest.raises(StoreError, match="by somebody else"):
        back_up(source, target, come)
    assert target.read_text() == "mine"


def without_links(_source: Path, _target: Path) -> None:
    raise PermissionError(1, "Operation not permitted")


async def test_a_disk_without_links_takes_a_backup_too(
    source: Path, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "link", without_links)
    back_up(source, target, nothing)
    assert counted(target) == 2_000


async def test_a_damaged_store_gives_no_backup(source: Path, target: Path) -> None:
    with source.open("r+b") as file:
        file.seek(60 * 4096)
        file.write(b"\xff" * 4096)
    with pytest.raises(StoreError, match="is damaged"):
        back_up(source, target, nothing)
    assert not target.exists()


async def test_what_is_no_store_is_refused(tmp_path: Path, target: Path) -> None:
    other = tmp_path / "other.db"
    with closing(sqlite3.connect(other)) as file:
        file.execute("create table t(x)")
    with pytest.raises(StoreError, match="no store of sayso"):
        back_up(other, target, nothing)
    with pytest.raises(StoreError, match="could not be copied"):
        back_up(tmp_path / "missing.db", target, nothing)
    assert not target.exists()


async def test_a_folder_that_is_not_there_is_told(source: Path, target: Path) -> None:
    with pytest.raises(StoreError, match="cannot be written: No such file"):
        back_up(source, target.parent / "none" / "monday.db", nothing)
