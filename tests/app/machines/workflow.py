"""A workflow for tests: it opens children by call keys, is woken by their endings, and cancels them with itself."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import reduce
from typing import Any

from sayso.core.commands import Ask, Cancel, Command, Look, Order
from sayso.core.heads import Birth, Head, Outcome, Status, StreamKind, Summary
from sayso.core.machines.inbox import ChildEnded, Heard, OrderRefused
from sayso.core.machines.machine import Given, Reaction, Step
from sayso.core.values import Json
from sayso.errors import Kind, conflict


@dataclass(frozen=True, kw_only=True)
class Open:
    """Open children: by call key the id that was minted for each, and its first command."""

    calls: Mapping[str, tuple[bytes, Command]]


@dataclass(frozen=True, kw_only=True)
class Workflow:
    """``calls`` are the open ones; ``stopped`` are their children that were ordered to cancel. ``heard`` are all whose
    ending it heard of, those too that it did not call."""

    calls: dict[str, str] = field(default_factory=dict)
    ended: dict[str, int] = field(default_factory=dict)
    heard: tuple[str, ...] = ()
    stopped: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    posts: tuple[Json, ...] = ()
    cancelled: bool = False
    ended_at: int | None = None


class WorkflowMachine:
    """Format 1 knew of calls and nothing else."""

    kind = StreamKind.WORKFLOW
    format = 2

    def read(self, number: int, state: Json) -> Workflow:
        if number not in {1, 2}:
            raise ValueError(f"a workflow has no format {number}")
        given: Any = {name: tuple(value) if isinstance(value, list) else value for name, value in state.items()}
        return Workflow(**given)

    def write(self, state: Workflow) -> Json:
        return asdict(state)

    def step(self, state: Workflow | None, command: object, given: Given) -> Step[Workflow]:
        flow = reduce(_hear, given.inbox, state or Workflow())
        match command:
            case Look():
                return _go_on(flow, given)
            case _ if flow.cancelled:
                return replace(_go_on(flow, given), problem=conflict("The workflow was cancelled."))
            case Cancel():
                return _go_on(replace(flow, cancelled=True), given)
            case Open():
                new = {call: opened for call, opened in command.calls.items() if call not in flow.calls | flow.ended}
                calls = flow.calls | {call: child.hex() for call, (child, _) in new.items()}
                return _go_on(replace(flow, calls=calls), given, *_births(new, given))
            case other:
                raise TypeError(f"a workflow takes no {type(other).__name__}")

    def hears(self, head: Head, child: Head) -> Reaction:
        return Reaction()


def _hear(flow: Workflow, heard: Heard) -> Workflow:
    match heard:
        case ChildEnded():
            child = heard.child.hex()
            ended = {call: int(heard.outcome) for call, one in flow.calls.items() if one == child}
            return _closed(replace(flow, heard=(*flow.heard, child), ended=flow.ended | ended), child)
        case OrderRefused():
            flow = replace(flow, refused=(*flow.refused, heard.stream.hex()))
            return flow if heard.stream.hex() in flow.stopped else _closed(flow, heard.stream.hex())
        case posted if posted.post.body in flow.posts:  # it was sent twice
            return flow
        case posted:
            return replace(flow, posts=(*flow.posts, posted.post.body))


def _closed(flow: Workflow, child: str) -> Workflow:
    calls = {call: one for call, one in flow.calls.items() if one != child}
    return replace(flow, calls=calls, stopped=tuple(one for one in flow.stopped if one != child))


def _births(calls: Mapping[str, tuple[bytes, Command]], given: Given) -> Iterator[Order]:
    for child, command in calls.values():
        kind = StreamKind.REQUEST if isinstance(command, Ask) else StreamKind.WORKFLOW
        birth = Birth(kind=kind, org=given.head.org, playbook=given.head.playbook, parent=given.head.stream)
        yield Order(stream=child, command=command, by=given.head.by, birth=birth)


def _go_on(flow: Workflow, given: Given, *orders: Order) -> Step[Workflow]:
    """A cancelled workflow orders the same of each child that it sees, and has ended once it has heard of all."""
    left = [child for child in flow.calls.values() if flow.cancelled and child not in flow.stopped]
    seen = tuple(child for child in left if bytes.fromhex(child) in given.streams)
    cancel = Cancel(kind=Kind.REQUESTED, reason="Its workflow was cancelled.")
    stops = (Order(stream=bytes.fromhex(child), command=cancel, by=given.by) for child in seen)
    is_over = flow.cancelled and not flow.calls
    flow = replace(flow, stopped=flow.stopped + seen, ended_at=flow.ended_at or given.moment.now if is_over else None)
    return Step(state=flow, summary=_summary(flow, given, len(left) > len(seen)), orders=(*orders, *stops))


def _summary(flow: Workflow, given: Given, has_more_to_stop: bool) -> Summary:
    """Due at once while there is more to stop, and no later than it was: a step that saw nothing more moves nothing."""
    now, due_at = given.moment.now, given.head.due_at
    ended: dict[str, Any] = {"outcome": Outcome.REJECTED, "ended_at": flow.ended_at} if flow.ended_at else {}
    return Summary(
        status=Status.CANCELLING if flow.cancelled else Status.RUNNING,
        due_at=min(now, due_at or now) if has_more_to_stop else None,
        **ended,
    )
