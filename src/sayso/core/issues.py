"""Issues as a refusal shows them: as many as somebody reads, and how many more there are."""

from collections.abc import Sequence

from sayso.core.bounds import ISSUES_SHOWN
from sayso.errors import Issue


def shown(issues: Sequence[Issue], pointer: str) -> tuple[Issue, ...]:
    """At most as many issues as a reader wants, and then one, at ``pointer``, that counts the rest."""
    rest = len(issues) - ISSUES_SHOWN
    if rest <= 0:
        return tuple(issues)
    return (*issues[:ISSUES_SHOWN], Issue(detail=not_shown(rest), pointer=pointer))


def not_shown(rest: int) -> str:
    """The words that count what is left out."""
    return "1 more problem is not shown." if rest == 1 else f"{rest} more problems are not shown."
