"""Mutation: a runner that passes a case must fail it once any one leaf of what it expects has been changed.

A leaf keeps its type: a text gets a letter, a boolean turns, a number grows by 1, a time by 3 seconds, null becomes a
text, a list loses its last member. Some leaves say what must *not* be there, or loosen a comparison: a change of one of
those need not fail, so they are counted apart, by name.
"""

import copy
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from sayso.core.values import Json
from tests.cases.case import Case
from tests.cases.compare import ABSENT

_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")
_MUST_NOT = re.compile(r"(.*_)?must_not(_.*)?")
# Lists of which one member, or a subset, is enough: losing a member of theirs loosens the case.
_ENOUGH = frozenset({"must", "in_order", "playbook_events_include"})

Path = tuple[str | int, ...]


@dataclass(frozen=True, kw_only=True)
class Leaf:
    """One place in what a case expects. ``apart`` says why a change of it is not demanded to fail; else None."""

    path: Path
    apart: str | None = None

    @property
    def pointer(self) -> str:
        """The place, as a JSON Pointer into the case."""
        return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in self.path)


def leaves(case: Case) -> list[Leaf]:
    """Every leaf of the case's ``expect``, and of those that stand at its steps."""
    roots: list[tuple[Path, Json]] = [(("expect",), case.expect)]
    steps = case.given.get("steps", []) if isinstance(case.given, dict) else []
    roots += [(("given", "steps", n, "expect"), step["expect"]) for n, step in enumerate(steps) if "expect" in step]
    return [Leaf(path=path, apart=_apart(path, root)) for start, root in roots for path in _paths(start, root)]


def mutated(case: Case, leaf: Leaf) -> Case:
    """The case with this one leaf changed; whatever the change does not touch is shared with the case."""
    whole: Json = {"given": case.given, "expect": case.expect}
    around = [whole]
    for part in leaf.path:
        around.append(around[-1][part])
    value = changed(around.pop())
    for part in reversed(leaf.path):
        outer = copy.copy(around.pop())
        outer[part] = value
        value = outer
    return replace(case, given=value["given"], expect=value["expect"])


def changed(value: Json) -> Json:
    """Another value of the same type."""
    match value:
        case bool():
            return not value
        case int() | float():
            return value + 1
        case str() if _TIME.fullmatch(value):
            return _later(value)
        case str():
            return value + "x"
        case None:
            return "x"
        case [*_, _]:
            return value[:-1]
    raise TypeError(f"{value!r} is no leaf")


def _later(time: str) -> str:
    later = datetime.fromisoformat(time.removesuffix("Z")) + timedelta(seconds=3)
    digits = len(time.partition(".")[2].removesuffix("Z"))
    return later.isoformat(timespec="seconds") + (f".{later.microsecond:06d}"[: digits + 1] if digits else "") + "Z"


def _paths(start: Path, root: Json) -> Iterator[Path]:
    pending: list[tuple[Path, Json]] = [(start, root)]
    while pending:
        path, value = pending.pop()
        if isinstance(value, dict):
            pending += [((*path, name), member) for name, member in value.items()]
            continue
        if isinstance(value, list):
            pending += [((*path, n), member) for n, member in enumerate(value)]
        if value != []:  # an empty list has no last member to lose
            yield path


def _apart(path: Path, root: Json) -> str | None:
    names = [part for part in path if isinstance(part, str)]
    value, around = _found(path, root)
    if value == ABSENT:
        return ABSENT
    for name in names:
        if _MUST_NOT.fullmatch(name):
            return name
    if "observe" in names:
        return "observe"
    if names[-1] == "exact":  # turned either way it says how to compare, not what was seen
        return "exact"
    if isinstance(value, list) and names[-1] == "problems" and around.get("exact") is False:
        return "exact: false"
    if names[-1] in _ENOUGH and (isinstance(value, list) or (isinstance(around, list) and len(around) > 1)):
        return "alternatives"
    return None


def _found(path: Path, root: Json) -> tuple[Json, Json]:
    """The value at a path, and what it lies in. The path starts outside the root, at the case's line."""
    value, around = root, {}
    for part in path[path.index("expect") + 1 :]:
        value, around = value[part], value
    return value, around
