"""Interaction functions: what a saved document says, ready to run. None ever changes, so all may be kept and shared.

CallFunction      asks a system: one call of one tool
RequestFunction   asks a person, through the inbox (``delivery`` is None) or through a tool
"""

from dataclasses import dataclass
from typing import Literal

from sayso.core.replies.rule import ReplyRule
from sayso.core.schemas.schema import Schema
from sayso.core.templates.arguments import Arguments
from sayso.core.templates.template import Template
from sayso.errors import Issue


@dataclass(frozen=True, kw_only=True)
class Sent:
    """JSON Pointers into what the sending tool answers: where the message is, and which one of that place it is."""

    conversation: str
    id: str


@dataclass(frozen=True, kw_only=True)
class Delivery:
    """The tool that a request is sent through. ``sent`` is None where nothing says what it was delivered as."""

    server: str
    tool: str
    arguments: Arguments
    sent: Sent | None


@dataclass(frozen=True, kw_only=True)
class Each:
    """JSON Pointers within each message of a reading; ``to`` is None where none says what a message replies to."""

    id: str
    sender: str
    text: str
    to: str | None


@dataclass(frozen=True, kw_only=True)
class Read:
    """Where a reading's answer lists the messages, and in which order."""

    list: str
    order: Literal["oldest_first", "newest_first"]
    each: Each


@dataclass(frozen=True, kw_only=True)
class Tell:
    """How a party is told that its reply was no answer. ``tool`` is None where it is the sending one."""

    tool: str | None
    arguments: Arguments


@dataclass(frozen=True, kw_only=True)
class Replies:
    """How replies are read, by a tool of the server that sent the message; never more often than ``wait_ms``."""

    conversation: Template
    tool: str
    arguments: Arguments
    read: Read
    wait_ms: int
    tell: Tell | None


@dataclass(frozen=True, kw_only=True)
class CallFunction:
    """Asks a system: calls the tool once, and ends with the part of its answer at ``read``; None: with all of it."""

    name: str
    description: str | None
    server: str
    tool: str
    arguments: Arguments
    read: str | None
    input_schema: Schema | None
    output_schema: Schema
    warnings: tuple[Issue, ...]


@dataclass(frozen=True, kw_only=True)
class RequestFunction:
    """Asks a person, and waits for the answer. Without an ``output_schema`` it is a notification and takes none.

    ``from_`` is None where the party itself answers. ``replies`` is None where no reply is read: then ``reply_rule``,
    if there is one, is checked and not used. ``warnings`` are for the author: what was accepted, and will hardly do
    what was meant.
    """

    name: str
    description: str | None
    to: Template
    from_: Template | None
    message: Template
    expires_ms: int
    delivery: Delivery | None
    replies: Replies | None
    input_schema: Schema | None
    output_schema: Schema | None
    reply_rule: ReplyRule | None
    warnings: tuple[Issue, ...]

    @property
    def notification(self) -> bool:
        """Whether it takes no answer."""
        return self.output_schema is None


Function = CallFunction | RequestFunction
