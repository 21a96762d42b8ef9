"""The bars: what a ratio, a count or a size has to be, as data. Absolute rates are shown and decide nothing.

The goal is the most that anybody hoped for; reach is what the arithmetic of the whole path says can be had, and is
asked for first; under the floor a release is refused.
"""

from dataclasses import dataclass
from enum import Enum


class Verdict(Enum):
    """Where a figure stands."""

    GOAL = "goal met"
    REACH = "reach met"
    FLOOR = "floor held, reach not met"
    UNDER = "UNDER THE FLOOR"


@dataclass(frozen=True, kw_only=True)
class Bar:
    """What the median of a figure has to be: at least its marks, or with ``at_most`` no more.

    ``source`` is the row of the project's performance bars, or the promise that it was taken from.
    """

    source: str
    figure: str
    goal: float
    reach: float
    floor: float
    at_most: bool = False

    def verdict(self, median: float) -> Verdict:
        """The best mark that a median meets."""
        for mark, verdict in ((self.goal, Verdict.GOAL), (self.reach, Verdict.REACH), (self.floor, Verdict.FLOOR)):
            if median <= mark if self.at_most else median >= mark:
                return verdict
        return Verdict.UNDER


def _at_least(source: str, figure: str, *, goal: float, floor: float, reach: float | None = None) -> Bar:
    return Bar(source=source, figure=figure, goal=goal, reach=reach or goal, floor=floor)


def _at_most(source: str, figure: str, *, goal: float, floor: float, reach: float | None = None) -> Bar:
    return Bar(source=source, figure=figure, goal=goal, reach=reach or goal, floor=floor, at_most=True)


def _handle(reach: float) -> tuple[Bar, ...]:
    # The row names no floor: half of its reach is taken, as rows 1 and 2 do.
    sides = ("batches, 100", "callers, 100", "batches, 1", "callers, 1")
    names = [f"{what}, {side}" for side in sides for what in ("ask", "answer")]
    return tuple(_at_least("row 12", f"{name} of limit", goal=reach, floor=reach / 2) for name in names)


def _handle_cpu() -> tuple[Bar, ...]:
    names = [f"{what}, batches, {playbooks}" for playbooks in (100, 1) for what in ("ask", "answer")]
    return tuple(_at_most("row 12", f"{name} cpu of limit", goal=2.0, floor=4.0) for name in names)


def _storm(goal: float, reach: float, floor: float) -> tuple[Bar, ...]:
    return (
        _at_least("row 10", "drained of limit", goal=goal, reach=reach, floor=floor),
        _at_most("row 10", "answers p99, storm of quiet", goal=5, floor=20),
    )


_COMMITS = (
    *(_at_most("row 3", f"commits {what}, alone", goal=1.0, floor=1.1) for what in ("a create", "an answer")),
    *(_at_most("row 3", f"commits {what}, at 64", goal=0.05, floor=0.15) for what in ("a create", "an answer")),
)
_GROWTH = (
    *(_at_most("row 9", f"{what} alone, growth", goal=1.2, floor=1.5) for what in ("create", "answer")),
    *(_at_most("row 9", f"{what} grouped, growth", goal=1.5, floor=2.5) for what in ("create", "answer")),
    *(_at_most("row 9", f"{what}, growth", goal=1.5, floor=2.0) for what in ("inbox page", "empty due scan")),
    _at_most("row 9", "inbox by party ms", goal=1.0, floor=5.0),
)
_RESTART = (_at_most("row 8", "first answer, many of none", goal=1.1, floor=1.5),)
_IDLE = (_at_most("row 7", "idle, many of none", goal=1.2, floor=1.5),)
_MEMORY = (_at_most("row 5", "growth over page cache MiB", goal=10, floor=64),)
# The promise is that no answer is slower; what a machine does by itself is allowed for.
_NOTICES = tuple(
    _at_most("notices", f"answers {percent}, {side} of none", goal=goal, floor=floor)
    for side in ("told", "hanging")
    for percent, goal, floor in (("p50", 1.1, 1.5), ("p99", 2.0, 5.0))
)
_RETRIES = tuple(_at_most("retries", f"last of first, {what}", goal=1.5, floor=1.5) for what in ("cpu", "wall"))

# By benchmark and store. The feed has none: its order is right or wrong.
BARS: dict[tuple[str, str], tuple[Bar, ...]] = {
    ("handle", "sqlite"): _handle(0.55) + _handle_cpu(),
    ("handle", "postgres"): _handle(0.8),
    ("storm", "sqlite"): _storm(1.5, 0.8, 0.5),
    ("storm", "postgres"): _storm(0.8, 0.8, 0.4),
    ("commits", "sqlite"): _COMMITS,
    ("commits", "postgres"): _COMMITS,
    ("growth", "sqlite"): _GROWTH,
    ("growth", "postgres"): _GROWTH,
    ("restart", "sqlite"): _RESTART,
    ("restart", "postgres"): _RESTART,
    ("idle", "sqlite"): (_at_most("row 7", "idle %, many wait", goal=0.1, floor=0.5), *_IDLE),
    ("idle", "postgres"): _IDLE,
    ("memory", "sqlite"): _MEMORY,
    ("memory", "postgres"): _MEMORY,
    ("disk", "sqlite"): (_at_most("row 6", "bytes of payload", goal=1.6, reach=1.7, floor=2.2),),
    ("disk", "postgres"): (_at_most("row 6", "bytes of payload", goal=2.2, reach=2.4, floor=3.0),),
    ("retries", "sqlite"): _RETRIES,
    ("retries", "postgres"): _RETRIES,
    ("notices", "sqlite"): _NOTICES,
    ("notices", "postgres"): _NOTICES,
    ("months", "postgres"): (_at_most("months", "answers p99, dropping of quiet", goal=2.0, floor=2.0),),
    ("processes", "postgres"): (
        _at_least("honest runs", "answers per cpu-s, four of one", goal=0.8, floor=0.8),
        _at_least("honest runs", "answers/s, four of one", goal=0.9, floor=0.9),
    ),
}
