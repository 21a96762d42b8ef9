"""Properties of each route, looked for with Hypothesis: what it shrinks is the smallest request that breaks one."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from sayso.app import inputs
from sayso.core.values import canonical
from sayso.http import v1
from sayso.http.routes import Route
from tests.fuzz import asking, campaign, fields
from tests.fuzz.known import Known, Place
from tests.fuzz.listings import Listings
from tests.fuzz.requests import Request, Response
from tests.fuzz.stage import Stage, stage
from tests.openapi.made import made

BOUNDED = settings(database=None, deadline=None, max_examples=40, suppress_health_check=list(HealthCheck))
SEEDED = seed(campaign.seed())

# Any character, halves of surrogate pairs too: what a body may hold is for the door to say.
TEXTS = st.text(st.characters(), max_size=40)
# Texts that every reader of JSON reads alike.
SOUND_TEXTS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=40)


def json_of(leaves: st.SearchStrategy[Any], names: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    return st.recursive(
        leaves, lambda within: st.lists(within, max_size=4) | st.dictionaries(names, within, max_size=4), max_leaves=12
    )


PLAIN = st.none() | st.booleans() | st.integers()
VALUES = json_of(PLAIN | st.floats() | TEXTS, TEXTS)
SOUND = json_of(PLAIN | st.floats(allow_nan=False, allow_infinity=False) | SOUND_TEXTS, SOUND_TEXTS)


# The function that is retired, for the others ask on.
ENDS = "ask-no-more"
# The playbook that is retired, for the same reason.
OVER = Place("acme", "over-and-done")

# How far a document is whole before any text follows.
STARTS = ("", "---\n", "---\nto: a\nexpires: P2D\n", "---\nto: a\nexpires: P2D\n---\n")


class Staged:
    """A stage asked from plain functions: Hypothesis draws in them, which it cannot do from within a loop."""

    def __init__(self, its: Stage, runner: asyncio.Runner) -> None:
        self._its = its
        self._runner = runner

    def send(self, request: Request) -> Response:
        return self._runner.run(asking.send(self._its, request))

    def perform(self, operation: str, **given_fields: Any) -> dict[str, Any]:
        return self._runner.run(asking.perform(self._its, operation, **given_fields))

    def run(self, **given_fields: Any) -> str:
        return self._runner.run(asking.run(self._its, **given_fields))


@pytest.fixture(scope="module")
def staged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Staged]:
    """A function that takes any answer. When all is done, everything that is stored is listed to its end."""
    print(f"SAYSO_SEED={campaign.seed()}")
    with asyncio.Runner() as runner:
        staging = stage(tmp_path_factory.mktemp("properties"), "properties", open_requests=10_000)
        its = runner.run(staging.__aenter__())
        runner.run(asking.set_up(its))
        runner.run(asking.perform(its, "create_definition", type="interaction", name=ENDS, source=asking.ANYTHING))
        runner.run(asking.perform(its, "create_playbook", playbook=OVER.playbook, name="Over"))
        yield Staged(its, runner)
        counts = runner.run(Listings(its, Known()).read())
        runner.run(staging.__aexit__(None, None, None))
        assert counts["definitions"] > 0
        assert its.errors.said == []


def place_of(operation: str) -> Place:
    """Where an operation is tried: what ends a playbook does so in one that nobody needs."""
    return OVER if operation == "retire_playbook" else asking.SALES


def fields_of(route: Route) -> st.SearchStrategy[dict[str, Any]]:
    """Fields as the operation's schema has them, fields of anything, and mixtures of both."""
    properties, required = (
        fields.schema(route.operation)["properties"],
        fields.schema(route.operation).get("required", ()),
    )
    free = inputs.INPUTS[route.operation].free
    each = {name: VALUES if name in free else made(its) for name, its in properties.items()}
    fitting = st.fixed_dictionaries(
        {name: its for name, its in each.items() if name in required},
        optional={name: its for name, its in each.items() if name not in required},
    )
    anything = st.fixed_dictionaries({}, optional=dict.fromkeys(properties, VALUES))
    return st.one_of(fitting, anything, st.tuples(fitting, anything).map(lambda both: both[0] | both[1]))


@SEEDED
@BOUNDED
@given(drawn=st.data())
@pytest.mark.parametrize("route", v1.TABLE, ids=lambda route: route.operation)
def test_a_route_keeps_its_promises_for_any_fields(staged: Staged, route: Route, drawn: st.DataObject) -> None:
    given_fields = drawn.draw(fields_of(route))
    staged.send(asking.request(route.operation, place=place_of(route.operation), **given_fields))


@SEEDED
@BOUNDED
@given(body=st.binary(max_size=60) | VALUES.map(lambda value: json.dumps(value).encode()))
@pytest.mark.parametrize("operation", [route.operation for route in v1.TABLE if not route.is_query])
def test_a_command_keeps_its_promises_for_any_body(staged: Staged, operation: str, body: bytes) -> None:
    name = ENDS if operation == "retire_definition" else "ask-anything"
    path = {"type": "interaction", "name": name, "run_id": "0192f0c1-0000-7000-8000-00000000aaaa"}
    staged.send(asking.raw(operation, body, place=place_of(operation), **path))


@SEEDED
@BOUNDED
@given(answer=SOUND)
def test_any_answer_is_shown_as_it_was_given(staged: Staged, answer: Any) -> None:
    run_id = staged.run()
    fact = staged.perform("answer_interaction", run_id=run_id, answer=answer)
    run = staged.perform("get_run", run_id=run_id)
    event = staged.perform("get_event", event_id=fact["answer_id"])
    assert [canonical(fact["answer"]), canonical(run["output"]), canonical(event["data"]["answer"])] == [
        canonical(answer)
    ] * 3


@SEEDED
@BOUNDED
@given(given_input=SOUND)
def test_any_input_is_kept_as_it_was_given(staged: Staged, given_input: Any) -> None:
    run_id = staged.run(input=given_input)
    history = staged.perform("get_run_history", run_id=run_id)
    event = staged.perform("get_event", event_id=history["events"][0]["id"])
    assert canonical(event["data"]["input"]) == canonical(given_input)


@SEEDED
@BOUNDED
@given(words=SOUND_TEXTS)
def test_any_words_in_an_input_are_asked_as_they_are(staged: Staged, words: str) -> None:
    """A message is rendered once: what an input holds is never a template."""
    source = "---\nto: the treasurer\nexpires: P2D\noutput: {schema: {}}\n---\nA{{ input.words }}Z\n"
    name = "say-words"
    staged.send(asking.request("create_definition", type="interaction", name=name, source=source))
    fields_given = {"type": "interaction", "name": name, "input": {"words": words}}
    told = staged.perform("run_definition", **fields_given)
    listed = staged.perform("list_interactions", limit=1)
    assert listed["interactions"][0]["run_id"] == told["run_id"]
    assert listed["interactions"][0]["message"] == f"A{words}Z\n"


@SEEDED
@BOUNDED
@given(
    start=st.sampled_from(("", "---\n", "---\nto: a\nexpires: P2D\n", "---\nto: a\nexpires: P2D\n---\n")), text=TEXTS
)
def test_any_text_is_a_document_or_is_refused_by_its_lines(staged: Staged, start: str, text: str) -> None:
    name: dict[str, Any] = {"type": "interaction", "name": "say-anything"}
    staged.send(asking.request("create_definition", source=asking.ANYTHING, **name))
    response = staged.send(asking.request("update_definition", source=start + text, **name))
    assert response.status in {200, 400, 422}
    assert response.status != 200 or b'"source"' in response.body
