"""Commands: what somebody orders a stream to do. A command carries no time; the unit's transaction gives it."""

from dataclasses import dataclass

from sayso.core.events import DefinitionSaved, RunRejected, RunStarted
from sayso.core.values import Json


@dataclass(frozen=True, kw_only=True)
class Question:
    """A rendered request, before it is asked: it expires ``expires_ms`` after the unit that asks it."""

    to: str
    answerer: str | None
    message: str
    message_bytes: int
    takes_answer: bool
    expires_ms: int


@dataclass(frozen=True, kw_only=True)
class Ask:
    """Start a run and put its request, or start it and record why it cannot.

    ``refused_early`` (its input, its tools) is decided before the open requests are counted, ``refused_question``
    after (AUTO: How a run ends). One of ``refused_early``, ``refused_question`` and ``question`` is given.
    """

    started: RunStarted
    question: Question | None = None
    refused_early: RunRejected | None = None
    refused_question: RunRejected | None = None
    open_limit: int


@dataclass(frozen=True, kw_only=True)
class StartCall:
    """Start a run that calls a tool, and record why it cannot."""

    started: RunStarted
    refused: RunRejected


@dataclass(frozen=True, kw_only=True)
class Answer:
    """Settle the request with an answer that was checked against the schema of ``checked_version``."""

    answer: Json
    answer_sha256: str
    answer_bytes: int
    checked_version: int
    claimed_for: str | None = None


@dataclass(frozen=True, kw_only=True)
class Cancel:
    """End the run without an answer, and say why."""

    kind: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class Look:
    """Look at the stream, since it is due: what to do is decided from its state."""


@dataclass(frozen=True, kw_only=True)
class Text:
    """A definition's document as it was saved, with the schemas as lists and answers need them."""

    source: str
    description: str | None
    input_schema: Json
    output_schema: Json


@dataclass(frozen=True, kw_only=True)
class CreateDefinition:
    """Save the first version of a definition whose name nobody has had; ``saved.version`` is 1."""

    saved: DefinitionSaved
    text: Text


@dataclass(frozen=True, kw_only=True)
class UpdateDefinition:
    """Save a changed source as the next version, which the decision puts into ``saved``."""

    saved: DefinitionSaved
    text: Text
    expected_version: int | None = None


@dataclass(frozen=True, kw_only=True)
class RetireDefinition:
    """Retire a definition for good."""


Command = Ask | StartCall | Answer | Cancel | Look | CreateDefinition | UpdateDefinition | RetireDefinition
