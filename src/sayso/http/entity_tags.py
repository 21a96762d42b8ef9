"""Entity tags: the version of a definition as HTTP says it, in ``ETag`` and in ``If-Match`` (RFC 9110)."""

import re

from starlette.types import Scope

from sayso.app.inputs import VERSION_MAX
from sayso.app.operations import Outcome
from sayso.core.values import Json
from sayso.errors import Problem, Reason
from sayso.http.routes import Route
from sayso.http.wire import Header, header

FIELD = "expected_version"
_TAG = re.compile(rb'"v([1-9][0-9]{0,15})"')


def of(route: Route, outcome: Outcome) -> tuple[Header, ...]:
    """The tag of what a route replies, where that is a version of a definition."""
    return ((b"etag", b'"v%d"' % outcome["version"]),) if route.is_versioned else ()


def expect(scope: Scope, route: Route, fields: dict[str, Json]) -> None:
    """Take ``If-Match`` of an update as the version that it expects. ``*`` expects any, as every update does.

    400 for what names no version, and for one that the body names otherwise.
    """
    given = header(scope, b"if-match")
    if not given or not (route.is_versioned and route.method == "PUT") or given == [b"*"]:
        return
    version = _version(given)
    expected = fields.get(FIELD)
    if expected is None:
        fields[FIELD] = version
    elif expected != version:
        raise Problem(Reason.BAD_REQUEST, f"If-Match and {FIELD} expect different versions: send one of them.")


def _version(given: list[bytes]) -> int:
    tag = _TAG.fullmatch(given[0].strip()) if len(given) == 1 else None
    if tag is None or int(tag[1]) > VERSION_MAX:
        raise Problem(Reason.BAD_REQUEST, 'Send one If-Match, as an ETag gave it: "v" and the version, in quotes.')
    return int(tag[1])
