"""Schedules: how attempts and readings are spaced, and what a server that asks for time changes."""

import pytest

from sayso.core.schedules import Schedule, joined, lost_at, next_attempt_at, read, rested

SECOND = 1_000_000
MINUTE = 60 * SECOND
START = 1_790_000_000 * SECOND


@pytest.mark.parametrize(("number", "minutes"), [(1, 1), (2, 2), (3, 4), (4, 8)])
def test_attempts_wait_twice_as_long_each_time(number: int, minutes: int) -> None:
    assert next_attempt_at(number, START) == START + minutes * MINUTE


def test_there_is_no_sixth_attempt() -> None:
    assert next_attempt_at(5, START, 1) is None
    assert next_attempt_at(6, START) is None


@pytest.mark.parametrize(
    ("number", "asked_ms", "waited_ms"),
    [
        *((1, 0, 60_000), (1, 59_999, 60_000), (1, 60_001, 60_001), (1, 480_000, 480_000)),
        *((1, 480_001, 480_000), (4, 86_400_000, 480_000), (2, 10**15, 480_000)),
    ],
)
def test_a_server_is_waited_for_up_to_eight_minutes(number: int, asked_ms: int, waited_ms: int) -> None:
    assert next_attempt_at(number, START, asked_ms) == START + waited_ms * 1_000


def test_an_attempt_is_lost_a_minute_after_its_start() -> None:
    assert lost_at(START) == START + MINUTE


def readings(schedule: Schedule, count: int, wait_ms: int = 5_000) -> list[int]:
    """The seconds since the start at which so many readings come, all of which find nothing."""
    seconds = []
    for _ in range(count):
        assert schedule.due_at is not None
        seconds.append((schedule.due_at - START) // SECOND)
        schedule = read(schedule, schedule.due_at, wait_ms)
    return seconds


def test_readings_come_less_often_with_time() -> None:
    seconds = readings(joined(Schedule(), START, 5_000), 21)
    assert seconds[:6] == [5, 15, 35, 75, 135, 195]
    assert seconds[17:] == [915, 1_215, 1_515, 1_815]


def test_readings_never_come_more_often_than_wait() -> None:
    assert readings(joined(Schedule(), START, 3_600_000), 3, 3_600_000) == [3_600, 7_200, 10_800]


def test_a_gap_begins_where_the_reading_ended() -> None:
    schedule = read(joined(Schedule(), START, 5_000), START + 25 * SECOND, 5_000)
    assert schedule.due_at == START + 35 * SECOND


@pytest.mark.parametrize(("asked_ms", "waited_s"), [(1, 10), (120_000, 120), (3_600_000, 3_600), (10**12, 3_600)])
def test_a_server_is_waited_for_up_to_an_hour(asked_ms: int, waited_s: int) -> None:
    schedule = read(Schedule(due_at=START), START, 5_000, retry_after_ms=asked_ms)
    assert schedule.due_at == START + waited_s * SECOND


def test_a_reply_that_was_found_starts_the_table_anew() -> None:
    schedule = read(Schedule(number=30, due_at=START), START, 5_000, found_reply=True)
    assert readings(schedule, 4) == [5, 15, 35, 75]


def test_a_request_that_joins_is_read_for_soon() -> None:
    waiting = read(Schedule(number=30, due_at=START), START, 5_000)
    assert waiting.due_at == START + 300 * SECOND
    assert readings(joined(waiting, START + 100 * SECOND, 5_000), 3) == [105, 115, 135]


def test_a_request_that_joins_delays_no_reading() -> None:
    waiting = read(Schedule(number=30, due_at=START), START, 5_000)
    assert readings(joined(waiting, START + 298 * SECOND, 5_000), 3) == [300, 310, 330]


def test_a_request_that_joins_does_not_break_what_a_server_asked_for() -> None:
    held = read(Schedule(due_at=START), START, 5_000, retry_after_ms=600_000)
    assert joined(held, START + 10 * SECOND, 5_000).due_at == START + 600 * SECOND


def test_a_conversation_that_rests_is_not_read_and_wakes_no_sooner_than_wait_allows() -> None:
    resting = rested(read(Schedule(due_at=START), START, 60_000))
    assert resting.due_at is None
    assert joined(resting, START + SECOND, 5_000).due_at == START + 60 * SECOND
    assert joined(resting, START + 600 * SECOND, 5_000).due_at == START + 605 * SECOND
