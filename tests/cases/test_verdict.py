"""The runner fails what is wrong: a case that expects another fact, a case that it cannot compare, a weak mutation."""

import asyncio
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from tests.cases import run
from tests.cases.areas import lacks
from tests.cases.case import BadCases, Case, read_cases
from tests.cases.stage import stages
from tests.cases.verdict import Mutations, Verdict, Verdicts, judge, mutate_all

HERE = Path(__file__).parent
CASES = {case.id: case for case in read_cases(HERE)}


def judged(case: Case) -> Verdict:
    async def alone() -> Verdict:
        async with stages(None) as made:
            return await judge(case, made)

    return asyncio.run(alone())


@pytest.mark.parametrize(
    ("case_id", "expect"),
    [
        ("durations-004-expires-days", {"ms": 172_800_001}),
        ("pointers-020-value-tilde-zero-one", {"found": "even"}),
        ("documents-001-inbox-question", {"accepted": True, "shape": "call"}),
        ("documents-060-to-number", {"accepted": False, "problems": [{"line": 4, "about": "/to"}], "exact": True}),
        ("documents-060-to-number", {"accepted": False, "problems": [], "exact": True}),
        ("answers-002-value-and-optional", {"outcome": "conflict"}),
        ("answers-005-not-in-enum", {"outcome": "invalid_input", "pointers": ["/answer"]}),
        ("answers-059-refused-value-not-quoted", {"outcome": "invalid_input", "response_must_not_contain": "decision"}),
        ("runs-004-inbox-notification", {"runs": {"r1": {"events": [], "ending": {"status": "succeeded"}}}}),
        (
            "runs-101-message-not-in-history",
            {"event_must_not_contain": {"type": "run_started", "text": "lead"}, "runs": {"r1": {}}},
        ),
        ("runs-101-message-not-in-history", {"must_not_contain_anywhere": "Ship it tonight"}),
        ("templates-001-text", {"save": "accepted", "run": {"value": "Build 82 is green."}}),
    ],
)
def test_a_case_that_expects_another_fact_fails_by_comparison(case_id: str, expect: dict[str, object]) -> None:
    verdict = judged(replace(CASES[case_id], expect=expect))
    assert verdict.differences
    assert not verdict.broke


@pytest.mark.parametrize("case_id", ["answers-002-value-and-optional", "runs-004-inbox-notification"])
def test_an_expectation_that_the_runner_does_not_know_fails(case_id: str) -> None:
    case = CASES[case_id]
    verdict = judged(replace(case, expect=case.expect | {"mood": "good"}))
    assert "the runner does not compare 'mood'" in verdict.differences


def test_a_step_that_expects_another_reply_fails() -> None:
    case = CASES["runs-007-inbox-same-and-different-again"]
    steps = [*case.given["steps"][:-1], case.given["steps"][-1] | {"expect": {"outcome": "answered"}}]
    assert judged(replace(case, given=case.given | {"steps": steps})).differences


def test_an_exception_is_a_failure_but_no_killed_mutation() -> None:
    case = CASES["runs-004-inbox-notification"]
    broken = replace(case, given=case.given | {"documents": {}}, expect={"open_requests": ["x"]})

    async def alone() -> Mutations:
        async with stages(None) as made:
            return await mutate_all([broken], made)

    assert judged(broken).broke
    mutations = asyncio.run(alone())
    assert (mutations.failed, len(mutations.survivors), mutations.percent) == (0, 2, 0.0)


def test_what_is_not_built_is_listed_and_never_passes() -> None:
    verdicts = Verdicts(ran=[], not_built=Counter({"schedules": 25}))
    assert run.report(verdicts) == ["not built schedules 25", "0 passed, 0 failed"]


def test_a_folder_without_cases_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run.main([str(tmp_path)]) == 2
    assert "holds no such case" in capsys.readouterr().err


def test_an_id_that_comes_twice_is_refused(tmp_path: Path) -> None:
    line = json.dumps({"id": "one", "area": "runs", "given": {}, "expect": {}})
    (tmp_path / "runs.jsonl").write_text(f"{line}\n{line}\n")
    with pytest.raises(BadCases, match="twice: one"):
        read_cases(tmp_path)


def test_the_command_fails_with_a_line_for_a_case_that_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = {"area": "durations", "given": {"field": "expires", "written": "P2D"}}
    cases = [line | {"id": "good", "expect": {"ms": 172_800_000}}, line | {"id": "bad", "expect": {"ms": 1}}]
    (tmp_path / "durations.jsonl").write_text("\n".join(map(json.dumps, cases)))
    assert run.main([str(tmp_path)]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "failed bad: /ms: expected 1, found 172800000",
        "1 passed, 1 failed",
    ]


def test_states_that_only_a_tool_can_bring_about_are_not_built() -> None:
    assert lacks(CASES["answers-053-state-retrying"]) == "the standing retrying"
    assert lacks(CASES["answers-042-different-after-reply"]) == "an answer by reply"
    assert lacks(CASES["runs-025-tool-question-delivered"]) == "a tool server"
    assert lacks(CASES["runs-122-call-server-unknown"]) is None
    assert lacks(CASES["answers-043-state-expired"]) is None
