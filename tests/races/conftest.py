"""What the proofs of this folder share with those of kills."""

from tests.faults.conftest import is_long, postgres, shown

__all__ = ["is_long", "postgres", "shown"]
