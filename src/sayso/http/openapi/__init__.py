"""What this door is, in its own words: an OpenAPI document made from the route table, and a page that shows it."""

from collections.abc import Mapping
from functools import cache

from sayso.http import wire
from sayso.http.openapi.document import document
from sayso.http.openapi.page import SECURITY, page
from sayso.http.wire import Reply

DOCUMENT, PAGE = "/v1/openapi.json", "/v1/docs"


@cache
def pages(base: str, server: str = "/") -> Mapping[str, Reply]:
    """The replies by their paths, made once; ``base`` begins the types of problems, ``server`` every path."""
    made = document(base, server)
    html = page(made).encode()
    return {
        DOCUMENT: wire.reply(200, made),
        PAGE: Reply(200, html, ((b"content-type", b"text/html; charset=utf-8"), *SECURITY)),
    }
