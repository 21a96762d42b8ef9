"""How the replies to a sent message are read, and what is said to one that is no answer. # AUTO: `replies`"""

from sayso.core import durations
from sayso.core.bounds import WAIT_MIN_MS
from sayso.core.document.checks import Checks
from sayso.core.document.function import Each, Read, Replies, Tell

# AUTO: `replies`, the key where none is written
_CONVERSATION = "{{ sent.conversation }}"


def replies(checks: Checks) -> Replies | None:
    """What ``replies`` says; None where it is left out, or has a fault."""
    if not checks.has(("replies",)):
        return None
    conversation = checks.template(("replies", "conversation"), default=_CONVERSATION)
    tool = checks.tool(("replies", "tool"))
    arguments = checks.arguments(("replies", "with"))
    read = _read(checks)
    wait_ms = checks.duration_ms(("replies", "wait"), durations.wait_ms)
    tell = _tell(checks)
    if conversation is None or tool is None or arguments is None or read is None:
        return None
    return Replies(
        conversation=conversation,
        tool=tool,
        arguments=arguments,
        read=read,
        wait_ms=WAIT_MIN_MS if wait_ms is None else wait_ms,
        tell=tell,
    )


def _read(checks: Checks) -> Read | None:
    list_ = checks.pointer(("replies", "read", "list"))
    order = checks.order(("replies", "read", "order"))
    each = _each(checks)
    return None if list_ is None or order is None or each is None else Read(list=list_, order=order, each=each)


def _each(checks: Checks) -> Each | None:
    id_, sender, text, to = (
        checks.pointer(("replies", "read", "each", name)) for name in ("id", "sender", "text", "to")
    )
    return None if id_ is None or sender is None or text is None else Each(id=id_, sender=sender, text=text, to=to)


def _tell(checks: Checks) -> Tell | None:
    if not checks.has(("replies", "tell")):
        return None
    tool, arguments = checks.tool(("replies", "tell", "tool")), checks.arguments(("replies", "tell", "with"))
    return None if arguments is None else Tell(tool=tool, arguments=arguments)
