"""HTTP v1: its routes, who may take them, the fields of each operation, and its problems."""

import json
from typing import Any

from sayso.app import access, inputs
from sayso.errors import STATUS, Kind, Reason
from sayso.http import problems, v1
from sayso.http.openapi.document import document
from sayso.http.routes import Route
from sayso.settings import Settings
from tests.docs.reference.table import code, table

# What makes each refusal, for whoever meets it.
MEANS = {
    Reason.BAD_REQUEST: "The request cannot be read: no JSON object, a field given twice, a query where a body belongs",
    Reason.UNAUTHENTICATED: "No key or token was sent, or one that is unknown, revoked or has run out",
    Reason.FORBIDDEN: "The key or token may not do this, or not here; in local mode, a `Host` of another machine",
    Reason.ORIGIN_NOT_ALLOWED: "A page of an origin that `ALLOWED_ORIGINS` does not list",
    Reason.NOT_FOUND: "There is no such thing here, in the same words whether it never was, is another org's, or is of "
    "parties that the key is not for",
    Reason.METHOD_NOT_ALLOWED: "The path is known, the method is not; `Allow` lists those that are",
    Reason.CONFLICT: "What already stands forbids it; `kind` says what that is",
    Reason.CANCELLED: "A run under this run id was cancelled; its ending is given again",
    Reason.UNANSWERED: "A run under this run id ended because nobody answered in time",
    Reason.CONTENT_TOO_LARGE: "The body is larger than a body may be",
    Reason.UNSUPPORTED_MEDIA_TYPE: "The body is not `application/json`, or is compressed",
    Reason.INVALID_INPUT: "A field is wrong; `errors` lists every fault with its pointer",
    Reason.RATE_LIMITED: "Too many requests of one caller, or too many failures of one address: see `RATE_LIMIT`",
    Reason.INTERNAL: "A fault of sayso; the log has it under the incident in `instance`",
    Reason.UNAVAILABLE: "Not now: `Retry-After` says when to send the same request again",
}
KINDS = {
    Kind.TAKEN: (Reason.CONFLICT, "Another thing has, or had, this name or id", "Choose another"),
    Kind.RETIRED: (Reason.CONFLICT, "The definition or the playbook is retired", "Use one that is active"),
    Kind.UNWORKABLE: (Reason.CONFLICT, "The document does not make a request of this input", "Mend the document"),
    Kind.TOOL_NOT_OFFERED: (
        Reason.UNAVAILABLE,
        "No server of the playbook offers a tool that the function names; nothing was sent",
        "Use a function without tools: this release takes no tool servers",
    ),
    Kind.REQUESTS_FULL: (Reason.UNAVAILABLE, "Too many requests of the playbook wait", "Answer or cancel some"),
    Kind.EXPIRED: (Reason.CONFLICT, "The request has expired; as `unanswered` it is why the run ended", "Ask again"),
    Kind.REQUESTED: (Reason.CONFLICT, "The run was cancelled; as `cancelled` it is why the run ended", "Ask again"),
    Kind.ANSWERED: (Reason.CONFLICT, "The request has another answer already", "Read the run"),
    Kind.REASSIGNED: (
        Reason.CONFLICT,
        "The request was given to another party since it was looked at, or since the token was made",
        "Read the list again",
    ),
    Kind.VERSION_CONFLICT: (Reason.CONFLICT, "The definition is not at `expected_version`", "Read it, then decide"),
}


def routes() -> str:
    """The table of routes with the permission that each needs."""
    rows = (
        (code(route.operation), code(route.method), code(route.path), _permissions(route), str(route.status))
        for route in v1.TABLE
    )
    return table(("Operation", "Method", "Path", "Permission", "Success"), rows)


def fields() -> str:
    """A section an operation that takes more than its path."""
    return "\n\n".join(_section(route) for route in v1.TABLE)


def refusals() -> str:
    """The reasons with their status and title."""
    rows = ((code(reason.value), str(STATUS[reason]), _title(reason), _known(MEANS, reason)) for reason in Reason)
    return table(("Reason", "Status", "Title", "What makes it"), rows)


def kinds() -> str:
    """The kinds of a conflict or of another refusal."""
    rows = ((code(kind.value), code(_known(KINDS, kind)[0].value), *_known(KINDS, kind)[1:]) for kind in Kind)
    return table(("Kind", "Reason", "What it says", "What to do"), rows)


def permissions() -> str:
    """The permissions with the operations that each allows."""
    rows = (
        (code(permission.value), ", ".join(code(name) for name, needed in access.TABLE.items() if permission in needed))
        for permission in access.Permission
    )
    return table(("Permission", "Operations"), rows)


def _known(words: dict[Any, Any], member: Any) -> Any:
    if member not in words:
        raise LookupError(f"{member} has no words yet, in {__name__}")
    return words[member]


def _title(reason: Reason) -> str:
    from sayso.errors import Problem

    return str(problems.document(Problem(reason, ""), "")["title"])


def _permissions(route: Route) -> str:
    return " or ".join(code(permission.value) for permission in sorted(access.TABLE[route.operation]))


def _section(route: Route) -> str:
    model = inputs.INPUTS[route.operation]
    schema = model.model_json_schema()
    required = set(schema.get("required", ()))
    rows = [
        (code(name), _place(route, name), _type(name, member, model), _need(name, member, required))
        for name, member in schema["properties"].items()
    ]
    return f"### `{route.operation}`\n\n`{route.method} {route.path}`\n\n" + table(
        ("Field", "Where", "Type", "Given"), rows
    )


def _place(route: Route, name: str) -> str:
    if name in route.names:
        return "path"
    return "query" if route.is_query else "body"


def _need(name: str, member: dict[str, Any], required: set[str]) -> str:
    if name in required:
        return "always"
    if name == "input":
        return "if not `{}`"
    default = member.get("default")
    return "if wanted" if default in (None, "", False) else f"if not {code(default)}"


def _type(name: str, member: dict[str, Any], model: type[inputs.Fields]) -> str:
    if name in model.free:
        return "any JSON"
    known = next((one for one in member.get("anyOf", ()) if one.get("type") != "null"), member)
    words = {"string": "text", "integer": "integer", "boolean": "`true` or `false`", "object": "a CloudEvent"}[
        known["type"]
    ]
    pattern = known.get("pattern", "")
    if pattern == inputs.TYPE:
        return code("interaction")
    if pattern in inputs._PATTERN_NEEDS:
        words = inputs._PATTERN_NEEDS[pattern].removeprefix("must be ").removeprefix("must hold ")
    return words + _bounds(known)


def _bounds(known: dict[str, Any]) -> str:
    if "maximum" in known:
        return f", {known['minimum']} to {known['maximum']}"
    if "maxLength" in known:
        return f", at most {known['maxLength']:,} characters"
    return ""


def openapi() -> str:
    """The OpenAPI document, as a server with the usual settings serves it."""
    return json.dumps(document(Settings.problem_base), indent=2, ensure_ascii=False) + "\n"
