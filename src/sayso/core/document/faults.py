"""Faults: what is wrong with a document, gathered while it is read and reported all at once, by line."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from sayso.core.bounds import ISSUES_SHOWN
from sayso.core.issues import shown
from sayso.errors import Issue, Problem, Reason


@dataclass(frozen=True, kw_only=True, order=True)
class Fault:
    """One thing that is wrong: its line in the whole document, and where in the front matter (None: not there)."""

    line: int
    at: str | None
    detail: str


class Faulty(Exception):
    """The document cannot be read any further. Carries what was found until then."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__(faults[-1].detail)
        self.faults = tuple(faults)


def problem_of(faults: Iterable[Fault]) -> Problem:
    """The refusal of a document: each fault once, in the order of lines."""
    in_order = sorted(dict.fromkeys(faults), key=lambda fault: fault.line)
    issues = shown([_issue(fault) for fault in in_order], "/source")
    if issues[-1].line is None:
        issues = (*issues[:-1], replace(issues[-1], line=in_order[ISSUES_SHOWN].line))
    return Problem(Reason.INVALID_INPUT, _summary(in_order), issues=issues)


def _issue(fault: Fault) -> Issue:
    detail = f"Line {fault.line}: {fault.detail}"
    return Issue(detail=detail, pointer="/source", line=fault.line, at=fault.at)


def _summary(faults: Sequence[Fault]) -> str:
    first = f"Line {faults[0].line}: {faults[0].detail}"
    return first if len(faults) == 1 else f"The document has {len(faults)} problems. {first}"
