"""Problem documents (RFC 9457): what a refusal looks like on the wire."""

from sayso.core import pointers, values
from sayso.core.values import Json
from sayso.errors import Issue, Problem, Reason
from sayso.http.wire import Header, Reply

MEDIA_TYPE = b"application/problem+json"
# RFC 6750. A 401 or 403 without a word here is given its headers where it is raised.
_CHALLENGES = {Reason.UNAUTHENTICATED: b"invalid_token", Reason.FORBIDDEN: b"insufficient_scope"}
_TITLES = {Reason.INTERNAL: "Internal error"}


def document(problem: Problem, base: str) -> dict[str, Json]:
    """The members of a problem's document; ``base`` begins its type."""
    members: dict[str, Json] = {
        "type": base + problem.reason.value,
        "title": _TITLES.get(problem.reason, problem.title),
        "status": problem.status,
        "detail": problem.detail,
        "reason": problem.reason.value,
    }
    if problem.kind is not None:
        members["kind"] = problem.kind.value
    if problem.because is not None:
        members["because"] = problem.because
    if problem.issues:
        members["errors"] = [_error(issue) for issue in problem.issues]
    if problem.incident is not None:
        members["instance"] = f"urn:uuid:{problem.incident}"
    return members


def _error(issue: Issue) -> dict[str, Json]:
    error: dict[str, Json] = {"detail": issue.detail, "pointer": pointers.shortened(issue.pointer)}
    if issue.line is not None:
        error["line"] = issue.line
    if issue.at is not None:
        error["at"] = pointers.shortened(issue.at)
    return error


def challenge(problem: Problem) -> tuple[Header, ...]:
    """What tells a client which credential it lacks, for a key that was looked at."""
    error = _CHALLENGES.get(problem.reason)
    return () if error is None else ((b"www-authenticate", b'Bearer error="%s"' % error),)


def reply(problem: Problem, base: str, headers: tuple[Header, ...] = ()) -> Reply:
    """The refusal as a reply, with its own headers and those that its reason brings."""
    if problem.retry_after is not None:
        headers = (*headers, (b"retry-after", b"%d" % problem.retry_after))
    # Words about a hostile document may quote what no UTF-8 can say. A refusal is sent all the same.
    body = values.compact(document(problem, base)).encode(errors="replace")
    return Reply(problem.status, body, ((b"content-type", MEDIA_TYPE), *headers))
