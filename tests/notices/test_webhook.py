"""Webhooks: signed as the reference library checks it, at least once, in order, and never into this network unasked."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest

from sayso.app.feeds.cursor import WAITS_S
from sayso.app.notices.notifier import Notifier
from sayso.app.units.bell import Bell
from sayso.core.rows import Row
from sayso.notify.couriers import courier
from sayso.notify.webhook import secret_of, written
from sayso.settings import Settings
from sayso.store import SystemClock
from sayso.target import WebhookTarget, target
from tests.app.studio import INPUT, Studio
from tests.app.world import TurnedClock
from tests.notices.receiver import HANG, Receiver
from tests.stores import running

pytestmark = pytest.mark.anyio


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver() as started:
        yield started


@asynccontextmanager
async def told(url: str, *, private: bool = True) -> AsyncIterator[tuple[Studio, Notifier]]:
    """A studio whose requests somebody is told of, when a test says so."""
    clock = TurnedClock()
    async with running(Settings(), clock=clock, work=False) as app:
        where = target(url)
        brings = courier(where, app.store.secret, clock, allows_private=private)
        notifier = Notifier(app.store, app.writer, app.reference, brings, Bell(), interval_ms=1_000)
        here = Studio(app=app, clock=clock)
        await here.do("create_playbook", playbook="default", name="Default")
        await notifier.sweep()  # from now on it is told
        await here.save("ship-it")
        yield here, notifier
        await brings.close()


def shares_secret(here: Studio, receiver: Receiver) -> None:
    where = target(receiver.url)
    assert isinstance(where, WebhookTarget)
    receiver.secret = written(secret_of(here.app.store.secret, where))


async def test_each_new_request_is_told_once_in_order_and_signed(receiver: Receiver) -> None:
    async with told(receiver.url) as (here, notifier):
        shares_secret(here, receiver)
        here.clock.at = SystemClock().now()  # the library refuses what was signed long ago
        runs = [await here.run() for _ in range(3)]
        await notifier.sweep()
        await notifier.sweep()
        assert [event["subject"] for event in receiver.events] == [run["run_id"] for run in runs]
        event = receiver.events[0]
        assert (event["specversion"], event["type"]) == ("1.0", "dev.sayso.interaction.requested")
        assert event["source"] == "/orgs/studio/playbooks/default"
        assert event["data"]["to"] == INPUT["lead"]
        assert (await here.do("get_event", event_id=event["id"]))["type"] == "interaction_requested"


async def test_what_was_before_anybody_was_told_is_not_told(receiver: Receiver) -> None:
    async with told(receiver.url) as (here, notifier):
        await here.run()
        await notifier.sweep()
        with Receiver() as other:
            brings = courier(target(other.url), here.app.store.secret, here.clock, allows_private=True)
            second = Notifier(here.app.store, here.app.writer, here.app.reference, brings, Bell(), interval_ms=1_000)
            await second.sweep()
            assert other.calls == 0
            run = await here.run()
            await second.sweep()
            assert [event["subject"] for event in other.events] == [run["run_id"]]
            await brings.close()


async def test_two_processes_that_hear_of_a_place_at_once_pass_over_the_same(receiver: Receiver) -> None:
    async with told(receiver.url) as (here, _):
        for name in ("one", "two", "three"):
            await here.do("create_playbook", playbook=name, name=name)
            there = here.elsewhere(playbook=name)
            await there.save("ship-it")
            await there.run()
        with Receiver() as other:
            brings = courier(target(other.url), here.app.store.secret, here.clock, allows_private=True)
            both = [
                Notifier(here.app.store, here.app.writer, here.app.reference, brings, Bell(), interval_ms=1_000)
                for _ in "12"
            ]
            await asyncio.gather(*(one.sweep() for one in both))
            assert other.calls == 0
            await brings.close()


async def test_a_new_playbook_is_told_of_from_its_beginning(receiver: Receiver) -> None:
    async with told(receiver.url) as (here, notifier):
        here.clock.at += 1
        await here.do("create_playbook", playbook="another", name="Another")
        there = here.elsewhere(playbook="another")
        await there.save("ship-it")
        run = await there.run()
        await notifier.sweep()
        assert [event["subject"] for event in receiver.events] == [run["run_id"]]


@pytest.mark.parametrize("status", [500, 503, 401, 302])
async def test_what_fails_is_tried_again_and_the_others_wait_behind_it(receiver: Receiver, status: int) -> None:
    receiver.script, receiver.location = [status, status], receiver.url
    async with told(receiver.url) as (here, notifier):
        await here.run()
        await here.run()
        await notifier.sweep()
        await notifier.sweep()
        assert (receiver.calls, receiver.events) == (1, [])
        for wait in WAITS_S[:2]:
            here.clock.at += wait * 1_000_000
            await notifier.sweep()
        assert len(set(receiver.ids)) == len(receiver.ids) == 2


async def test_what_is_refused_as_such_is_passed_over_after_five_tries(receiver: Receiver) -> None:
    receiver.script = [422] * 5
    async with told(receiver.url) as (here, notifier):
        await here.run()
        other = await here.run()
        await notifier.sweep()
        for wait in WAITS_S[:4]:
            here.clock.at += wait * 1_000_000
            await notifier.sweep()
        assert [event["subject"] for event in receiver.events] == [other["run_id"]]


async def test_what_fails_for_three_days_is_given_up(receiver: Receiver) -> None:
    receiver.script = [500] * 12
    async with told(receiver.url) as (here, notifier):
        await here.run()
        await notifier.sweep()
        while receiver.script:
            here.clock.at += WAITS_S[-1] * 1_000_000
            await notifier.sweep()
            if here.clock.at > 1_800_000_000_000_000 + 4 * 86_400_000_000:
                break
        assert receiver.calls <= 10
        run = await here.run()
        receiver.script = []
        await notifier.sweep()
        assert [event["subject"] for event in receiver.events] == [run["run_id"]]


async def test_a_redirect_is_followed_nowhere(receiver: Receiver) -> None:
    with Receiver() as inner:
        receiver.script, receiver.location = [307], inner.url
        async with told(receiver.url) as (here, notifier):
            await here.run()
            await notifier.sweep()
            assert (receiver.calls, inner.calls) == (1, 0)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "0.0.0.0", "[::ffff:127.0.0.1]"])
async def test_private_addresses_are_refused_unless_allowed(receiver: Receiver, host: str) -> None:
    async with told(receiver.url.replace("127.0.0.1", host), private=False) as (here, notifier):
        await here.run()
        await notifier.sweep()
        assert receiver.calls == 0
        (row,) = await _all(here)
        assert "private address" in row["last_error"]
        assert "hidden" not in row["url"]


async def _all(here: Studio) -> list[Row]:
    store = here.app.store
    return [row for shard in range(store.shards) for row in await store.query("subscriptions", shard=shard)]


async def test_answers_go_on_while_the_receiver_hangs(receiver: Receiver) -> None:
    receiver.script = [HANG]
    async with told(receiver.url) as (here, notifier):
        first = await here.run()
        sweep = asyncio.create_task(notifier.sweep())
        await asyncio.to_thread(receiver.until_called, 1)
        for _ in range(50):
            run = await here.run()
            await here.do("answer_interaction", run_id=run["run_id"], answer={"verdict": "yes"})
        await here.do("answer_interaction", run_id=first["run_id"], answer={"verdict": "yes"})
        assert not sweep.done()
        sweep.cancel()
        await asyncio.gather(sweep, return_exceptions=True)


async def test_two_processes_bring_a_notice_once_between_them(receiver: Receiver) -> None:
    async with told(receiver.url) as (here, notifier):
        brings = courier(target(receiver.url), here.app.store.secret, here.clock, allows_private=True)
        other = Notifier(here.app.store, here.app.writer, here.app.reference, brings, Bell(), interval_ms=1_000)
        for _ in range(20):
            await here.run()
            await asyncio.gather(notifier.sweep(), other.sweep())
        here.clock.at += 61_000_000
        await notifier.sweep()
        assert len(receiver.ids) == len(set(receiver.ids)) == 20
        await brings.close()
