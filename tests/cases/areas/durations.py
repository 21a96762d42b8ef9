"""Durations: how long a written one is, told by a request that waits so long, or that it is refused when saved."""

from sayso.core.instants import micros
from sayso.core.values import Json
from tests.cases.areas.documents import about
from tests.cases.case import Case
from tests.cases.compare import Differences, exact, only_known
from tests.cases.source import document
from tests.cases.stage import Stage, Stages

_LEFT_OUT = "(left out)"
_NAME = "case-function"


def lacks(case: Case) -> str | None:
    """Replies are not read so far, so that a document cannot say how long to wait between two readings."""
    field = case.given["field"]
    return None if field == "expires" else f"the field {field}"


async def check(case: Case, stages: Stages) -> Differences:
    """Save a document with the duration; if it is accepted, put its request and see when that expires."""
    written = case.given["written"]
    front: dict[str, Json] = {"to": "U-ada"} | ({} if written == _LEFT_OUT else {"expires": written})
    source = document(front | {"output": {"schema": {}}}, "What shall be done?")
    async with stages.stage() as stage:
        reply = await stage.ask("create_definition", type="interaction", name=_NAME, source=source)
        if reply.refusal is None:
            observed: dict[str, Json] = {"ms": await _waits_ms(stage)}
        else:
            observed = {"refused": {about(issue, source) for issue in reply.refusal.issues} == {"/expires"}}
    found = only_known(case.expect, ("ms", "refused"))
    return found + exact(case.expect, observed)


async def _waits_ms(stage: Stage) -> int:
    await stage.outcome("run_definition", type="interaction", name=_NAME, input={})
    (request,) = await stage.all_pages("list_interactions", "interactions")
    return (micros(request["expires_at"]) - micros(request["requested_at"])) // 1000
