"""How a history and a list of requests read."""

import pytest

from sayso.cli import show
from sayso.cli.screen import Screen


def event(at: str, type_: str, by: str = "local") -> dict[str, object]:
    return {"type": type_, "summary": f"{type_}.", "metadata": {"at": at, "by": by}}


@pytest.mark.parametrize(
    ("at", "after"),
    [
        ("2026-10-01T09:00:00.000Z", "0.000 s"),
        ("2026-10-01T09:00:01.250Z", "1.250 s"),
        ("2026-10-01T09:00:42.900Z", "43 s"),
        ("2026-10-01T09:59:59.999Z", "59 min 59 s"),
        ("2026-10-01T10:00:05.000Z", "1 h 0 min"),
        ("2026-10-03T11:30:00.000Z", "2 d 2 h"),
    ],
)
def test_a_timeline_says_how_long_after_the_start(at: str, after: str, capsys: pytest.CaptureFixture[str]) -> None:
    show.timeline(Screen(), [event("2026-10-01T09:00:00.000Z", "run_started"), event(at, "run_succeeded", "x\x1b")])
    assert capsys.readouterr().out.splitlines()[1] == f"{at}\t{after}\trun_succeeded\tx␛\trun_succeeded."


def test_an_empty_history_shows_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    show.timeline(Screen(), [])
    assert capsys.readouterr().out == ""


def test_a_rejected_run_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    run = {
        "run_id": "r",
        "status": "rejected",
        "name": "ask",
        "definition_version": 2,
        "started_at": "2026-10-01T09:00:00.000Z",
        "started_by": "local",
        "rejection": {"reason": "unanswered", "kind": "expired", "detail": "Nobody answered\nin time."},
    }
    show.run(Screen(), run, None)
    assert "why\tnobody answered in time\n" in capsys.readouterr().out
