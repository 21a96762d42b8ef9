"""``uniqueItems``, checked here: what the engine's own takes may grow with the square of the items.

It has one bucket for all large whole numbers that lie near each other, and for all nestings of lists with equal leaves.
"""

from collections.abc import Hashable, Sequence
from decimal import Decimal

from sayso.core import values
from sayso.core.values import Json


class UniqueItems:
    """The keyword, as the engine makes it of a schema and calls it."""

    def __init__(self, _parent: dict[str, Json], value: Json, _path: Sequence[str | int]) -> None:
        self._asked = value is True

    def validate(self, instance: Json) -> None:
        if self._asked and isinstance(instance, list) and len({_key(item) for item in instance}) < len(instance):
            raise ValueError("The list has items that are equal.")


def _key(item: Json) -> Hashable:
    """Equal for two items exactly if they are equal as JSON: ``1`` and ``1.0`` are, ``1`` and ``true`` are not."""
    if isinstance(item, str) or type(item) is int:
        return item
    if isinstance(item, float):
        return int(Decimal(repr(item))) if item.is_integer() else item
    return (values.canonical(item),)
