"""Members of the input that a document reads as if every input had them, though its schema does not require them."""

import re
from collections.abc import Iterator

from sayso.core.document.checks import Checks
from sayso.core.document.faults import Fault, Path
from sayso.core.document.function import CallFunction, Function
from sayso.core.schemas.schema import Schema
from sayso.core.schemas.subschemas import every
from sayso.core.templates.rendering import brief
from sayso.core.templates.template import Template

# Keywords by which a schema may require more than its own ``required`` says.
_FURTHER = frozenset(
    ("$dynamicRef", "$ref", "allOf", "anyOf", "dependentRequired", "dependentSchemas", "else", "if", "oneOf", "then")
)
_NAME = re.compile(r"[A-Za-z_][\w-]*")


def warn_of_members(checks: Checks, function: Function) -> None:
    """Tell of each such member once, where it is read first. One that is guarded anywhere is known to be optional."""
    optional = _optional(function.input_schema)
    places = list(_places(function)) if optional else []
    guarded = {name for _, template in places for name in template.members.guarded}
    found: dict[str, Fault] = {}
    for path, template in places:
        for name, offset in template.members.needed.items():
            line = checks.front.line(path) if path else _line(checks, template, offset)
            if name in optional and name not in guarded and (name not in found or line < found[name].line):
                found[name] = Fault(line=line, path=path, detail=_words(name, optional[name]))
    checks.doubts += found.values()


def _places(function: Function) -> Iterator[tuple[Path, Template]]:
    """Every template that reads the input, with its path; the message has none."""
    if isinstance(function, CallFunction):
        yield from ((("call", "with", *path), template) for path, template in function.arguments.templates())
        return
    yield ("to",), function.to
    if function.from_ is not None:
        yield ("from",), function.from_
    if function.delivery is not None:
        arguments = function.delivery.arguments
        yield from ((("deliver", "with", *path), template) for path, template in arguments.templates())
    yield (), function.message


def _line(checks: Checks, message: Template, offset: int) -> int:
    return checks.front.body_line + message.source.count("\n", 0, offset)


def _optional(schema: Schema | None) -> dict[str, bool]:
    """The members that an input may lack, and whether a default is written for each."""
    source = schema.source if schema else {}
    required = set(source.get("required", ()))
    if not _FURTHER.isdisjoint(source):
        for _, one in every(source):
            required.update(one.get("required", ()), *one.get("dependentRequired", {}).values())
    declared = source.get("properties", {}).items()
    return {name: isinstance(one, dict) and "default" in one for name, one in declared if name not in required}


def _words(name: str, has_default: bool) -> str:
    read = f"input.{brief(name)}" if _NAME.fullmatch(name) else f"input[{brief(name)!r}]"
    nothing = " (the default in a schema fills nothing in)" if has_default else ""
    allowed = f"{{{{ {read} | default: '…' }}}} or {{% if {read} %}}"
    return (
        f"A run whose input lacks {read} ends here as invalid_input{nothing}: add it to required, or write {allowed}."
    )
