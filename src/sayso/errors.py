"""Problem: the one way that sayso refuses. A closed list of reasons, each with its status and its title."""

from dataclasses import dataclass
from enum import StrEnum


class Reason(StrEnum):
    """Why something was refused: the last part of a problem's type and the reason of a run's rejection."""

    BAD_REQUEST = "bad_request"
    UNAUTHENTICATED = "unauthenticated"
    FORBIDDEN = "forbidden"
    ORIGIN_NOT_ALLOWED = "origin_not_allowed"
    NOT_FOUND = "not_found"
    METHOD_NOT_ALLOWED = "method_not_allowed"
    CONFLICT = "conflict"
    CANCELLED = "cancelled"
    UNANSWERED = "unanswered"
    CONTENT_TOO_LARGE = "content_too_large"
    UNSUPPORTED_MEDIA_TYPE = "unsupported_media_type"
    INVALID_INPUT = "invalid_input"
    RATE_LIMITED = "rate_limited"
    INTERNAL = "internal"
    UNAVAILABLE = "unavailable"


STATUS: dict[Reason, int] = {
    Reason.BAD_REQUEST: 400,
    Reason.UNAUTHENTICATED: 401,
    Reason.FORBIDDEN: 403,
    Reason.ORIGIN_NOT_ALLOWED: 403,
    Reason.NOT_FOUND: 404,
    Reason.METHOD_NOT_ALLOWED: 405,
    Reason.CONFLICT: 409,
    Reason.CANCELLED: 409,
    Reason.UNANSWERED: 410,
    Reason.CONTENT_TOO_LARGE: 413,
    Reason.UNSUPPORTED_MEDIA_TYPE: 415,
    Reason.INVALID_INPUT: 422,
    Reason.RATE_LIMITED: 429,
    Reason.INTERNAL: 500,
    Reason.UNAVAILABLE: 503,
}


# After so many seconds a caller that was told 503 may try again.
RETRY_AFTER_S = 5


class Kind(StrEnum):
    """What a refusal is about, where its reason alone does not tell a program what to do."""

    TAKEN = "taken"
    RETIRED = "retired"
    UNWORKABLE = "unworkable"
    TOOL_NOT_OFFERED = "tool_not_offered"
    REQUESTS_FULL = "requests_full"
    EXPIRED = "expired"
    REQUESTED = "requested"
    ANSWERED = "answered"
    REASSIGNED = "reassigned"
    VERSION_CONFLICT = "version_conflict"


@dataclass(frozen=True, kw_only=True)
class Issue:
    """One fault of an input: words for its author, where it is, and for a document its line.

    ``pointer`` is an RFC 6901 pointer into the request's input as one object (``/source``, ``/answer/verdict``).
    ``line`` counts from 1 within the whole document; ``at`` points into its front matter, and is None for its body
    and for the document as a whole. ``detail`` never repeats a value that could be a secret.
    """

    detail: str
    pointer: str
    line: int | None = None
    at: str | None = None


class Problem(Exception):
    """A refusal, for the person or program that asked: what is wrong, where, and what to do next.

    ``retry_after`` (seconds) is given only where the same request may succeed later. ``incident`` is set only on
    ``internal``, whose cause stays in the log.
    """

    def __init__(
        self,
        reason: Reason,
        detail: str,
        *,
        kind: Kind | None = None,
        because: str | None = None,
        issues: tuple[Issue, ...] = (),
        retry_after: int | None = None,
        incident: str | None = None,
    ) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail
        self.kind = kind
        self.because = because
        self.issues = issues
        self.retry_after = retry_after
        self.incident = incident

    @property
    def status(self) -> int:
        """The HTTP status of the reason."""
        return STATUS[self.reason]

    @property
    def title(self) -> str:
        """The reason as a person reads it, such as "Invalid input"."""
        return self.reason.value.replace("_", " ").capitalize()


def invalid_input(detail: str, pointer: str) -> Problem:
    """An ``invalid_input`` with one issue, at one pointer into the input."""
    return Problem(Reason.INVALID_INPUT, detail, issues=(Issue(detail=detail, pointer=pointer),))


def not_found(what: str) -> Problem:
    """The 404 of every door: the same words for what another org has and for what never existed."""
    return Problem(Reason.NOT_FOUND, f"There is no such {what}.")


def unavailable() -> Problem:
    """What a caller hears whose write may or may not stand: never a conflict, always "try again"."""
    detail = "The store cannot be written just now. Send the same request again in a moment."
    return Problem(Reason.UNAVAILABLE, detail, retry_after=RETRY_AFTER_S)


def conflict(detail: str, kind: Kind | None = None) -> Problem:
    """A ``conflict``: the request was understood, and what already stands forbids it."""
    return Problem(Reason.CONFLICT, detail, kind=kind)
