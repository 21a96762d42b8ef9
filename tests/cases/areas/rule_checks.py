"""Rule checks: the reply rule of a document as it is normalised, or what is wrong with it."""

from sayso.core.document.parse import RequestFunction, parse
from sayso.core.values import Json
from tests.cases.areas.documents import about
from tests.cases.case import Case
from tests.cases.compare import Differences, exact, in_any_order, only_known
from tests.cases.source import document
from tests.cases.stage import Stages

_NAME = "case-function"


def lacks(case: Case) -> str | None:
    """Nothing: a rule is judged where a document is saved, whether or not replies are read."""
    return None


async def check(case: Case, stages: Stages) -> Differences:
    """Save a question with this schema and this rule, and compare the rule that the saved document has."""
    source, expect = _source(case.given), case.expect
    found = only_known(expect, ("accepted", "rule", "problems"))
    async with stages.stage() as stage:
        reply = await stage.ask("create_definition", type="interaction", name=_NAME, source=source)
        found += exact(expect["accepted"], reply.refusal is None, "/accepted")
        if reply.refusal is not None:
            at_fault = {about(issue, source) for issue in reply.refusal.issues}
            return found + in_any_order({one["about"] for one in expect.get("problems", [])}, at_fault, "/problems")
        stored = await stage.outcome("get_definition", type="interaction", name=_NAME)
    function = parse(stored["source"], name=_NAME)
    assert isinstance(function, RequestFunction), "it asks a person"
    observed = None if function.reply_rule is None else function.reply_rule.as_written()
    return found + exact(_with_words(expect.get("rule")), _with_words(observed), "/rule")


def _source(given: dict[str, Json]) -> str:
    deliver = {"server": "desk", "tool": "send_note", "with": {"body": "{{ message }}"}}
    front: dict[str, Json] = {"to": "U-ada", "expires": "P1D", "deliver": deliver}
    if given["output_schema"] is not None:
        front["output"] = {"schema": given["output_schema"]}
    if given["reply"] is not None:
        front["reply"] = given["reply"]
    return document(front, "What shall be done?")


def _with_words(rule: Json) -> Json:
    """The rule without the values that have no words of their own: it means the same."""
    if not isinstance(rule, dict):
        return rule
    return {name: _part(part) if isinstance(part, dict) else part for name, part in rule.items()}


def _part(part: dict[str, Json]) -> dict[str, Json]:
    words = part.get("words")
    return part | {"words": {value: listed for value, listed in words.items() if listed}} if words else part
