"""The OpenAPI document: sound by OpenAPI's own schema, whole, and true of what the server replies."""

import re
from typing import Any

import jsonschema_rs
import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from sayso.app.inputs import INPUTS
from sayso.errors import STATUS, Reason
from sayso.http import openapi, v1
from sayso.http.openapi.document import document, reasons
from sayso.http.routes import Route
from tests.http.openapi import Told
from tests.http.served import Served

pytestmark = pytest.mark.anyio
BASE = "https://on.auto/problems/"
DOCUMENT = document(BASE)
PATHS = ["/v1/openapi.json", "/v1/docs"]


def operation(route: Route) -> dict[str, Any]:
    found: dict[str, Any] = DOCUMENT["paths"][route.path][route.method.lower()]
    return found


def test_it_is_sound() -> None:
    assert [str(fault) for fault in OpenAPIV31SpecValidator(DOCUMENT).iter_errors()] == []


@pytest.mark.parametrize("route", v1.TABLE, ids=lambda route: route.operation)
def test_every_route_is_in_it_with_its_fields_and_its_statuses(route: Route) -> None:
    its = operation(route)
    assert its["operationId"] == route.operation
    names = {one["name"] for one in its["parameters"]} - {"org", "playbook", "If-Match"}
    body = its.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {"properties": {}})
    fields = {its.alias or name for name, its in INPUTS[route.operation].model_fields.items()}
    assert names | body["properties"].keys() == fields - {"playbook"} | ({"playbook"} & body["properties"].keys())
    assert its["responses"].keys() == {str(route.status)} | {str(STATUS[reason]) for reason in reasons(route)}


def test_it_has_nothing_that_no_route_has() -> None:
    described = {one["operationId"] for path in DOCUMENT["paths"].values() for one in path.values()}
    assert described == {route.operation for route in v1.TABLE}


def test_every_refusal_is_described() -> None:
    elsewhere = {Reason.METHOD_NOT_ALLOWED}  # of no operation
    assert {reason for route in v1.TABLE for reason in reasons(route)} | elsewhere == set(Reason)


def test_every_schema_in_it_is_one() -> None:
    schemas = [
        *DOCUMENT["components"]["schemas"].values(),
        *(one["schema"] for route in v1.TABLE for one in operation(route)["parameters"]),
    ]
    for schema in schemas:
        jsonschema_rs.meta.validate({"$schema": "https://json-schema.org/draft/2020-12/schema"} | schema)


def test_a_shape_that_is_closed_refuses_another_member() -> None:
    told = Told(DOCUMENT)
    playbooks: dict[str, Any] = {"playbooks": []}
    assert told.faults("list_playbooks", 200, playbooks) == []
    assert told.faults("list_playbooks", 200, playbooks | {"more": 1}) != []
    assert told.faults("list_playbooks", 418, {}) == ["list_playbooks never replies 418"]


@pytest.mark.parametrize("path", PATHS)
async def test_it_is_served_without_a_key(served: Served, path: str) -> None:
    reply = await served.ask("GET", path)
    assert reply.status_code == 200
    head = await served.ask("HEAD", path)
    assert (head.status_code, head.content, head.headers["content-length"]) == (200, b"", str(len(reply.content)))
    refused = await served.ask("POST", path)
    assert (refused.status_code, refused.headers["allow"]) == (405, "GET, HEAD")


async def test_what_is_served_is_the_document(served: Served) -> None:
    assert (await served.ask("GET", PATHS[0])).json() == DOCUMENT


async def test_the_page_lets_nothing_in(served: Served) -> None:
    reply = await served.ask("GET", PATHS[1])
    policy = reply.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy
    assert reply.headers["x-content-type-options"] == "nosniff"
    assert not re.search(r"<script|<img|<link|<iframe|<form|\son\w+=|style=|src=|https?://[^<]*[\"'>]", reply.text)


async def test_the_page_shows_every_operation_and_every_shape(served: Served) -> None:
    text = (await served.ask("GET", PATHS[1])).text
    for route in v1.TABLE:
        assert f'<h3 id="{route.operation}">' in text
    for name in DOCUMENT["components"]["schemas"]:
        assert f'id="shape-{name}"' in text
    links = set(re.findall(r"href=#([\w-]+)", text))
    assert links <= set(re.findall(r'id="([\w-]+)"', text))


def test_whatever_is_in_the_document_is_text_on_the_page() -> None:
    from sayso.http.openapi.page import page

    hostile = DOCUMENT | {"info": DOCUMENT["info"] | {"description": "<script>alert(1)</script> `<b>`"}}
    assert "<script>" not in page(hostile)
    assert "&lt;script&gt;" in page(hostile)


def test_the_pages_are_made_once() -> None:
    assert openapi.pages(BASE) is openapi.pages(BASE)
