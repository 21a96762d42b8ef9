"""The wire: fields from path, query and body, each from one place."""

import asyncio

import pytest
from starlette.types import Message, Receive

from sayso.core import bounds
from sayso.core.values import Json
from sayso.errors import Problem, Reason
from sayso.http import wire
from sayso.http.wire import ClientGone
from tests.http.scopes import receiving, scope

pytestmark = pytest.mark.anyio
JSON = (b"content-type", b"application/json")
READERS = {"limit": wire.whole, "include_retired": wire.truth}


async def command(body: bytes, *headers: tuple[bytes, bytes], query: bytes = b"") -> dict[str, Json]:
    return await wire.command_fields(scope(headers=headers or (JSON,), query=query), receiving(body), {"run_id": "r"})


async def refused(body: bytes, *headers: tuple[bytes, bytes], query: bytes = b"") -> Reason:
    with pytest.raises(Problem) as problem:
        await command(body, *headers, query=query)
    return problem.value.reason


def query(text: bytes, **path_fields: str) -> dict[str, Json]:
    return wire.query_fields(scope("GET", query=text, headers=()), path_fields, READERS)


async def test_path_and_body_are_one_object() -> None:
    assert await command(b'{"answer": {"verdict": "go"}}') == {"run_id": "r", "answer": {"verdict": "go"}}


@pytest.mark.parametrize(
    "headers", [[(b"content-type", b"text/plain")], [(b"content-encoding", b"gzip")], [(b"x", b"y")]]
)
async def test_an_empty_body_is_an_empty_object_whatever_it_claims(headers: list[tuple[bytes, bytes]]) -> None:
    assert await command(b"", *headers) == {"run_id": "r"}


@pytest.mark.parametrize("kind", [b"application/json", b"APPLICATION/Json", b"application/json; charset=utf-8"])
async def test_the_media_type_compares_without_case_and_takes_parameters(kind: bytes) -> None:
    assert await command(b"{}", (b"content-type", kind)) == {"run_id": "r"}


@pytest.mark.parametrize(
    "headers",
    [
        [(b"x", b"y")],
        [(b"content-type", b"text/plain")],
        [(b"content-type", b"application/problem+json")],
        [JSON, JSON],
        [JSON, (b"content-encoding", b"gzip")],
        [JSON, (b"content-encoding", b"identity"), (b"content-encoding", b"br")],
    ],
)
async def test_other_media_and_compressed_bodies_are_refused(headers: list[tuple[bytes, bytes]]) -> None:
    assert await refused(b"{}", *headers) is Reason.UNSUPPORTED_MEDIA_TYPE


@pytest.mark.parametrize(
    "body", [b"[]", b"null", b'"{}"', b"1", b" ", b"{", b"\xff{}", b"[" * 100_000, b"\xef\xbb\xbf{}"]
)
async def test_a_body_that_is_no_object_is_a_bad_request(body: bytes) -> None:
    assert await refused(body) is Reason.BAD_REQUEST


async def test_a_body_may_begin_with_blanks() -> None:
    assert await command(b' \t\r\n{"answer": 1} ') == {"run_id": "r", "answer": 1}


async def test_a_field_of_the_path_may_not_stand_in_the_body_too() -> None:
    assert await refused(b'{"run_id": "r"}') is Reason.BAD_REQUEST


async def test_a_command_takes_no_query() -> None:
    assert await refused(b"{}", query=b"answer=1") is Reason.BAD_REQUEST


async def test_a_body_of_exactly_one_mebibyte_is_read_in_chunks() -> None:
    text = b'{"a":"' + b"x" * (bounds.BODY_BYTES - 8) + b'"}'
    receive = receiving(text[:100_000], text[100_000:])
    fields = await wire.command_fields(scope(), receive, {})
    assert len(fields["a"]) == bounds.BODY_BYTES - 8


@pytest.mark.parametrize(
    ("headers", "receive"),
    [
        ([JSON, (b"content-length", b"1048577")], receiving(whole=False)),
        ([JSON, (b"content-length", b"9" * 5_000)], receiving(whole=False)),
        ([JSON], receiving(b"x" * 1_048_577)),
        ([JSON], receiving(b"x" * 1_048_576, b"x")),
        ([JSON, (b"content-length", b"2")], receiving(b"{}", b"x" * 1_048_576)),
        ([(b"content-type", b"text/plain")], receiving(b"x" * 1_048_577)),
    ],
)
async def test_a_larger_body_is_refused_as_soon_as_that_is_known(
    headers: list[tuple[bytes, bytes]], receive: Receive
) -> None:
    with pytest.raises(Problem) as problem:
        await wire.command_fields(scope(headers=headers), receive, {})
    assert problem.value.reason is Reason.CONTENT_TOO_LARGE


async def test_a_client_that_waits_for_leave_to_send_is_told_at_once() -> None:
    headers = [JSON, (b"content-length", b"1048577"), (b"expect", b"100-continue")]

    async def never() -> Message:
        raise AssertionError("the body must not be asked for")

    with pytest.raises(Problem):
        await wire.command_fields(scope(headers=headers), never, {})


async def test_a_client_that_says_it_sends_more_than_it_does_is_not_waited_for() -> None:
    async def silent() -> Message:
        await asyncio.Event().wait()
        raise AssertionError

    with pytest.raises(Problem) as problem:
        await asyncio.wait_for(wire.command_fields(scope(headers=[(b"content-length", b"2000000")]), silent, {}), 10)
    assert problem.value.reason is Reason.CONTENT_TOO_LARGE


async def test_a_client_that_leaves_in_mid_body_gets_no_reply() -> None:
    with pytest.raises(ClientGone):
        await wire.command_fields(scope(), receiving(b"{", whole=False), {})


async def test_a_query_is_percent_decoded_once() -> None:
    assert query(b"to=the+caf%C3%A9%20%26%2525&function=") == {"to": "the café &%25", "function": ""}


async def test_the_values_of_a_query_get_the_types_of_their_fields() -> None:
    assert query(b"limit=-5&include_retired=true&to=7") == {"limit": -5, "include_retired": True, "to": "7"}


@pytest.mark.parametrize("text", ["yes", "True", "1", "01", "1.0", "+1", " 1", "1e3", "9" * 30, "\u0661"])
async def test_what_is_no_such_value_stays_a_text_for_the_operation_to_refuse(text: str) -> None:
    assert wire.truth(text) == text
    assert wire.whole(text) in (text, 1) if text == "1" else wire.whole(text) == text


@pytest.mark.parametrize(("text", "path"), [(b"to=a&to=b", {}), (b"run_id=a", {"run_id": "a"}), (b"t%6F=a&to=a", {})])
async def test_a_field_given_twice_is_a_bad_request(text: bytes, path: dict[str, str]) -> None:
    with pytest.raises(Problem) as problem:
        query(text, **path)
    assert problem.value.reason is Reason.BAD_REQUEST


@pytest.mark.parametrize("text", [b"to=%FF", b"%ED%A0%80=1", b"to=\xff", b"to=%C3"])
async def test_a_query_that_is_no_utf_8_is_a_bad_request(text: bytes) -> None:
    with pytest.raises(Problem) as problem:
        query(text)
    assert problem.value.reason is Reason.BAD_REQUEST


@pytest.mark.parametrize("headers", [[(b"content-length", b"2")], [(b"transfer-encoding", b"chunked")]])
async def test_a_query_takes_no_body(headers: list[tuple[bytes, bytes]]) -> None:
    with pytest.raises(Problem) as problem:
        wire.query_fields(scope("GET", headers=headers), {}, {})
    assert problem.value.reason is Reason.BAD_REQUEST


async def test_parts_of_a_path_are_decoded_after_the_split() -> None:
    assert wire.segments(scope(path=b"/a%2Fb/%C3%A9/%00/\xc3\xa9/%zz/")) == ["a/b", "é", "\0", "é", "%zz", ""]


@pytest.mark.parametrize("path", [b"/%FF", b"/%ED%A0%80", b"/\xff"])
async def test_a_path_that_is_no_utf_8_is_a_bad_request(path: bytes) -> None:
    with pytest.raises(Problem) as problem:
        wire.segments(scope(path=path))
    assert problem.value.reason is Reason.BAD_REQUEST


async def test_a_server_that_keeps_no_raw_path_is_served_too() -> None:
    bare = scope(path=b"/v1")
    del bare["raw_path"]
    assert wire.segments(bare) == ["v1"]
