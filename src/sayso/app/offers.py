"""Offers: whether a playbook is offered the tools that a function names (AUTO: Which tool each step uses).

Tool servers cannot be configured so far: no tool is offered.
"""

from sayso.core.document.function import CallFunction, Function
from sayso.core.events import RunRejected
from sayso.errors import Kind, Reason

NOT_CONFIGURED = "tool_server_not_configured"


def not_offered(function: Function) -> RunRejected | None:
    """Why a run cannot use the tools of its function; None of one that names none."""
    named = function if isinstance(function, CallFunction) else function.delivery
    if named is None:
        return None
    detail = (
        f"The tool {named.tool} is not offered: no tool server {named.server} serves this playbook. This release takes "
        "no tool servers yet; once it does, search lists what they offer. Nothing was sent."
    )
    return RunRejected(reason=Reason.UNAVAILABLE, kind=Kind.TOOL_NOT_OFFERED, because=NOT_CONFIGURED, detail=detail)
