"""Schedules: attempts and readings in virtual seconds, as the machines of the core space them."""

from collections.abc import Iterator

from sayso.core import schedules
from sayso.core.schedules import Schedule
from sayso.core.values import Json
from tests.cases.case import Case
from tests.cases.compare import Differences, exact
from tests.cases.stage import Stages

_SECOND = 1_000_000
_KINDS = frozenset({"attempts", "reading", "reading_count", "reads_to_find"})


def lacks(case: Case) -> str | None:
    """Nothing, of the kinds that are known."""
    kind = case.given["kind"]
    return None if kind in _KINDS else f"the kind {kind}"


async def check(case: Case, stages: Stages) -> Differences:
    """Ask the core itself: nothing of this needs an app."""
    given = {"wait_s": 5, "joins_s": [0], "retry_after_s": {}, "found_answerer_reply": []} | case.given
    match case.given["kind"]:
        case "attempts":
            return exact(case.expect, _attempts(given))
        case "reading":
            return exact(case.expect, {"reads_s": list(_readings(given, given["until_s"]))})
        case "reading_count":
            return exact(case.expect, {"reads": sum(1 for _ in _readings(given, given["within_s"]))})
        case _:
            return exact(case.expect, _finding(given))


def _attempts(given: dict[str, Json]) -> dict[str, Json]:
    """Play attempts one after the other, each with its outcome, from the moment of asking."""
    start_s, starts, ends = given["asked_at_s"], [], []
    for number, attempt in enumerate(given["attempts"], start=1):
        starts.append(start_s)
        lost = attempt["outcome"] == "crash"
        end = schedules.lost_at(start_s * _SECOND) if lost else (start_s + attempt.get("takes_s", 0)) * _SECOND
        ends.append(end // _SECOND)
        asked_ms = attempt["retry_after_s"] * 1_000 if "retry_after_s" in attempt else None
        delivered = attempt["outcome"] == "delivered"
        due = None if delivered else schedules.next_attempt_at(number, end, asked_ms)
        start_s = None if due is None else due // _SECOND
    standing = "delivered" if delivered else "undelivered" if start_s is None else "retrying"
    return {"starts_s": starts, "ends_s": ends, "next_start_s": start_s, "standing": standing}


def _readings(given: dict[str, Json], until_s: int) -> Iterator[int]:
    """The seconds of the readings, up to and at the last one."""
    wait_ms, joins = given["wait_s"] * 1_000, sorted(given["joins_s"])
    schedule, number = Schedule(), 0
    while True:
        while joins and (schedule.due_at is None or joins[0] * _SECOND <= schedule.due_at):
            schedule = schedules.joined(schedule, joins.pop(0) * _SECOND, wait_ms)
        due = schedule.due_at
        if due is None or due > until_s * _SECOND:
            return
        yield due // _SECOND
        number += 1
        asked_s = given["retry_after_s"].get(str(number))
        schedule = schedules.read(
            schedule,
            due,
            wait_ms,
            retry_after_ms=None if asked_s is None else asked_s * 1_000,
            found_reply=number in given["found_answerer_reply"],
        )


def _finding(given: dict[str, Json]) -> dict[str, Json]:
    """The first reading at or after the moment at which the answer was written."""
    answered_s = given["answered_at_s"]
    for number, at_s in enumerate(_readings(given, answered_s + 3_600), start=1):
        if at_s >= answered_s:
            return {"read": number, "at_s": at_s}
    return {}
