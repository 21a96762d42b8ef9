"""The OpenAPI document: routes and fields are those that serve, and nothing is said of them twice."""

from collections.abc import Iterable, Mapping

from sayso import __version__
from sayso.app import access, inputs
from sayso.core.values import Json
from sayso.errors import STATUS, Problem, Reason
from sayso.http import v1
from sayso.http.openapi import shapes, words
from sayso.http.openapi.schemas import TEXT, Schema, ref
from sayso.http.routes import Route

# What any operation may be refused for, what commands may be beside that, and what some may be alone.
ALWAYS = (
    *(Reason.BAD_REQUEST, Reason.UNAUTHENTICATED, Reason.FORBIDDEN, Reason.ORIGIN_NOT_ALLOWED),
    *(Reason.NOT_FOUND, Reason.INVALID_INPUT, Reason.RATE_LIMITED, Reason.INTERNAL, Reason.UNAVAILABLE),
)
OF_COMMANDS = (Reason.CONFLICT, Reason.CONTENT_TOO_LARGE, Reason.UNSUPPORTED_MEDIA_TYPE)
OF_SOME = {"run_definition": (Reason.CANCELLED, Reason.UNANSWERED)}

PROBLEM_TYPE = "application/problem+json"
JSON_TYPE = "application/json"
REQUEST_ID = {"x-request-id": {"$ref": "#/components/headers/RequestId"}}
# Headers that a status brings.
OF_STATUS = {
    401: ("www-authenticate", "What the credential lacks: RFC 6750."),
    403: ("www-authenticate", "What the credential lacks: RFC 6750; not of an origin."),
    429: ("retry-after", "After so many seconds there is room for another request."),
    503: ("retry-after", "After so many seconds the same request may succeed; not where it would not."),
}
_PLACES = {
    "org": {"type": "string", "pattern": f"^{access.ORG.pattern}$"},
    "playbook": {"type": "string", "pattern": inputs.NAME},
}


def document(base: str, server: str = "/") -> dict[str, Json]:
    """The document of v1; ``base`` begins the types of problems, ``server`` every path."""
    return {
        "openapi": "3.1.1",
        "info": {
            "title": "sayso",
            "version": __version__,
            "description": words.ABOUT,
            "license": {"name": "Apache License 2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": server}],
        "security": [{"key": []}],
        "tags": [{"name": name} for name in words.SECTIONS],
        "paths": _paths(),
        "components": {
            "schemas": dict(shapes.SHAPES),
            "responses": {_name(status): _refusal(status, reasons, base) for status, reasons in _by_status()},
            "headers": {"RequestId": {"description": "The request, as the log calls it.", "schema": TEXT}},
            "securitySchemes": {
                "key": {"type": "http", "scheme": "bearer", "description": "An API key: `say_…`. None in local mode."},
                "token": {"type": "http", "scheme": "request", "description": "A token for the answer to one request."},
            },
        },
    }


def reasons(route: Route) -> tuple[Reason, ...]:
    """Why an operation may be refused."""
    of_kind = () if route.is_query else OF_COMMANDS
    return ALWAYS + of_kind + OF_SOME.get(route.operation, ())


def _paths() -> dict[str, Json]:
    paths: dict[str, dict[str, Json]] = {}
    for route in v1.TABLE:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route)
    return dict(paths)


def _operation(route: Route) -> dict[str, Json]:
    permissions = sorted(access.TABLE[route.operation])
    needed = " or ".join(f"`{permission}`" for permission in permissions)
    described: dict[str, Json] = {
        "operationId": route.operation,
        "tags": [name for name, section in words.SECTIONS.items() if route.operation in section],
        "summary": words.SUMMARIES[route.operation],
        "description": f"{words.SUMMARIES[route.operation]}. Needs the permission {needed}.",
        "parameters": _parameters(route),
        "responses": {str(route.status): _success(route), **_refusals(route)},
    }
    if route.operation == access.TOKENS_OPERATION:
        described["security"] = [{"key": []}, {"token": []}]
    return described if route.is_query else described | {"requestBody": _body(route)}


def _parameters(route: Route) -> list[Json]:
    model = inputs.INPUTS[route.operation].model_json_schema()
    members, required = model.get("properties", {}), model.get("required", ())
    found: list[Json] = [_parameter("path", name, members.get(name) or _PLACES[name], True) for name in route.names]
    if route.is_query:
        found += [
            _parameter("query", name, schema, name in required)
            for name, schema in members.items()
            if name not in route.names
        ]
    elif route.is_versioned and route.method == "PUT":
        tag = {"type": "string", "pattern": '^(?:"v[1-9][0-9]{0,15}"|\\*)$'}
        words_ = "The ETag that you read, in place of `expected_version`: another version is a conflict."
        found.append({"name": "If-Match", "in": "header", "description": words_, "schema": tag})
    return found


def _parameter(place: str, name: str, schema: Schema, is_required: bool) -> Schema:
    return {
        "name": name,
        "in": place,
        "required": is_required,
        "description": words.FIELDS[name],
        "schema": _in_url(schema),
    }


def _in_url(schema: Schema) -> Schema:
    """A field as a URL takes it, where nothing is null."""
    present = next((one for one in schema.get("anyOf", ()) if one.get("type") != "null"), schema)
    default = {} if schema.get("default") is None else {"default": schema["default"]}
    return {name: value for name, value in present.items() if name not in {"title", "default"}} | default


def _body(route: Route) -> dict[str, Json]:
    model = inputs.INPUTS[route.operation].model_json_schema()
    members = {
        name: _untitled(schema) | {"description": words.FIELDS[name]}
        for name, schema in model.get("properties", {}).items()
        if name not in route.names
    }
    required = [name for name in model.get("required", ()) if name in members]
    schema = {"type": "object", "properties": members, "required": required, "additionalProperties": False}
    return {"required": bool(required), "content": {JSON_TYPE: {"schema": schema}}}


def _untitled(schema: Schema) -> Schema:
    """A field without the titles that are made of names."""
    return {name: _untitled_within(value) for name, value in schema.items() if name != "title"}


def _untitled_within(value: Json) -> Json:
    if isinstance(value, dict):
        return {name: _untitled(one) if isinstance(one, dict) else one for name, one in value.items()}
    return value


def _success(route: Route) -> dict[str, Json]:
    headers: dict[str, Json] = dict(REQUEST_ID)
    if route.is_versioned:
        headers["etag"] = {"description": "The version, for `If-Match`.", "schema": TEXT}
    schema = ref(shapes.REPLIES[route.operation])
    return {"description": "Done.", "headers": headers, "content": {JSON_TYPE: {"schema": schema}}}


def _refusals(route: Route) -> dict[str, Json]:
    statuses = sorted({STATUS[reason] for reason in reasons(route)})
    return {str(status): {"$ref": f"#/components/responses/{_name(status)}"} for status in statuses}


def _by_status() -> Iterable[tuple[int, list[Reason]]]:
    """Each status that some operation may reply, with its reasons."""
    found: dict[int, list[Reason]] = {}
    for reason in sorted({reason for route in v1.TABLE for reason in reasons(route)}):
        found.setdefault(STATUS[reason], []).append(reason)
    return sorted(found.items())


def _refusal(status: int, its: Iterable[Reason], base: str) -> Mapping[str, Json]:
    headers: dict[str, Json] = dict(REQUEST_ID)
    if status in OF_STATUS:
        name, about = OF_STATUS[status]
        headers[name] = {"description": about, "schema": TEXT}
    titles = ", or: ".join(f"{Problem(reason, '').title} (`{base}{reason}`)" for reason in its)
    content = {PROBLEM_TYPE: {"schema": ref("Problem")}}
    return {"description": f"{titles}.", "headers": headers, "content": content}


def _name(status: int) -> str:
    return f"Refused{status}"
