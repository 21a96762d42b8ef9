"""How large a value is, in what makes checking it slow."""

from typing import NamedTuple

from sayso.core.values import Json

# A number that no machine word holds is compared in a time that grows with the square of its digits.
_WORD_BITS = 63
_BITS_A_UNIT = 560


class Extent(NamedTuple):
    """The things in a value, itself one of them; the levels that they are on; the letters of all their pointers.

    And the numbers that are slow to compare: those with a fraction, and whole ones by their digits.
    """

    things: int
    levels: int
    letters: int
    numbers: int


def extent(value: Json) -> Extent:
    """The extent of a value: looked at once, level by level."""
    things = levels = letters = numbers = 0
    level: list[tuple[int, Json]] = [(0, value)]
    while level:
        things += len(level)
        levels += 1
        letters += sum(length for length, _ in level)
        numbers += sum(_slowness(thing) for _, thing in level)
        level = [child for length, thing in level for child in _children(length, thing)]
    return Extent(things, levels, letters, numbers)


def _children(length: int, thing: Json) -> list[tuple[int, Json]]:
    if isinstance(thing, dict):
        return [(length + len(name) + 1, member) for name, member in thing.items()]
    if isinstance(thing, list):
        return [(length + 2, item) for item in thing]
    return []


def _slowness(thing: Json) -> int:
    if isinstance(thing, float):
        return 1
    if isinstance(thing, int) and thing.bit_length() > _WORD_BITS:
        return 1 + (thing.bit_length() // _BITS_A_UNIT) ** 2
    return 0
