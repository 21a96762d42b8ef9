"""What a regular expression costs: at how many of its places a search may be at once, told without running it.

The engine takes linear time, but each character of a text costs it a step for every place that the search is at. How
many these can be follows from when a place may be entered: ``^a{0,900}$`` has 900 places and is at one at a time, since
a search enters the first at the start of the text alone; ``(a{1,900}){1,900}b`` may be at all of its 810,000.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from math import inf
from typing import NamedTuple

from sayso.core import bounds

# Expressions as ECMA-262 writes them. What is not right by its grammar is refused for that, whatever it weighs here.
_TOKEN = re.compile(
    r"""(?P<property>\\[pP]\{[^}]*\}|\[(?:\\[^pP]|[^\]\\])*\\[pP](?:\\.|[^\]\\])*\])
    |(?P<open>\((?:\?(?:<[^>=!]*>|[a-z-]*:|<?[=!]))?)
    |(?P<close>\))
    |(?P<or>\|)
    |(?P<times>(?:[*+?]|\{(?P<least>\d+)(?P<more>,?)(?P<most>\d*)\})\??)
    |(?P<edge>[$^]|\\[bB])
    |\[(?:\\.|[^\]\\])*\]
    |\\(?:u\{[^}]*\}|u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|c[A-Za-z]|.)
    |.""",
    re.VERBOSE | re.DOTALL,
)
_SIGNS: dict[str, tuple[int, float]] = {"*": (0, inf), "+": (1, inf), "?": (0, 1)}

# The engine has states of its own where a group begins and ends and where a repetition may go on, and it looks through
# many ranges for a class of Unicode.
_GROUP_STEPS = 2
_REPETITION_STEPS = 1
_PROPERTY_STEPS = 8


class _Run(NamedTuple):
    """Places one behind the other. The first is entered between two moments, which are counted in characters."""

    first: float
    last: float
    places: int
    steps: int

    def later(self, least: float, most: float) -> "_Run":
        return self._replace(first=self.first + least, last=self.last + most)


@dataclass(slots=True)
class _Part:
    """A part of an expression: how short and how long its texts are, and its runs, counted from where it begins."""

    least: float = 0
    most: float = 0
    runs: list[_Run] = field(default_factory=list)

    def add(self, part: "_Part") -> None:
        """Let another part follow."""
        self.runs += [run.later(self.least, self.most) for run in part.runs]
        self.least += part.least
        self.most += part.most


@dataclass(slots=True)
class _Group:
    """A group that is being read: its alternatives, the last of them not whole yet, and an operand to be repeated yet.

    The whole expression is a group of which a search begins an alternative at any moment up to ``latest``, and one that
    ``^`` leads at the first.
    """

    latest: float = 0
    led: bool = False
    done: list[_Part] = field(default_factory=list)
    alternative: _Part = field(default_factory=_Part)
    operand: _Part = field(default_factory=_Part)

    def follow(self, operand: _Part) -> None:
        self.alternative.add(self.operand)
        self.operand = operand

    def edge(self, sign: str) -> None:
        self.led = self.led or (sign == "^" and not self.alternative.runs and not self.operand.runs)

    def end(self) -> None:
        """End an alternative."""
        self.follow(_Part())
        if not self.led:
            self.alternative.runs = [run.later(0, self.latest) for run in self.alternative.runs]
        self.done.append(self.alternative)
        self.alternative, self.led = _Part(), False

    def closed(self) -> _Part:
        self.end()
        runs = [run for part in self.done for run in part.runs]
        most = max(part.most for part in self.done)
        return _Part(min(part.least for part in self.done), most, [*runs, _Run(0, most, 1, _GROUP_STEPS)])


class _TooLong(Exception):
    """The expression is longer, its repetitions written out, than it is looked at."""


@lru_cache(maxsize=1_024)
def weight(pattern: str) -> int:
    """The steps that one character of a text may cost this expression; `TOO_MUCH` where that is more than is taken."""
    try:
        return min(_most_at_once(_written_out(pattern).runs), TOO_MUCH)
    except _TooLong:
        return TOO_MUCH


def _written_out(pattern: str) -> _Part:
    """The whole expression, every repetition as often as it may occur. It is read once, front to back."""
    groups, written = [_Group(latest=inf)], 0
    for token in _TOKEN.finditer(pattern):
        match token.lastgroup:
            case "open":
                groups.append(_Group())
            case "close" if len(groups) > 1:
                part = groups.pop().closed()
                groups[-1].follow(part)
            case "or":
                groups[-1].end()
            case "times":
                groups[-1].operand = _repeated(groups[-1].operand, *_times(token))
            case "edge":
                groups[-1].edge(token[0])
            case kind:
                groups[-1].follow(_Part(1, 1, [_Run(0, 0, 1, _PROPERTY_STEPS if kind == "property" else 1)]))
        written += len(groups[-1].operand.runs)
        _look_at(written)
    return groups[0].closed()


def _times(token: re.Match[str]) -> tuple[int, float]:
    """How often at least and at most a quantifier lets something occur."""
    if token["least"] is None:
        return _SIGNS[token[0][0]]
    least = int(token["least"])
    if token["most"]:
        return least, int(token["most"])
    return least, inf if token["more"] else least


def _repeated(part: _Part, least: int, most: float) -> _Part:
    """The part as often as it may occur. Without a limit, the last time is the one that goes on."""
    runs = [*part.runs, _Run(0, part.most, 1, _REPETITION_STEPS)]
    often = int(most) if most < inf else max(least - 1, 0)
    length = _product(part.least, least), _product(part.most, most)
    if part.most == 1 and len(part.runs) == 1:
        return _Part(*length, [*_chain(part.runs[0].steps, least, most)])
    _look_at(often * len(runs))
    written = [run.later(part.least * n, _product(part.most, n)) for n in range(often) for run in runs]
    if most == inf:
        written += [run._replace(first=run.first + part.least * often, last=inf) for run in runs]
    return _Part(*length, written)


def _chain(steps: int, least: int, most: float) -> Iterator[_Run]:
    """One character again and again: it must come so often, it may come more often, or it may go on."""
    yield _Run(0, 0, least, steps)
    more = most - least
    yield _Run(least, inf if more == inf else least, 1 if more == inf else int(more), steps + _REPETITION_STEPS)


def _product(length: float, times: float) -> float:
    return length * times if length and times else 0  # nothing without end is nothing


def _look_at(runs: int) -> None:
    if runs > bounds.PATTERN_RUNS:
        raise _TooLong


def _most_at_once(runs: list[_Run]) -> int:
    """The most steps that fall on one moment."""
    changes: list[tuple[float, int]] = []
    for run in runs:
        steps = int(min(run.places, run.last - run.first + 1)) * run.steps
        changes += [(run.first, steps), (run.last + run.places, -steps)]
    now = most = 0
    for _, change in sorted(changes):  # at one moment, what ends comes before what begins
        now += change
        most = max(most, now)
    return most


TOO_MUCH = bounds.SCHEMA_WORK + 1
