"""The function that asks a system: one call of one tool. # AUTO: `call`"""

from sayso.core.document import schemas
from sayso.core.document.checks import Checks
from sayso.core.document.function import CallFunction


def call_function(checks: Checks, name: str) -> CallFunction | None:
    """The function of a document with ``call``; None if anything that it is made of has a fault."""
    description = checks.description()
    input_schema, output_schema = schemas.schema(checks, "input"), schemas.schema(checks, "output")
    server, tool = checks.server(("call", "server")), checks.tool(("call", "tool"))
    arguments, read = checks.arguments(("call", "with"), input_schema), checks.pointer(("call", "read"))
    _refuse_body(checks)
    if server is None or tool is None or arguments is None or output_schema is None:
        return None
    return CallFunction(
        name=name,
        description=description,
        server=server,
        tool=tool,
        arguments=arguments,
        read=read,
        input_schema=input_schema,
        output_schema=output_schema,
        warnings=(),
    )


def _refuse_body(checks: Checks) -> None:
    """Told of at its first line that is not blank; whatever stands there is not read as a template."""
    body = checks.front.body
    if body.strip():
        blank = len(body) - len(body.lstrip())
        line = checks.front.body_line + body.count("\n", 0, blank)
        words = "A function with call sends no message: leave this out. description says what the function is for."
        checks.body_fault(line, words)
