"""Places: where a template stands in a document, and the names that it reads there. # AUTO: Templates and pointers"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from sayso.core.values import Json

# The members of a name: any (its schema may say which), or those listed here, or none because it is a text.
_ANY = None
_TEXT: frozenset[str] = frozenset()
_SENT = frozenset({"conversation", "id"})


@dataclass(frozen=True)
class Place:
    """The names that a template reads at a place, each with the members it has (None: not known here).

    ``sample`` is what the names stand for when a template is tried at save, before anything of it was run, and
    ``varying`` are those of which it says nothing: when run they may have any size, and any form that they can have.
    ``is_filled`` is whether what is rendered goes to a tool, where ``${`` is refused.
    """

    names: Mapping[str, frozenset[str] | None]
    sample: Mapping[str, Json]
    varying: frozenset[str] = field(default=frozenset())
    is_filled: bool = field(default=False)


_MOMENT: Mapping[str, Json] = {"today": "2026-01-01", "now": "2026-01-01T00:00:00.000Z"}
_ANYWHERE = {"input": _ANY, "today": _TEXT, "now": _TEXT}
_OF_REQUEST = {
    **dict.fromkeys(("to", "message", "run_id", "function", "expires_at"), _TEXT),
    "answer_schema": _ANY,
}
# Digits are what most filters take: as a text, and by ``to_integer`` as the number that some tools want.
_SENT_SAMPLE: Mapping[str, Json] = {"to": "1", "sent": {"conversation": "1", "id": "1"}}
_REQUEST_SAMPLE: Mapping[str, Json] = {
    "to": "1",
    "message": "message",
    "run_id": "00000000-0000-7000-8000-000000000000",
    "function": "function",
    "expires_at": "2026-01-02T00:00:00.000Z",
    "answer_schema": {"type": "object"},
}
_INPUT = frozenset({"input"})

_OVER_INPUT = Place(_ANYWHERE, {"input": {}, **_MOMENT}, _INPUT)

PLACES: Mapping[str, Place] = {
    "to": _OVER_INPUT,
    "from": _OVER_INPUT,
    "message": _OVER_INPUT,
    "call.with": Place(_ANYWHERE, {"input": {}, **_MOMENT}, _INPUT, is_filled=True),
    "deliver.with": Place(
        {**_ANYWHERE, **_OF_REQUEST},
        {"input": {}, **_MOMENT, **_REQUEST_SAMPLE},
        _INPUT | _OF_REQUEST.keys(),
        is_filled=True,
    ),
    "replies.conversation": Place({"to": _TEXT, "sent": _SENT}, _SENT_SAMPLE, is_filled=True),
    "replies.with": Place(
        {"to": _TEXT, "sent": _SENT, "conversation": _TEXT, "since": _TEXT},
        {**_SENT_SAMPLE, "conversation": "1", "since": ""},
        is_filled=True,
    ),
    "tell.with": Place(
        {"to": _TEXT, "sent": _SENT, "message": _TEXT}, {**_SENT_SAMPLE, "message": "message"}, is_filled=True
    ),
}
