"""Faults: what is wrong with a document, gathered while it is read and reported all at once, by line."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from sayso.core import pointers
from sayso.core.bounds import ISSUES_SHOWN
from sayso.core.issues import not_shown
from sayso.errors import Issue, Problem, Reason

Path = tuple[str | int, ...]


@dataclass(frozen=True, kw_only=True)
class Fault:
    """One thing that is wrong: its line in the whole document, and its path in the front matter (empty: not there).

    The column is that of the line at which reading found it, where it could tell.
    """

    line: int
    path: Path = ()
    detail: str
    column: int = field(default=1, compare=False)

    @property
    def at(self) -> str | None:
        """The path as a pointer. Of thousands of faults few are shown, so it is made when it is asked for."""
        return pointers.join(self.path) or None


class Faulty(Exception):
    """The document cannot be read any further. Carries what was found until then."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__(faults[-1].detail)
        self.faults = tuple(faults)


def problem_of(faults: Iterable[Fault]) -> Problem:
    """The refusal of a document, for all of its faults."""
    in_order = _in_order(faults)
    return Problem(Reason.INVALID_INPUT, _summary(in_order), issues=issues_of(in_order))


def issues_of(faults: Iterable[Fault]) -> tuple[Issue, ...]:
    """What is told of faults, each once, in the order of lines: as much as somebody reads."""
    in_order = _in_order(faults)
    issues = [_issue(fault) for fault in in_order[:ISSUES_SHOWN]]
    if rest := in_order[ISSUES_SHOWN:]:
        issues.append(Issue(detail=not_shown(len(rest)), pointer="/source", line=rest[0].line))
    return tuple(issues)


def _in_order(faults: Iterable[Fault]) -> list[Fault]:
    return sorted(dict.fromkeys(faults), key=lambda fault: fault.line)


def _issue(fault: Fault) -> Issue:
    detail = f"Line {fault.line}: {fault.detail}"
    return Issue(detail=detail, pointer="/source", line=fault.line, at=fault.at)


def _summary(faults: Sequence[Fault]) -> str:
    first = f"Line {faults[0].line}: {faults[0].detail}"
    return first if len(faults) == 1 else f"The document has {len(faults)} problems. {first}"
