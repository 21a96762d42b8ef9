"""The zone of the machine changes nothing: dates and durations are the same in four of them."""

import json
import os
import subprocess
import sys
from functools import cache
from typing import Any

import pytest

# As POSIX spells them, so that no machine needs a database of zones: two change their hour in the year.
ZONES = {
    "UTC": "UTC0",
    "St John's": "NST3:30NDT,M3.2.0,M11.1.0",
    "Kathmandu": "<+0545>-5:45",
    "Chatham": "<+1245>-12:45<+1345>,M9.5.0/2:45,M4.1.0/3:45",
}
# The tests of dates and durations.
MODULES = (
    "tests/core/test_durations.py",
    "tests/core/test_schedules.py",
    "tests/core/document/test_question.py",
    "tests/core/templates/test_template.py",
    "tests/core/machines/test_request.py",
    "tests/app/test_worker.py",
    "tests/app/test_runs.py",
)


def child(zone: str, *arguments: str) -> str:
    """What Python says in that zone."""
    done = subprocess.run(
        [sys.executable, *arguments],
        env=os.environ | {"TZ": ZONES[zone]},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3_000:] + done.stderr[-3_000:]
    return done.stdout


@cache
def told(zone: str) -> tuple[str, dict[str, Any]]:
    """The local time of the first second of 1970, and all that is said of time."""
    local, said = json.loads(child(zone, "-m", "tests.fuzz.moments"))
    return local, said


def test_the_zones_differ() -> None:
    assert {zone: told(zone)[0] for zone in ZONES} == {
        "UTC": "00:00 +0000",
        "St John's": "20:30 -0330",
        "Kathmandu": "05:45 +0545",
        "Chatham": "13:45 +1345",
    }


@pytest.mark.parametrize("zone", ZONES)
def test_a_moment_is_told_alike_in_every_zone(zone: str) -> None:
    assert told(zone)[1] == told("UTC")[1]


def test_a_day_is_24_hours_over_a_change_of_the_hour() -> None:
    moment = told("St John's")[1]["moments"][0]
    assert (
        moment["asked"]
        == [["2026-03-08 2026-03-08T05:29:59.999Z\n", "2026-03-08T05:29:59.999Z", "2026-03-09T05:29:59.999Z"]] * 2
    )
    assert moment["answers"] == [200, 409]


@pytest.mark.parametrize("zone", ZONES)
def test_the_tests_of_dates_and_durations_pass_in_every_zone(zone: str) -> None:
    assert " passed" in child(zone, "-m", "pytest", *MODULES)
