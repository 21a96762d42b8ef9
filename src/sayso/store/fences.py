"""The last fences: what a store holds back that only a fault of ours could have written."""

import logging

from sayso.ports import StatementFailed

log = logging.getLogger(__name__)


class ConstraintFailed(StatementFailed):
    """A constraint of the schema, or the version of a head, held a row back."""


class Fences:
    """How often a row was held back that only a fault of ours could have written. It should stay 0."""

    def __init__(self) -> None:
        self.count = 0

    def held(self, error: ConstraintFailed) -> None:
        """Count and log one."""
        self.count += 1
        log.error("the store held a batch back, which should not happen: %s", error)
