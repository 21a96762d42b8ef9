"""The delivery of a request through a tool. # AUTO: `deliver`"""

from sayso.core.document.checks import Checks
from sayso.core.document.function import Delivery, Sent
from sayso.core.schemas.schema import Schema


def delivery(checks: Checks, input_schema: Schema | None) -> Delivery | None:
    """What ``deliver`` says; None where it is left out, or has a fault."""
    server, tool = checks.server(("deliver", "server")), checks.tool(("deliver", "tool"))
    arguments = checks.arguments(("deliver", "with"), input_schema)
    sent = _sent(checks)
    if server is None or tool is None or arguments is None:
        return None
    return Delivery(server=server, tool=tool, arguments=arguments, sent=sent)


def _sent(checks: Checks) -> Sent | None:
    conversation = checks.pointer(("deliver", "sent", "conversation"))
    id_ = checks.pointer(("deliver", "sent", "id"))
    return None if conversation is None or id_ is None else Sent(conversation=conversation, id=id_)
