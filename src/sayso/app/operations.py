"""The operations: all that a door offers, by name. A door finds the caller and the fields; this does the rest.

allowed = operations.allow(principal, "answer_interaction", org="acme", playbook="sales")   # 403 before any body
outcome = await operations.perform(allowed, {"run_id": …, "answer": …})                    # JSON, or a Problem
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sayso.app import access, inputs
from sayso.app.access import Principal
from sayso.core.values import Json

Outcome = dict[str, Json]


@dataclass(frozen=True, kw_only=True)
class Allowed:
    """A principal that may perform one operation in one org, and in one playbook where it acts in one."""

    principal: Principal
    operation: str
    org: str
    playbook: str | None


Perform = Callable[[Allowed, Any], Awaitable[Outcome]]


class Operations:
    """Every operation, whoever asks and through whichever door."""

    def __init__(self, performers: Mapping[str, Perform]) -> None:
        self._performers = performers

    def allow(
        self, principal: Principal, operation: str, *, org: str, playbook: str | None, run_id: str | None = None
    ) -> Allowed:
        """Refuse with 403 what the access table does not allow, before anything else of the request is looked at.

        ``run_id`` is the run that the request names where it says what it is for, if it does there.
        """
        access.check(principal, operation, org, playbook, run_id)
        return Allowed(principal=principal, operation=operation, org=org, playbook=playbook)

    async def perform(self, allowed: Allowed, fields: dict[str, Json]) -> Outcome:
        """What the operation answers, as JSON. Raises Problem: every refusal, and nothing else that is expected."""
        return await self._performers[allowed.operation](allowed, inputs.read(allowed.operation, fields))
