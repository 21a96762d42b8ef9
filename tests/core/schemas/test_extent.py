"""How large a value is, in what makes checking it slow."""

import pytest

from sayso.core.schemas.extent import Extent, extent
from sayso.core.values import Json


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (None, Extent(things=1, levels=1, letters=0, numbers=0)),
        ({"ab": [1, 2], "c": {}}, Extent(things=5, levels=3, letters=3 + 2 + 5 + 5, numbers=0)),
        ([0.5, True, 2**63 - 1, 2**63], Extent(things=5, levels=2, letters=8, numbers=2)),
        (10**400, Extent(things=1, levels=1, letters=0, numbers=5)),
    ],
)
def test_things_levels_letters_and_slow_numbers_are_counted(value: Json, found: Extent) -> None:
    assert extent(value) == found
