"""The life of a key: its expiry, its next secret, and when it was last used."""

import asyncio
import logging
from collections.abc import AsyncIterator
from typing import Any

import pytest

from sayso.core.instants import iso
from sayso.errors import Problem, Reason
from tests.app.studio import Studio, studio
from tests.app.world import HOUR

pytestmark = pytest.mark.anyio
MINUTE = HOUR // 60


@pytest.fixture
async def here() -> AsyncIterator[Studio]:
    async with studio() as made:
        yield made


async def is_good(here: Studio, key: str) -> bool:
    try:
        await here.app.keys.authenticate(key)
    except Problem as problem:
        assert problem.reason is Reason.UNAUTHENTICATED
        return False
    return True


async def listed(here: Studio) -> dict[str, Any]:
    (one,) = await here.app.keys.list()
    return one


async def test_a_key_is_refused_from_the_moment_of_its_expiry(here: Studio) -> None:
    made = await here.app.keys.create("acme", expires="PT1H")
    at = await here.app.keys.create("acme", expires=iso(here.clock.at + HOUR))
    here.clock.at += HOUR - 1
    assert await is_good(here, made["key"]) and await is_good(here, at["key"])
    here.clock.at += 1
    assert not await is_good(here, made["key"]) and not await is_good(here, at["key"])
    assert {one["status"] for one in await here.app.keys.list()} == {"expired"}


NO_EXPIRIES = (
    "",
    "PT0S",
    "1h",
    "P1Y",
    "P999999999W",
    "2020-01-01T00:00:00Z",
    "2030-02-30T00:00Z",
    "2030-01-01T00:00:00",
)


@pytest.mark.parametrize("expires", NO_EXPIRIES)
async def test_an_expiry_that_is_none_makes_no_key(here: Studio, expires: str) -> None:
    with pytest.raises(Problem) as caught:
        await here.app.keys.create("acme", expires=expires)
    assert [issue.pointer for issue in caught.value.issues] == ["/expires"]
    assert await here.app.keys.list() == []


async def test_another_secret_ends_the_one_before_at_once(here: Studio) -> None:
    first = await here.app.keys.create("acme", key_id="desk", playbooks=["sales"])
    second = await here.app.keys.rotate("desk")
    assert second["key"].startswith("say_desk_")
    assert (await here.app.keys.authenticate(second["key"])).playbooks == frozenset({"sales"})
    assert not await is_good(here, first["key"])
    assert "old_secret_until" not in second


async def test_with_an_overlap_both_are_good_until_it_ends(here: Studio) -> None:
    first = await here.app.keys.create("acme", key_id="desk")
    second = await here.app.keys.rotate("desk", "PT1H")
    assert second["old_secret_until"] == iso(here.clock.at + HOUR)
    here.clock.at += HOUR - 1
    assert await is_good(here, first["key"]) and await is_good(here, second["key"])
    here.clock.at += 1
    assert not await is_good(here, first["key"]) and await is_good(here, second["key"])


async def test_a_third_secret_ends_the_first_whatever_overlap_it_had(here: Studio) -> None:
    first = await here.app.keys.create("acme", key_id="desk")
    second = await here.app.keys.rotate("desk", "P30D")
    third = await here.app.keys.rotate("desk", "PT1H")
    good = [await is_good(here, one["key"]) for one in (first, second, third)]
    assert good == [False, True, True]


async def test_revoking_ends_every_secret(here: Studio) -> None:
    first = await here.app.keys.create("acme", key_id="desk")
    second = await here.app.keys.rotate("desk", "P1D")
    await here.app.keys.revoke("desk")
    assert not await is_good(here, first["key"]) and not await is_good(here, second["key"])


@pytest.mark.parametrize(("overlap", "pointer"), [("P31D", "/overlap"), ("soon", "/overlap"), ("-P1D", "/overlap")])
async def test_an_overlap_that_is_none_changes_nothing(here: Studio, overlap: str, pointer: str) -> None:
    first = await here.app.keys.create("acme", key_id="desk")
    with pytest.raises(Problem) as caught:
        await here.app.keys.rotate("desk", overlap)
    assert [issue.pointer for issue in caught.value.issues] == [pointer]
    assert await is_good(here, first["key"])


async def test_what_is_good_no_more_gets_no_other_secret(here: Studio) -> None:
    await here.app.keys.create("acme", key_id="gone")
    await here.app.keys.create("acme", key_id="over", expires="PT1H")
    await here.app.keys.revoke("gone")
    here.clock.at += HOUR
    for key_id, reason in (("gone", Reason.CONFLICT), ("over", Reason.CONFLICT), ("never", Reason.NOT_FOUND)):
        with pytest.raises(Problem) as caught:
            await here.app.keys.rotate(key_id)
        assert caught.value.reason is reason


async def test_the_last_use_is_written_behind_and_at_most_once_a_minute(here: Studio) -> None:
    key = (await here.app.keys.create("acme"))["key"]
    await here.app.keys.authenticate(key)
    assert "last_used_at" not in await listed(here)
    await here.app.uses.write()
    first = here.clock.at
    assert (await listed(here))["last_used_at"] == iso(first)
    for later, seen in ((MINUTE - 1, first), (MINUTE, first + MINUTE)):
        here.clock.at = first + later
        await here.app.keys.authenticate(key)
        await here.app.uses.write()
        assert (await listed(here))["last_used_at"] == iso(seen)


async def test_a_use_that_another_process_saw_later_stays(here: Studio) -> None:
    made = await here.app.keys.create("acme")
    here.app.uses.note(made["id"], here.clock.at)
    use = {"id": made["id"], "last_used_at": here.clock.at + MINUTE}
    await here.app.writer.change(lambda transaction: transaction.execute("use_key", **use))
    await here.app.uses.write()
    assert (await listed(here))["last_used_at"] == iso(here.clock.at + MINUTE)


async def test_a_refused_key_was_not_used(here: Studio) -> None:
    made = await here.app.keys.create("acme")
    assert not await is_good(here, made["key"][:-1] + ("A" if made["key"][-1] != "A" else "B"))
    await here.app.uses.write()
    assert "last_used_at" not in await listed(here)


async def test_uses_are_written_again_and_again_by_themselves(here: Studio) -> None:
    made = await here.app.keys.create("acme")
    here.app.uses.note(made["id"], here.clock.at)
    writing = asyncio.create_task(here.app.uses.run(every_s=0))
    async with asyncio.timeout(10):
        while "last_used_at" not in await listed(here):
            await asyncio.sleep(0)
    writing.cancel()
    await asyncio.gather(writing, return_exceptions=True)


async def test_the_parties_of_a_key_are_shown_and_kept(here: Studio) -> None:
    made = await here.app.keys.create("acme", parties=[" ops, night ", "ärzte"])
    assert made["parties"] == (await listed(here))["parties"] == ["ops, night", "ärzte"]
    assert (await here.app.keys.authenticate(made["key"])).parties == frozenset(made["parties"])


@pytest.mark.parametrize("parties", [[], [""], ["a", " "], ["a\nb"], ["x" * 257], [f"p{n}" for n in range(17)]])
async def test_a_limit_to_what_can_be_no_party_is_refused(here: Studio, parties: list[str]) -> None:
    with pytest.raises(Problem) as caught:
        await here.app.keys.create("acme", parties=parties)
    assert [issue.pointer for issue in caught.value.issues] == ["/parties"]
    assert await here.app.keys.list() == []


async def test_uses_that_cannot_be_written_are_lost_without_harm(
    here: Studio, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "sayso")
    made = await here.app.keys.create("acme")
    here.app.uses.note(made["id"], here.clock.at)
    here.app.writer.stop()
    await here.app.uses.try_to_write()
    assert "could not be written" in caplog.text
