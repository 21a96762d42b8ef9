"""Comparing what a case expects with what was observed. Every function returns the differences, in words.

Values are equal as JSON: a number is its value (``3`` is ``3.0``), and a boolean is never a number. Nothing here
recurses, since a case may nest its values 512 levels.
"""

import json
from collections import deque
from collections.abc import Iterable, Mapping, Sequence

from sayso.core.values import Json

# What a case writes where a field must be missing or null.
ABSENT = "absent"
_SHOWN = 160

Differences = list[str]


def exact(expected: Json, observed: Json, at: str = "") -> Differences:
    """Where the two differ: any member too many or too few, any leaf of another value or type."""
    found: Differences = []
    pending = deque([(expected, observed, at)])
    while pending:
        wanted, is_now, where = pending.popleft()
        if isinstance(wanted, dict) and isinstance(is_now, dict) and wanted.keys() == is_now.keys():
            pending += [(wanted[name], is_now[name], f"{where}/{name}") for name in wanted]
        elif isinstance(wanted, list) and isinstance(is_now, list) and len(wanted) == len(is_now):
            pending += [(a, b, f"{where}/{n}") for n, (a, b) in enumerate(zip(wanted, is_now, strict=True))]
        elif isinstance(wanted, dict | list) or not _same_leaf(wanted, is_now):
            found.append(differs(wanted, is_now, where))
    return found


def members(expected: Mapping[str, Json], observed: Mapping[str, Json], at: str = "") -> Differences:
    """Where an observed object differs in the members that are given; it may have others.

    A member given as an object is compared by its own given members, and ``"absent"`` stands for missing or null.
    """
    found: Differences = []
    for name, wanted in expected.items():
        is_now, where = observed.get(name), f"{at}/{name}"
        if wanted == ABSENT:
            found += [] if is_now is None else [differs(wanted, is_now, where)]
        elif isinstance(wanted, dict) and isinstance(is_now, dict):
            found += _given_members(wanted, is_now, where)
        elif name not in observed:
            found.append(differs(wanted, ABSENT, where))
        else:
            found += exact(wanted, is_now, where)
    return found


def in_any_order(expected: Iterable[str], observed: Iterable[str], at: str = "") -> Differences:
    """Where two sets of texts differ, with how often each text comes."""
    return exact(sorted(expected), sorted(observed), at)


def only_known(expect: Mapping[str, Json], known: Iterable[str]) -> Differences:
    """A complaint for each thing expected that the runner would not compare: what it skips it must not pass."""
    return [f"the runner does not compare {name!r}" for name in sorted(set(expect) - set(known))]


def differs(expected: Json, observed: Json, at: str) -> str:
    """One difference, as the line of a failure shows it."""
    return f"{at or 'it'}: expected {_brief(expected)}, found {_brief(observed)}"


def _given_members(expected: Mapping[str, Json], observed: Mapping[str, Json], at: str) -> Differences:
    found: Differences = []
    for name, wanted in expected.items():
        if name in observed:
            found += exact(wanted, observed[name], f"{at}/{name}")
        else:
            found.append(differs(wanted, ABSENT, f"{at}/{name}"))
    return found


def _same_leaf(expected: Json, observed: Json) -> bool:
    if isinstance(expected, bool) or isinstance(observed, bool):
        return expected is observed
    if isinstance(expected, int | float) and isinstance(observed, int | float):
        return expected == observed
    return type(expected) is type(observed) and bool(expected == observed)


def _brief(value: Json) -> str:
    text = json.dumps(value, ensure_ascii=False) if _is_flat(value) else str(type(value).__name__)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}… ({len(text)} characters)"


def _is_flat(value: Json) -> bool:
    """Whether a value can be written out: one that nests hundreds of levels is only named."""
    level: Sequence[Json] = [value]
    for _ in range(20):
        level = [m for v in level if isinstance(v, dict | list) for m in (v.values() if isinstance(v, dict) else v)]
    return not level
