"""Durations: how long a written one is, told by a request that waits so long, or that it is refused when saved."""

from sayso.core import durations
from sayso.core.values import Json
from tests.cases.areas.documents import about
from tests.cases.case import Case
from tests.cases.compare import Differences, exact, only_known
from tests.cases.instants import micros
from tests.cases.source import document
from tests.cases.stage import Stage, Stages

_LEFT_OUT = "(left out)"
_NAME = "case-function"


def lacks(case: Case) -> str | None:
    """A field that the project does not read."""
    field = case.given["field"]
    return None if field in {"expires", "wait"} else f"the field {field}"


async def check(case: Case, stages: Stages) -> Differences:
    """Hold the length in milliseconds, or that the duration is refused, to what is expected."""
    observed = await (_expires if case.given["field"] == "expires" else _wait)(case.given["written"], stages)
    return only_known(case.expect, ("ms", "refused")) + exact(case.expect, observed)


async def _wait(written: Json, stages: Stages) -> dict[str, Json]:
    """What the core reads, since no document that reads replies can be saved so far."""
    try:
        return {"ms": durations.wait_ms() if written == _LEFT_OUT else durations.wait_ms(written)}
    except durations.NotADuration:
        return {"refused": True}


async def _expires(written: Json, stages: Stages) -> dict[str, Json]:
    """Save a document with the duration; if it is accepted, put its request and see when that expires."""
    front: dict[str, Json] = {"to": "U-ada"} | ({} if written == _LEFT_OUT else {"expires": written})
    source = document(front | {"output": {"schema": {}}}, "What shall be done?")
    async with stages.stage() as stage:
        reply = await stage.ask("create_definition", type="interaction", name=_NAME, source=source)
        if reply.refusal is None:
            return {"ms": await _waits_ms(stage)}
        return {"refused": {about(issue, source) for issue in reply.refusal.issues} == {"/expires"}}


async def _waits_ms(stage: Stage) -> int:
    await stage.outcome("run_definition", type="interaction", name=_NAME, input={})
    (request,) = await stage.all_pages("list_interactions", "interactions")
    return (micros(request["expires_at"]) - micros(request["requested_at"])) // 1000
