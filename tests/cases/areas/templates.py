"""Templates: what is refused when a document is saved, and what is rendered when it is run."""

from sayso.core.values import Json
from tests.cases.areas.documents import about
from tests.cases.case import Case
from tests.cases.compare import Differences, differs, exact, in_any_order, only_known
from tests.cases.door import Refusal
from tests.cases.instants import micros
from tests.cases.source import document
from tests.cases.stage import START, Stage, Stages

# Where a template of each place stands in a document, as an issue is about it.
_PLACES = {"to": "/to", "from": "/from", "message": "body"}
_NAME = "case-function"
_ANSWER = {"type": "object", "required": ["decision"], "properties": {"decision": {"type": "string"}}}


def lacks(case: Case) -> str | None:
    """The places of documents that name a tool are not there so far."""
    place = case.given["place"]
    return None if place in _PLACES else f"the place {place}"


async def check(case: Case, stages: Stages) -> Differences:
    """Save a question with the template at its place; if it is accepted, run it over the context."""
    given, expect = case.given, case.expect
    context = given.get("context", {})
    found = only_known(expect, ("save", "at", "run")) + only_known(
        expect.get("run", {}), ("value", "refused", "pointer")
    )
    async with stages.stage(start=micros(context["now"]) if "now" in context else START) as stage:
        reply = await stage.ask("create_definition", type="interaction", name=_NAME, source=_source(given))
        found += exact(expect["save"], "refused" if reply.refusal else "accepted", "/save")
        if reply.refusal:
            return found + _refused(given["place"], expect, reply.refusal, _source(given))
        return found + (await _run(stage, given["place"], context, expect["run"]) if "run" in expect else [])


def _source(given: dict[str, Json]) -> str:
    front: dict[str, Json] = {"to": "U-ada", "expires": "PT6H"}
    front |= {"input": {"schema": given["input_schema"]}, "output": {"schema": _ANSWER}}
    if given["place"] == "message":
        return document(front, given["template"])
    return document(front | {given["place"]: given["template"]}, "What shall be done?")


def _refused(place: str, expect: dict[str, Json], refusal: Refusal, source: str) -> Differences:
    found = exact("invalid_input", refusal.reason, "/reason")
    at_fault = sorted({about(issue, source) for issue in refusal.issues})
    return found + exact([_PLACES[place] + expect.get("at", "")], at_fault, "/at")


async def _run(stage: Stage, place: str, context: dict[str, Json], expected: dict[str, Json]) -> Differences:
    reply = await stage.ask("run_definition", type="interaction", name=_NAME, input=context["input"])
    if reply.refusal is None:
        if "value" not in expected:
            return [differs(expected, reply.outcome, "/run")]
        return exact(expected["value"], await _rendered(stage, place, reply.outcome["run_id"]), "/run/value")
    refused = "unworkable" if reply.refusal.kind == "unworkable" else reply.refusal.reason
    found = exact(expected.get("refused", "a value"), refused, "/run/refused")
    if "pointer" in expected:
        found += in_any_order([expected["pointer"]], [i["pointer"] for i in reply.refusal.issues], "/run/pointer")
    return found


async def _rendered(stage: Stage, place: str, run_id: str) -> Json:
    """What was rendered at the place: of the answerer the history tells, where it is not the party."""
    listed = await stage.all_pages("list_interactions", "interactions")
    if place != "from":
        return listed[0][place]
    history = await stage.all_pages("get_run_history", "events", run_id=run_id)
    asked = next(event["data"] for event in history if event["type"] == "interaction_requested")
    return asked.get("answerer", asked["to"])
