"""A notice: what is told of one new request, as a CloudEvent, and who brings it."""

import json
from dataclasses import dataclass
from typing import Protocol

from sayso.core import rows, values
from sayso.core.events import InteractionRequested
from sayso.core.ids import event_id, uuid_text
from sayso.core.instants import iso
from sayso.core.rows import Row
from sayso.core.values import Json

TYPE = "dev.sayso.interaction.requested"


@dataclass(frozen=True, kw_only=True)
class Notice:
    """One new request. ``id`` is that of its event: the same, however often the notice is brought."""

    id: str
    position: int
    at: int
    source: str
    run_id: str
    data: dict[str, Json]

    @property
    def document(self) -> dict[str, Json]:
        """The CloudEvent (1.0, structured mode)."""
        return {
            "specversion": "1.0",
            "id": self.id,
            "source": self.source,
            "type": TYPE,
            "subject": self.run_id,
            "time": iso(self.at),
            "datacontenttype": "application/json",
            "data": self.data,
        }


class NotBrought(Exception):
    """Why a notice could not be brought. ``refused`` says that this one will not do, though others may.

    ``retry_after_s`` is how long whoever takes it asked us to wait.
    """

    def __init__(self, words: str, *, refused: bool = False, retry_after_s: float = 0) -> None:
        super().__init__(words)
        self.words = words
        self.refused = refused
        self.retry_after_s = retry_after_s


class Courier(Protocol):
    """Brings notices to the one place that an operator named."""

    @property
    def target(self) -> str:
        """The place, as it may be shown: without a password."""

    async def bring(self, notice: Notice) -> None:
        """Bring a notice, within 20 seconds. Raises NotBrought."""

    async def close(self) -> None:
        """Let connections go. Idempotent."""


def of(row: Row, source: str) -> Notice:
    """The notice of a row of ``fed_requests``. Raises ValueError or TypeError for one that cannot be read."""
    asked = rows.event(row["type"], row["v"], row["data"], row["content"])
    assert isinstance(asked, InteractionRequested), "found by its type"
    run_id = uuid_text(row["run_id"] or row["stream"])
    schema = None if row["output_schema"] is None else json.loads(row["output_schema"])
    data: dict[str, Json] = {
        "run_id": run_id,
        "type": row["definition_type"],
        "function": row["definition_name"],
        "version": row["definition_version"],
        "to": asked.to,
        "message": asked.message,
        "takes_answer": asked.takes_answer,
        "answer_schema": schema,
        "expires_at": iso(asked.expires_at),
    }
    return Notice(
        id=uuid_text(event_id(row["stream"], row["seq"])),
        position=row["position"],
        at=row["at"],
        source=source,
        run_id=run_id,
        data=data | values.stated(answerer=asked.answerer),
    )
