"""HTTP v1 through the real app: what each operation answers, and where each refusal points."""

import json
from collections.abc import AsyncIterator
from typing import Any

import httpx2
import pytest

from tests.http.scopes import receiving, scope
from tests.http.served import NOBODY, RUN, Served, document

pytestmark = pytest.mark.anyio
PLAYBOOK = "/v1/orgs/acme/playbooks/sales"
FUNCTION = {"type": "interaction", "name": "approve-brief"}


@pytest.fixture
async def key(served: Served) -> str:
    return await served.key(key_id="acme-key")


@pytest.fixture
async def waiting(served: Served, key: str) -> AsyncIterator[Served]:
    """A served playbook with one run that waits."""
    await served.set_up("acme", key)
    yield served


def refusal(reply: httpx2.Response) -> tuple[int, str, list[str]]:
    shown = reply.json()
    assert reply.headers["content-type"] == "application/problem+json"
    assert shown["type"] == f"https://on.auto/problems/{shown['reason']}"
    return reply.status_code, shown["reason"], [error["pointer"] for error in shown.get("errors", [])]


async def test_a_playbook_is_created_once_read_and_described_anew(served: Served, key: str) -> None:
    made = await served.perform("create_playbook", key, playbook="sales", name=" Sales ")
    assert made.status_code == 201
    assert made.json()["id"] == "sales"
    assert made.json()["name"] == "Sales"
    assert refusal(await served.perform("create_playbook", key, playbook="sales", name="Again"))[:2] == (
        409,
        "conflict",
    )
    changed = await served.perform("update_playbook", key, name="Growth", description="All of it")
    assert (await served.perform("get_playbook", key)).json() == changed.json()
    assert (await served.perform("list_playbooks", key)).json() == {"playbooks": [changed.json()]}


async def test_a_definition_is_created_read_and_changed(served: Served, key: str) -> None:
    path = {"playbook": "default", **FUNCTION}
    made = await served.perform("create_definition", key, **path, source=document())
    assert made.status_code == 201, made.text
    assert made.json()["source"] == document()
    changed = await served.perform("update_definition", key, **path, source=document("zeta"))
    assert (changed.status_code, changed.json()["version"]) == (200, 2)
    read = (await served.perform("get_definition", key, **path)).json()
    assert read["version"] == 2
    listed = await served.perform("list_definitions", key, playbook="default", type="interaction")
    assert [(row["name"], "source" in row) for row in listed.json()["definitions"]] == [("approve-brief", False)]


async def test_versions_are_read_listed_and_compared_by_their_numbers(waiting: Served, key: str) -> None:
    await waiting.perform("update_definition", key, **FUNCTION, source=document("zeta"))
    first = await waiting.perform("get_definition", key, **FUNCTION, version="1")
    assert (first.json()["version"], first.json()["source"]) == (1, document())
    listed = (await waiting.perform("list_definition_versions", key, **FUNCTION, limit="1")).json()
    assert ([one["version"] for one in listed["versions"]], listed["has_more"]) == ([2], True)
    told = (await waiting.perform("compare_definition", key, **FUNCTION, from_version="1", to_version="2")).json()
    assert told["changed"] == ["description changed", "message changed"]
    assert "+May the brief of zeta go out" in told["diff"]


async def test_a_retired_definition_is_told_so_to_whoever_runs_it(waiting: Served, key: str) -> None:
    retired = await waiting.perform("retire_definition", key, **FUNCTION)
    assert (retired.status_code, retired.json()["status"]) == (200, "retired")
    refused = await waiting.perform("run_definition", key, **FUNCTION, input={"owner": "acme"})
    assert (*refusal(refused)[:2], refused.json()["kind"]) == (409, "conflict", "retired")


async def test_a_tool_that_is_not_offered_is_503_without_a_time_to_come_back(waiting: Served, key: str) -> None:
    tool = "deliver: { server: chat, tool: post_message, with: { text: '{{ message }}' } }\n"
    source = document().replace("expires: P2D\n", f"expires: P2D\n{tool}")
    await waiting.perform("update_definition", key, **FUNCTION, source=source)
    refused = await waiting.perform("run_definition", key, **FUNCTION, input={"owner": "acme"})
    assert refusal(refused)[:2] == (503, "unavailable")
    assert (refused.json()["kind"], "retry-after" in refused.headers) == ("tool_not_offered", False)


async def test_a_refused_document_names_lines_and_places(served: Served, key: str) -> None:
    source = document().replace("expires: P2D", "expires: P400D")
    reply = await served.perform("create_definition", key, playbook="default", **FUNCTION, source=source)
    assert refusal(reply) == (422, "invalid_input", ["/source"])
    (error,) = reply.json()["errors"]
    assert (error["line"], error["at"]) == (4, "/expires")


async def test_a_run_waits_is_listed_answered_and_ends_with_the_answer(waiting: Served, key: str) -> None:
    run = (await waiting.perform("get_run", key, run_id=RUN.upper())).json()
    assert (run["run_id"], run["status"], run["started_by"]) == (RUN, "started", "acme-key")
    (request,) = (await waiting.perform("list_interactions", key, to="acme")).json()["interactions"]
    assert "May the brief of acme go out" in request["message"]
    fact = await waiting.perform("answer_interaction", key, run_id=RUN, answer={"verdict": "approve"}, claimed_for="us")
    assert (fact.status_code, fact.json()["answered_by"]) == (200, "acme-key")
    ended = (await waiting.perform("get_run", key, run_id=RUN)).json()
    assert (ended["status"], ended["output"]) == ("succeeded", {"verdict": "approve"})
    event = await waiting.perform("get_event", key, event_id=fact.json()["answer_id"].upper())
    assert event.json()["type"] == "request_answered"
    assert (await waiting.perform("list_interactions", key)).json()["interactions"] == []


async def test_the_same_answer_again_is_the_fact_and_another_a_conflict(waiting: Served, key: str) -> None:
    first = await waiting.perform("answer_interaction", key, run_id=RUN, answer={"verdict": "approve"})
    again = await waiting.perform("answer_interaction", key, run_id=RUN, answer={"verdict": "approve"})
    assert again.json() == first.json()
    other = await waiting.perform("answer_interaction", key, run_id=RUN, answer={"verdict": "revise"})
    assert refusal(other)[:2] == (409, "conflict")


async def test_an_answer_is_refused_where_it_does_not_match(waiting: Served, key: str) -> None:
    for answer, pointers in (({"verdict": "maybe"}, ["/answer/verdict"]), ([], ["/answer"])):
        reply = await waiting.perform("answer_interaction", key, run_id=RUN, answer=answer)
        assert refusal(reply) == (422, "invalid_input", pointers)
    assert refusal(await waiting.perform("answer_interaction", key, run_id=RUN)) == (422, "invalid_input", ["/answer"])


async def test_a_cancelled_run_stays_so_under_its_id(waiting: Served, key: str) -> None:
    ended = await waiting.perform("cancel_run", key, run_id=RUN, reason="No longer needed")
    assert (ended.status_code, ended.json()["status"]) == (200, "rejected")
    again = await waiting.perform("run_definition", key, **FUNCTION, input={"owner": "acme"}, run_id=RUN)
    assert refusal(again)[:2] == (409, "cancelled")
    assert again.json()["kind"] == "requested"
    assert refusal(await waiting.perform("cancel_run", key, run_id=RUN))[:2] == (409, "conflict")


async def test_a_run_with_a_bad_input_is_a_problem_and_its_record_a_run(waiting: Served, key: str) -> None:
    reply = await waiting.perform("run_definition", key, **FUNCTION, input={}, run_id=NOBODY)
    assert refusal(reply) == (422, "invalid_input", ["/input/owner"])
    run = await waiting.perform("get_run", key, run_id=NOBODY)
    assert (run.status_code, run.json()["status"]) == (200, "rejected")
    assert run.json()["rejection"]["issues"] == reply.json()["errors"]


async def test_history_and_runs_are_paged(waiting: Served, key: str) -> None:
    first = (await waiting.perform("get_run_history", key, run_id=RUN, limit=1)).json()
    assert (len(first["events"]), first["has_more"]) == (1, True)
    rest = await waiting.perform("get_run_history", key, run_id=RUN, limit=100, cursor=first["next_cursor"])
    assert [event["type"] for event in rest.json()["events"]] == ["interaction_requested"]
    runs = (await waiting.perform("list_runs", key, status="started", **FUNCTION)).json()
    assert [run["run_id"] for run in runs["runs"]] == [RUN]
    assert (runs["has_more"], runs["next_cursor"]) == (False, None)


async def test_a_playbook_is_retired_read_and_takes_nothing(waiting: Served, key: str) -> None:
    retired = await waiting.perform("retire_playbook", key)
    assert (retired.status_code, retired.json()["status"]) == (200, "retired")
    refused = await waiting.perform("answer_interaction", key, run_id=RUN, answer={"verdict": "approve"})
    assert (*refusal(refused)[:2], refused.json()["kind"]) == (409, "conflict", "retired")
    assert (await waiting.perform("get_interaction", key, run_id=RUN)).json()["status"] == "open"
    assert (await waiting.perform("list_playbooks", key)).json() == {"playbooks": []}


async def test_a_feed_is_read_from_a_time_on_and_published_into(waiting: Served, key: str) -> None:
    event = {"type": "brief.sent", "id": "1", "data": [1]}
    told = await waiting.perform("publish_event", key, event=event)
    assert (told.status_code, told.json()["event"]["source"]) == (200, "/callers/acme-key")
    since = told.json()["recorded_at"].replace("Z", "+00:00")
    listed = (await waiting.perform("list_playbook_events", key, since=since, type="event_published")).json()
    assert [one["id"] for one in listed["events"]] == [told.json()["event_id"]]
    assert (await waiting.perform("publish_event", key, event=event)).json() == told.json()


async def test_an_org_is_listed_over_its_playbooks(waiting: Served, key: str) -> None:
    (request,) = (await waiting.perform("list_org_interactions", key)).json()["interactions"]
    (run,) = (await waiting.perform("list_org_runs", key)).json()["runs"]
    assert {(one["playbook"], one["run_id"]) for one in (request, run)} == {("sales", RUN)}
    limited = await waiting.key(playbooks=["growth"])
    assert (await waiting.perform("list_org_runs", limited)).json()["runs"] == []


async def test_a_runs_input_is_read_back(waiting: Served, key: str) -> None:
    told = (await waiting.perform("get_run_input", key, run_id=RUN)).json()
    assert told == {"run_id": RUN, "input": {"owner": "acme"}, "input_bytes": 16}


async def test_head_is_get_without_its_body(waiting: Served, key: str) -> None:
    head = await waiting.ask("HEAD", f"{PLAYBOOK}/runs/{RUN}", key=key)
    assert (head.status_code, head.content, head.headers["content-type"]) == (200, b"", "application/json")
    assert (await waiting.ask("HEAD", f"{PLAYBOOK}/runs/{NOBODY}", key=key)).status_code == 404


@pytest.mark.parametrize(
    ("operation", "fields", "pointers"),
    [
        ("create_playbook", {"playbook": "Sales", "name": " ", "color": 1}, ["/color", "/playbook", "/name"]),
        ("update_playbook", {}, ["/name", "/description"]),
        ("list_playbooks", {"include_retired": "yes"}, ["/include_retired"]),
        ("list_definitions", {"type": "workflow"}, ["/type"]),
        ("list_definitions", {"type": "x"}, ["/type"]),
        ("get_definition", {"type": "interaction", "name": "No"}, ["/name"]),
        ("get_definition", FUNCTION | {"version": "0"}, ["/version"]),
        ("get_definition", FUNCTION | {"version": "newest"}, ["/version"]),
        ("compare_definition", FUNCTION | {"from_version": 2**53, "to_version": -1}, ["/from_version", "/to_version"]),
        ("list_definition_versions", FUNCTION | {"limit": 101, "version": 1}, ["/version", "/limit"]),
        ("retire_definition", FUNCTION | {"version": 1}, ["/version"]),
        ("run_definition", FUNCTION | {"run_id": "7"}, ["/run_id"]),
        ("list_runs", {"limit": 0}, ["/limit"]),
        ("list_runs", {"limit": 101}, ["/limit"]),
        ("list_runs", {"limit": "ten", "status": "over"}, ["/status", "/limit"]),
        ("list_runs", {"cursor": "none"}, ["/cursor"]),
        ("list_interactions", {"to": "\0"}, ["/to"]),
        ("list_interactions", {"cursor": "\0"}, ["/cursor"]),
        ("get_run", {"run_id": "a\0b"}, ["/run_id"]),
        ("get_run_history", {"run_id": RUN, "order": "up"}, ["/order"]),
        ("cancel_run", {"run_id": RUN, "reason": "  "}, ["/reason"]),
        ("cancel_run", {"run_id": RUN, "reason": "x" * 1_025}, ["/reason"]),
        (
            "answer_interaction",
            {"run_id": RUN, "answer": {"verdict": "approve"}, "claimed_for": "é" * 129},
            ["/claimed_for"],
        ),
        ("get_event", {"event_id": "none"}, ["/event_id"]),
        ("retire_playbook", {"playbook": "No"}, ["/playbook"]),
        ("get_run_input", {"run_id": "7"}, ["/run_id"]),
        ("get_interaction", {"run_id": "7"}, ["/run_id"]),
        ("list_playbook_events", {"type": "x", "since": "today", "order": "up"}, ["/type", "/since", "/order"]),
        ("list_playbook_events", {"since": "2026-02-30T00:00:00+02:00"}, ["/since"]),
        ("publish_event", {"event": {"type": 1, "more": 1}}, ["/event/type", "/event/more"]),
        ("publish_event", {}, ["/event"]),
        ("send_run_event", {"run_id": RUN, "event": {"type": "x", "time": "now"}}, ["/event/time"]),
        ("list_org_interactions", {"function": "approve-brief", "limit": 0}, ["/function", "/limit"]),
        ("list_org_runs", {"status": "open", "cursor": "AAAA"}, ["/status"]),
    ],
)
async def test_a_bad_field_is_422_where_it_stands(
    waiting: Served, key: str, operation: str, fields: dict[str, Any], pointers: list[str]
) -> None:
    status, reason, found = refusal(await waiting.perform(operation, key, **fields))
    assert (status, reason) == (422, "invalid_input")
    assert sorted(found) == sorted(pointers)


async def test_the_21st_unknown_field_counts_the_rest(served: Served, key: str) -> None:
    fields: dict[str, Any] = {f"field_{number}": 1 for number in range(1_000)}
    reply = await served.perform("create_playbook", key, **fields)
    errors = reply.json()["errors"]
    assert (reply.status_code, len(errors), errors[0]["pointer"]) == (422, 21, "/field_0")
    assert errors[20] == {"detail": "982 more faults are not shown.", "pointer": ""}


@pytest.mark.parametrize(
    ("operation", "fields"),
    [
        ("get_playbook", {"playbook": "nowhere"}),
        ("list_runs", {"playbook": "nowhere"}),
        ("list_runs", {"playbook": "a\0b/c"}),
        ("run_definition", FUNCTION | {"playbook": "nowhere"}),
        ("get_definition", FUNCTION | {"name": "never-saved"}),
        ("run_definition", FUNCTION | {"name": "never-saved"}),
        ("retire_definition", FUNCTION | {"name": "never-saved"}),
        ("list_definition_versions", FUNCTION | {"name": "never-saved"}),
        ("compare_definition", FUNCTION | {"name": "never-saved"}),
        ("get_definition", FUNCTION | {"version": 2}),
        ("compare_definition", FUNCTION | {"from_version": 2}),
        ("get_run", {"run_id": NOBODY}),
        ("get_run_history", {"run_id": NOBODY}),
        ("cancel_run", {"run_id": NOBODY}),
        ("answer_interaction", {"run_id": NOBODY, "answer": 1}),
        ("get_event", {"event_id": NOBODY}),
        ("retire_playbook", {"playbook": "nowhere"}),
        ("get_run_input", {"run_id": NOBODY}),
        ("get_interaction", {"run_id": NOBODY}),
        ("list_playbook_events", {"playbook": "nowhere"}),
        ("publish_event", {"playbook": "nowhere", "event": {"type": "x"}}),
        ("send_run_event", {"run_id": RUN, "event": {"type": "x"}}),
    ],
)
async def test_what_never_was_is_404(waiting: Served, key: str, operation: str, fields: dict[str, Any]) -> None:
    assert refusal(await waiting.perform(operation, key, **fields)) == (404, "not_found", [])


@pytest.mark.parametrize("org", ["a b", "a%00b", "x" * 65, "%C3%A9"])
async def test_an_org_that_cannot_be_is_422(local: Served, org: str) -> None:
    assert refusal(await local.ask("GET", f"/v1/orgs/{org}/playbooks")) == (422, "invalid_input", ["/org"])


@pytest.mark.parametrize(
    ("body", "pointers"),
    [
        (b'{"answer": NaN}', ["/answer"]),
        (b'{"answer": {"verdict": "approve", "verdict": "revise"}}', ["/answer/verdict"]),
        (b'{"answer": {"verdict": "\\ud800"}}', ["/answer/verdict"]),
        (b'{"answer": 1e400, "claimed_for": "\\u0000"}', ["/answer", "/claimed_for"]),
        (b'{"answer": ' + b"[" * 513 + b"]" * 513 + b"}", ["/answer"]),
        (b'{"answer": ' + b"[" * 400_000 + b"]" * 400_000 + b"}", ["/answer"]),
    ],
)
async def test_json_without_one_meaning_is_422_where_it_stands(
    waiting: Served, key: str, body: bytes, pointers: list[str]
) -> None:
    sent = {"content-type": "application/json"}
    reply = await waiting.ask("POST", f"{PLAYBOOK}/runs/{RUN}/answer", key=key, headers=sent, content=body)
    assert refusal(reply) == (422, "invalid_input", pointers)


async def test_a_field_given_twice_is_400(waiting: Served, key: str) -> None:
    path = f"{PLAYBOOK}/runs/{RUN}/answer"
    for field in ("run_id", "playbook", "org"):
        reply = await waiting.ask("POST", path, key=key, json={"answer": 1, field: "x"})
        assert refusal(reply)[:2] == (400, "bad_request")
    assert refusal(await waiting.ask("GET", f"{PLAYBOOK}/runs?limit=1&limit=1", key=key))[:2] == (400, "bad_request")
    assert refusal(await waiting.ask("GET", f"{PLAYBOOK}/runs?playbook=sales", key=key))[:2] == (400, "bad_request")


@pytest.mark.parametrize("path", [b"/v1/orgs/acme/playbooks/%FF", b"/v1/orgs/\xff/playbooks", b"/%ED%A0%80"])
async def test_a_path_that_is_no_utf_8_is_400(served: Served, key: str, path: bytes) -> None:
    said: list[Any] = []

    async def send(message: Any) -> None:
        said.append(message)

    request = scope("GET", path=path, headers=[(b"authorization", f"Bearer {key}".encode())])
    await served.door(request, receiving(), send)
    assert (said[0]["status"], json.loads(said[1]["body"])["reason"]) == (400, "bad_request")


async def test_a_long_path_is_only_not_found(served: Served, key: str) -> None:
    assert (await served.ask("GET", "/v1/orgs/acme/playbooks/" + "x" * 50_000, key=key)).status_code in {404, 422}
