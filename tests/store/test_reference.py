"""Reference data: kept once, read whole, and its changes known everywhere."""

from typing import Any

import pytest

from sayso.ports import StatementFailed
from sayso.store import SqliteStore
from tests.store.conftest import Stored
from tests.store.examples import asked

pytestmark = pytest.mark.anyio

KEY: dict[str, Any] = {
    "id": "k1",
    "org": 1,
    "hash": b"h" * 32,
    "permissions": "[]",
    "playbooks": None,
    "party": None,
    "billing_org": None,
    "at": 3,
    "by": None,
    "expires_at": None,
}
PLAYBOOK: dict[str, Any] = {
    "org": 1,
    "name": "default",
    "shard": 0,
    "title": "Default",
    "description": "",
    "status": 1,
    "at": 3,
    "by": 1,
}


async def execute(stored: Stored, name: str, /, **parameters: Any) -> None:
    async with stored.store.transaction(0) as transaction:
        await transaction.execute(name, **parameters)


async def all_of(stored: Stored, name: str, **parameters: int) -> list[dict[str, Any]]:
    return [dict(row) for row in await stored.store.query(name, **parameters)]


async def test_orgs_and_callers_are_made_once_and_numbered_from_1(stored: Stored) -> None:
    for _ in range(2):
        await execute(stored, "add_org", name="acme")
        await execute(stored, "add_caller", org=1, id="key:k1")
    await execute(stored, "add_org", name="globex")
    assert await all_of(stored, "orgs") == [{"org": 1, "name": "acme"}, {"org": 2, "name": "globex"}]
    assert await all_of(stored, "callers", after=0) == [{"caller": 1, "org": 1, "id": "key:k1"}]
    assert await all_of(stored, "callers", after=1) == []


async def test_a_playbook_is_made_once_and_described_anew(stored: Stored) -> None:
    await execute(stored, "add_playbook", **PLAYBOOK)
    await execute(stored, "add_playbook", **PLAYBOOK | {"title": "Again"})
    await execute(stored, "add_playbook", **PLAYBOOK | {"org": 2})
    await execute(stored, "update_playbook", playbook=1, title="Ours", description="d", updated_at=9)
    first, second = await all_of(stored, "playbooks")
    assert first == {"playbook": 1, "retired_at": None} | PLAYBOOK | {
        "title": "Ours",
        "description": "d",
        "updated_at": 9,
    }
    assert (second["playbook"], second["title"], second["updated_at"]) == (2, "Default", 3)


async def test_a_key_is_revoked_once_and_its_id_is_never_given_twice(stored: Stored) -> None:
    await execute(stored, "add_key", **KEY)
    await execute(stored, "revoke_key", id="k1", revoked_at=7)
    await execute(stored, "revoke_key", id="k1", revoked_at=8)
    rest = {"last_used_at": None, "revoked_at": 7, "old_hash": None, "old_until": None}
    assert await all_of(stored, "keys") == [KEY | rest]
    with pytest.raises(StatementFailed):
        await execute(stored, "add_key", **KEY)


async def test_a_key_gets_another_secret_and_keeps_the_one_before_it_for_a_time(stored: Stored) -> None:
    await execute(stored, "add_key", **KEY)
    await execute(stored, "rotate_key", id="k1", hash=b"i" * 32, old_until=9)
    await execute(stored, "rotate_key", id="k1", hash=b"j" * 32, old_until=11)
    (found,) = await all_of(stored, "keys")
    assert (found["hash"], found["old_hash"], found["old_until"]) == (b"j" * 32, b"i" * 32, 11)


async def test_the_last_use_of_a_key_only_gets_later_and_moves_no_version(stored: Stored) -> None:
    await execute(stored, "add_key", **KEY)
    before = await stored.store.reference_version()
    for at, seen in ((5, 5), (4, 5), (6, 6)):
        await execute(stored, "use_key", id="k1", last_used_at=at)
        assert [row["last_used_at"] for row in await all_of(stored, "keys")] == [seen]
    assert await stored.store.reference_version() == before


async def test_the_version_moves_with_reference_data_and_with_nothing_else(stored: Stored) -> None:
    before = await stored.store.reference_version()
    await stored.write(asked(1, shard=stored.shard))
    assert await stored.store.reference_version() == before
    await execute(stored, "add_org", name="acme")
    assert [await stored.store.reference_version() for _ in range(2)] == [before + 1] * 2


async def test_only_statements_on_reference_data_are_executed(stored: Stored) -> None:
    with pytest.raises(ValueError, match="no statement on reference data"):
        await execute(stored, "delete_inbox", shard=0, stream=b"", n=1)


async def test_a_query_cannot_write(stored: Stored) -> None:
    with pytest.raises(ValueError, match="only a transaction"):
        await stored.store.query("add_org", name="acme")
    assert await all_of(stored, "orgs") == []


async def test_the_store_tells_its_secret_which_no_other_has(stored: Stored) -> None:
    other = SqliteStore(":memory:")
    assert (len(stored.store.secret), len(other.secret)) == (32, 32)
    assert stored.store.secret != other.secret
    await other.close()


async def test_a_playbook_is_retired_once(stored: Stored) -> None:
    await execute(stored, "add_playbook", **PLAYBOOK)
    for at in (7, 9):
        await execute(stored, "retire_playbook", playbook=1, status=2, retired_at=at)
    (playbook,) = await all_of(stored, "playbooks")
    assert (playbook["status"], playbook["retired_at"], playbook["updated_at"]) == (2, 7, 3)
