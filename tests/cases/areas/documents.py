"""Documents: what is accepted when it is saved, and each fault of what is refused, with its line and its pointer."""

from sayso.core.document.parse import CallFunction, parse
from sayso.core.values import Json
from tests.cases.case import Case
from tests.cases.compare import Differences, differs, exact, only_known
from tests.cases.door import Refusal
from tests.cases.source import closing_line
from tests.cases.stage import Stages

_KNOWN = ("accepted", "shape", "notification", "reads_replies", "problems", "exact", "problems_count")
_SHOWN = ("shape", "notification", "reads_replies")
_NAME = "case-function"


def lacks(case: Case) -> str | None:
    """Nothing: every document can be saved, and is judged whole."""
    return None


async def check(case: Case, stages: Stages) -> Differences:
    """Save the document as a new definition, and hold the outcome or the refusal to what is expected."""
    source = case.given["source"]
    async with stages.stage() as stage:
        reply = await stage.ask("create_definition", type="interaction", name=_NAME, source=source)
        found = only_known(case.expect, _KNOWN) + exact(case.expect["accepted"], reply.refusal is None, "/accepted")
        if found:
            return found + [str(issue) for issue in (reply.refusal.issues if reply.refusal else ())]
        if reply.refusal is not None:
            return refused(case.expect, reply.refusal, source)
        stored = await stage.outcome("get_definition", type="interaction", name=_NAME)
    shape = _shape(stored)
    return [d for name in _SHOWN if name in case.expect for d in exact(case.expect[name], shape.get(name), f"/{name}")]


def refused(expect: dict[str, Json], refusal: Refusal, source: str) -> Differences:
    """The refusal's reason, and its problems: all of them in order of their lines, or with ``exact`` false some."""
    found = exact("invalid_input", refusal.reason, "/reason")
    found += exact(["/source"] * len(refusal.issues), [issue.get("pointer") for issue in refusal.issues], "/pointers")
    problems = [{"line": issue.get("line"), "about": about(issue, source)} for issue in refusal.issues]
    if "problems_count" in expect:
        found += exact(expect["problems_count"], len(problems), "/problems_count")
    if "problems" not in expect:
        return found
    if expect.get("exact", True):
        return found + _all(expect["problems"], problems)
    return found + [differs(one, problems, "/problems") for one in expect["problems"] if not _among(one, problems)]


def about(issue: dict[str, Json], source: str) -> str:
    """What an issue is about: a pointer into the front matter, the body, or the document as a whole."""
    if "at" in issue:
        return str(issue["at"])
    closing = closing_line(source)
    return "body" if closing is not None and issue.get("line", 0) > closing else "document"


def _shape(stored: dict[str, Json]) -> dict[str, Json]:
    function = parse(stored["source"], name=stored["name"])
    if isinstance(function, CallFunction):
        return {"shape": "call"}
    return {
        "shape": "inbox" if function.delivery is None else "tool",
        "notification": function.notification,
        "reads_replies": function.replies is not None,
    }


def _all(expected: list[dict[str, Json]], problems: list[dict[str, Json]]) -> Differences:
    if len(expected) != len(problems):
        return [differs(expected, problems, "/problems")]
    pairs = zip(expected, problems, strict=True)
    return [
        differs(one, is_now, f"/problems/{n}") for n, (one, is_now) in enumerate(pairs) if not _among(one, [is_now])
    ]


def _among(expected: dict[str, Json], problems: list[dict[str, Json]]) -> bool:
    """Whether one of the problems has every member that is given, and no member is given that none has."""
    return any(
        not only_known(expected, problem) and not exact(expected, {name: problem[name] for name in expected})
        for problem in problems
    )
