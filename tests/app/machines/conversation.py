"""A conversation for tests: requests join it, and a reading answers some of them and expires others in one unit."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace

from sayso.core.commands import PLAYBOOK_ITSELF, Answer, Look, Order
from sayso.core.heads import Head, Status, StreamKind, Summary
from sayso.core.machines.inbox import OrderRefused
from sayso.core.machines.machine import Given, Member, Reaction, Step
from sayso.core.values import Json
from tests.app.machines.notes import note

GAP = 5_000_000
ANSWERS = {"yes": "bb" * 32, "no": "cc" * 32}


@dataclass(frozen=True, kw_only=True)
class Join:
    """The message of a request was sent into the conversation."""

    sent_id: str
    request: bytes


@dataclass(frozen=True, kw_only=True)
class Tell:
    """The party was told something about a request."""

    sent_id: str
    request: bytes


@dataclass(frozen=True, kw_only=True)
class Reply:
    id: str
    request: bytes
    words: str


@dataclass(frozen=True, kw_only=True)
class Read:
    """What a call of the reading tool listed."""

    replies: tuple[Reply, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Conversation:
    """``refused`` are replies that were no answer, and streams whose request would not take one."""

    cursor: str = ""
    read_at: int | None = None
    refused: tuple[str, ...] = ()


class ConversationMachine:
    kind = StreamKind.CONVERSATION
    format = 1

    def read(self, number: int, state: Json) -> Conversation:
        if number != 1:
            raise ValueError(f"a conversation has no format {number}")
        return Conversation(**state | {"refused": tuple(state["refused"])})

    def write(self, state: Conversation) -> Json:
        return asdict(state)

    def step(self, state: Conversation | None, command: object, given: Given) -> Step[Conversation]:
        kept = state or Conversation()
        refusals = tuple(heard.stream.hex() for heard in given.inbox if isinstance(heard, OrderRefused))
        kept = replace(kept, refused=kept.refused + refusals)
        match command:
            case Join() if given.streams[command.request].head.open:
                asked_at = given.streams[command.request].head.at
                member = Member(sent_id=command.sent_id, stream=command.request, asked_at=asked_at)
                return replace(_rests(replace(kept, read_at=given.moment.now + GAP)), joined=(member,))
            case Tell():
                return replace(_rests(kept), joined=(Member(sent_id=command.sent_id, stream=command.request),))
            case Read():
                is_new = command.replies[-1:] != () and command.replies[-1].id != kept.cursor
                return _read(kept, command.replies if is_new else (), given)
            case Look():
                return _rests(replace(kept, read_at=None))
            case _:
                return _rests(kept)

    def hears(self, head: Head, child: Head) -> Reaction:
        raise AssertionError("a conversation has no children")


def _read(kept: Conversation, replies: tuple[Reply, ...], given: Given) -> Step[Conversation]:
    no_answers = tuple(reply.id for reply in replies if reply.words not in ANSWERS)
    cursor = replies[-1].id if replies else kept.cursor
    read = replace(kept, cursor=cursor, read_at=given.moment.now + GAP, refused=kept.refused + no_answers)
    orders = (*_answers(replies, given), *_expiries(given))
    return replace(_rests(read), events=(note("replies_read"),) if replies else (), orders=orders)


def _answers(replies: tuple[Reply, ...], given: Given) -> Iterator[Order]:
    for reply in replies:
        seen = given.streams[reply.request].head
        if reply.words in ANSWERS and seen.open and seen.expires_at and given.moment.now < seen.expires_at:
            digest = ANSWERS[reply.words]
            answer = Answer(answer=reply.words, answer_sha256=digest, answer_bytes=5, checked_version=1)
            yield Order(stream=reply.request, command=answer, by=PLAYBOOK_ITSELF)


def _expiries(given: Given) -> Iterator[Order]:
    for stream, seen in given.streams.items():
        if seen.head.open and seen.head.expires_at and seen.head.expires_at <= given.moment.now:
            yield Order(stream=stream, command=Look(), by=PLAYBOOK_ITSELF)


def _rests(kept: Conversation) -> Step[Conversation]:
    return Step(state=kept, summary=Summary(status=Status.WAITING, due_at=kept.read_at))
