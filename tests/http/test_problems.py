"""Problem documents: always five members, the others only where they say something."""

import json

import pytest

from sayso.errors import Issue, Kind, Problem, Reason
from sayso.http import problems

BASE = "https://on.auto/problems/"


@pytest.mark.parametrize("reason", Reason)
def test_every_reason_has_a_type_a_title_and_its_status(reason: Reason) -> None:
    document = problems.document(Problem(reason, "words"), BASE)
    assert document.keys() == {"type", "title", "status", "detail", "reason"}
    assert document["type"] == f"https://on.auto/problems/{reason.value}"
    assert document["status"] == Problem(reason, "").status
    assert document["title"][0].isupper()


@pytest.mark.parametrize(
    ("reason", "title"),
    [
        (Reason.BAD_REQUEST, "Bad request"),
        (Reason.INTERNAL, "Internal error"),
        (Reason.ORIGIN_NOT_ALLOWED, "Origin not allowed"),
        (Reason.CONTENT_TOO_LARGE, "Content too large"),
    ],
)
def test_titles(reason: Reason, title: str) -> None:
    assert problems.document(Problem(reason, "words"), BASE)["title"] == title


def test_the_base_of_types_is_a_setting() -> None:
    document = problems.document(Problem(Reason.UNANSWERED, "words", kind=Kind.EXPIRED), "https://example.com/p/")
    assert document["type"] == "https://example.com/p/unanswered"
    assert document["kind"] == "expired"


def test_errors_are_issues_with_line_and_place_where_known() -> None:
    issues = (
        Issue(detail="a", pointer="/source", line=7, at="/deliver/with"),
        Issue(detail="b", pointer="/source", line=9),
        Issue(detail="c", pointer=""),
    )
    document = problems.document(Problem(Reason.INVALID_INPUT, "words", issues=issues), BASE)
    assert document["errors"] == [
        {"detail": "a", "pointer": "/source", "line": 7, "at": "/deliver/with"},
        {"detail": "b", "pointer": "/source", "line": 9},
        {"detail": "c", "pointer": ""},
    ]


def test_because_and_incident_are_shown_where_given() -> None:
    document = problems.document(Problem(Reason.INTERNAL, "words", because="it", incident="0-1"), BASE)
    assert (document["because"], document["instance"]) == ("it", "urn:uuid:0-1")


def test_a_reply_has_the_media_type_and_the_wait() -> None:
    reply = problems.reply(Problem(Reason.UNAVAILABLE, "words", retry_after=5), BASE)
    assert reply.status == 503
    assert set(reply.headers) == {(b"content-type", b"application/problem+json"), (b"retry-after", b"5")}


def test_words_that_no_utf_8_can_say_do_not_stop_a_refusal() -> None:
    reply = problems.reply(Problem(Reason.CONFLICT, "half \ud800 of a pair"), BASE)
    assert json.loads(reply.body)["detail"] == "half ? of a pair"


@pytest.mark.parametrize(
    ("reason", "challenge"),
    [
        (Reason.UNAUTHENTICATED, ((b"www-authenticate", b'Bearer error="invalid_token"'),)),
        (Reason.FORBIDDEN, ((b"www-authenticate", b'Bearer error="insufficient_scope"'),)),
        (Reason.ORIGIN_NOT_ALLOWED, ()),
        (Reason.NOT_FOUND, ()),
    ],
)
def test_only_a_credential_is_challenged(reason: Reason, challenge: tuple[tuple[bytes, bytes], ...]) -> None:
    assert problems.challenge(Problem(reason, "words")) == challenge
