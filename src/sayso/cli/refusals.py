"""A refusal as the command line shows it: one problem document, whichever door it came through."""

from collections.abc import Mapping
from typing import Any

from sayso.core.values import Json
from sayso.errors import Problem, Reason


class Refused(Exception):
    """A door refused. ``document`` is the problem document; ``advice`` says what to do next at a command line."""

    def __init__(self, document: Mapping[str, Json], advice: str | None = None) -> None:
        super().__init__(str(document.get("detail", "")))
        self.document = dict(document)
        self.advice = advice

    @property
    def issues(self) -> list[dict[str, Any]]:
        """The faults of the input, each with its pointer; none where the problem names none."""
        listed = self.document.get("errors")
        return [issue for issue in listed if isinstance(issue, dict)] if isinstance(listed, list) else []


def refusal(problem: Problem, base: str) -> Refused:
    """The problem in the form that the HTTP door gives it; ``base`` begins its type."""
    from sayso.http import problems

    return Refused(problems.document(problem, base))


def not_possible(detail: str, advice: str | None = None) -> Refused:
    """A refusal of the command line itself, which no server gave."""
    title = Reason.UNAVAILABLE.value.capitalize()
    return Refused({"type": "about:blank", "title": title, "detail": detail, "reason": "unavailable"}, advice)
