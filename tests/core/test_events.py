"""Events: their wire form is stable, and nothing that folds is content."""

import dataclasses
from typing import Any

import pytest

from sayso.core import events
from sayso.core.events import Event, InteractionRequested, RequestAnswered, RunStarted


@pytest.mark.parametrize("kind", events.CODES.values())
def test_every_event_has_a_name_and_a_code_of_its_own(kind: type[Event]) -> None:
    fields: dict[str, Any] = {f.name: 1 for f in dataclasses.fields(kind) if f.default is dataclasses.MISSING}
    event = kind(**fields)
    assert events.CODES[events.code(event)] is kind
    assert events.name(event)


def test_content_is_apart_from_data() -> None:
    answered = RequestAnswered(answer_sha256="aa", answer_bytes=4, answer=None, claimed_for="the board")
    assert events.to_wire(answered) == ({"answer_sha256": "aa", "answer_bytes": 4}, {"claimed_for": "the board"})


def test_an_event_comes_back_as_it_was() -> None:
    asked = InteractionRequested(message_bytes=3, takes_answer=False, expires_at=9, to="the editor", message="Go?")
    data, content = events.to_wire(asked)
    assert events.from_wire(events.code(asked), events.VERSION, data, content) == asked


def test_without_its_content_an_event_still_folds() -> None:
    asked = InteractionRequested(message_bytes=3, takes_answer=True, expires_at=9, to="the editor", message="Go?")
    data, _ = events.to_wire(asked)
    bare = events.from_wire(events.code(asked), events.VERSION, data, None)
    assert bare == dataclasses.replace(asked, to=None, message=None)


@pytest.mark.parametrize(("number", "version"), [(1, 2), (99, 1)])
def test_a_type_or_a_version_from_the_future_is_refused(number: int, version: int) -> None:
    with pytest.raises(ValueError, match=f"type {number} and version {version}"):
        events.from_wire(number, version, {}, None)


def test_what_people_write_is_content() -> None:
    assert events.content_fields()[RunStarted.__name__] == {"input"}
    assert events.content_fields()["RunRejected"] == {"detail", "issues"}
