"""Routes: one table, found in one way."""

import pytest

from sayso.app.inputs import INPUTS
from sayso.errors import Problem, Reason
from sayso.http import v1, wire
from sayso.http.routes import Route, Router
from sayso.http.wire import Refusal

ROUTER = Router(v1.TABLE)
PLAYBOOK = ["v1", "orgs", "acme", "playbooks", "sales"]


def test_every_operation_has_one_route() -> None:
    assert sorted(route.operation for route in v1.TABLE) == sorted(INPUTS)


@pytest.mark.parametrize("route", v1.TABLE, ids=lambda route: route.operation)
def test_every_route_is_found_with_what_its_path_says(route: Route) -> None:
    parts = [f"my {part[1:-1]}" if part.startswith("{") else part for part in route.parts]
    found = ROUTER.find(route.method, parts)
    assert found.route is route
    assert found.path_fields == {name: f"my {name}" for name in route.names}


@pytest.mark.parametrize("route", v1.TABLE, ids=lambda route: route.operation)
def test_what_a_path_carries_is_a_field_of_its_operation(route: Route) -> None:
    assert set(route.carried) <= INPUTS[route.operation].model_fields.keys()


def test_only_creates_answer_201() -> None:
    assert {route.operation for route in v1.TABLE if route.status == 201} == {
        "create_playbook",
        "create_definition",
        "create_answer_token",
    }


@pytest.mark.parametrize(
    "parts",
    [
        [""],
        ["v1"],
        ["v2", "orgs", "acme", "playbooks"],
        ["V1", "orgs", "acme", "playbooks"],
        [*PLAYBOOK, ""],
        ["v1", "orgs", "", "playbooks"],
        [*PLAYBOOK, "runs", "1", "history", "2"],
        [*PLAYBOOK, "definitions"],
        [*PLAYBOOK, "{playbook}"],
    ],
)
def test_another_path_is_not_found(parts: list[str]) -> None:
    with pytest.raises(Problem) as refused:
        ROUTER.find("GET", parts)
    assert refused.value.reason is Reason.NOT_FOUND


@pytest.mark.parametrize(
    ("method", "parts", "allow"),
    [
        ("DELETE", PLAYBOOK, b"GET, HEAD, PUT"),
        ("PUT", [*PLAYBOOK, "runs"], b"GET, HEAD"),
        ("GET", [*PLAYBOOK, "runs", "1", "answer"], b"POST"),
        ("HEAD", [*PLAYBOOK, "runs", "1", "answer"], b"POST"),
        ("OPTIONS", PLAYBOOK[:4], b"GET, HEAD, POST"),
        ("get", PLAYBOOK[:4], b"GET, HEAD, POST"),
    ],
)
def test_another_method_is_not_allowed_and_hears_which_are(method: str, parts: list[str], allow: bytes) -> None:
    with pytest.raises(Refusal) as refused:
        ROUTER.find(method, parts)
    assert refused.value.problem.reason is Reason.METHOD_NOT_ALLOWED
    assert refused.value.headers == ((b"allow", allow),)


def test_head_is_get() -> None:
    assert ROUTER.find("HEAD", PLAYBOOK).route.operation == "get_playbook"


def test_a_table_that_reads_in_two_ways_is_refused() -> None:
    with pytest.raises(ValueError, match="two ways"):
        Router([Route("GET", "/runs/{run_id}", "get_run"), Route("GET", "/runs/latest", "list_runs")])
    with pytest.raises(ValueError, match="twice"):
        Router([Route("GET", "/runs/{run_id}", "get_run"), Route("GET", "/runs/{other}", "get_run")])


def test_the_fields_that_are_no_texts_are_read_by_their_type() -> None:
    by_operation = {route.operation: route.readers for route in v1.TABLE}
    assert by_operation["list_playbooks"] == {"include_retired": wire.truth}
    assert by_operation["list_runs"] == {"limit": wire.whole}
    assert by_operation["get_definition"] == {"version": wire.whole}
