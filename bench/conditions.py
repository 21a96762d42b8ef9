"""The conditions of a benchmark: on which store, how often, how large."""

import sys
from dataclasses import dataclass

from bench.ground import Ground


@dataclass(frozen=True, kw_only=True)
class Conditions:
    """What a benchmark is given. In its ``quick`` form it shows that it works, and its ratios mean nothing."""

    ground: Ground
    rounds: int
    quick: bool

    def size(self, full: int, quick: int) -> int:
        """How many, by the form."""
        return quick if self.quick else full

    @property
    def playbooks(self) -> int:
        """Over how many playbooks the work is spread."""
        return self.size(100, 4)

    def seconds(self, full: float) -> float:
        """How long a timed side lasts."""
        return 0.1 if self.quick else full


def tell(words: str) -> None:
    """Say on the terminal what goes on; results go elsewhere."""
    print(words, file=sys.stderr, flush=True)
