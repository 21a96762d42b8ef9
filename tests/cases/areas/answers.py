"""Answers: a request brought to where a case finds it, one answer, and what became of both."""

import json

from sayso.core.values import Json
from tests.cases.case import Case
from tests.cases.compare import Differences, exact, in_any_order, only_known
from tests.cases.door import Reply
from tests.cases.source import question
from tests.cases.stage import Stage, Stages

_KNOWN = ("outcome", "pointers", "issues_count", "request_stays_open", "response_must_not_contain")
_REACHED = frozenset({"in_inbox", "answered", "expired", "cancelled", "succeeded", "no_such_run"})
_NAME = "case-function"
_NO_RUN = "0199a3c4-7d2e-7c1a-9b3f-00000000dead"
_DAYS_US = 2 * 86_400 * 1_000_000


def lacks(case: Case) -> str | None:
    """States that only a delivery, a reply or a call can bring about are not reached so far."""
    state = case.given["state"]
    if state["standing"] not in _REACHED:
        return f"the standing {state['standing']}"
    return "an answer by reply" if "by_reply" in state else None


async def check(case: Case, stages: Stages) -> Differences:
    """Bring the request to its state, answer it, and compare."""
    found = only_known(case.expect, _KNOWN)
    async with stages.stage() as stage:
        run_id, recorded = await _bring(stage, case.given)
        before = await _traces(stage, run_id)
        reply = await _answer(stage, run_id, case.given["answer"], case.given.get("claimed_for"))
        after = await _traces(stage, run_id)
        found += exact(case.expect["outcome"], outcome(reply, recorded), "/outcome")
        found += _issues(case.expect, reply)
        if "request_stays_open" in case.expect:
            found += exact(case.expect["request_stays_open"], after["open"] and before == after, "/request_stays_open")
        if reply.refusal is None and recorded is None:
            found += await _recorded(stage, run_id, case.given, reply)
        elif before != after:
            found.append("what was recorded before has changed")
    hidden = case.expect.get("response_must_not_contain")
    return found + ([f"the response contains {hidden!r}"] if hidden is not None and hidden in reply.words else [])


def outcome(reply: Reply, recorded: Reply | None) -> str:
    """The word for what an answer came to: its refusal's reason, the fact recorded before, or a new one."""
    if reply.refusal is not None:
        return reply.refusal.reason
    return "same_fact" if recorded is not None and reply.outcome == recorded.outcome else "answered"


async def _bring(stage: Stage, given: Json) -> tuple[str, Reply | None]:
    """The run in the case's state, and the reply to the answer that is recorded there, if one is."""
    state, schema = given["state"], given["output_schema"]
    await stage.outcome("create_definition", type="interaction", name=_NAME, source=question(schema))
    run = await stage.outcome("run_definition", type="interaction", name=_NAME, input={})
    run_id, recorded = run["run_id"], None
    match state["standing"]:
        case "answered":
            recorded = await _answer(stage, run_id, state["recorded_answer"], state.get("claimed_for"))
            assert recorded.refusal is None, recorded.refusal
        case "expired":
            await stage.until(stage.clock.now() + _DAYS_US)
        case "cancelled":
            await stage.outcome("cancel_run", run_id=run_id)
        case "no_such_run":
            run_id = _NO_RUN
    if "function_schema_now" in state:
        source = question(state["function_schema_now"])
        await stage.outcome("update_definition", type="interaction", name=_NAME, source=source)
    return run_id, recorded


async def _answer(stage: Stage, run_id: str, answer: Json, claimed_for: str | None) -> Reply:
    claim = {} if claimed_for is None else {"claimed_for": claimed_for}
    return await stage.ask("answer_interaction", run_id=run_id, answer=answer, **claim)


async def _traces(stage: Stage, run_id: str) -> dict[str, Json]:
    """Whether the run's request is listed, and the run with its events as they stand."""
    listed = await stage.all_pages("list_interactions", "interactions")
    reply = await stage.ask("get_run", run_id=run_id)
    if reply.refusal is not None:
        return {"open": False, "run": reply.refusal.reason}
    events = await stage.all_pages("get_run_history", "events", run_id=run_id)
    return {"open": any(one["run_id"] == run_id for one in listed), "run": reply.outcome, "events": events}


def _issues(expect: dict[str, Json], reply: Reply) -> Differences:
    issues = [issue["pointer"] for issue in reply.refusal.issues] if reply.refusal else []
    found: Differences = []
    if "pointers" in expect:
        found += in_any_order(set(expect["pointers"]), set(issues), "/pointers")
    if "issues_count" in expect:
        found += exact(expect["issues_count"], len(issues), "/issues_count")
    return found


async def _recorded(stage: Stage, run_id: str, given: Json, reply: Reply) -> Differences:
    """An accepted answer is the run's output at once, whole, with its claim, and the request is not listed any more."""
    fact = json.loads(json.dumps(given["answer"]))
    traces = await _traces(stage, run_id)
    found = exact(fact, reply.outcome["answer"], "/reply/answer")
    found += exact(given.get("claimed_for"), reply.outcome.get("claimed_for"), "/reply/claimed_for")
    found += exact(
        {"status": "succeeded", "output": fact}, {n: traces["run"].get(n) for n in ("status", "output")}, "/run"
    )
    return found + exact(False, traces["open"], "/listed")
