"""Overviews: what a saved definition says in plain words, by the texts that must, or must not, occur in it."""

from tests.cases.case import Case
from tests.cases.compare import Differences, differs, only_known
from tests.cases.stage import Stages

_NAME = "case-function"


def lacks(case: Case) -> str | None:
    """Workflows, which are what calls a function."""
    return "workflows that call it" if case.given.get("callers") else None


async def check(case: Case, stages: Stages) -> Differences:
    """Save the document, and read its overview with case ignored."""
    async with stages.stage() as stage:
        await stage.outcome("create_definition", type="interaction", name=_NAME, source=case.given["source"])
        stored = await stage.outcome("get_definition", type="interaction", name=_NAME)
    said, expect = stored["overview"].casefold(), case.expect
    found = only_known(expect, ("must", "must_not", "in_order"))
    found += [differs(texts, "none of them", "/must") for texts in expect["must"] if _first(texts, said, 0) is None]
    found += [differs("nothing", text, "/must_not") for text in expect["must_not"] if text.casefold() in said]
    return found + _in_order(expect.get("in_order", []), said)


def _in_order(expected: list[list[str]], said: str) -> Differences:
    """Each in turn has one of its alternatives behind the one before it."""
    start = 0
    for texts in expected:
        end = _first(texts, said, start)
        if end is None:
            return [differs(texts, "none of them behind the ones before", "/in_order")]
        start = end
    return []


def _first(texts: list[str], said: str, start: int) -> int | None:
    """Where the first alternative that occurs from ``start`` on ends; None if none does."""
    found = [(at, at + len(text)) for text in texts if (at := said.find(text.casefold(), start)) >= 0]
    return min(found)[1] if found else None
