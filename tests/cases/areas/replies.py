"""Replies: what the words of a reply mean by a rule, written or made from the schema."""

from sayso.core.replies.reading import Answered, read_reply
from sayso.core.replies.rule import ReplyRule, check_rule, derived_rule
from sayso.core.schemas.schema import Schema, compile_schema
from sayso.core.values import Json
from tests.cases.case import Case
from tests.cases.compare import Differences, exact, in_any_order, only_known
from tests.cases.stage import Stages


def lacks(case: Case) -> str | None:
    """Nothing: no case of this area needs more than the core."""
    return None


async def check(case: Case, stages: Stages) -> Differences:
    """Ask the core itself: nothing of this needs an app."""
    given, expect = case.given, case.expect
    schema = compile_schema(given["output_schema"])
    assert isinstance(schema, Schema)
    outcome = read_reply(schema, _rule(given), given["text"])
    found = only_known(expect, ("answer", "refused", "issues"))
    if isinstance(outcome, Answered):
        return found + exact(expect, {"answer": outcome.answer})
    pointers = {issue.pointer for issue in outcome.issues}
    found += exact(expect.get("refused"), outcome.because, "/refused") + exact(expect.get("answer"), None, "/answer")
    return found + in_any_order(expect.get("issues", []), pointers, "/issues")


def _rule(given: dict[str, Json]) -> ReplyRule:
    """The rule of the case. One that cannot be saved is no fault of the runner, and fails the case."""
    reply, schema = given["reply"], given["output_schema"]
    rule = derived_rule(schema) if reply is None else check_rule(reply, schema)
    assert isinstance(rule, ReplyRule), rule
    return rule
