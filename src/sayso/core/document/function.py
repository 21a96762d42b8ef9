"""An interaction function of the inbox shape: what a saved document says, ready to run."""

from dataclasses import dataclass

from sayso.core.document.reply_rule import ReplyRule
from sayso.core.document.schemas import Schema
from sayso.core.document.templates import Template


@dataclass(frozen=True, kw_only=True)
class InboxFunction:
    """Asks a person through the inbox. It never changes: it may be kept, and used by any thread.

    ``from_`` is left out where the party itself answers. ``reply_rule`` is checked and not used in this shape.
    ``warnings`` are for the author: what was accepted, and will hardly do what was meant.
    """

    name: str
    description: str | None
    to: Template
    from_: Template | None
    message: Template
    expires_ms: int
    input_schema: Schema | None
    output_schema: Schema | None
    reply_rule: ReplyRule | None
    warnings: tuple[str, ...]

    @property
    def notification(self) -> bool:
        """Whether it takes no answer."""
        return self.output_schema is None
