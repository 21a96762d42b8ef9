"""No input gives a 500, or a stored row that cannot be listed."""

from pathlib import Path

import pytest

from tests.fuzz.campaign import Campaign, requests, seed

pytestmark = pytest.mark.anyio
USUAL = 20_000
# Eight requests at once on one core, beside whatever else the machine does.
P99_SECONDS = 0.5
# Operations that change something: a campaign that never gets through to them shows nothing.
DEEP = {
    "create_definition": 100,
    "update_definition": 50,
    "run_definition": 300,
    "answer_interaction": 100,
    "cancel_run": 30,
}


async def test_no_request_breaks_anything(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every response keeps its promises, and afterwards all that is stored is listed once and can be read."""

    def say(words: str) -> None:
        with capsys.disabled():
            print(f"\n{words}", end="")

    say(f"fuzz: SAYSO_SEED={seed()}")
    report = await Campaign(seed(), requests(USUAL), tmp_path, say).run()
    say(report.words())
    if report.faults:
        pytest.fail("\n\n".join(report.faults.values()), pytrace=False)
    assert report.quantile(99) < P99_SECONDS
    for operation, least in DEEP.items():
        assert report.succeeded[operation] >= least * report.sent / USUAL
