"""The areas of cases: of each, what it lacks so far, and how one of its cases is run."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from tests.cases.areas import (
    answers,
    documents,
    durations,
    overview,
    pointers,
    replies,
    rule_checks,
    runs,
    schedules,
    templates,
)
from tests.cases.case import Case
from tests.cases.compare import Differences
from tests.cases.stage import Stages


@dataclass(frozen=True, kw_only=True)
class Area:
    """How the cases of one area are run. ``lacks`` names what a case needs that is not built; None if nothing."""

    lacks: Callable[[Case], str | None]
    check: Callable[[Case, Stages], Awaitable[Differences]]


_BUILT = (answers, documents, durations, overview, pointers, replies, rule_checks, runs, schedules, templates)
AREAS: dict[str, Area] = {
    module.__name__.rpartition(".")[2]: Area(lacks=module.lacks, check=module.check) for module in _BUILT
}


def lacks(case: Case) -> str | None:
    """What a case needs that is not built so far, in words; None if it can be run."""
    area = AREAS.get(case.area)
    return "the area" if area is None else area.lacks(case)
