"""A case: what is given, and what is expected of it. One line of a file of cases."""

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from sayso.core.values import Json
from tests.cases.built import build


class BadCases(Exception):
    """The files cannot be run as they are: an empty folder, a line that is no case, an id that comes twice."""


@dataclass(frozen=True, kw_only=True)
class Case:
    """One case, with its built values in place."""

    id: str
    area: str
    given: Json
    expect: Json


def read_cases(folder: Path, *, only: str = "") -> list[Case]:
    """The cases of a folder, by file and line; with ``only`` those whose id has that text.

    A folder without such a case is refused: a run of nothing would pass.
    """
    cases = [_case(line, f"{path}:{n}") for path in sorted(folder.glob("*.jsonl")) for n, line in _lines(path)]
    ids = Counter(case.id for case in cases)
    if twice := sorted(one for one, count in ids.items() if count > 1):
        raise BadCases(f"these ids come twice: {', '.join(twice)}")
    chosen = [case for case in cases if only in case.id]
    if not chosen:
        raise BadCases(f"{folder} holds no such case (*.jsonl)")
    return chosen


def _lines(path: Path) -> list[tuple[int, str]]:
    return [(n, line) for n, line in enumerate(path.read_text("utf-8").split("\n"), start=1) if line.strip()]


def _case(line: str, at: str) -> Case:
    try:
        row = json.loads(line)
        return Case(id=row["id"], area=row["area"], given=build(row["given"]), expect=build(row["expect"]))
    except (ValueError, KeyError, TypeError) as fault:
        raise BadCases(f"{at} is no case: {fault!r}") from fault
