"""Pointers: their grammar, what they find, ids read as text, and the document that a tool's answer is read as."""

from sayso.core.pointers import NOTHING, find, is_pointer, text_of
from sayso.core.tool_answers import answer_document
from sayso.core.values import Json
from tests.cases.case import Case
from tests.cases.compare import Differences, exact
from tests.cases.stage import Stages

_KINDS = frozenset({"grammar", "value", "text", "answer_document"})


def lacks(case: Case) -> str | None:
    """Nothing, of the kinds that are known."""
    what = case.given["what"]
    return None if what in _KINDS else f"the kind {what}"


async def check(case: Case, stages: Stages) -> Differences:
    """Ask the core itself: nothing of this needs an app."""
    return exact(case.expect, _observed(case.given))


def _observed(given: dict[str, Json]) -> dict[str, Json]:
    match given["what"]:
        case "grammar":
            return {"valid": is_pointer(given["pointer"])}
        case "value":
            found = find(given["document"], given["pointer"])
            return {"nothing": True} if found is NOTHING else {"found": found}
        case "text":
            text = text_of(find(given["document"], given["pointer"]))
            return {"nothing": True} if text is None else {"text": text}
        case _:
            document = answer_document(given["tool_result"])
            return {"none": True} if document is NOTHING else {"document": document}
