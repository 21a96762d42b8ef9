"""Configured keys: beside those of the store, replaced while it is served; and what else of the settings is live."""

import hashlib
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from sayso.app.access import Permission
from sayso.app.configured import ConfiguredKey
from sayso.errors import Kind, Problem, Reason
from sayso.live import Live
from sayso.settings import Settings
from tests.app.studio import Studio
from tests.app.world import TurnedClock
from tests.stores import running

pytestmark = pytest.mark.anyio
KEY = "say_front-desk_" + "x" * 43
CONFIGURED = ConfiguredKey(
    id="front-desk",
    org="acme",
    permissions=frozenset({Permission.PLAYBOOK_READ}),
    playbooks=frozenset({"sales"}),
    hash=hashlib.sha256(KEY.encode()).digest(),
)
SETTINGS = Settings(api_keys=(CONFIGURED,), open_requests=1)


@pytest.fixture
async def live() -> Live:
    return Live(SETTINGS)


@pytest.fixture
async def here(live: Live) -> AsyncIterator[Studio]:
    clock = TurnedClock()
    async with running(SETTINGS, clock=clock, work=False, live=live) as app:
        yield Studio(app=app, clock=clock)


async def refused(here: Studio, key: str) -> Reason:
    with pytest.raises(Problem) as caught:
        await here.app.keys.authenticate(key)
    return caught.value.reason


async def test_a_configured_key_is_its_caller(here: Studio) -> None:
    principal = await here.app.keys.authenticate(KEY)
    assert (principal.caller_id, principal.org) == ("front-desk", "acme")
    assert principal == CONFIGURED.principal
    assert principal.playbooks == frozenset({"sales"})
    assert await here.app.keys.any()
    assert await here.app.keys.list() == []


async def test_another_secret_under_its_id_is_refused(here: Studio) -> None:
    assert await refused(here, KEY[:-1] + "y") is Reason.UNAUTHENTICATED


async def test_keys_of_the_store_count_beside_it_but_not_under_its_id(here: Studio) -> None:
    made = await here.app.keys.create("other", key_id="night-shift")
    assert (await here.app.keys.authenticate(made["key"])).org == "other"
    same = await here.app.keys.create("other", key_id="front-desk")
    assert await refused(here, same["key"]) is Reason.UNAUTHENTICATED
    assert (await here.app.keys.authenticate(KEY)).org == "acme"


async def test_a_key_that_was_taken_away_is_refused(here: Studio, live: Live) -> None:
    live.change(replace(SETTINGS, api_keys=()))
    assert await refused(here, KEY) is Reason.UNAUTHENTICATED
    assert not await here.app.keys.any()


async def test_how_many_requests_may_be_open_counts_at_once(here: Studio, live: Live) -> None:
    await here.save("ship-it")
    await here.run()
    with pytest.raises(Problem) as full:
        await here.run()
    assert full.value.kind is Kind.REQUESTS_FULL
    live.change(replace(SETTINGS, open_requests=2))
    assert (await here.run())["status"] == "started"


async def test_who_holds_a_configured_key_is_known_by_its_id(here: Studio) -> None:
    assert await here.app.keys.holder("front-desk") == CONFIGURED.principal
    made = await here.app.keys.create("other", key_id="night-shift")
    assert await here.app.keys.holder("night-shift") == await here.app.keys.authenticate(made["key"])
    assert await here.app.keys.holder("nobody") is None
