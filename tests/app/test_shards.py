"""Shards: a playbook has one, chosen when it is made, and all that it owns is there."""

import pytest

from sayso.settings import Settings
from tests import beside
from tests.app.studio import Studio
from tests.app.world import TurnedClock
from tests.stores import SHARDS, running

pytestmark = pytest.mark.anyio
NAMES = ("alpha", "beta", "gamma", "delta", "sales", "default", "legal", "desk")
OWNED = ("definitions", "heads", "events", "feeds")


async def test_playbooks_use_all_shards_and_what_they_own_is_in_theirs() -> None:
    async with running(Settings(), clock=TurnedClock(), work=False) as app:
        for name in NAMES:
            here = Studio(app=app, clock=TurnedClock(), playbook=name)
            if name != "default":
                await here.do("create_playbook", playbook=name, name=name)
            await here.save("ship-it")
            await here.run()
        shards = dict(await beside.rows(app.store, "select playbook, shard from playbooks"))
        assert set(shards.values()) == set(range(SHARDS))
        for table in OWNED:
            assert set(await beside.rows(app.store, f"select playbook, shard from {table}")) == set(shards.items())
