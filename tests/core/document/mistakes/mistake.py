"""A mistake that newcomers make: what is written in place of what, and what must be said of it."""

from dataclasses import dataclass

BRIEF = """---
description: Asks the owner whether a brief may go out
to: '{{ input.owner }}'
expires: P2D
input:
  schema:
    type: object
    additionalProperties: false
    required: [owner, brief]
    properties:
      owner: { type: string }
      brief: { type: string }
      links: { type: array, items: { type: string } }
output:
  schema:
    type: object
    required: [verdict]
    properties:
      verdict: { type: string, enum: [approve, revise] }
      note: { type: string, maxLength: 2000 }
---
May this brief go out?

{{ input.brief }}
"""

CHAT = """---
to: '{{ input.owner }}'
expires: P2D
deliver:
  server: chat
  tool: post_message
  with:
    room: '{{ to }}'
    text: '{{ message }}'
  sent:
    conversation: /room
    id: /id
replies:
  tool: list_messages
  with:
    room: '{{ sent.conversation }}'
    after: '{{ since }}'
  read:
    list: /messages
    order: oldest_first
    each: { id: /id, sender: /from, text: /text }
  wait: PT1M
reply: { verdict: word, note: rest }
output:
  schema:
    type: object
    required: [verdict]
    properties:
      verdict: { type: string, enum: [approve, revise] }
      note: { type: string }
      urgent: { type: boolean }
---
May it go out?
"""

TICKETS = """---
call:
  server: tickets
  tool: list_tickets
  with:
    desk: '{{ input.desk }}'
    most: 50
  read: /tickets
output:
  schema: { type: array }
---
"""


@dataclass(frozen=True, kw_only=True)
class Mistake:
    """What is written wrongly in a document, what is right there, and the words of the message that must say so.

    ``place`` is what stands there in the document itself (empty: what is right). ``line`` is where it is told of; None:
    at the first line that is wrong, or so many ``below`` it. ``is_taken`` is whether the document is taken, with a
    warning.
    """

    title: str
    right: str
    wrong: str
    fix: str
    base: str = BRIEF
    place: str = ""
    below: int = 0
    line: int | None = None
    is_taken: bool = False

    @property
    def source(self) -> str:
        """The document with the mistake."""
        return self.base.replace(self.place or self.right, self.wrong, 1)

    @property
    def corrected(self) -> str:
        """The document without it."""
        return self.base.replace(self.place or self.right, self.right, 1)

    @property
    def told_at(self) -> int:
        """The line at which it must be told of."""
        begins = self.base.index(self.place or self.right)
        return self.line or 1 + self.base.count("\n", 0, begins) + self.below

    @property
    def file(self) -> str:
        """The name of the document."""
        return FILES[self.base]


FILES = {BRIEF: "brief.md", CHAT: "chat.md", TICKETS: "tickets.md"}
