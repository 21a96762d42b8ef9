"""Fault points as a story passes them: counted, and deadly at one."""

import os
import signal
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple


class Point(NamedTuple):
    """A fault point at its so-manieth visit within one step of a story; ``at`` is such as ``before commit``."""

    step: str
    at: str
    visit: int

    @property
    def statement(self) -> str:
        """The statement that the point lies before or after."""
        return self.at.split(" ", 1)[1]


@dataclass(kw_only=True)
class Points:
    """The hook of a store: remembers each point, and at the deadly one ends its own process as ``kill -9`` does."""

    deadly: Point | None = None
    step: str = "open"
    passed: list[Point] = field(default_factory=list)
    _visits: Counter[tuple[str, str]] = field(default_factory=Counter)

    def __call__(self, at: str) -> None:
        self._visits[self.step, at] += 1
        point = Point(self.step, at, self._visits[self.step, at])
        if point == self.deadly:
            os.kill(os.getpid(), signal.SIGKILL)
        self.passed.append(point)


def once_each(points: Iterable[Point]) -> list[Point]:
    """Each statement's two points in each step where it is run, at the first visit there."""
    return [point for point in points if point.visit == 1]


def at_ends(points: Iterable[Point]) -> list[Point]:
    """Each statement's two points where they are passed first and where last."""
    points = list(points)
    first, last = {point.at: point for point in reversed(points)}, {point.at: point for point in points}
    chosen = {*first.values(), *last.values()}
    return [point for point in points if point in chosen]


def table(points: Iterable[Point], killed: Iterable[Point]) -> str:
    """Each statement with its visits and how often it was killed, before and after together."""
    visits, kills = (Counter(point.statement for point in some) for some in (points, killed))
    cells = [f"{name} {visits[name] // 2} visits, {kills[name]} kills" for name in sorted(visits)]
    return "\n".join(
        "  " + "".join(f"{cell:<46}" for cell in cells[n : n + 3]).rstrip() for n in range(0, len(cells), 3)
    )
