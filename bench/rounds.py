"""Rounds: a limit and the sides that are held against it take turns in one run, so that a machine that slows down
slows both."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from statistics import quantiles
from typing import TypeVar

from bench.measured import Measured

T = TypeVar("T")

# One round: each figure by its name. A ratio is a figure like any other.
Figures = Mapping[str, float]
Side = Callable[[], Awaitable[T]]


def turned(number: int, sides: Sequence[T]) -> Sequence[T]:
    """The sides in the order of a round: every other round begins at the other end."""
    return sides if number % 2 == 0 else sides[::-1]


async def beside(
    limit: Side[Measured], sides: Mapping[str, Side[T]], number: int
) -> AsyncIterator[tuple[str, T, Measured]]:
    """Each side of a round, with the limit as it was measured just before and just after."""
    before = await limit()
    for name in turned(number, list(sides)):
        came = await sides[name]()
        after = await limit()
        yield name, came, before + after
        before = after


def against(name: str, side: Measured, limit: Measured) -> dict[str, float]:
    """The figures of a side: its rate and cost, and both as multiples of the limit's."""
    return {
        f"{name}/s": side.rate,
        f"{name} cpu us": side.cpu_us,
        f"{name} of limit": side.rate / limit.rate,
        f"{name} cpu of limit": side.cpu_us / limit.cpu_us,
    }


def percentile(values: Sequence[float], percent: int) -> float:
    """The value that so many percent of them do not exceed."""
    return quantiles(values, n=100, method="inclusive")[percent - 1] if len(values) > 1 else values[0]
