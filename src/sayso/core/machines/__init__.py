"""The machines: what each kind of stream does with a command. A newcomer begins with ``request``."""

from sayso.core.heads import StreamKind
from sayso.core.machines.call import CallMachine
from sayso.core.machines.definition import DefinitionMachine
from sayso.core.machines.machine import Machines
from sayso.core.machines.publish import PublishMachine
from sayso.core.machines.request import RequestMachine

# All that this release runs.
MACHINES = Machines(
    folded={
        StreamKind.REQUEST: RequestMachine(),
        StreamKind.CALL: CallMachine(),
        StreamKind.DEFINITION: DefinitionMachine(),
        StreamKind.PUBLISH: PublishMachine(),
    },
    kept={},
)
