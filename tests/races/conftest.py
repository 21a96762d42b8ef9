"""What the proofs of this folder share."""

import os
from collections.abc import Callable

import pytest


@pytest.fixture
def shown(capsys: pytest.CaptureFixture[str]) -> Callable[[str], None]:
    """Prints a proof's figures past pytest's capture: they are what a proof is for."""

    def show(text: str) -> None:
        with capsys.disabled():
            print(f"\n{text}")

    return show


@pytest.fixture(scope="session")
def is_long() -> bool:
    """Whether the long forms are wanted: ``make prove`` sets SAYSO_LONG."""
    return os.environ.get("SAYSO_LONG") == "1"
