"""100,000 documents and 100,000 renderings in the long form: never an exception, in bounded time and memory."""

import os

import pytest

from tests.fuzz.campaign import seed
from tests.fuzz_documents import campaign, dear, trials
from tests.fuzz_documents.campaign import Report

USUAL = 3_000
P99_SECONDS = 0.05
SLOWEST_SECONDS = 1.0
GROWTH_BYTES = 64 * 2**20


def run(
    what: str, attempt: campaign.Try, count: int, capsys: pytest.CaptureFixture[str], warm_up: int = campaign.WARM_UP
) -> Report:
    """A campaign that kept the promises of all that is made here, and what it met."""
    report = campaign.run(attempt, seed(), count, warm_up)
    with capsys.disabled():
        print(f"\n{report.words(seed(), what)}")
    if report.faults:
        pytest.fail("\n\n".join([*report.faults.values()][: campaign.FAULTS_SHOWN]), pytrace=False)
    assert report.slowest[0][0] <= SLOWEST_SECONDS
    assert report.growth_bytes <= GROWTH_BYTES
    return report


def count() -> int:
    """How many to make: as many as the environment says, else the usual number."""
    return int(os.environ.get("SAYSO_FUZZ_DOCUMENTS") or USUAL)


def test_no_document_breaks_anything(capsys: pytest.CaptureFixture[str]) -> None:
    report = run("documents", trials.document, count(), capsys)
    assert report.quantile(99, "generated", "spoilt", "mutated", "strange") <= P99_SECONDS
    assert report.taken["generated"] >= 0.6 * len(report.seconds["generated"])
    for shape in ("call", "inbox", "tool", "replies"):
        assert report.kinds[f"generated {shape}"] >= 0.02 * count(), shape


def test_no_template_breaks_anything(capsys: pytest.CaptureFixture[str]) -> None:
    """The dearest of them keep to the bar of the slowest alone, as the worst documents do.

    Four renderings are made of each template that is taken: over values that hardly any template was meant for.
    """
    report = run("templates", trials.template, count() * 2 // 5, capsys)
    renderings = [kind for kind in report.seconds if not kind.startswith("compile") and kind != "render dear"]
    assert report.quantile(99, *renderings) <= P99_SECONDS
    assert sum(len(report.seconds[kind]) for kind in renderings) >= count()
    assert sum(report.taken[kind] for kind in renderings) >= count() // 5


def test_no_answer_breaks_anything(capsys: pytest.CaptureFixture[str]) -> None:
    """Each of the dearest schemas that are taken over each of the largest answers."""
    pairs = len(dear.SCHEMAS) * len(dear.ANSWERS)
    report = run("answers", trials.answer, pairs, capsys, warm_up=1)
    assert report.taken["answer"] > pairs / 2
