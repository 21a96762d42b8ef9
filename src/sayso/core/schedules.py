"""When to try again and when to read again: arithmetic of instants in microseconds and waits in milliseconds.

`next_attempt_at` spaces the attempts of a delivery. A `Schedule` is that of one conversation: it says when the next
reading is due, from the first request that joins until none is open.
"""

from dataclasses import dataclass, replace

_SECOND_MS = 1_000
_MINUTE_MS = 60 * _SECOND_MS

# AUTO: Attempts. How long after the end of each attempt the next one starts; there is none after the fifth.
_ATTEMPT_WAITS_MS = (1 * _MINUTE_MS, 2 * _MINUTE_MS, 4 * _MINUTE_MS, 8 * _MINUTE_MS)
_ATTEMPT_WAIT_MAX_MS = 8 * _MINUTE_MS

# AUTO: Bounds. The time before each reading of a conversation: the first ones, those of the first quarter, the others.
_FIRST_GAPS_MS = (5 * _SECOND_MS, 10 * _SECOND_MS, 20 * _SECOND_MS, 40 * _SECOND_MS)
_EARLY_READINGS, _EARLY_GAP_MS, _LATE_GAP_MS = 18, _MINUTE_MS, 5 * _MINUTE_MS
_READING_WAIT_MAX_MS = 60 * _MINUTE_MS

# A call whose end was never recorded was lost with its process: by then its 30 seconds are long over.
_LOST_AFTER_MS = _MINUTE_MS


def next_attempt_at(number: int, ended_at: int, retry_after_ms: int | None = None) -> int | None:
    """When attempt ``number + 1`` starts, after that of this number has failed; None after the last.

    A wait that a server asked for counts where it is longer, up to eight minutes.
    """
    if number > len(_ATTEMPT_WAITS_MS):
        return None
    return _later(ended_at, max(_ATTEMPT_WAITS_MS[number - 1], min(retry_after_ms or 0, _ATTEMPT_WAIT_MAX_MS)))


def lost_at(started_at: int) -> int:
    """When an attempt without an end counts as lost, and when a reading that was cut off is made again."""
    return _later(started_at, _LOST_AFTER_MS)


@dataclass(frozen=True, kw_only=True)
class Schedule:
    """How the reading of a conversation stands.

    ``number`` is that of the next reading, from 1 after each start of the table. ``due_at`` is None while the
    conversation rests. ``not_before_at`` is what ``wait`` and ``Retry-After`` allow at the earliest.
    """

    number: int = 1
    due_at: int | None = None
    not_before_at: int = 0


def joined(schedule: Schedule, at: int, wait_ms: int) -> Schedule:
    """A request joins: the table starts anew, and a reading that is due sooner stays. # AUTO: Answering by reply"""
    first_at = max(_later(at, _gap_ms(1, wait_ms)), schedule.not_before_at)
    due_at = first_at if schedule.due_at is None else min(first_at, schedule.due_at)
    return replace(schedule, number=1, due_at=due_at)


def read(
    schedule: Schedule, ended_at: int, wait_ms: int, *, retry_after_ms: int | None = None, found_reply: bool = False
) -> Schedule:
    """A reading has ended, well or not. ``found_reply``: it found a reply of an answerer, which starts the table anew.

    ``wait_ms`` is that of the oldest open request. A wait that the server asked for counts up to an hour.
    """
    number = 1 if found_reply else schedule.number + 1
    held_ms = max(wait_ms, min(retry_after_ms or 0, _READING_WAIT_MAX_MS))
    return Schedule(
        number=number,
        due_at=_later(ended_at, _gap_ms(number, held_ms)),
        not_before_at=_later(ended_at, held_ms),
    )


def rested(schedule: Schedule) -> Schedule:
    """No request is open: nothing is read until one joins, and then no sooner than before."""
    return replace(schedule, due_at=None)


def _gap_ms(number: int, at_least_ms: int) -> int:
    if number <= len(_FIRST_GAPS_MS):
        return max(_FIRST_GAPS_MS[number - 1], at_least_ms)
    return max(_EARLY_GAP_MS if number <= _EARLY_READINGS else _LATE_GAP_MS, at_least_ms)


def _later(at: int, wait_ms: int) -> int:
    return at + wait_ms * 1_000
