"""Every statement of the writer has a fault point on each side, and each error of PostgreSQL its meaning."""

import asyncpg
import pytest

from sayso.ports import CommitUnknown, Moved, StatementFailed, StoreError, Transaction
from sayso.store.fences import ConstraintFailed
from sayso.store.postgres.failures import failure
from sayso.store.postgres.store import PostgresStore, writing_statements
from tests.store.examples import asked, stream
from tests.store.postgres.conftest import Open
from tests.store.test_faults import Points, everything, points

__all__ = ["points"]
pytestmark = pytest.mark.anyio


async def everything_here(transaction: Transaction) -> None:
    await everything(transaction)
    await transaction.now()


async def test_every_statement_passes_its_two_fault_points(opened: Open, points: Points) -> None:
    store = await opened(faults=points)
    with pytest.raises(LookupError):
        await write(store, LookupError())
    async with store.transaction(0) as transaction:
        await everything_here(transaction)
    sides = {side: {p.split(" ", 1)[1] for p in points.passed if p.startswith(side)} for side in ("before", "after")}
    assert sides["before"] == sides["after"] == set(writing_statements())
    assert points.passed[:2] == ["before begin", "after begin"]


async def write(store: PostgresStore, fault: Exception | None = None) -> None:
    async with store.transaction(0) as transaction:
        await transaction.write(asked(5))
        if fault:
            raise fault


@pytest.mark.parametrize("point", ["before begin", "after begin", "after insert_heads", "before commit"])
async def test_any_other_exception_leaves_nothing(opened: Open, points: Points, point: str) -> None:
    store = await opened(faults=points)
    points.at[point] = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        await write(store)
    assert list(await store.query("head", shard=0, playbook=1, stream=stream(5))) == []
    await write(store)
    assert len(await store.query("head", shard=0, playbook=1, stream=stream(5))) == 1


MEANINGS = [
    ("40001", Moved),
    ("40P01", Moved),
    ("23505", ConstraintFailed),
    ("23514", ConstraintFailed),
    ("22021", StatementFailed),
    ("42P01", StatementFailed),
    ("08006", CommitUnknown),
    ("25006", CommitUnknown),
    ("25P03", CommitUnknown),
    ("53100", CommitUnknown),
    ("55P03", CommitUnknown),
    ("57014", CommitUnknown),
    ("57P01", CommitUnknown),
    ("58030", CommitUnknown),
    ("XX001", CommitUnknown),
]


@pytest.mark.parametrize(("state", "meaning"), MEANINGS)
async def test_an_error_of_the_server_has_its_meaning(state: str, meaning: type[StoreError]) -> None:
    error = asyncpg.PostgresError.new({"C": state, "S": "ERROR", "V": "ERROR", "M": "planted", "D": "a secret"})
    found = failure("insert_heads", error)
    assert type(found) is meaning or (meaning is CommitUnknown and isinstance(found, meaning))
    assert str(found) == f"insert_heads: {type(error).__name__}: planted"


@pytest.mark.parametrize("error", [OSError("reset"), TimeoutError(), asyncpg.InterfaceError("closed")])
async def test_what_happens_on_the_way_to_the_server_is_a_matter_of_later(error: Exception) -> None:
    assert isinstance(failure("insert_heads", error), CommitUnknown)


async def test_a_commit_that_fails_in_any_way_is_not_known(opened: Open) -> None:
    error = asyncpg.PostgresError.new({"C": "23505", "S": "ERROR", "V": "ERROR", "M": "at the end"})
    assert isinstance(failure("commit", error), CommitUnknown)


async def test_a_refused_row_is_not_repeated_in_words(opened: Open) -> None:
    store, words = await opened(), "the treasurer's private words"
    with pytest.raises(StatementFailed) as refused:
        async with store.transaction(0) as transaction:
            await transaction.write(asked(1, party=words + "\x00"))
    assert refused.value.__cause__ is None
    assert "private" not in str(refused.value)


async def test_a_failed_statement_that_was_passed_over_is_not_committed(opened: Open) -> None:
    store = await opened()
    with pytest.raises(StatementFailed, match="rolled back"):
        async with store.transaction(0) as transaction:
            await transaction.write(asked(1))
            with pytest.raises(StatementFailed):
                await transaction.write(asked(2, party="\x00"))
    assert list(await store.query("head", shard=0, playbook=1, stream=stream(1))) == []
