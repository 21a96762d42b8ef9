"""Differences: what changed from one source of a definition to another, field by field and line by line."""

from collections.abc import Iterable, Iterator, Sequence
from difflib import Match, SequenceMatcher
from itertools import accumulate, takewhile

from sayso.core import values
from sayso.core.document import front_matter
from sayso.core.document.faults import Faulty

# What looking for equal lines may cost, in pairs of lines looked at: about a fifth of a second. Unbounded it would grow
# at least with the square of the lines, and sources are whatever their authors wrote.
COMPARISONS = 1_000_000
_CONTEXT_LINES = 3
_UNREADABLE = "a version cannot be read any more, so only its lines are compared"


def changed(old: str, new: str) -> list[str]:
    """The fields of the front matter that say something else, and the message, in words.

    A field that is only written in another way has not changed.
    """
    try:
        before, after = front_matter.read(old), front_matter.read(new)
    except Faulty:
        return [_UNREADABLE]
    words = [
        f"{name} {how}"
        for name in {**after.fields, **before.fields}
        if (how := _how(name, before.fields, after.fields))
    ]
    return words if before.body == after.body else [*words, "message changed"]


def _how(name: str, before: dict[str, values.Json], after: dict[str, values.Json]) -> str | None:
    if name not in before:
        return "added"
    if name not in after:
        return "removed"
    return None if values.digest(before[name]) == values.digest(after[name]) else "changed"


def unified(old: str, new: str, old_name: str, new_name: str) -> str:
    """The lines that differ, as a unified diff; empty for equal sources. Bounded, whatever they are."""
    before, after = _lines(old), _lines(new)
    groups = _Matcher(before, after).get_grouped_opcodes(_CONTEXT_LINES)
    hunks = [line for group in groups for line in _hunk(group, before, after)]
    return "".join([f"--- {old_name}\n", f"+++ {new_name}\n", *hunks] if hunks else hunks)


class _Matcher(SequenceMatcher[str]):
    """Looks for equal lines until that has cost enough; of what is left it sees only equal beginnings and ends."""

    def __init__(self, old: Sequence[str], new: Sequence[str]) -> None:
        super().__init__(None, old, new)
        self._old, self._new = old, new
        places: dict[str, list[int]] = vars(self)["b2j"]  # documented, and missing in the types
        self._costs = [0, *accumulate(1 + len(places.get(line, ())) for line in old)]
        self._left = COMPARISONS

    def find_longest_match(self, alo: int = 0, ahi: int | None = None, blo: int = 0, bhi: int | None = None) -> Match:
        """The longest run of equal lines within two stretches, as far as it can be paid for."""
        assert ahi is not None and bhi is not None, "the matcher itself asks, with both ends"
        self._left -= self._costs[ahi] - self._costs[alo]
        if self._left >= 0:
            return super().find_longest_match(alo, ahi, blo, bhi)
        old, new = self._old[alo:ahi], self._new[blo:bhi]
        if size := _equal(zip(old, new, strict=False)):
            return Match(alo, blo, size)
        size = _equal(zip(reversed(old), reversed(new), strict=False))
        return Match(ahi - size, bhi - size, size)


def _equal(pairs: Iterable[tuple[str, str]]) -> int:
    """How many pairs from the first on are of equals."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _lines(text: str) -> list[str]:
    """The lines with their ends, which are line feeds alone; the last has none if the text does not end in one."""
    *whole, last = text.split("\n")
    return [*(f"{line}\n" for line in whole), *([last] if last else [])]


def _hunk(
    group: Sequence[tuple[str, int, int, int, int]], before: Sequence[str], after: Sequence[str]
) -> Iterator[str]:
    (_, old_start, _, new_start, _), (_, _, old_end, _, new_end) = group[0], group[-1]
    yield f"@@ -{_range(old_start, old_end)} +{_range(new_start, new_end)} @@\n"
    for tag, old_from, old_to, new_from, new_to in group:
        if tag == "equal":
            yield from _marked(" ", before[old_from:old_to])
        else:
            yield from _marked("-", before[old_from:old_to])
            yield from _marked("+", after[new_from:new_to])


def _range(start: int, end: int) -> str:
    """Lines as a diff counts them: from 1, and a range of none by the line before it."""
    length = end - start
    return f"{start + 1}" if length == 1 else f"{start + 1 if length else start},{length}"


def _marked(mark: str, lines: Sequence[str]) -> Iterator[str]:
    for line in lines:
        yield f"{mark}{line}" if line.endswith("\n") else f"{mark}{line}\n\\ No newline at end of file\n"
