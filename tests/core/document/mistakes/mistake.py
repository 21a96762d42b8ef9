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



@dataclass(frozen=True)
class Mistake:
    """What stands in a document where ``right`` should, and the words of the message that say what to write.

    ``line`` is where it is told of; None: at the first line that was written wrongly, or ``below`` that. ``is_taken``
    is whether the document is taken with a warning.
    """

    title: str
    base: str
    right: str
    wrong: str
    fix: str
    below: int = 0
    line: int | None = None
    is_taken: bool = False

    @property
    def source(self) -> str:
        """The document with the mistake."""
        return self.base.replace(self.right, self.wrong, 1)

    @property
    def told_at(self) -> int:
        """The line at which it must be told of."""
        return self.line or 1 + self.base.count("\n", 0, self.base.index(self.right)) + self.below

    @property
    def file(self) -> str:
        """The name of the document."""
        return "tickets.md" if "\ncall:" in self.base else "chat.md" if "\ndeliver:" in self.base else "brief.md"
