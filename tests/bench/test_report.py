"""A report is judged by its ratios: under a floor it fails, between floor and reach it says so."""

import pytest

from bench.bars import BARS, Verdict
from bench.report import Report, report

# The figures of a round of `processes`, and where each bar's goal lies.
RATIOS = {"answers per cpu-s, four of one": 0.8, "answers/s, four of one": 0.9}


def reported(*rates: float, quick: bool = False) -> Report:
    rounds = [RATIOS | {"answers/s, four of one": rate, "answers/s, one": 1.0} for rate in rates]
    return report("processes", "postgres", rounds, {}, quick=quick)


def test_the_median_decides() -> None:
    assert reported(0.1, 0.95, 0.9).exit_code == 0
    assert reported(0.1, 0.95, 0.8).exit_code == 1


def test_the_quick_form_is_not_judged() -> None:
    assert reported(0.1, quick=True).exit_code == 0


def test_a_rate_without_a_bar_decides_nothing() -> None:
    rate = next(line for line in reported(1.0).lines if line.figure == "answers/s, one")
    assert rate.verdict is None


def test_a_bar_whose_figure_is_missing_is_told() -> None:
    with pytest.raises(AssertionError, match="answers/s, four of one"):
        report("processes", "postgres", [{"answers per cpu-s, four of one": 1.0}], {}, quick=False)


@pytest.mark.parametrize(
    ("median", "verdict"), [(1.6, Verdict.GOAL), (0.9, Verdict.REACH), (0.6, Verdict.FLOOR), (0.4, Verdict.UNDER)]
)
def test_between_floor_and_reach_the_verdict_says_so(median: float, verdict: Verdict) -> None:
    drained, _ = BARS["storm", "sqlite"]
    assert drained.verdict(median) is verdict


def test_a_bar_may_be_the_most_that_is_allowed() -> None:
    (payload,) = BARS["disk", "sqlite"]
    assert [payload.verdict(times) for times in (1.5, 1.65, 2.0, 2.3)] == list(Verdict)


def test_no_floor_asks_for_more_than_its_reach_or_a_reach_for_more_than_its_goal() -> None:
    for bar in (bar for bars in BARS.values() for bar in bars):
        marks = [bar.goal, bar.reach, bar.floor]
        assert marks == sorted(marks, reverse=not bar.at_most), bar
