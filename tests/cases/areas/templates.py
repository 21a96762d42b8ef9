"""Templates: what is refused when a document is saved, and what is rendered when it is run."""

from sayso.core.document.function import CallFunction, RequestFunction
from sayso.core.document.parse import parse
from sayso.core.templates.arguments import Arguments
from sayso.core.templates.rendering import RenderRefused
from sayso.core.templates.template import Template
from sayso.core.values import Json
from tests.cases.areas.documents import about
from tests.cases.case import Case
from tests.cases.compare import Differences, differs, exact, in_any_order, only_known
from tests.cases.door import Refusal
from tests.cases.instants import micros
from tests.cases.source import document
from tests.cases.stage import START, Stage, Stages

# Where a template of each place stands in a document, as an issue is about it.
_PLACES = {
    "to": "/to",
    "from": "/from",
    "message": "body",
    "call.with": "/call/with",
    "deliver.with": "/deliver/with",
    "replies.conversation": "/replies/conversation",
    "replies.with": "/replies/with",
    "tell.with": "/replies/tell/with",
}
# Of the others, what is rendered is seen at the tool alone: they are rendered from the function that was saved.
_SHOWN = frozenset({"to", "from", "message"})
_NAME = "case-function"
_ANSWER = {
    "type": "object",
    "required": ["decision"],
    "properties": {"decision": {"type": "string", "enum": ["ship", "hold"]}},
}
_READ = {"list": "/messages", "order": "oldest_first", "each": {"id": "/id", "sender": "/from", "text": "/text"}}


def lacks(_: Case) -> str | None:
    """Every place is there."""
    return None


async def check(case: Case, stages: Stages) -> Differences:
    """Save the document with the template at its place; if it is accepted, render it over the context."""
    given, expect = case.given, case.expect
    context, source = given.get("context", {}), _source(given)
    found = only_known(expect, ("save", "at", "run")) + only_known(
        expect.get("run", {}), ("value", "refused", "pointer")
    )
    async with stages.stage(start=micros(context["now"]) if "now" in context else START) as stage:
        reply = await stage.ask("create_definition", type="interaction", name=_NAME, source=source)
        found += exact(expect["save"], "refused" if reply.refusal else "accepted", "/save")
        if reply.refusal:
            return found + _refused(given["place"], expect, reply.refusal, source)
        if "run" not in expect:
            return found
        if given["place"] in _SHOWN:
            return found + await _run(stage, given["place"], context, expect["run"])
        saved = await stage.outcome("get_definition", type="interaction", name=_NAME)
        return found + _render(saved["source"], given["place"], context, expect["run"])


def _source(given: dict[str, Json]) -> str:
    place, template = given["place"], given["template"]
    blocks = {"input": {"schema": given["input_schema"]}, "output": {"schema": _ANSWER}}
    if place == "call.with":
        return document(blocks | {"call": {"server": "desk", "tool": "look_up", "with": template}}, "")
    front: dict[str, Json] = {"to": "U-ada", "expires": "PT6H"} | blocks
    if place == "message":
        return document(front, template)
    front |= {place: template} if place in _SHOWN else _tools(place, template)
    return document(front, "What shall be done?")


def _tools(place: str, template: Json) -> dict[str, Json]:
    """The tool blocks of a question with a template at this place, and nothing more than it needs."""
    deliver: dict[str, Json] = {"server": "desk", "tool": "post", "with": {}}
    if place == "deliver.with":
        return {"deliver": deliver | {"with": template}}
    written = {"replies.conversation": "{{ sent.conversation }}", "replies.with": {}, "tell.with": {}} | {
        place: template
    }
    replies = {"conversation": written["replies.conversation"], "tool": "list", "with": written["replies.with"]}
    replies |= {"read": _READ, "tell": {"with": written["tell.with"]}}
    return {"deliver": deliver | {"sent": {"conversation": "/room", "id": "/id"}}, "replies": replies}


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
    return _as_expected(expected, refused, [issue["pointer"] for issue in reply.refusal.issues])


def _as_expected(expected: dict[str, Json], refused: str, pointers: list[str]) -> Differences:
    found = exact(expected.get("refused", "a value"), refused, "/run/refused")
    if "pointer" in expected:
        found += in_any_order([expected["pointer"]], pointers, "/run/pointer")
    return found


async def _rendered(stage: Stage, place: str, run_id: str) -> Json:
    """What was rendered at the place: of the answerer the history tells, where it is not the party."""
    listed = await stage.all_pages("list_interactions", "interactions")
    if place != "from":
        return listed[0][place]
    history = await stage.all_pages("get_run_history", "events", run_id=run_id)
    asked = next(event["data"] for event in history if event["type"] == "interaction_requested")
    return asked.get("answerer", asked["to"])


def _render(source: str, place: str, context: dict[str, Json], expected: dict[str, Json]) -> Differences:
    compiled = _compiled(source, place)
    try:
        value = compiled.render(context)
    except RenderRefused as refusal:
        return _as_expected(expected, refusal.reason, [refusal.pointer or ""])
    return exact(expected["value"], value, "/run/value") if "value" in expected else [differs(expected, value, "/run")]


def _compiled(source: str, place: str) -> Template | Arguments:
    """What stands at a place of the saved document."""
    function = parse(source, name=_NAME)
    if isinstance(function, CallFunction):
        return function.arguments
    assert isinstance(function, RequestFunction)
    assert function.delivery is not None
    if place == "deliver.with":
        return function.delivery.arguments
    replies = function.replies
    assert replies is not None
    assert replies.tell is not None
    at: dict[str, Template | Arguments] = {
        "replies.conversation": replies.conversation,
        "replies.with": replies.arguments,
        "tell.with": replies.tell.arguments,
    }
    return at[place]
