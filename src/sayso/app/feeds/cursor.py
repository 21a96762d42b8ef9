"""A cursor: how far a follower has come with the feed of one playbook, and how that goes."""

import hashlib
from dataclasses import dataclass, replace

from sayso.core.rows import Row

# Waits after the first, the second, … failure in a row; the last stays. About as Standard Webhooks proposes them.
WAITS_S = (5, 60, 300, 1_800, 7_200, 18_000, 36_000)
# One that the receiver refuses as such is given up after so many tries: others wait behind it.
REFUSED_TRIES = 5
GIVEN_UP_AFTER_US = 3 * 86_400_000_000
_SECOND_US = 1_000_000


@dataclass(frozen=True, kw_only=True)
class Cursor:
    """A row of ``subscriptions``. ``position`` is that of the last event that is done with.

    ``fails`` counts failures in a row, from ``failed_since`` on; until ``due_at`` nothing is tried.
    """

    shard: int
    id: bytes
    playbook: int
    org: int
    position: int
    due_at: int | None = None
    fails: int = 0
    failed_since: int | None = None
    last_error: str | None = None

    def reached(self, position: int) -> "Cursor":
        """All is done up to there."""
        return replace(self, position=position, due_at=None, fails=0, failed_since=None, last_error=None)

    def failed(self, words: str, now: int, wait_s: float) -> "Cursor":
        """What comes next failed: it is tried again after the schedule's wait, or a longer one that was asked
        for."""
        wait = max(WAITS_S[min(self.fails, len(WAITS_S) - 1)], wait_s)
        since = now if self.failed_since is None else self.failed_since
        due_at = now + int(wait * _SECOND_US)
        return replace(self, due_at=due_at, fails=self.fails + 1, failed_since=since, last_error=words[:1_000])

    def gives_up(self, now: int, *, refused: bool) -> bool:
        """Whether what just failed again is passed over: after three days, or where it is refused."""
        if refused and self.fails + 1 >= REFUSED_TRIES:
            return True
        return self.failed_since is not None and now - self.failed_since >= GIVEN_UP_AFTER_US


def cursor_id(follower: str, playbook: int) -> bytes:
    """The id of the one cursor that a follower has for a playbook, whichever process makes it."""
    return hashlib.sha256(f"{follower}\0{playbook}".encode()).digest()[:16]


def cursor_of(row: Row) -> Cursor:
    """The cursor that a row holds."""
    return Cursor(
        shard=row["shard"],
        id=row["id"],
        playbook=row["playbook"],
        org=row["org"],
        position=row["position"],
        due_at=row["due_at"],
        fails=row["fails"],
        failed_since=row["failed_since"],
        last_error=row["last_error"],
    )
