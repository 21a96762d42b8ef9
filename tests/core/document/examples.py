"""Documents that are taken, to be spoilt one place at a time, and what is said of those that are not."""

import pytest

from sayso.core.document.parse import CallFunction, RequestFunction, parse
from sayso.errors import Issue, Problem, Reason

THREAD = """---
description: Asks the owner of a draft whether it may go out
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
    id: /message
replies:
  conversation: '{{ sent.conversation }}/{{ sent.id }}'
  tool: list_messages
  with:
    room: '{{ sent.conversation }}'
    after: '{{ since }}'
  read:
    list: /messages
    order: oldest_first
    each: { id: /id, sender: /from, text: /text, to: /reply_to }
  wait: PT1M
  tell:
    tool: post_notice
    with:
      room: '{{ sent.conversation }}'
      text: '{{ message }}'
reply: { verdict: word, note: rest }
input:
  schema:
    type: object
    additionalProperties: false
    required: [owner, draft]
    properties:
      owner: { type: string }
      draft: { type: string }
output:
  schema:
    type: object
    required: [verdict]
    properties:
      verdict: { type: string, enum: [approve, revise] }
      note: { type: string }
---
Here is the draft:

{{ input.draft }}
"""

TICKETS = """---
description: Lists the open tickets of a desk
call:
  server: tickets
  tool: list_tickets
  with:
    desk: '{{ input.desk }}'
    most: 50
  read: /tickets
input:
  schema: { type: object, required: [desk], additionalProperties: false, properties: { desk: { type: string } } }
output:
  schema: { type: array }
---
"""


def refusal(source: str) -> tuple[Issue, ...]:
    """What is said of a document that is not taken."""
    with pytest.raises(Problem) as caught:
        parse(source)
    assert caught.value.reason is Reason.INVALID_INPUT
    return caught.value.issues


def faults(source: str) -> list[tuple[int | None, str | None]]:
    """The line and the place of each fault."""
    return [(issue.line, issue.at) for issue in refusal(source)]


def spoilt(source: str, old: str, new: str) -> str:
    """The document with one place changed."""
    assert source.count(old) >= 1, old
    return source.replace(old, new, 1)


def asking(source: str) -> RequestFunction:
    """The function of a document that asks a person."""
    function = parse(source, name="ask-owner")
    assert isinstance(function, RequestFunction)
    return function


def calling(source: str) -> CallFunction:
    """The function of a document that asks a system."""
    function = parse(source, name="list-tickets")
    assert isinstance(function, CallFunction)
    return function
