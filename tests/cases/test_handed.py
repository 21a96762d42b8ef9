"""The cases here are the handed ones, letter for letter: none is weakened to pass."""

import os
from pathlib import Path

import pytest

HERE = Path(__file__).parent
HANDED = Path(os.environ.get("SAYSO_SHARED", HERE.parents[2] / "shared")) / "cases"


@pytest.mark.skipif(not HANDED.is_dir(), reason="the handed cases are not there; SAYSO_SHARED says where they are")
def test_the_cases_are_as_they_were_handed() -> None:
    handed = {path.name: path.read_bytes() for path in sorted(HANDED.glob("*.jsonl"))}
    assert handed == {path.name: path.read_bytes() for path in sorted(HERE.glob("*.jsonl"))}
