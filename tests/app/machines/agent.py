"""An agent run for tests: it asks, waits exactly while a question of its own is open, and its journal shows it."""

from dataclasses import asdict, dataclass, field, replace

from sayso.core.commands import Ask, Order
from sayso.core.heads import Birth, Head, Status, StreamKind, Summary
from sayso.core.machines.inbox import ChildEnded
from sayso.core.machines.machine import Given, Reaction, Step
from sayso.core.values import Json
from tests.app.machines.notes import note


@dataclass(frozen=True, kw_only=True)
class Question:
    """Ask a child. The same call again finds the question that was asked."""

    call: str
    child: bytes
    asked: Ask


@dataclass(frozen=True, kw_only=True)
class Agent:
    asked: dict[str, str] = field(default_factory=dict)
    heard: tuple[str, ...] = ()


class AgentMachine:
    kind = StreamKind.AGENT
    format = 1

    def read(self, number: int, state: Json) -> Agent:
        assert number == 1
        return Agent(asked=state["asked"], heard=tuple(state["heard"]))

    def write(self, state: Agent) -> Json:
        return asdict(state)

    def step(self, state: Agent | None, command: object, given: Given) -> Step[Agent]:
        agent = state or Agent()
        endings = tuple(heard.child.hex() for heard in given.inbox if isinstance(heard, ChildEnded))
        agent = replace(agent, heard=agent.heard + endings)
        orders: tuple[Order, ...] = ()
        if isinstance(command, Question) and command.call not in agent.asked:
            agent = replace(agent, asked=agent.asked | {command.call: command.child.hex()})
            orders = (_birth(command, given.head),)
        return Step(state=agent, summary=Summary(status=_status(given.head)), orders=orders)

    def hears(self, head: Head, child: Head) -> Reaction:
        events = (note("asked" if child.outcome is None else "answered"),)
        status = _status(head)
        return Reaction(events=events if status is head.status else (*events, note(status.name.lower())), status=status)


def _birth(question: Question, head: Head) -> Order:
    birth = Birth(kind=StreamKind.REQUEST, org=head.org, playbook=head.playbook, parent=head.stream)
    return Order(stream=question.child, command=question.asked, by=head.by, birth=birth)


def _status(head: Head) -> Status:
    return Status.WAITING if head.open_children else Status.RUNNING
