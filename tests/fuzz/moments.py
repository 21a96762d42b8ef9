"""What sayso says of time, told in a process of its own: run with any ``TZ``, it must print the same.

One line of JSON: the local hour of this process, then of each moment all that a function, a run and its ending say.
"""

import asyncio
import json
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sayso.core import durations
from sayso.core.instants import iso
from tests.fuzz import asking
from tests.fuzz.stage import Stage, stage

# Around the hours when some of the zones change theirs, the ends of days and years, and a leap day.
MOMENTS = (
    *("2026-03-08T05:29:59.999Z", "2026-03-08T05:30:00.000Z", "2026-11-01T04:29:59.999Z", "2026-11-01T04:30:00.000Z"),
    *("2026-04-04T13:59:59.999Z", "2026-04-04T14:00:00.000Z", "2026-09-26T13:59:59.999Z", "2026-09-26T14:00:00.000Z"),
    *("2026-12-31T23:59:59.999Z", "2027-01-01T00:00:00.000Z", "2028-02-29T12:00:00.000Z", "2028-02-28T23:30:00.000Z"),
)
LENGTHS = ("PT1M", "P1D", "PT24H", "P4W", "PT1H30M", "PT90.5S", "P1DT12H", "P2D")
SOURCE = "---\nto: the treasurer\nexpires: P1D\noutput: {schema: {}}\n---\n{{ today }} {{ now }}\n"


def micros(at: str) -> int:
    """Microseconds since 1970."""
    return (datetime.fromisoformat(at) - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)


async def told_at(at: str) -> dict[str, Any]:
    """A run that starts then, what lists and histories say of it, and how one ends a microsecond before its expiry and
    another one at it."""
    with tempfile.TemporaryDirectory() as folder:
        async with stage(Path(folder), "moments", start=micros(at)) as its:
            await asking.set_up(its, source=SOURCE)
            first, second = await asking.run(its), await asking.run(its)
            listed = await asking.perform(its, "list_interactions")
            its.clock.set(micros(listed["interactions"][0]["expires_at"]) - 1)
            in_time = await _answer(its, first)
            its.clock.set(micros(listed["interactions"][0]["expires_at"]))
            too_late = await _answer(its, second)
            runs = await asking.perform(its, "list_runs")
            history = await asking.perform(its, "get_run_history", run_id=second)
    return {
        "at": iso(micros(at)),
        "asked": [[one[name] for name in ("message", "requested_at", "expires_at")] for one in listed["interactions"]],
        "answers": [in_time, too_late],
        "runs": [[run["status"], run["started_at"], run["finished_at"]] for run in runs["runs"]],
        "history": [event["metadata"]["at"] for event in history["events"]],
    }


async def _answer(its: Stage, run_id: str) -> int:
    return (await asking.send(its, asking.request("answer_interaction", run_id=run_id, answer=1))).status


async def told() -> dict[str, Any]:
    """Of every length and every moment."""
    lengths = {text: durations.milliseconds(text) for text in LENGTHS}
    return {
        "lengths": [[text, length, durations.in_words(length)] for text, length in lengths.items()],
        "moments": [await told_at(at) for at in MOMENTS],
    }


if __name__ == "__main__":
    print(json.dumps([time.strftime("%H:%M %z", time.localtime(0)), asyncio.run(told())]))
