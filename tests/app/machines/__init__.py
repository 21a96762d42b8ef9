"""Machines for tests: one of each kind that a later release keeps, small, and streams of a single writer."""

from typing import cast

from sayso.core.commands import Command
from sayso.core.heads import StreamKind
from sayso.core.machines.machine import Machines
from sayso.core.machines.request import RequestMachine
from tests.app.machines.agent import AgentMachine
from tests.app.machines.conversation import ConversationMachine
from tests.app.machines.single import SingleMachine
from tests.app.machines.workflow import WorkflowMachine

MACHINES = Machines(
    folded={
        StreamKind.REQUEST: RequestMachine(),
        StreamKind.EXECUTION: SingleMachine(StreamKind.EXECUTION),
        StreamKind.PUBLISH: SingleMachine(StreamKind.PUBLISH),
    },
    kept={
        StreamKind.CONVERSATION: ConversationMachine(),
        StreamKind.WORKFLOW: WorkflowMachine(),
        StreamKind.AGENT: AgentMachine(),
    },
)


def ours(command: object) -> Command:
    """A command that only these machines take."""
    return cast("Command", command)
