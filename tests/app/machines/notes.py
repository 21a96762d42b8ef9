"""Notes: an event that tests put into the journals of their machines, with a word of their own in it."""

from sayso.core.events import Event, RunCancelRequested


def note(word: str) -> Event:
    return RunCancelRequested(kind=word)


def word(event: Event) -> str:
    assert isinstance(event, RunCancelRequested)
    return event.kind
