"""One request at a time, judged like all others: for properties, for named kinds of faults, for the main job."""

import json
from random import Random
from typing import Any

from sayso.http import v1
from tests.fuzz import door, judge
from tests.fuzz.draft import Draft
from tests.fuzz.known import Place
from tests.fuzz.requests import Request, Response
from tests.fuzz.stage import Stage

ROUTES = {route.operation: route for route in v1.TABLE}
SALES = Place("acme", "sales")
# A function that takes any answer.
ANYTHING = "---\nto: the treasurer\nexpires: P2D\noutput: {schema: {}}\n---\nWhat do you say?\n"


def request(operation: str, *, place: Place = SALES, **fields: Any) -> Request:
    """The request of an operation with these fields, whatever they are."""
    chance = Random(operation)
    return Draft(route=ROUTES[operation], place=place, fields=fields).wire(chance).request(chance)


def raw(operation: str, body: bytes, **path: Any) -> Request:
    """The command whose body is these bytes."""
    made = request(operation, **path)
    headers = ((b"host", b"localhost"), (b"content-type", b"application/json"))
    return Request(
        operation=operation, place=SALES, method=made.method, path=made.path, headers=headers, chunks=(body,)
    )


async def send(stage: Stage, asked: Request) -> Response:
    """The response, which keeps all promises that every response keeps."""
    response = await door.ask(stage.door, stage.signed(asked))
    assert response is not None
    faults = [*judge.faults(asked, response, stage.secrets)]
    assert faults == [], f"{asked.shown()}\n{response.body[:2_000]!r}\nlogged: {stage.errors.said}"
    return response


async def perform(stage: Stage, operation: str, *, place: Place = SALES, **fields: Any) -> dict[str, Any]:
    """What an operation that must succeed answers."""
    asked = request(operation, place=place, **fields)
    response = await send(stage, asked)
    assert response.status == ROUTES[operation].status, f"{asked.shown()}\n{response.body[:2_000]!r}"
    told: dict[str, Any] = json.loads(response.body)
    return told


async def set_up(stage: Stage, place: Place = SALES, source: str = ANYTHING) -> None:
    """A playbook with the function ``ask-anything``."""
    await perform(stage, "create_playbook", place=place, playbook=place.playbook, name="Sales")
    await perform(stage, "create_definition", place=place, type="interaction", name="ask-anything", source=source)


async def run(stage: Stage, place: Place = SALES, **fields: Any) -> str:
    """The id of a new run of ``ask-anything``."""
    told = await perform(stage, "run_definition", place=place, type="interaction", name="ask-anything", **fields)
    assert told["status"] == "started"
    return str(told["run_id"])


async def main_job(stage: Stage, place: Place) -> None:
    """From a new playbook to an answer: it still works, whatever was asked before."""
    await set_up(stage, place)
    run_id = await run(stage, place)
    await perform(stage, "answer_interaction", place=place, run_id=run_id, answer={"verdict": "approve"})
    told = await perform(stage, "get_run", place=place, run_id=run_id)
    assert (told["status"], told["output"]) == ("succeeded", {"verdict": "approve"})
