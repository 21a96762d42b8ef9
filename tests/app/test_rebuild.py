"""Rebuild: the heads of folded streams are what their events say, whatever happened, and are made so again."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.app.rebuild import PAGE, Changed, Damaged, Found, Rebuild
from sayso.app.units.writer import Writer
from sayso.core import rows
from sayso.core.commands import (
    Answer,
    Cancel,
    Command,
    CreateDefinition,
    Look,
    Reassign,
    RetireDefinition,
    StartCall,
    Text,
    UpdateDefinition,
)
from sayso.core.events import DefinitionSaved, RunRejected
from sayso.core.heads import CLAIM_US, Birth, Head, StreamKind
from sayso.core.machines import MACHINES
from sayso.errors import Kind, Problem, Reason
from sayso.ports import Store
from tests import beside, stores
from tests.app.world import HOUR, ORG, PLAYBOOK, World, asking, world
from tests.beside import spoil
from tests.faults.nursery import STORIES
from tests.faults.points import Points
from tests.faults.story import STORE, tell
from tests.stores import SHARD

pytestmark = pytest.mark.anyio


@dataclass
class Rebuilt:
    """All that a rebuild told."""

    found: Sequence[Found]

    @property
    def changed(self) -> list[Changed]:
        return [one for found in self.found for one in found.changed]

    @property
    def damaged(self) -> list[Damaged]:
        return [one for found in self.found for one in found.damaged]

    @property
    def recounted(self) -> list[tuple[int, int, int]]:
        return [(one.playbook, one.before, one.after) for found in self.found for one in found.recounted]

    @property
    def told(self) -> list[Any]:
        return [*self.changed, *self.damaged, *self.recounted]


async def rebuilt(store: Store, writer: Writer, *, check: bool = False) -> Rebuilt:
    return Rebuilt([found async for found in Rebuild(store, writer, MACHINES, check=check).run()])


@pytest.fixture
async def here() -> AsyncIterator[World]:
    async with world(MACHINES) as made:
        await in_a_playbook(made)
        yield made


async def in_a_playbook(here: World) -> None:
    row: dict[str, Any] = {
        "org": ORG,
        "name": "sales",
        "shard": SHARD,
        "title": "",
        "description": "",
        "status": 1,
        "at": 1,
        "by": 1,
    }
    await here.writer.change(lambda transaction: transaction.execute("add_playbook", **row))


async def heads(here: World) -> list[Head]:
    """All heads, but for how often they were written."""
    found = await beside.rows(here.store, f"select {', '.join(rows.HEAD_COLUMNS)} from heads order by stream")
    return [replace(rows.head_of(row), version=0) for row in found]


ANSWER = Answer(answer="yes", answer_sha256="bb" * 32, answer_bytes=5, checked_version=1)
REFUSED = RunRejected(reason=Reason.UNAVAILABLE, kind=Kind.TOOL_NOT_OFFERED)
SAVED = DefinitionSaved(type="interaction", name="offer", version=1, source_bytes=1, source_sha256="aa", warnings=0)
TEXT = Text(source="", description=None, input_schema=None, output_schema=None)

BIRTHS = {
    name: Birth(kind=kind, org=ORG, playbook=PLAYBOOK, run_id=None if key else name.encode().ljust(16), key=key)
    for name, kind, key in [
        ("one", StreamKind.REQUEST, None),
        ("two", StreamKind.REQUEST, None),
        ("call", StreamKind.CALL, None),
        ("definition", StreamKind.DEFINITION, b"offer"),
    ]
}
ASK, CALL = asking(), StartCall(started=asking().started, refused=REFUSED)
RUN_COMMANDS: list[Command] = [
    ASK,
    replace(ASK, open_limit=1),
    replace(ASK, question=None, refused_early=RunRejected(reason=Reason.CONFLICT, kind=Kind.UNWORKABLE)),
    ANSWER,
    replace(ANSWER, answer_sha256="cc" * 32),
    Reassign(to="the auditor", answerer="the board", seen_seq=9, changes_nothing=False),
    Reassign(to="the treasurer", answerer=None, seen_seq=9, changes_nothing=False),
    Cancel(kind=Kind.REQUESTED, reason="Not needed."),
    Look(),
]
COMMANDS: dict[str, list[Command]] = {
    "one": RUN_COMMANDS,
    "two": RUN_COMMANDS,
    "call": [CALL],
    "definition": [
        CreateDefinition(saved=SAVED, text=TEXT),
        UpdateDefinition(saved=replace(SAVED, source_sha256="bb"), text=TEXT),
        UpdateDefinition(saved=SAVED, text=TEXT),
        RetireDefinition(),
    ],
}
STEPS = st.sampled_from([(name, command) for name in COMMANDS for command in COMMANDS[name]])
HISTORIES = st.lists(st.tuples(STEPS, st.sampled_from([0, 1, 61_000_000, HOUR])), max_size=12)

# Everything in a head that its events say, spoiled in ways that the table's own checks let pass.
SPOILED = (
    "update heads set from_seq = 7, status = 3, seq = 0, last_at = 0, expires_at = 1, due_at = null",
    "update heads set ended_at = null, outcome = null",
    "update heads set ended_at = 1, outcome = 2, due_at = null",
    "update heads set party = 'nobody', answerer = 'nobody', definition = stream, definition_version = 9",
    "update heads set due_at = 1, outcome = null, ended_at = null where kind = 1",
    "update heads set due_at = 9000000000000000000 where due_at is not null",
    "update feeds set open = 9",
)


async def lived(here: World, history: Sequence[tuple[tuple[str, Command], int]]) -> None:
    """Order what a history says, each some time after the one before; refusals are part of it."""
    for (name, command), passed in history:
        here.clock.at += passed
        born = isinstance(command, type(ASK) | StartCall | CreateDefinition)
        found = await named(here, name)
        if found is None and not born:
            continue
        order = here.order(command, birth=BIRTHS[name]) if born else here.order(command, stream=found)
        try:
            await here.submit(order)
        except Problem:
            continue


async def named(here: World, name: str) -> bytes | None:
    birth = BIRTHS[name]
    if birth.key is None:
        found = await here.store.query("head_of_run", shard=SHARD, playbook=PLAYBOOK, run_id=birth.run_id)
    else:
        found = await here.store.query("head_keyed", shard=SHARD, playbook=PLAYBOOK, kind=birth.kind, key=birth.key)
    return found[0]["stream"] if found else None


@given(history=HISTORIES)
def test_heads_equal_what_is_rebuilt_from_their_events(history: Any) -> None:
    async def example() -> None:
        async with world(MACHINES) as here:
            await in_a_playbook(here)
            await lived(here, history)
            assert (await rebuilt(here.store, here.writer)).told == []

    asyncio.run(example())


@given(history=HISTORIES, spoiled=st.lists(st.sampled_from(SPOILED), min_size=1, unique=True))
def test_spoiled_heads_are_made_what_they_were(history: Any, spoiled: list[str]) -> None:
    async def example() -> None:
        async with world(MACHINES) as here:
            await in_a_playbook(here)
            await lived(here, history)
            before, counted = await heads(here), await here.store.query("open_count", shard=SHARD, playbook=PLAYBOOK)
            for text in spoiled:
                await spoil(here.store, text)
            await rebuilt(here.store, here.writer)
            assert await heads(here) == before
            assert await here.store.query("open_count", shard=SHARD, playbook=PLAYBOOK) == counted

    asyncio.run(example())


async def columns_of(here: World, *, check: bool = False) -> list[str]:
    """The columns that a rebuild finds to differ in the one stream there is."""
    (found,) = (await rebuilt(here.store, here.writer, check=check)).changed
    return found.columns


async def test_what_differs_is_told_column_by_column_and_with_check_left_as_it_is(here: World) -> None:
    head = await here.ask()
    await spoil(here.store, "update heads set status = 5, party = 'nobody'")
    await spoil(here.store, "update feeds set open = 3")
    spoiled = await here.head(head.stream)
    for _ in range(2):
        found = await rebuilt(here.store, here.writer, check=True)
        assert [(one.before, one.after, one.columns) for one in found.changed] == [(spoiled, head, ["status", "party"])]
        assert found.recounted == [(PLAYBOOK, 3, 1)]
    assert await here.head(head.stream) == spoiled


async def test_a_counter_is_told_as_the_heads_will_be_and_as_they_were_made(here: World) -> None:
    """A head that is said to have ended, though it waits: the counter knew better."""
    await here.ask()
    await spoil(here.store, "update heads set outcome = 1, ended_at = 1, due_at = null")
    assert (await rebuilt(here.store, here.writer, check=True)).recounted == []
    assert (await rebuilt(here.store, here.writer)).recounted == []
    assert (await rebuilt(here.store, here.writer)).told == []


async def test_a_head_that_was_put_right_takes_the_next_command(here: World) -> None:
    head = await here.ask()
    await spoil(here.store, "update heads set outcome = 1, ended_at = 1, due_at = null, from_seq = 2")
    await rebuilt(here.store, here.writer)
    await here.submit(here.order(ANSWER, stream=head.stream))
    assert (await rebuilt(here.store, here.writer)).told == []


async def test_a_due_time_that_a_claim_put_off_is_no_difference(here: World) -> None:
    head = await here.ask()
    here.clock.at += HOUR
    await spoil(here.store, "update heads set due_at = ?, status = 5", here.clock.at + CLAIM_US)
    assert await columns_of(here) == ["status"]
    assert (await here.head(head.stream)).due_at == here.clock.at + CLAIM_US


@pytest.mark.parametrize("due_at", [None, 1, "later"])
async def test_a_due_time_that_no_claim_put_there_is_a_difference(here: World, due_at: int | str | None) -> None:
    head = await here.ask()
    here.clock.at += HOUR
    await spoil(
        here.store, "update heads set due_at = ?", here.clock.at + CLAIM_US + 1 if due_at == "later" else due_at
    )
    assert await columns_of(here) == ["due_at"]
    assert (await here.head(head.stream)).due_at == head.due_at


async def test_a_stream_that_was_erased_stays_without_its_party(here: World) -> None:
    head = await here.ask()
    await spoil(here.store, "update events set content = null")
    await spoil(here.store, "update heads set party = null, seq = 1")
    assert await columns_of(here) == ["seq"]
    assert (await here.head(head.stream)).party is None


DAMAGES = {
    "update events set data = 'x' where stream = ?": "Its events cannot be folded",
    "update events set type = 99 where stream = ?": "no event of type 99",
    "update events set type = 7, data = '{}', content = null where stream = ? and seq = 1": "cannot be folded",
    "delete from events where stream = ?": "there are none",
    "delete from events where stream = ? and seq = 2": "event 2 is missing",
    "delete from events where stream = ? and seq = 3": "event 3 is missing",
    """update events set data = replace(data, '"expires_at":', '"expires_at":"soon","was":') where stream = ?""": "was",
    """update events set data = replace(data, '"expires_at":', '"expires_at":{},"message_bytes":') where stream = ?
    """: "cannot be written",
}


@pytest.mark.parametrize("text", DAMAGES)
async def test_a_damaged_stream_is_named_and_left_while_the_others_are_put_right(here: World, text: str) -> None:
    asked = [await here.ask() for _ in range(5)]
    await here.submit(here.order(ANSWER, stream=asked[2].stream))
    await spoil(here.store, text, asked[2].stream)
    await spoil(here.store, "update heads set status = 5")
    found = await rebuilt(here.store, here.writer)
    assert [one.before.stream for one in found.changed] == [asked[n].stream for n in (0, 1, 3, 4)]
    assert [one.head.stream for one in found.damaged] == [asked[2].stream]
    assert DAMAGES[text] in found.damaged[0].why
    assert (await here.head(asked[2].stream)).status == 5


async def test_a_store_of_many_pages_is_looked_at_whole(here: World) -> None:
    for _ in range(PAGE + 1):
        await here.ask(open_limit=1000)
    await spoil(here.store, "update heads set status = 5")
    found = await rebuilt(here.store, here.writer)
    assert len(found.changed) == sum(page.looked for page in found.found) == PAGE + 1


@pytest.mark.parametrize("story", STORIES)
async def test_each_story_of_the_fault_tests_ends_as_its_events_say(story: str, tmp_path: Path) -> None:
    with stores.lending():
        await tell(STORIES[story], tmp_path, Points())
        store = await stores.opened(tmp_path / STORE)
        writer = Writer(store, MACHINES)
        writing = asyncio.create_task(writer.run())
        found = await rebuilt(store, writer)
        writer.stop()
        await writing
        await store.close()
    assert found.told == []
    assert sum(page.looked for page in found.found) > 0
