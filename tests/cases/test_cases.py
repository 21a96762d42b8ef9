"""Every handed case that is built passes, through the operations and through the HTTP door, with the same result."""

import asyncio
from collections import Counter
from pathlib import Path

import pytest

from tests.cases.areas import lacks
from tests.cases.case import Case, read_cases
from tests.cases.stage import stages
from tests.cases.verdict import BAR, Mutations, Verdict, Verdicts, judge_all, mutate_all

CASES = read_cases(Path(__file__).parent)
BUILT = [case for case in CASES if lacks(case) is None]
# Of how many cases of each area what they need is not built. It falls as more is built, and never rises.
NOT_BUILT = {
    "answers": 7,
    "overview": 2,
    "runs": 86,
    "workflows": 26,
}


async def verdicts(over: str | None) -> Verdicts:
    async with stages(over) as made:
        return await judge_all(CASES, made)


@pytest.fixture(scope="module")
def straight() -> dict[str, Verdict]:
    return {verdict.case.id: verdict for verdict in asyncio.run(verdicts(None)).ran}


@pytest.fixture(scope="module")
def over_http() -> dict[str, Verdict]:
    return {verdict.case.id: verdict for verdict in asyncio.run(verdicts("http")).ran}


@pytest.mark.parametrize("case", BUILT, ids=lambda case: case.id)
def test_a_handed_case_passes(case: Case, straight: dict[str, Verdict]) -> None:
    assert straight[case.id].differences == []


@pytest.mark.parametrize("case", BUILT, ids=lambda case: case.id)
def test_a_handed_case_passes_over_http(case: Case, over_http: dict[str, Verdict]) -> None:
    assert over_http[case.id].differences == []


def test_what_is_not_built_is_known_by_area() -> None:
    assert Counter(case.area for case in CASES if lacks(case) is not None) == NOT_BUILT


def test_a_changed_leaf_makes_its_case_fail() -> None:
    async def mutations() -> Mutations:
        async with stages(None) as made:
            return await mutate_all(BUILT, made)

    found = asyncio.run(mutations())
    assert found.percent >= BAR, found.survivors
