"""Parents and children: what a parent counts, shows and hears of them, in their own units, and how it cancels them."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from sayso.app.units.bell import Bell
from sayso.app.units.worker import Worker
from sayso.core.commands import Answer, Cancel, Command, Look
from sayso.core.heads import Birth, Head, Outcome, Status, StreamKind
from sayso.core.machines.machine import Decision, Given, Machines, Moment, Step
from sayso.core.machines.request import Request, RequestMachine
from sayso.core.rows import recorded
from sayso.errors import Kind, Problem
from tests.app.machines import MACHINES, ours
from tests.app.machines.agent import Question
from tests.app.machines.notes import word
from tests.app.machines.workflow import Open, Workflow, WorkflowMachine
from tests.app.world import HOUR, ORG, PLAYBOOK, START, World, asking, world
from tests.stores import SHARD

pytestmark = pytest.mark.anyio
ANSWER = Answer(answer="yes", answer_sha256="bb" * 32, answer_bytes=5, checked_version=1)
CANCEL = Cancel(kind=Kind.REQUESTED, reason="Not needed.")


@pytest.fixture
async def here() -> AsyncIterator[World]:
    async with world(MACHINES) as made:
        yield made


async def opened(here: World, parent: bytes, *calls: str, command: Command | None = None) -> list[bytes]:
    """Children of a workflow by these calls, all opened by one step."""
    children = {call: (here.mint.stream(SHARD), command or asking(open_limit=1_000)) for call in calls}
    await here.submit(here.order(ours(Open(calls=children)), stream=parent))
    return [child for child, _ in children.values()]


async def journal(here: World, stream: bytes) -> list[str]:
    rows = await here.store.query("events_since", shard=SHARD, stream=stream, from_seq=1)
    return [word(recorded(stream, row).event) for row in rows]


async def flow(here: World) -> Head:
    return await here.born(StreamKind.WORKFLOW)


async def test_a_step_opens_children_in_its_own_unit(here: World) -> None:
    parent = await flow(here)
    children = await opened(here, parent.stream, "one", "other")
    assert (await here.head(parent.stream)).open_children == 2
    heads = [await here.head(child) for child in children]
    assert {(head.parent, head.playbook, head.org, head.status) for head in heads} == {
        (parent.stream, PLAYBOOK, ORG, Status.WAITING)
    }


async def test_a_call_that_was_opened_is_found_when_it_is_made_again(here: World) -> None:
    parent = (await flow(here)).stream
    await opened(here, parent, "one")
    (again,) = await opened(here, parent, "one")
    assert (await here.head(parent)).open_children == 1
    assert not (await here.loaded(again)).heads


async def test_a_birth_under_an_id_that_is_taken_finds_that_child(here: World) -> None:
    parent = (await flow(here)).stream
    birth = Birth(kind=StreamKind.REQUEST, org=ORG, playbook=PLAYBOOK, parent=parent)
    order = here.order(asking(), birth=birth)
    first = (await here.submit(order)).done[0].head
    again = (await here.submit(order)).done[0]
    assert (again.head, again.recorded) == (first, ())
    assert (await here.head(parent)).open_children == 1


async def test_a_childs_ending_wakes_its_parent_and_never_steps_it(here: World) -> None:
    parent = (await flow(here)).stream
    (child,) = await opened(here, parent, "one")
    before = (await here.loaded(parent)).states[parent]
    await here.submit(here.order(ANSWER, stream=child))
    loaded = await here.loaded(parent)
    assert (loaded.heads[0].open_children, loaded.heads[0].due_at, loaded.states[parent]) == (0, START, before)
    assert [(row.from_stream, row.body["outcome"]) for row in loaded.inbox[parent]] == [(child, 1)]


async def test_the_parents_step_takes_what_lies_in_its_inbox(here: World) -> None:
    parent = (await flow(here)).stream
    children = await opened(here, parent, "one", "other")
    await here.submit(*(here.order(ANSWER, stream=child) for child in children))
    done = (await here.submit(here.order(Look(), stream=parent))).done[0]
    assert (done.state.ended, done.state.calls, done.head.due_at) == ({"one": 1, "other": 1}, {}, None)
    assert (await here.loaded(parent)).inbox == {}


async def test_a_child_and_its_parents_step_in_one_unit(here: World) -> None:
    parent = (await flow(here)).stream
    (child,) = await opened(here, parent, "one")
    result = await here.submit(here.order(ANSWER, stream=child), here.order(Look(), stream=parent))
    assert result.done[-1].state.ended == {"one": 1}
    assert (await here.loaded(parent)).inbox == {}


async def test_a_step_that_refuses_leaves_its_inbox(here: World) -> None:
    parent = (await flow(here)).stream
    (child,) = await opened(here, parent, "one")
    await here.submit(here.order(CANCEL, stream=parent))
    await here.submit(here.order(ANSWER, stream=child))
    with pytest.raises(Problem, match="was cancelled"):
        await here.submit(here.order(CANCEL, stream=parent))
    assert len((await here.loaded(parent)).inbox[parent]) == 1


async def test_a_child_that_ends_as_it_is_born_is_counted_and_heard_of(here: World) -> None:
    parent = (await flow(here)).stream
    await opened(here, parent, "one", command=asking(open_limit=0))
    head = await here.head(parent)
    assert (head.open_children, head.due_at) == (0, START)
    assert (await here.submit(here.order(Look(), stream=parent))).done[0].state.ended == {"one": 2}


async def test_a_child_that_runs_again_is_open_again(here: World) -> None:
    parent = (await flow(here)).stream
    (child,) = await opened(here, parent, "one", command=asking(open_limit=0))
    await here.submit(here.order(asking(), stream=child))
    assert (await here.head(parent)).open_children == 1
    await here.submit(here.order(CANCEL, stream=child))
    assert (await here.head(parent)).open_children == 0


async def test_a_child_that_is_refused_again_is_heard_of_once(here: World) -> None:
    parent = (await flow(here)).stream
    (child,) = await opened(here, parent, "one", command=asking(open_limit=0))
    here.clock.at += HOUR
    await here.submit(here.order(asking(open_limit=0), stream=child))
    loaded = await here.loaded(parent)
    assert (loaded.heads[0].open_children, len(loaded.inbox[parent])) == (0, 1)


async def test_a_parent_that_has_ended_only_counts(here: World) -> None:
    parent = (await flow(here)).stream
    await here.submit(here.order(CANCEL, stream=parent))
    child = await here.ask(parent=parent)
    assert (await here.head(parent)).open_children == 1
    await here.submit(here.order(ANSWER, stream=child.stream))
    loaded = await here.loaded(parent)
    assert (loaded.heads[0].open_children, loaded.heads[0].due_at, loaded.inbox) == (0, None, {})


async def test_an_agent_waits_exactly_while_a_question_of_its_own_is_open(here: World) -> None:
    agent = (await here.born(StreamKind.AGENT)).stream
    asked = [Question(call=call, child=here.mint.stream(SHARD), asked=asking()) for call in ("a", "b")]
    stands = [(await here.submit(here.order(ours(one), stream=agent))).done[0].head.status for one in asked]
    for one in asked:
        await here.submit(here.order(ANSWER, stream=one.child))
        stands.append((await here.head(agent)).status)
    assert stands == [Status.WAITING, Status.WAITING, Status.WAITING, Status.RUNNING]
    assert await journal(here, agent) == ["asked", "waiting", "asked", "answered", "answered", "running"]


async def test_an_agent_that_asks_again_after_a_crash_finds_its_question(here: World) -> None:
    agent = (await here.born(StreamKind.AGENT)).stream
    asked = Question(call="a", child=here.mint.stream(SHARD), asked=asking())
    await here.submit(here.order(ours(asked), stream=agent))
    await here.submit(here.order(ours(replace(asked, child=here.mint.stream(SHARD))), stream=agent))
    await here.submit(here.order(ANSWER, stream=asked.child))
    done = (await here.submit(here.order(Look(), stream=agent))).done[0]
    assert (done.state.heard, done.head.status) == ((asked.child.hex(),), Status.RUNNING)


async def test_two_answers_in_one_batch_make_the_agent_run_once(here: World) -> None:
    agent = (await here.born(StreamKind.AGENT)).stream
    asked = [Question(call=call, child=here.mint.stream(SHARD), asked=asking()) for call in ("a", "b")]
    await here.submit(*(here.order(ours(one), stream=agent) for one in asked))
    await asyncio.gather(*(here.submit(here.order(ANSWER, stream=one.child)) for one in asked))
    assert (await journal(here, agent)).count("running") == 1


async def test_a_cancelled_parent_cancels_the_children_that_its_unit_names(here: World) -> None:
    parent = (await flow(here)).stream
    one, other = await opened(here, parent, "one", "other")
    await here.submit(here.order(CANCEL, stream=parent), streams=(one, other))
    assert {(await here.head(child)).outcome for child in (one, other)} == {Outcome.REJECTED}
    done = (await here.submit(here.order(Look(), stream=parent))).done[0]
    assert (done.head.outcome, done.head.open_children, done.head.due_at) == (Outcome.REJECTED, 0, None)


async def test_children_too_many_for_a_unit_are_cancelled_a_page_a_unit(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sayso.core.bounds.CHILDREN_PAGE", 3)
    parent = (await flow(here)).stream
    children = await opened(here, parent, *(str(call) for call in range(8)))
    await here.submit(here.order(ANSWER, stream=children[4]))
    await here.submit(here.order(CANCEL, stream=parent))
    here.clock.at += 1
    await Worker(here.store, here.writer, Bell(), interval_ms=1_000).sweep()
    head = await here.head(parent)
    assert (head.outcome, head.open_children, head.due_at) == (Outcome.REJECTED, 0, None)
    outcomes = [(await here.head(child)).outcome for child in children]
    assert outcomes == [Outcome.REJECTED] * 4 + [Outcome.SUCCEEDED] + [Outcome.REJECTED] * 3


async def test_a_cancelled_workflow_cancels_its_workflows_and_they_their_children(here: World) -> None:
    parent = (await flow(here)).stream
    (middle,) = await opened(here, parent, "middle", command=Look())
    (child,) = await opened(here, middle, "child")
    await here.submit(here.order(CANCEL, stream=parent), streams=(middle, child))
    here.clock.at += 1
    await Worker(here.store, here.writer, Bell(), interval_ms=1_000).sweep()
    assert {(await here.head(stream)).outcome for stream in (parent, middle, child)} == {Outcome.REJECTED}


class Slow(RequestMachine):
    """A request whose cancelling takes its time, as while an attempt is in flight."""

    def decide(self, state: Request, command: Command, moment: Moment) -> Decision:
        decision = super().decide(state, command, moment)
        return replace(decision, events=decision.events[:1]) if isinstance(command, Cancel) else decision


async def test_a_parent_whose_children_take_their_time_is_not_looked_at_over_and_over() -> None:
    machines = Machines(folded={StreamKind.REQUEST: Slow()}, kept={StreamKind.WORKFLOW: WorkflowMachine()})
    async with world(machines) as here:
        parent = (await flow(here)).stream
        await opened(here, parent, "one", "other")
        await here.submit(here.order(CANCEL, stream=parent))
        here.clock.at += 1
        await Worker(here.store, here.writer, Bell(), interval_ms=1_000).sweep()
        head = await here.head(parent)
        assert (head.status, head.open_children, head.due_at) == (Status.CANCELLING, 2, None)


class Greedy(WorkflowMachine):
    """A machine with a fault: it is due for ever."""

    def step(self, state: Workflow | None, command: object, given: Given) -> Step[Workflow]:
        step = super().step(state, command, given)
        return replace(step, summary=replace(step.summary, due_at=given.head.due_at or given.moment.now))


async def test_a_parent_that_has_seen_all_its_children_and_stays_due_backs_off(
    caplog: pytest.LogCaptureFixture,
) -> None:
    machines = Machines(folded=MACHINES.folded, kept={StreamKind.WORKFLOW: Greedy()})
    async with world(machines) as here:
        await opened(here, (await flow(here)).stream, "one", "other")
        assert await Worker(here.store, here.writer, Bell(), interval_ms=1_000).sweep() == 1
    assert "stays due" in caplog.text
