"""Commands: what somebody orders a stream to do. A command carries no time; the unit's transaction gives it."""

from sayso.core.events import DefinitionSaved, EventPublished, RunRejected, RunStarted
from sayso.core.frozen import frozen
from sayso.core.heads import Birth
from sayso.core.values import Json

# The caller that a playbook itself is: what time decided was done by nobody else.
PLAYBOOK_ITSELF = 0


@frozen
class Question:
    """A rendered request, before it is asked: it expires ``expires_ms`` after the unit that asks it."""

    to: str
    answerer: str | None
    message: str
    message_bytes: int
    takes_answer: bool
    expires_ms: int


@frozen
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


@frozen
class StartCall:
    """Start a run that calls a tool, and record why it cannot."""

    started: RunStarted
    refused: RunRejected


@frozen
class Answer:
    """Settle the request with an answer that was checked against the schema of ``checked_version``.

    Whoever may answer only what is put to some parties has seen, at the event ``seen_seq``, that this is; None is
    anybody else.
    """

    answer: Json
    answer_sha256: str
    answer_bytes: int
    checked_version: int
    claimed_for: str | None = None
    seen_seq: int | None = None


@frozen
class Reassign:
    """Give the request to a party and an answerer; None is that the party answers.

    Whom it is put to is content, which a decision does not know: whoever orders this has seen it at the event
    ``seen_seq``. With ``changes_nothing`` it was put so already.
    """

    to: str
    answerer: str | None
    seen_seq: int
    changes_nothing: bool


@frozen
class Cancel:
    """End the run without an answer, and say why."""

    kind: str
    reason: str


@frozen
class Erase:
    """Let what people and systems wrote in an ended run go, for good."""


@frozen
class Look:
    """Look at the stream, since it is due: what to do is decided from its state."""


@frozen
class Text:
    """A definition's document as it was saved, with the schemas as lists and answers need them."""

    source: str
    description: str | None
    input_schema: Json
    output_schema: Json


@frozen
class CreateDefinition:
    """Save the first version of a definition whose name nobody has had; ``saved.version`` is 1."""

    saved: DefinitionSaved
    text: Text


@frozen
class UpdateDefinition:
    """Save a changed source as the next version, which the decision puts into ``saved``."""

    saved: DefinitionSaved
    text: Text
    expected_version: int | None = None


@frozen
class RetireDefinition:
    """Retire a definition for good."""


@frozen
class Publish:
    """Put an event of somebody's own into the playbook's feed."""

    published: EventPublished


@frozen
class Post:
    """Leave something in the inbox of a kept stream, for its next step.

    ``source`` is the stream that it comes from. The machine knows the body by its kind and version; the body was
    measured before.
    """

    source: bytes
    kind: str
    version: int
    body: Json
    body_bytes: int


Command = (
    Ask
    | StartCall
    | Answer
    | Reassign
    | Cancel
    | Erase
    | Look
    | Post
    | Publish
    | CreateDefinition
    | UpdateDefinition
    | RetireDefinition
)


@frozen
class Order:
    """A command to one stream, by one caller. With ``birth`` the stream is made if its run id or key is still free.

    ``what`` names the thing in the words of a 404.
    """

    stream: bytes
    command: Command
    by: int
    birth: Birth | None = None
    what: str = "run"
