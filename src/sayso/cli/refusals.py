"""A refusal as the command line shows it: one problem document, whichever door it came through."""

import re
from collections.abc import Mapping
from typing import Any

from sayso.cli import endings
from sayso.core.values import Json
from sayso.errors import Problem, Reason

# A server names the operation that it refuses; a person has typed another word for it.
_OPERATION = re.compile(r"^[a-z]+(?:_[a-z]+)+ (cannot take this|needs the permission)\b")
_FOR_PEOPLE = {"cannot take this": "This cannot be taken", "needs the permission": "This needs the permission"}
_NEXT = {
    "There is no such definition.": "`sayso save FILE` makes one. Is it in another playbook or org?",
    "There is no such run.": "`sayso list` shows what waits. Is it in another playbook or org?",
}


class Refused(Exception):
    """A door refused. ``document`` is the problem document; ``advice`` says what to do next at a command line.

    ``said`` are words for a person in place of the document's.
    """

    def __init__(self, document: Mapping[str, Json], advice: str | None = None, said: str | None = None) -> None:
        detail = str(document.get("detail", ""))
        super().__init__(detail)
        self.document = dict(document)
        self.advice = advice or _NEXT.get(detail)
        self.words = said or _words(detail, document.get("reason"))

    @property
    def issues(self) -> list[dict[str, Any]]:
        """The faults of the input, each with its pointer; none where the problem names none."""
        listed = self.document.get("errors")
        return [issue for issue in listed if isinstance(issue, dict)] if isinstance(listed, list) else []

    @property
    def places(self) -> list[tuple[str, str]]:
        """Where the faults are and which, but for one that the words tell already, with its field's name."""
        pairs = [(str(issue.get("pointer", "")), str(issue.get("detail", ""))) for issue in self.issues]
        return [(where, what) for where, what in pairs if what not in self.words or not _is_named(where, what)]


def _is_named(pointer: str, words: str) -> bool:
    """Whether words name what a pointer leads to, as fields or as templates write it."""
    return pointer[1:] in words or pointer[1:].replace("/", ".") in words


def _words(detail: str, reason: Json) -> str:
    if reason == Reason.CANCELLED:
        return endings.cancelled(detail)
    return _OPERATION.sub(lambda found: _FOR_PEOPLE[found[1]], detail)


def refusal(problem: Problem, base: str) -> Refused:
    """The problem in the form that the HTTP door gives it; ``base`` begins its type."""
    from sayso.http import problems

    return Refused(problems.document(problem, base))


def not_possible(detail: str, advice: str | None = None) -> Refused:
    """A refusal of the command line itself, which no server gave."""
    title = Reason.UNAVAILABLE.value.capitalize()
    return Refused({"type": "about:blank", "title": title, "detail": detail, "reason": "unavailable"}, advice)
