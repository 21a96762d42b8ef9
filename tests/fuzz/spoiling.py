"""Spoiling: the one thing, or the two, that make a request one which nobody would send."""

from collections.abc import Callable
from random import Random

from tests.fuzz import fields, json_values, schemas, texts
from tests.fuzz.draft import Draft, Wire
from tests.fuzz.json_text import Verbatim, written
from tests.fuzz.known import Known, Place, one_of

MIB = 1_048_576

METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "BREW", "get", "PROPFIND")
HEADERS: tuple[tuple[bytes, bytes], ...] = (
    (b"content-type", b"application/json"),
    (b"content-type", b"Application/JSON; charset=utf-16"),
    (b"content-type", b"text/plain"),
    (b"content-type", b"multipart/form-data; boundary=x"),
    (b"content-type", b"\xff\xfe"),
    (b"content-type", b""),
    (b"content-encoding", b"gzip"),
    (b"content-encoding", b"identity"),
    (b"content-length", b"-1"),
    (b"content-length", b"1e9"),
    (b"content-length", b"99999999999999999999"),
    (b"content-length", b"\xb2"),
    (b"transfer-encoding", b"chunked"),
    (b"host", b"evil.example"),
    (b"host", b"\xff"),
    (b"origin", b"https://evil.example"),
    (b"origin", b"null"),
    (b"origin", b"https://app.example.com"),
    (b"access-control-request-method", b"POST"),
    (b"authorization", b"Bearer"),
    (b"authorization", b"Basic YTpi"),
    (b"authorization", b"Bearer \xff\xfe"),
    (b"authorization", b"Bearer say_x_" + b"A" * 43),
    (b"authorization", b"Bearer " + b"A" * 8_000),
    (b"x-request-id", b"a\x00b"),
    (b"x-forwarded-for", b"127.0.0.1"),
    (b"x-forwarded-host", b"evil.example"),
    (b"x-http-method-override", b"DELETE"),
    (b"accept", b"text/html"),
    (b"range", b"bytes=0-1"),
    (b"if-match", b'"v1"'),
    (b"expect", b"100-continue"),
    (b"upgrade", b"websocket"),
    (b"cookie", b"a=" + b"b" * 4_000),
)


def spoil(chance: Random, draft: Draft, known: Known) -> Wire:
    """The draft as bytes: nearly half of them as they were meant, the others with a field or their bytes spoilt."""
    pick = chance.random()
    if 0.45 < pick < 0.8:
        chance.choice(_OF_FIELDS)(chance, draft, known)
    wire = draft.wire(chance)
    if pick > 0.75:
        chance.choice(_OF_BYTES)(chance, wire)
    return wire


# -- of fields


def _near(chance: Random, draft: Draft, known: Known) -> None:
    properties = fields.schema(draft.route.operation)["properties"]
    name = chance.choice(list(properties))
    its = properties[name]
    draft.fields[name] = schemas.near(chance, its.get("anyOf", [its])[0])


def _near_answer(chance: Random, draft: Draft, known: Known) -> None:
    runs = [run for run in known.open if run.run_id == draft.fields.get("run_id")]
    if runs and "answer" in draft.fields:
        draft.fields["answer"] = schemas.near(chance, runs[0].output_schema)
    elif "input" in draft.fields:
        draft.fields["input"] = _member_spoilt(chance, draft.fields["input"])
    else:
        _near(chance, draft, known)


def _member_spoilt(chance: Random, value: object) -> object:
    if not isinstance(value, dict) or not value:
        return json_values.hostile(chance)
    return value | {chance.choice(list(value)): json_values.hostile(chance)}


def _hostile(chance: Random, draft: Draft, known: Known) -> None:
    if draft.fields:
        draft.fields[chance.choice(list(draft.fields))] = json_values.hostile(chance)


def _hostile_text(chance: Random, draft: Draft, known: Known) -> None:
    if draft.fields:
        draft.fields[chance.choice(list(draft.fields))] = texts.hostile(chance)


def _spoilt_text(chance: Random, draft: Draft, known: Known) -> None:
    named = [name for name, value in draft.fields.items() if isinstance(value, str)]
    if named:
        name = chance.choice(named)
        draft.fields[name] = texts.spoilt(chance, draft.fields[name])


def _missing(chance: Random, draft: Draft, known: Known) -> None:
    rest = [name for name in draft.fields if name not in draft.route.names]
    if rest:
        del draft.fields[chance.choice(rest)]


def _extra(chance: Random, draft: Draft, known: Known) -> None:
    names = (texts.hostile(chance), "org", "playbook", "__class__", "model_config", "free", "by", "caller_id", "a/b~c")
    for _ in range(chance.choice((1, 1, 2, 25))):
        draft.fields[chance.choice(names) + str(len(draft.fields))[: chance.randint(0, 1)]] = json_values.plain(chance)


def _elsewhere(chance: Random, draft: Draft, known: Known) -> None:
    """What is there, but in another place."""
    place = one_of(chance, sorted(known.playbooks)) or Place("other", "sales")
    draft.place = chance.choice((place, Place(place.org, draft.place.playbook), Place("nobody", place.playbook)))


def _hostile_place(chance: Random, draft: Draft, known: Known) -> None:
    text = chance.choice((texts.hostile(chance)[:200], "acme/../other", "A" * 65, "local"))
    draft.place = Place(text, draft.place.playbook) if chance.random() < 0.5 else Place(draft.place.org, text)


def _filled(chance: Random, draft: Draft, known: Known) -> None:
    """A body near the most that a body may have, or a member of many bytes."""
    free = [name for name in draft.fields if name in {"input", "answer", "source", "description"}]
    name = chance.choice(free) if free and not draft.route.is_query else None
    if name is None:
        _hostile(chance, draft, known)
    elif chance.random() < 0.5:
        draft.fields[name] = json_values.large(chance)
    else:
        used = len(written(draft.fields | {name: ""}))
        draft.fields[name] = "x" * (MIB - used + chance.choice((-1, 0, 1)))


# -- of bytes


def _method(chance: Random, wire: Wire) -> None:
    wire.method = chance.choice(METHODS)


def _header(chance: Random, wire: Wire) -> None:
    name, value = chance.choice(HEADERS)
    if chance.random() < 0.5:
        wire.headers = [header for header in wire.headers if header[0] != name]
    if chance.random() < 0.9:
        wire.headers.append((name, value))


def _no_header(chance: Random, wire: Wire) -> None:
    if wire.headers:
        del wire.headers[chance.randrange(len(wire.headers))]


def _path(chance: Random, wire: Wire) -> None:
    at = chance.randrange(len(wire.parts))
    match chance.randint(0, 4):
        case 0:
            wire.parts[at] = chance.choice(texts.PERCENTS)
        case 1:
            wire.parts[at] += chance.choice(texts.PERCENTS)
        case 2:
            wire.parts.insert(at, chance.choice((b"", b"..", b"definitions", b"runs")))
        case 3:
            del wire.parts[at]
        case _:
            wire.parts = [chance.choice((b"health", b"ready", b"", b"v2", b"%2Fhealth", b"*", b"openapi.json"))]


def _query(chance: Random, wire: Wire) -> None:
    """A query of junk, a parameter twice, one that stands in the path, or one on a command."""
    junk = (chance.choice((b"limit", b"cursor", b"a", b"", b"%00")), chance.choice(texts.PERCENTS))
    more = [junk, *wire.query, (b"run_id", b"x"), (b"limit", b"1"), (b"order", b"asc"), (b"include_retired", b"yes")]
    wire.query.append(chance.choice(more))
    if chance.random() < 0.2:
        wire.query += [(b"&", b"")] * chance.choice((1, 300))


def _cut(chance: Random, wire: Wire) -> None:
    wire.body = wire.body[: chance.randint(0, len(wire.body))]


def _bytes(chance: Random, wire: Wire) -> None:
    at = chance.randint(0, len(wire.body))
    wire.body = wire.body[:at] + chance.choice(texts.BYTES) + wire.body[at + chance.randint(0, 2) :]


def _begun_otherwise(chance: Random, wire: Wire) -> None:
    """A body after a byte order mark, in UTF-16, in a list, or with blanks around it."""
    match chance.randint(0, 4):
        case 0:
            wire.body = b"\xef\xbb\xbf" + wire.body
        case 1:
            wire.body = wire.body.decode(errors="replace").encode("utf-16")
        case 2:
            wire.body = b"[" + wire.body + b"]"
        case 3:
            wire.body = b" \r\n\t" + wire.body + b"\n\n"
        case _:
            wire.body = chance.choice((b"null", b'"a"', b"1", b"{}", b"", b"\x00", b"[]", b"{} {}", b"a=b&c=d"))


def _twice(chance: Random, wire: Wire) -> None:
    """A member of the body twice, with another value or with the same."""
    if not wire.body.startswith(b"{"):
        return
    names = list(wire.draft.fields) or ["a"]
    again = written({chance.choice(names): chance.choice((Verbatim("NaN"), 1, "a", None))})[1:-1]
    wire.body = b"{" + again + b", " + wire.body[1:]


def _replaced(chance: Random, wire: Wire) -> None:
    wire.body = written(json_values.hostile(chance))


def _leaving(chance: Random, wire: Wire) -> None:
    wire.leaves = True
    _cut(chance, wire)


def _oversized(chance: Random, wire: Wire) -> None:
    fill = b"[" if chance.random() < 0.2 else b" "
    wire.body = (wire.body + fill * MIB)[: MIB + chance.choice((0, 1, 100))]


_OF_FIELDS: tuple[Callable[[Random, Draft, Known], None], ...] = (
    *(_near, _near, _near, _near_answer, _near_answer, _near_answer, _hostile, _hostile, _hostile, _hostile_text),
    *(_spoilt_text, _spoilt_text, _missing, _extra, _elsewhere, _hostile_place),
)
_OF_BYTES: tuple[Callable[[Random, Wire], None], ...] = (
    *(_method, _header, _header, _no_header, _path, _path, _query, _query, _cut, _bytes, _bytes, _begun_otherwise),
    *(_twice, _replaced, _leaving),
)


def spoil_rarely(chance: Random, draft: Draft, known: Known) -> Wire:
    """The spoilings that cost a megabyte each."""
    if chance.random() < 0.5:
        _filled(chance, draft, known)
        return draft.wire(chance)
    wire = draft.wire(chance)
    _oversized(chance, wire)
    return wire
